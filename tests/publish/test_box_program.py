"""publish/site/box.py, which runs what stands in a box, in a Python of its own: it replaces modules."""

import json
import subprocess
import sys

import pytest

from publish import boxes
from publish.notebooks import ROOT

RIGHT = "def dot_product(a, b):\n    return (a * b).sum()\n"
OTHER = "def softmax(scores):\n    e = np.exp(scores - scores.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)\n"
SOURCES = {
    "right": RIGHT,
    "wrong": RIGHT.replace("*", "+"),
    "another exercise": f"{OTHER}check.softmax(softmax)",
    "prompts": ">>> import numpy\n>>> numpy.pi\n3.14",
    "fence": f"```python\n{RIGHT}```",
    "magic": f"%matplotlib inline\n{RIGHT}",
    "command": f"!pip install torch\n{RIGHT}",
    "question": "a = input('a? ')",
    "no paste": "'''\n>>> in a text\n'''\ndef dot_product(a, b)\n    return a @ b",
}
PROGRAM = """
import json, runpy, sys
run = runpy.run_path(sys.argv[1])["run"]
found = {}
for name, source in json.loads(sys.argv[2]).items():
    found[name] = []
    run("", source, "check.dot_product(dot_product)", lambda *shown: found[name].append(shown))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def shown():
    """{name of a source: [[kind, content]]}, what running it shows."""
    command = [sys.executable, "-c", PROGRAM, boxes.SITE / "box.py", json.dumps(SOURCES)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(done.stdout)


def test_passed_is_said_of_the_exercise_of_the_box_alone(shown):
    said = {name: [content for kind, content in shown[name] if kind == "passed"] for name in SOURCES}
    assert said.pop("right") == ["dot_product"]
    assert not any(said.values())
    assert "Right" in shown["another exercise"][0][1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("prompts", "begins with >>>, the prompt of a Python session. Delete the prompts"),
        ("fence", "begins with ```, the fence around code"),
        ("magic", "The line %matplotlib inline begins with %, a command for notebooks"),
        ("command", "begins with !, a command for notebooks"),
        ("question", "a box cannot ask: write the value in place of input()"),
        ("no paste", "SyntaxError"),
    ],
)
def test_what_is_no_python_gets_a_sentence(shown, name, words):
    printed = "".join(content for kind, content in shown[name] if kind == "text")
    assert words in printed
    assert ("begins with" in printed) == (name not in ("question", "no paste"))
