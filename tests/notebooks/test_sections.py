"""Every section of a notebook runs by itself, and again after everything else, with the stored result,
also on an old processor.

A section is the code cells under a `##` heading below "In this notebook". The cells above the first
section are the setup, which every section may use; it may use no other section.
"""

import copy

import nbformat
import numpy as np
import pytest

from conftest import COMPARE_PICTURES
from publish import execute
from tests.few import few_of
from tests.notebooks.stored import NOTEBOOKS, SERIES, code_cells, printed, report, sections, tags

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPARE_PICTURES, reason="the pictures that are stored were made on Linux"),
]

PURPOSE = "In this notebook"
KEEP = "names_of_the_setup, names_of_all = dict(globals()), {}"
FORGET = """
names_of_all |= {
    name: globals().pop(name)
    for name in [*globals()]
    if not name.startswith(("_", "names_of_")) and globals()[name] is not names_of_the_setup.get(name)
}
globals().update(names_of_the_setup)
"""
RECALL = "globals().update(names_of_all)"


def steps(notebook):
    """What a kernel runs, as (heading, code cells, when).

    Sections run from the last to the first: what an earlier one has changed is then not there. They run by
    themselves, and again with the names that all of them have left.
    """
    found = {title: code_cells(cells) for title, cells in sections(notebook.cells).items()}
    setup = found.pop("") + found.pop(PURPOSE)
    keep, forget, recall = map(nbformat.v4.new_code_cell, (KEEP, FORGET, RECALL))
    yield "the setup", [*setup, keep], "first"
    for title in reversed(found):
        yield title, [forget, *found[title]], "by itself"
    yield "all sections", [forget, recall], "together"
    for title in reversed(found):
        yield title, found[title], "after all others"


def shown(cell):
    """The outputs of a cell, each in all its forms."""
    outputs = [] if "nbval-ignore-output" in tags(cell) else cell.outputs
    outputs = [output for output in outputs if output.get("metadata") != execute.FOLD["metadata"]]
    return [output.get("data") or output.get("text") or output.get("evalue") for output in outputs]


def differences(path):
    """What differs when a kernel runs the steps, as (heading, when, difference).

    A section ends at its first cell that differs: the cells below would differ for the same reason.
    """
    notebook = nbformat.read(path, as_version=4)
    client = execute.client_of(copy.deepcopy(notebook), path.parent, allow_errors=True)
    with client.setup_kernel():
        for title, cells, when in steps(notebook):
            for stored in cells:
                cell = copy.deepcopy(stored)
                cell.outputs = []
                client.execute_cell(cell, 0)
                if shown(cell) != shown(stored):
                    now, before = printed(cell).strip(), printed(stored).strip()
                    yield title, when, f"cell {cell.id} shows\n{now}\nin place of\n{before}"
                    break


def simd_features():
    """NumPy's names for what it would use of this processor beyond its baseline."""
    return " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


@pytest.mark.parametrize("name", few_of(SERIES, ["03_softmax", "07_attention_today"]))
def test_sections_run_by_themselves_and_again(name, monkeypatch):
    # As on an old processor, where the last bits of products and powers are others.
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", simd_features())
    found = differences(NOTEBOOKS / f"{name}.ipynb")
    report(f"{name}, {title}, {when}, {difference}" for title, when, difference in found)


SMALL = [
    "# How many?",
    ["count = 3\ncount"],
    f"## {PURPOSE}",
    "## Needs nothing",
    ["2 + 2"],
    "## Defines",
    ["given = count + 1\ngiven"],
    "## Needs another section",
    ["print(given)"],
    "## Changes the setup",
    ["count += 1\ncount"],
]


def test_section_that_needs_or_changes_another_fails(tmp_path):
    new = nbformat.v4
    path = tmp_path / "notebooks" / "01_small.ipynb"
    path.parent.mkdir()
    cells = [
        new.new_markdown_cell(source) if isinstance(source, str) else new.new_code_cell(*source)
        for source in SMALL
    ]
    nbformat.write(new.new_notebook(cells=cells), path)
    execute.execute([path], tmp_path / "figures")
    found = list(differences(path))
    assert [(title, when) for title, when, _ in found] == [
        ("Needs another section", "by itself"),
        ("Changes the setup", "after all others"),
        ("Defines", "after all others"),
    ]
    assert "shows\nname 'given' is not defined\nin place of\n4" in found[0][2]
    assert "shows\n5\nin place of\n4" in found[1][2]
