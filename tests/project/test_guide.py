"""CONTRIBUTING.md, "Add an exercise": whoever takes its steps, with the code that stands there, ends with green tests."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.project.test_readme import FOLDERS, ROOT, text_of

NAME = "cosine_similarity"
# What the guide leaves to the contributor, in the place of the `...` of the four cells
CELLS = [
    "Divide the dot product by the lengths of both vectors.",
    "One number: the cosine of a and b.",
    "`np.linalg.norm(a)` is the length of `a`.",
    "a @ b / (np.linalg.norm(a) * np.linalg.norm(b))",
]


def code_of_the_guide():
    """The pieces of code in the section, in their order."""
    section = text_of("CONTRIBUTING.md").split("\n## Add an exercise\n")[1].split("\n## Add a question\n")[0]
    return [textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```", section, re.M | re.S)]


def fill(file, code):
    """Writes lines of code in the places of those that begin alike, up to a `=` or a `:`, and hold `...`."""
    text = file.read_text(encoding="utf-8")
    for line in filter(None, code.splitlines()):
        begin = re.match(r'[\w" ]+[=:]', line)[0]
        places = [found for found in text.splitlines() if found.strip().startswith(begin) and needs(found)]
        assert len(places) == 1, (line, places)
        indent = re.match(" *", places[0])[0]
        text = text.replace(places[0], indent + line)
    file.write_text(text, encoding="utf-8")


def needs(line):
    return "..." in line or f"s.{NAME}(a, b)" in line


def fill_cells(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell, text in zip(notebook["cells"][-5:-1], CELLS, strict=True):
        source = "".join(cell["source"])
        assert "..." in source
        cell["source"] = source.replace("...", text, 1)
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


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
    options = {"cwd": copy, "env": environment, "capture_output": True, "encoding": "utf-8", "timeout": 900}
    return subprocess.run([sys.executable, *arguments], check=False, **options)


def assert_green(copy, *arguments):
    done = run(copy, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.release
def test_exercise_is_added_as_the_guide_says(copy):
    entry, step, answers, mistake = code_of_the_guide()
    told = run(copy, "-m", "tests.check.new_exercise", NAME, "01", "a b", "4")
    assert told.returncode == 0, told.stdout + told.stderr
    checker, notebook = copy / "lesson" / "check", copy / "notebooks" / "01_dot_product.ipynb"
    files = (
        checker / "exercises.py",
        checker / "steps.py",
        copy / "tests" / "check" / "answers" / f"{NAME}.py",
    )
    for file, code in zip(files, (entry, step, answers), strict=True):
        assert file.relative_to(copy).as_posix() in told.stdout
        fill(file, code)
    fill_cells(notebook)
    mistakes = checker / "mistakes" / "dot_product.py"
    text = mistakes.read_text(encoding="utf-8")
    assert text.count("\n]\n") == 1
    mistakes.write_text(
        text.replace("\n]\n", "\n" + textwrap.indent(mistake, "    ") + "]\n"), encoding="utf-8"
    )
    assert_green(copy, "publish/execute.py", "01")
    assert_green(copy, "-m", "pytest", "-n2", "tests/check", "-k", NAME, "-m", "slow or not slow")
    affected = [notebook, "tests/notebooks", "tests/publish", "tests/teaching"]
    others = [path.stem for path in notebook.parent.glob("*.ipynb") if path != notebook]
    # Without the tests of other notebooks, and without those for which all pages are built.
    fewer = ["-k", f"not ({' or '.join(others)})", "--ignore=tests/publish/test_pages.py"]
    assert_green(copy, "-m", "pytest", "-n2", *affected, *fewer)
