"""Outputs are compared strictly, are made again by notebooks/execute.py, and are the same on another processor."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys

import nbformat
import numpy as np
import pytest

from conftest import COMPARE_PICTURES
from notebooks import execute
from tests.notebooks.stored import NOTEBOOKS, ROOT, SERIES

pytestmark = pytest.mark.slow


def pytest_in(folder, *arguments, **environment):
    """Runs pytest in `folder`, as README does in the repository's root."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--color=no", *arguments],
        cwd=folder,
        env=clean | environment,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=300,
    )


def assert_passes(result):
    assert result.returncode == 0, result.stdout + result.stderr
    assert " passed" in result.stdout


def failed_cells(result):
    """The numbers of the code cells that failed."""
    return sorted(map(int, re.findall(r"^(?:FAILED|ERROR) .*::Cell (\d+)", result.stdout, re.MULTILINE)))


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


def edit(folder, change, name=SERIES[0]):
    """Changes a stored notebook: `change` gets its code cells."""
    path = folder / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change([cell for cell in notebook.cells if cell.cell_type == "code"])
    nbformat.write(notebook, path)


def change_each_cell_but_the_last(cells):
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
def test_changed_outputs_fail_and_no_others(is_linux, expected, copy):
    conftest = copy / "conftest.py"
    conftest.write_text(conftest.read_text().replace('sys.platform == "linux"', str(is_linux)))
    edit(copy, change_each_cell_but_the_last)
    result = pytest_in(copy)
    assert failed_cells(result) == expected, result.stdout
    assert "this cell was never run" in result.stdout
    assert "run `.venv/bin/python notebooks/execute.py 01` and look at the diff" in result.stdout


# execute.py


def compared(file):
    """The bytes of a file; of a notebook, without the version of Python and outputs that depend on the processor."""
    if file.suffix != ".ipynb":
        return file.read_bytes()
    notebook = json.loads(file.read_text(encoding="utf-8"))
    del notebook["metadata"]["language_info"]["version"]
    for cell in notebook["cells"]:
        if "nbval-ignore-output" in cell["metadata"].get("tags", []):
            cell["outputs"] = []
    return json.dumps(notebook)


def contents(folder):
    files = [*(folder / "notebooks").glob("*.ipynb"), *(folder / "figures").iterdir()]
    return {str(file.relative_to(folder)): compared(file) for file in files}


def clear(cells):
    for cell in cells:
        cell.update(outputs=[], execution_count=None)


@pytest.mark.skipif(not COMPARE_PICTURES, reason="the pictures that are stored were made on Linux")
def test_execute_makes_what_is_stored(tmp_path):
    """From copies without outputs, so that every stored output is made again."""
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks", ignore=shutil.ignore_patterns(".*"))
    (tmp_path / "figures").mkdir()
    for name in SERIES:
        edit(tmp_path, clear, name)
    subprocess.run([sys.executable, tmp_path / "notebooks" / "execute.py"], check=True, timeout=300)
    made, kept = contents(tmp_path), contents(ROOT)
    assert sorted(made) == sorted(kept)
    assert [file for file in made if made[file] != kept[file]] == []


def test_execute_saves_nothing_after_an_error(copy):
    shutil.copy(NOTEBOOKS / "execute.py", copy / "notebooks")
    edit(copy, lambda cells: cells[2].update(source="1 / 0"))
    before = contents(copy)
    command = [sys.executable, copy / "notebooks" / "execute.py"]
    result = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert result.returncode != 0 and "ZeroDivisionError" in result.stderr
    assert contents(copy) == before


# Other processors and kernels


def simd_features():
    """NumPy's names for what it would use of this processor beyond its baseline."""
    return " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


FORGET_PRINT_OPTIONS = """
import sys

import numpy as np

DEFAULTS = np.get_printoptions()


def forget(info):
    np.set_printoptions(**DEFAULTS)
    if "pandas" in sys.modules:
        sys.modules["pandas"].reset_option("^display")


get_ipython().events.register("pre_run_cell", forget)
"""


@pytest.fixture
def forgetful(tmp_path):
    """The settings of an IPython that forgets print options before every cell, as some versions of ipykernel do."""
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "forget.py").write_text(FORGET_PRINT_OPTIONS)
    return {"IPYTHONDIR": str(tmp_path / "ipython")}


def test_outputs_are_the_same_on_an_old_processor_and_without_print_options(forgetful):
    old_processor = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": simd_features()}
    assert_passes(pytest_in(ROOT, "notebooks", **old_processor, **forgetful))


@pytest.mark.skipif(not os.environ.get("OPENBLAS_CORETYPE"), reason="the default run is on this processor")
def test_outputs_are_the_same_on_this_processor():
    # An empty name makes OpenBLAS choose by the processor, whatever the environment says.
    assert_passes(pytest_in(ROOT, "notebooks", OPENBLAS_CORETYPE=""))


def test_notebook_that_needs_print_options_fails(copy, forgetful):
    def set_print_options(cells):
        cells[0].source += "\nnp.set_printoptions(precision=1)"
        cells[1].outputs[0].text = "[1.6 4.5]\n"

    edit(copy, set_print_options)
    assert_passes(pytest_in(copy))
    assert failed_cells(pytest_in(copy, **forgetful)) == [1]
