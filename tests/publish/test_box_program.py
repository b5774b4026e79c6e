"""What publish/site/box.py says of what stands in a box."""

import pytest

from tests.project.test_packages import run_boxes

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
CALL = "check.dot_product(dot_product)"


@pytest.fixture(scope="module")
def shown():
    """{name of a source: [[kind, content]]}, what running it shows."""
    return dict(zip(SOURCES, run_boxes([("", source, CALL) for source in SOURCES.values()]), strict=True))


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
