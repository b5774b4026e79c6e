"""What publish/site/box.py says of what stands in a box, and of every stub, without pandas and Matplotlib."""

import json
import subprocess
import sys

import pytest

from publish import boxes, notebooks

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
        command, input=json.dumps(runs), stdout=subprocess.PIPE, text=True, check=True, cwd=notebooks.ROOT
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def stubs():
    """(first cell, stub, exercise) of each exercise."""
    for path in notebooks.PATHS.values():
        cells = [cell for cell in notebooks.read(path).cells if cell.cell_type == "code"]
        boxes.mark(path, cells)
        for cell in cells:
            if "exercise" in cell.metadata:
                yield cells[0].source, cell.source, cell.metadata.exercise


def test_box_gives_a_verdict_on_every_stub():
    runs = [(first, stub, exercise.call) for first, stub, exercise in stubs()]
    for (_, stub, _), shown in zip(runs, run_boxes(runs), strict=True):
        assert [kind for kind, _ in shown] == ["html"], f"{stub}: {shown}"


def test_box_says_what_works_in_the_notebook_alone():
    imports = "import pandas\nfrom attention_lib import model, show\nfrom lesson import drawings"
    calls = ["show.table(1)", "drawings.line_up(2, 3)", "model.read('')", "pandas.Series()"]
    for call, shown in zip(calls, run_boxes([(imports, call, "None") for call in calls]), strict=True):
        name = call.partition(".")[0]
        assert f"{name} works in the notebook" in "".join(text for _, text in shown)


RIGHT = "def dot_product(a, b):\n    return (a * b).sum()\n"
OTHER = "def softmax(scores):\n    e = np.exp(scores - scores.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)\n"
SOURCES = {  # {what stands in a box: what is said of it}
    RIGHT: "Right",
    RIGHT.replace("*", "+"): "Ask yourself:",
    f"{OTHER}check.softmax(softmax)": "Right",
    f">>> import numpy\n{RIGHT}": "begins with >>>, the prompt of a Python session. Delete the prompts",
    f"```python\n{RIGHT}```": "begins with ```, the fence around code",
    f"%matplotlib inline\n{RIGHT}": "The line %matplotlib inline begins with %, a command for notebooks",
    "a = input('a? ')": "a box cannot ask: write the value in place of input()",
    "'''\n>>> in a text\n'''\ndef dot_product(a, b)\n    return a @ b": "SyntaxError",
    "1 + 1": "2\nNo verdict: nothing here is named dot_product.",
    "print(5000 * 'a' + 'b')\nprint('c')": "a\n... (what was printed after this is not shown)\n",
    "def f():\n    1 / 0\nf()": 'line 3, in <module>\n    f()\n  File "your lines", line 2, in f\n    1 / 0\n',
}


@pytest.fixture(scope="module")
def shown():
    """{source: [[kind, content]]}, what running it shows."""
    call = "check.dot_product(dot_product)"
    return dict(zip(SOURCES, run_boxes([("", source, call) for source in SOURCES]), strict=True))


@pytest.mark.parametrize("source", SOURCES)
def test_box_says_what_is_wrong_and_that_its_own_exercise_is_passed(shown, source):
    said = "".join(content for kind, content in shown[source] if kind != "passed")
    assert SOURCES[source] in said and "publish" not in said
    assert ("begins with" in said) == ("begins with" in SOURCES[source])
    passed = [content for kind, content in shown[source] if kind == "passed"]
    assert passed == (["dot_product"] if source == RIGHT else [])
