"""What publish/site/box.py says of what stands in a box. A verdict on every stub: tests/project/test_packages.py."""

import pytest

from tests.project.test_packages import run_boxes

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
