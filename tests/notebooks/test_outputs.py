"""Outputs are compared strictly, and are made again by publish/execute.py."""

import base64
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from conftest import COMPARE_PICTURES
from publish import execute
from tests.notebooks.stored import NOTEBOOKS, ROOT, SERIES, code_cells

pytestmark = pytest.mark.slow


def pytest_in(folder):
    """Runs pytest in `folder`, as README does in the repository's root."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--color=no"],
        cwd=folder,
        env=clean,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=3000,
    )


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
    "6 * 7",
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A folder with a small notebook, run and stored, and with this repository's conftest.py and settings."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "notebooks").mkdir()
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    path = folder / "notebooks" / f"{SERIES[0]}.ipynb"
    nbformat.write(
        nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in SMALL]), path
    )
    execute.execute([path], folder / "figures")
    return folder


@pytest.fixture
def copy(small, tmp_path):
    return shutil.copytree(small, tmp_path / "copy")


def edit(path, change):
    """Changes a stored notebook: `change` gets its code cells."""
    notebook = nbformat.read(path, as_version=4)
    change(code_cells(notebook.cells))
    nbformat.write(notebook, path)


def change_some_cells(cells):
    _, digit, table, drawn, png, description, never_run, _ = cells
    digit.outputs[0].text = digit.outputs[0].text.replace("1.65", "1.66")
    table.outputs[0].data["text/html"] = table.outputs[0].data["text/html"].replace("0.75", "0.76")
    drawn.source = drawn.source.replace("0.75", "0.65")
    data = png.outputs[0].data
    data["image/png"] = base64.b64encode(base64.b64decode(data["image/png"])[:-1] + b"?").decode()
    data = description.outputs[0].data
    data["text/html"] = data["text/html"].replace("darker", "lighter")
    never_run.update(outputs=[], execution_count=None)


@pytest.mark.parametrize(("is_linux", "expected"), [(True, [1, 2, 3, 4, 5, 6]), (False, [1, 2, 5, 6])])
def test_changed_outputs_fail(is_linux, expected, copy):
    conftest = copy / "conftest.py"
    conftest.write_text(conftest.read_text().replace('sys.platform == "linux"', str(is_linux)))
    edit(copy / "notebooks" / f"{SERIES[0]}.ipynb", change_some_cells)
    result = pytest_in(copy)
    failed = re.findall(r"^(?:FAILED|ERROR) .*::Cell (\d+)", result.stdout, re.MULTILINE)
    assert sorted(map(int, failed)) == expected, result.stdout
    assert "this cell was never run" in result.stdout
    assert "run `.venv/bin/python publish/execute.py 01` and look at the diff" in result.stdout


# execute.py


def without_version(path):
    return re.sub(r'"version": "3[^"]*"', "", path.read_text(encoding="utf-8"))


def clear(cells):
    for cell in cells:
        cell.update(outputs=[], execution_count=None)


@pytest.mark.skipif(not COMPARE_PICTURES, reason="the pictures that are stored were made on Linux")
def test_execute_makes_what_is_stored(tmp_path):
    """One notebook, from a copy without outputs; what the others print is compared by the default run."""
    stored, figures = NOTEBOOKS / "02_scaling.ipynb", tmp_path / "figures"
    path = Path(shutil.copy(stored, tmp_path))
    edit(path, clear)
    execute.execute([path], figures)
    assert without_version(path) == without_version(stored)
    kept = {file.name: file.read_bytes() for file in (ROOT / "figures").glob("02_*")}
    assert {file.name: file.read_bytes() for file in figures.iterdir()} == kept


def test_execute_saves_nothing_after_an_error_in_a_later_notebook(tmp_path):
    paths = [
        Path(shutil.copy(NOTEBOOKS / f"{name}.ipynb", tmp_path)) for name in ("02_scaling", "03_softmax")
    ]
    edit(paths[0], clear)
    edit(paths[1], lambda cells: cells[2].update(source="1 / 0"))
    before = [path.read_bytes() for path in paths]
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute.execute(paths, tmp_path / "figures")
    assert [path.read_bytes() for path in paths] == before and not (tmp_path / "figures").exists()
