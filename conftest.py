"""Makes nbval strict: it compares pictures too, and refuses a cell that was never run.

Left alone, nbval never compares a PNG, and compares nothing in a cell without an execution count. A stale
figure or a cleared notebook would pass. And it would miss the sentence that stands in a folded answer, which
notebooks/execute.py puts there and no cell prints.
"""

import gc
import sys

import pytest

# The bytes of a picture were seen to be the same on every Linux machine tried. Other systems draw the
# same figure with other bytes, so there its description is compared and its bytes are not.
COMPARE_PICTURES = sys.platform == "linux"


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of one notebook
        if COMPARE_PICTURES:
            collector.skip_compare = tuple(kind for kind in collector.skip_compare if kind != "image/png")
        else:
            # The same constant on both sides: what is left of the HTML, the description, is compared.
            collector.sanitize_patterns[r'base64,[^"]*'] = "base64,"


def pytest_collection_modifyitems(items):
    for item in items:
        if cell := getattr(item, "cell", None):
            cell.outputs = [output for output in cell.outputs if output.get("metadata") != {"fold": True}]


def pytest_collection_finish():
    gc.freeze()  # what was collected lives until the end: no later search for garbage need look at it


def pytest_runtest_setup(item):
    cell = getattr(item, "cell", None)
    if cell is not None and cell.execution_count is None:
        pytest.fail("it was never run, so nothing would be compared: run notebooks/execute.py", pytrace=False)


def pytest_terminal_summary(terminalreporter):
    if any(".ipynb::" in report.nodeid for report in terminalreporter.getreports("failed")):
        terminalreporter.write_line(
            "A notebook does not show what is stored. If you changed it, or what it imports, run notebooks/execute.py"
            " and look at the diff."
        )
