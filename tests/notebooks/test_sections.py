"""Every section of a notebook runs by itself with the stored result, also on an old processor.

A section is the code cells under a `##` heading below "In this notebook". The cells above the first
section are the setup, which every section may use; it may use no other section.
"""

import copy

import nbformat
import numpy as np
import pytest

from conftest import COMPARE_PICTURES
from lesson import smollm
from publish import execute
from tests.few import few_of
from tests.notebooks.stored import NOTEBOOKS, SERIES, code_cells, printed, report, sections, tags

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPARE_PICTURES, reason="the pictures that are stored were made on Linux"),
]

PURPOSE = "In this notebook"
KEEP = "names_of_the_setup = dict(globals())"
FORGET = """
for name in [*globals()]:
    if not name.startswith(("_", "names_of_")) and globals()[name] is not names_of_the_setup.get(name):
        del globals()[name]
globals().update(names_of_the_setup)
"""


def steps(notebook):
    """What a kernel runs, as (heading, code cells).

    Sections run from the last to the first: what an earlier one has changed is then not there.
    """
    found = {title: code_cells(cells) for title, cells in sections(notebook.cells).items()}
    setup = found.pop("") + found.pop(PURPOSE)
    keep, forget = map(nbformat.v4.new_code_cell, (KEEP, FORGET))
    yield "the setup", [*setup, keep]
    for title in reversed(found):
        yield title, [forget, *found[title]]


def shown(cell):
    """The outputs of a cell, each in all its forms."""
    outputs = [] if "nbval-ignore-output" in tags(cell) else cell.outputs
    outputs = [output for output in outputs if output.get("metadata") != execute.FOLD["metadata"]]
    return [output.get("data") or output.get("text") or output.get("evalue") for output in outputs]


def differences(path):
    """What differs when a kernel runs the steps; a section ends at its first cell that differs."""
    notebook = nbformat.read(path, as_version=4)
    client = execute.client_of(copy.deepcopy(notebook), path.parent, allow_errors=True)
    with client.setup_kernel():
        for title, cells in steps(notebook):
            for stored in cells:
                cell = copy.deepcopy(stored)
                cell.outputs = []
                client.execute_cell(cell, 0)
                if shown(cell) != shown(stored):
                    yield f"{path.stem}, {title}: cell {cell.id} shows\n{printed(cell)}\nin place of\n{printed(stored)}"
                    break


@pytest.mark.parametrize("name", few_of(SERIES, ["03_softmax", "07_attention_today"]))
def test_sections_run_by_themselves(name, monkeypatch):
    if name == "10_a_language_model" and not smollm.installed():
        pytest.skip(f"needs the weights: {smollm.INSTALL}")
    # As on an old processor, where the last bits of products and powers are others.
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", " ".join(features))
    report(differences(NOTEBOOKS / f"{name}.ipynb"))
