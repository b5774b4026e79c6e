"""What lists the project's packages has all of them: the wheel, mypy, the filter of warnings, the boxes, the checker.

The wheel's files are tested in test_wheel.py, and which package may import which in test_imports.py.
"""

import json
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

import attention_lib as al
from lesson import check
from publish import boxes, notebooks, wheel
from tests.project.test_imports import GRAPH

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
FIRST_CELLS = {}  # {notebook: the code of its first cell}
EXERCISES = []  # (notebook, name, stub, the line that checks it)
for path in notebooks.PATHS.values():
    cells = [cell for cell in notebooks.read(path).cells if cell.cell_type == "code"]
    boxes.mark(cells)
    FIRST_CELLS[path.stem] = cells[0].source
    marked = [(cell.metadata["exercise"], cell.source) for cell in cells if "exercise" in cell.metadata]
    EXERCISES += [(path.stem, exercise["name"], stub, exercise["call"]) for exercise, stub in marked]


def test_wheel_and_mypy_have_what_notebooks_import():
    imported = {module for name, found in GRAPH.items() if name.startswith("notebooks.") for module in found}
    packages = {module.partition(".")[0] for module in imported}
    assert packages >= {"attention_lib", "lesson"} and packages == set(wheel.PACKAGES)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert packages <= set(settings["mypy"]["files"])


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("kind", [DeprecationWarning, FutureWarning])
def test_deprecated_call_in_own_code_is_an_error(package, kind):
    with pytest.raises(kind):
        warnings.warn_explicit("old", kind, "module.py", 1, module=f"{package}.module")


# Runs boxes as python_worker.js does, where neither pandas nor matplotlib is installed.
RUN_BOXES = """
import json, sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pandas", "matplotlib", "PIL"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NotInstalled())
from publish.site import box

for first_cell, source, call in json.load(sys.stdin):
    shown = []
    box.run(first_cell, source, call, lambda kind, content: shown.append((kind, content)))
    print(json.dumps(shown))
"""


def run_boxes(runs):
    """What boxes show, a list of (kind, content) for each run."""
    command = [sys.executable, "-c", RUN_BOXES]
    done = subprocess.run(
        command, input=json.dumps(runs), capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_box_gives_a_verdict_on_every_stub():
    shown = run_boxes([(FIRST_CELLS[notebook], stub, call) for notebook, _, stub, call in EXERCISES])
    assert {name for _, name, _, _ in EXERCISES} == {task.name for task in check.TASKS}
    for (_, name, _, _), found in zip(EXERCISES, shown, strict=True):
        assert [kind for kind, _ in found] == ["html"], f"{name}: {found}"


def test_box_says_what_works_in_the_notebook_alone():
    imports = "import pandas\nfrom attention_lib import model, show\nfrom lesson import drawings"
    lines = [
        "show.table([[1]], 'a', 'b')",
        "drawings.line_up((2,), (3,))",
        "model.read('', None)",
        "pandas.DataFrame()",
    ]
    for line, shown in zip(lines, run_boxes([(imports, line, "None") for line in lines]), strict=True):
        name = line.partition(".")[0]
        assert f"{name} works in the notebook" in "".join(text for _, text in shown), line


# A verdict quotes the line of the learner's function that stopped.


def calls_the_library(scores):
    return al.masked_softmax(scores, "wrong")


def calls_the_lesson(scores):
    return check.EXERCISES["softmax"].recipe(None, scores)


def takes_no_scores():
    return 1


@pytest.mark.parametrize(
    ("function", "quoted"),
    [
        (calls_the_library, ', in your line `return al.masked_softmax(scores, "wrong")`: '),
        (calls_the_lesson, ', in your line `return check.EXERCISES["softmax"].recipe(None, scores)`: '),
        (takes_no_scores, "your function stopped: "),  # in the checker's line that called it
    ],
)
def test_verdict_quotes_no_line_of_the_library_and_the_lesson(function, quoted):
    verdict = str(check.softmax(function))
    assert quoted in verdict and verdict.count("your line `") <= 1
