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


def shown(cell):
    """The outputs of a cell, each in all its forms."""
    outputs = [] if "nbval-ignore-output" in tags(cell) else cell.outputs
    outputs = [output for output in outputs if output.get("metadata") != execute.FOLD["metadata"]]
    return [output.get("data") or output.get("text") or output.get("evalue") for output in outputs]


def differences(path):
    """What differs when a section runs in a kernel of its own; a section ends at its first cell that differs."""
    notebook = nbformat.read(path, as_version=4)
    found = {title: code_cells(cells) for title, cells in sections(notebook.cells).items()}
    setup = found.pop("") + found.pop(PURPOSE)
    for title, cells in found.items():
        if not cells:
            continue
        notebook.cells = copy.deepcopy(setup + cells)
        execute.client_of(notebook, path.parent, allow_errors=True).execute()
        for stored, cell in zip(setup + cells, notebook.cells):
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
