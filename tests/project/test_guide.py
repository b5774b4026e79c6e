"""CONTRIBUTING.md, "Add an exercise": whoever takes its steps, with the code that stands there, ends with green tests."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from copy import deepcopy

import pytest

from tests.project.test_readme import FOLDERS, ROOT, text_of

NAME = "cosine_similarity"
# What the guide leaves to the contributor: the four cells, and the answers in their order in the file.
CELLS = [
    f"### Exercise NUMBER · `{NAME}`\n\n*Easy, 4 minutes.* Divide the dot product by the lengths of both vectors.",
    f'def {NAME}(a, b):\n    """One number: the cosine of a and b."""\n    ...\n\n\ncheck.{NAME}({NAME})',
    "`np.linalg.norm(a)` is the length of `a`.",
    f"```python\ndef {NAME}(a, b):\n    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))\n```",
]
ANSWERS = [
    "sum(a * b)",
    "sum(x * y for x, y in zip(a, b)) / (sum(a * a) * sum(b * b)) ** 0.5",
    "max(a @ b, 0) / np.sqrt((a @ a) * (b @ b))",
]
FOLD = '<details><summary class="alert alert-success">{}</summary>\n\n{}\n\n</details>'


def code_of_the_guide():
    """The pieces of code in the section, in their order."""
    section = text_of("CONTRIBUTING.md").split("\n## Add an exercise\n")[1].split("\n## ")[0]
    return [textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```", section, re.M | re.S)]


def insert(file, line, code):
    """Writes code above the one place in a file that begins with `line`."""
    text = file.read_text(encoding="utf-8")
    assert text.count(line) == 1, line
    file.write_text(text.replace(line, textwrap.indent(code, "    ") + line), encoding="utf-8")


def add_cells(path):
    """Copies the cells of exercise 1 to the end, rewrites them, and adds 4 minutes to the two sentences."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = notebook["cells"]
    headings = [i for i, cell in enumerate(cells) if "".join(cell["source"]).startswith("### Exercise ")]
    heading, stub, hint, solution = CELLS
    heading = heading.replace("NUMBER", str(len(headings) + 1))
    sources = [heading, stub, FOLD.format("Hint", hint), FOLD.format("Solution", solution)]
    for i, source in enumerate(sources):
        cells.append(deepcopy(cells[headings[0] + i]) | {"id": f"nb01-new-{i}", "source": source})
    text = json.dumps(notebook, ensure_ascii=False)
    minutes = r"(?<=core path, )\d+(?= more)|(?<=\*)\d+(?= minutes, may be left out)"
    text, count = re.subn(minutes, lambda found: str(int(found[0]) + 4), text)
    assert count == 2
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def copy(tmp_path):
    """A copy of the project, which the test may change."""
    kept = {*FOLDERS, ".binder", ".ci", ".github"}
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
        elif path.name in kept:
            shutil.copytree(path, tmp_path / path.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(copy, *arguments):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(copy)  # comes before what is installed
    options = {"cwd": copy, "env": environment, "capture_output": True, "encoding": "utf-8", "timeout": 300}
    return subprocess.run([sys.executable, *arguments], check=False, **options)


def assert_green(copy, *arguments):
    done = run(copy, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_exercise_is_added_as_the_guide_says(copy):
    exercise, step, mistake, example = code_of_the_guide()
    checker = copy / "lesson" / "check"
    insert(checker / "exercises.py", '    Exercise(\n        "scaled_scores",', exercise)
    insert(checker / "steps.py", '    "dot": lambda', step)
    insert(checker / "mistakes" / "dot_product.py", "]\n", mistake)
    insert(copy / "publish" / "slides.py", '    "scaled_scores": "', example)
    add_cells(copy / "notebooks" / "01_dot_product.ipynb")
    assert_green(copy, "publish/execute.py", "01")

    told = run(
        copy, "-m", "pytest", "-n0", "tests/check/test_answers.py", "-k", f"has_answers and {NAME}"
    ).stdout
    answers = re.search(rf"{NAME}\.py needs:\n\n(.*?)\n===", told, re.S)[1] + "\n"
    assert answers.count(" ...") == len(ANSWERS), told
    for answer in ANSWERS:
        answers = answers.replace(" ...", f" {answer}", 1)
    (copy / "tests" / "check" / "answers" / f"{NAME}.py").write_text(answers, encoding="utf-8")

    assert_green(copy, "-m", "pytest", "-n2", "tests/check", "-k", NAME, "-m", "slow or not slow")
    affected = ["notebooks/01_dot_product.ipynb", "tests/notebooks", "tests/publish", "tests/teaching"]
    assert_green(copy, "-m", "pytest", "-n2", *affected)
