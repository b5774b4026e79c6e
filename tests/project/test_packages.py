"""What lists the project's packages has all of them: the wheel, mypy, the filter of warnings, the boxes, the checker."""

import json
import subprocess
import sys
import tomllib
import warnings

import pytest

import attention_lib as al
from lesson import check
from publish import boxes, notebooks, wheel
from tests.project.test_imports import graph
from tests.project.test_readme import ROOT, text_of

PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))


def test_wheel_and_mypy_have_what_notebooks_import():
    imported = {
        module for name, found in graph().items() if name.startswith("notebooks.") for module in found
    }
    packages = {module.partition(".")[0] for module in imported}
    assert packages >= {"attention_lib", "lesson"} and packages == set(wheel.PACKAGES)
    assert packages <= set(tomllib.loads(text_of("pyproject.toml"))["tool"]["mypy"]["files"])


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
        command, input=json.dumps(runs), stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_box_gives_a_verdict_on_every_stub():
    names, runs = set(), []
    for path in notebooks.PATHS.values():
        cells = [cell for cell in notebooks.read(path).cells if cell.cell_type == "code"]
        boxes.mark(path, cells)
        for cell in cells:
            if exercise := cell.metadata.get("exercise"):
                names.add(exercise["name"])
                runs.append((cells[0].source, cell.source, exercise["call"]))
    assert names == {task.name for task in check.TASKS if task.notebook != "10_a_language_model"}
    for (_, stub, _), shown in zip(runs, run_boxes(runs), strict=True):
        assert [kind for kind, _ in shown] == ["html"], f"{stub}: {shown}"


def test_box_says_what_works_in_the_notebook_alone():
    imports = "import pandas\nfrom attention_lib import model, show\nfrom lesson import drawings"
    calls = ["show.table(1)", "drawings.line_up(2, 3)", "model.read('')", "pandas.Series()"]
    for call, shown in zip(calls, run_boxes([(imports, call, "None") for call in calls]), strict=True):
        name = call.partition(".")[0]
        assert f"{name} works in the notebook" in "".join(text for _, text in shown)


def test_verdict_quotes_the_learners_line_and_none_of_the_library_and_the_lesson():
    def calls_the_library(scores):
        return al.masked_softmax(scores, "wrong")

    def calls_the_lesson(scores):
        return check.EXERCISES["softmax"].recipe(None, scores)

    assert "in your line `return al.masked_softmax" in str(check.softmax(calls_the_library))
    assert "in your line `return check.EXERCISES" in str(check.softmax(calls_the_lesson))
