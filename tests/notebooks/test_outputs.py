"""Outputs are compared strictly, and are made again by publish/execute.py; sections run alone, on an old processor too."""

import base64
import copy
import os
import re
import shutil
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from nbclient.exceptions import CellExecutionError

from conftest import COMPARE_PICTURES
from lesson import smollm
from publish import execute
from tests.few import few_of
from tests.notebooks.minutes import sections
from tests.notebooks.stored import NOTEBOOKS, ROOT, SERIES, code_cells, printed, report, tags

pytestmark = pytest.mark.slow


# The comparison

IMPORTS = "import numpy as np\n\nfrom attention_lib import show"
HEATMAP = (
    'show.heatmap([[0.25, 0.75]], ["her"], ["a", "cat"], alt="The cell her, cat is the darker.", name="NAME")'
)
SMALL = [
    IMPORTS,
    "print(np.round(np.exp([0.5, 1.5]), 2))",
    'show.table([[0.25, 0.75]], ["her"], ["a", "cat"])',
    HEATMAP.replace("NAME", "other-bytes"),
    HEATMAP.replace("NAME", "described-otherwise"),
    "6 * 7",
]


def store(path, sources):
    """Stores a notebook with code cells of these sources, without outputs."""
    path.parent.mkdir(exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources))), path)


def change_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    _, digit, table, png, description, never_run = notebook.cells
    digit.outputs[0].text = digit.outputs[0].text.replace("1.65", "1.66")
    table.outputs[0].data["text/html"] = table.outputs[0].data["text/html"].replace("0.75", "0.76")
    data = png.outputs[0].data
    data["image/png"] = base64.b64encode(base64.b64decode(data["image/png"])[:-1] + b"?").decode()
    data = description.outputs[0].data
    data["text/html"] = data["text/html"].replace("darker", "lighter")
    never_run.update(outputs=[], execution_count=None)
    nbformat.write(notebook, path)


@pytest.mark.skipif(not COMPARE_PICTURES, reason="on this system no bytes of pictures are compared")
def test_changed_outputs_fail(tmp_path):
    """In a folder with this repository's conftest.py and settings."""
    path = tmp_path / "notebooks" / f"{SERIES[0]}.ipynb"
    store(path, SMALL)
    execute.execute([path], tmp_path / "figures")
    change_outputs(path)
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path)
    command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--color=no"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    out = subprocess.run(
        command, cwd=tmp_path, env=clean, check=False, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout
    failed = re.findall(r"^(?:FAILED|ERROR) .*::Cell (\d+)", out, re.MULTILINE)
    assert sorted(map(int, failed)) == [1, 2, 3, 4, 5], out
    assert "run `.venv/bin/python publish/execute.py 01` and look at the diff" in out


# execute.py


def test_execute_deletes_the_pictures_that_it_made_and_saves_nothing_after_an_error(tmp_path):
    path, figures = tmp_path / "notebooks" / "03_small.ipynb", tmp_path / "figures"
    figures.mkdir()
    (figures / "04_of_another_notebook.png").touch()
    a, b, c = (HEATMAP.replace("NAME", name) for name in "abc")
    for sources in ([IMPORTS, a, b], [IMPORTS, a, c]):
        store(path, sources)
        execute.execute([path], figures)
    for sources, error in [
        ([IMPORTS, b, "1 / 0"], CellExecutionError),
        ([IMPORTS, a, a], SystemExit),
    ]:
        store(path, sources)
        before = path.read_bytes()
        with pytest.raises(error):
            execute.execute([path], figures)
        assert path.read_bytes() == before
    assert {file.name for file in figures.iterdir()} == {"03_a.png", "03_c.png", "04_of_another_notebook.png"}


# Sections: the code cells under a `##` heading below "In this notebook". The cells above the first section are the
# setup, which every section may use; it may use no other section.


def shown(cell):
    """The outputs of a cell, each in all its forms."""
    outputs = [] if "nbval-ignore-output" in tags(cell) else cell.outputs
    outputs = [output for output in outputs if output.get("metadata") != execute.FOLD["metadata"]]
    return [output.get("data") or output.get("text") or output.get("evalue") for output in outputs]


def differences(path):
    """What differs when a section runs in a kernel of its own; a section ends at its first cell that differs."""
    notebook = nbformat.read(path, as_version=4)
    found = {title: code_cells(cells) for title, cells in sections(notebook.cells).items()}
    setup = found.pop("") + found.pop("In this notebook")
    for title, cells in found.items():
        if not cells:
            continue
        notebook.cells = copy.deepcopy(setup + cells)
        execute.client_of(notebook, path.parent, allow_errors=True).execute()
        for stored, cell in zip(setup + cells, notebook.cells):
            if shown(cell) != shown(stored):
                yield f"{path.stem}, {title}: cell {cell.id} shows\n{printed(cell)}\nin place of\n{printed(stored)}"
                break


@pytest.mark.skipif(not COMPARE_PICTURES, reason="the pictures that are stored were made on Linux")
@pytest.mark.parametrize("name", few_of(SERIES, ["03_softmax", "07_attention_today"]))
def test_sections_run_by_themselves(name, monkeypatch):
    if name == "10_a_language_model" and not smollm.installed():
        pytest.skip(f"needs the weights: {smollm.INSTALL}")
    # As on an old processor, where the last bits of products and powers are others.
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", " ".join(features))
    report(differences(NOTEBOOKS / f"{name}.ipynb"))
