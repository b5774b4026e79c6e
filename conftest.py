"""Makes nbval strict: pictures are compared too, and a cell that was never run fails.

By itself nbval never compares a PNG, and compares nothing in a cell without an execution count, so a stale
figure or a notebook without outputs would pass.
"""

import gc
import os
import re
import sys

import hypothesis
import matplotlib
import pytest

from lesson import smollm

# nbval imports nbformat and jsonschema, which with this package compiles a grammar of web addresses: 1.4 seconds in
# each process, and the schema of notebooks needs none. So pyproject.toml has no plugin loaded by itself.
sys.modules["rfc3987_syntax"] = None

pytest_plugins = ["nbval.plugin"]

# Notebook 10 runs a model that is a package of its own.
if not smollm.installed():
    collect_ignore = ["notebooks/10_a_language_model.ipynb"]

# Where HOME cannot be written, Matplotlib makes a folder, and names it in MPLCONFIGDIR: the kernels inherit that.
# Each would otherwise make its own, and say so in the output of a cell.
matplotlib.get_cachedir()

# Nearly the same examples in every run, however slow the machine is: Hypothesis tries the numbers that it finds
# in the modules that are imported, too.
hypothesis.settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("same")

# A fault in the checker's own code fails a test. The kernels that nbval starts inherit this.
os.environ["LESSON_RAISE_ERRORS"] = "1"

# Tests run in as many processes as there are processors. With several threads in each of them, products of small
# arrays take several times as long: notebook 8 took 25 seconds of a processor's time, and takes 7.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# PNG bytes were the same on every Linux machine tried, and differ between systems. On the others the
# description of a figure is compared, and its bytes are not.
COMPARE_PICTURES = sys.platform == "linux"


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of one notebook
        if COMPARE_PICTURES:
            collector.skip_compare = tuple(kind for kind in collector.skip_compare if kind != "image/png")
        else:
            # The HTML without its picture is compared: its description.
            collector.sanitize_patterns[r'base64,[^"]*'] = "base64,"


def pytest_collection_modifyitems(items):
    # "Predict first ..." of folded answers is ignored: publish/execute.py inserts it, and no cell prints it.
    for item in items:
        if cell := getattr(item, "cell", None):
            cell.outputs = [output for output in cell.outputs if output.get("metadata") != {"fold": True}]


def pytest_collection_finish():
    gc.freeze()  # freeze what pytest collected, so that gc skips it


def pytest_runtest_setup(item):
    cell = getattr(item, "cell", None)
    if cell is not None and cell.execution_count is None:
        pytest.fail("this cell was never run, so nothing would be compared", pytrace=False)


def pytest_terminal_summary(terminalreporter):
    if not smollm.installed():
        terminalreporter.write_line(
            f"Notebook 10 was not run again, because its model is not installed: {smollm.INSTALL}"
        )
    reports = terminalreporter.getreports("failed") + terminalreporter.getreports("error")
    failed = "\n".join(report.nodeid for report in reports)
    if numbers := sorted(set(re.findall(r"(\d\d)_\w+\.ipynb::", failed))):
        terminalreporter.write_line(
            "A notebook's output differs from the stored one. If you changed it, or what it imports, run "
            f"`.venv/bin/python publish/execute.py {' '.join(numbers)}` and look at the diff."
        )
