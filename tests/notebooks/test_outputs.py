"""Outputs are compared strictly, and are made again by publish/execute.py."""

import base64
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from conftest import COMPARE_PICTURES
from publish import execute
from tests.notebooks.stored import ROOT, SERIES, code_cells

pytestmark = pytest.mark.slow


# The comparison

HEATMAP = (
    'show.heatmap([[0.25, 0.75]], ["her"], ["a", "cat"], alt="The cell her, cat is the darker.", name="NAME")'
)
SMALL = [
    "import numpy as np\n\nfrom attention_lib import show",
    "print(np.round(np.exp([0.5, 1.5]), 2))",
    'show.table([[0.25, 0.75]], ["her"], ["a", "cat"])',
    HEATMAP.replace("NAME", "drawn-otherwise"),
    HEATMAP.replace("NAME", "other-bytes"),
    HEATMAP.replace("NAME", "described-otherwise"),
    "6 * 7",
]


def stored_notebook(path, sources):
    """Stores a notebook with code cells of these sources, and outputs."""
    path.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources))), path)
    execute.execute([path], path.parent / "figures")


def edit(path, change):
    """Changes a stored notebook: `change` gets its code cells."""
    notebook = nbformat.read(path, as_version=4)
    change(code_cells(notebook.cells))
    nbformat.write(notebook, path)


def change_some_cells(cells):
    _, digit, table, drawn, png, description, never_run = cells
    digit.outputs[0].text = digit.outputs[0].text.replace("1.65", "1.66")
    table.outputs[0].data["text/html"] = table.outputs[0].data["text/html"].replace("0.75", "0.76")
    drawn.source = drawn.source.replace("0.75", "0.65")
    data = png.outputs[0].data
    data["image/png"] = base64.b64encode(base64.b64decode(data["image/png"])[:-1] + b"?").decode()
    data = description.outputs[0].data
    data["text/html"] = data["text/html"].replace("darker", "lighter")
    never_run.update(outputs=[], execution_count=None)


@pytest.mark.skipif(not COMPARE_PICTURES, reason="on this system no bytes of pictures are compared")
def test_changed_outputs_fail(tmp_path):
    """In a folder with this repository's conftest.py and settings."""
    path = tmp_path / "notebooks" / f"{SERIES[0]}.ipynb"
    stored_notebook(path, SMALL)
    edit(path, change_some_cells)
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path)
    command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--color=no"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    out = subprocess.run(
        command, cwd=tmp_path, env=clean, check=False, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout
    failed = re.findall(r"^(?:FAILED|ERROR) .*::Cell (\d+)", out, re.MULTILINE)
    assert sorted(map(int, failed)) == [1, 2, 3, 4, 5, 6], out
    assert "run `.venv/bin/python publish/execute.py 01` and look at the diff" in out


# execute.py


def test_two_runs_write_the_same_bytes(tmp_path):
    path = tmp_path / "notebooks" / f"{SERIES[0]}.ipynb"
    stored_notebook(path, SMALL)
    before = path.read_bytes()
    execute.execute([path], path.parent / "figures")
    assert path.read_bytes() == before


def test_execute_deletes_the_pictures_that_it_made_and_saves_nothing_after_an_error(tmp_path):
    path = tmp_path / "notebooks" / "03_small.ipynb"
    figures = path.parent / "figures"
    stored_notebook(path, [SMALL[0], HEATMAP.replace("NAME", "a"), HEATMAP.replace("NAME", "b"), "1"])
    (figures / "04_of_another_notebook.png").touch()
    edit(path, lambda cells: cells[3].update(source="1 / 0"))
    before = path.read_bytes()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute.execute([path], figures)
    assert path.read_bytes() == before
    edit(path, lambda cells: cells[3].update(source="1"))
    edit(path, lambda cells: cells[2].update(source=HEATMAP.replace("NAME", "c")))
    execute.execute([path], figures)
    assert {file.name for file in figures.iterdir()} == {"03_a.png", "03_c.png", "04_of_another_notebook.png"}
    edit(path, lambda cells: cells[2].update(source=cells[1].source))
    with pytest.raises(execute.UnnamedFigure):
        execute.execute([path], figures)
