"""Boxes in a page run without pandas and Matplotlib."""

import json
import subprocess
import sys

from lesson import check
from publish import boxes, notebooks
from tests.project.test_readme import ROOT

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
