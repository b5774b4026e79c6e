"""The code of the guides runs. Whoever takes the steps of "Add an exercise" in CONTRIBUTING.md ends with green tests."""

import ast
import json
import os
import re
import shutil
import sys
import textwrap

import numpy as np
import pytest

from tests.project.test_readme import GUIDES, ROOT, text_of
from tests.project.test_wheel import run

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
    """Writes lines of code in the places of those that begin alike, up to a `=` or a `:`, and are to be filled in."""
    text = file.read_text(encoding="utf-8")
    for line in filter(None, code.splitlines()):
        begin = re.match(r'[\w" ]+[=:]', line)[0]
        place = rf"^( *){re.escape(begin)}.*(?:\.\.\.|s\.{NAME}\(a, b\)).*$"
        text, filled = re.subn(place, lambda found: found[1] + line, text, flags=re.MULTILINE)  # noqa: B023
        assert filled == 1, line
    file.write_text(text, encoding="utf-8")


def fill_cells(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell, text in zip(notebook["cells"][-5:-1], CELLS, strict=True):
        source = "".join(cell["source"])
        assert "..." in source
        cell["source"] = source.replace("...", text, 1)
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def run_in(copy, *arguments):
    """What Python prints in the copy, if it ends well."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(copy)  # comes before what is installed
    return run(sys.executable, *arguments, cwd=copy, env=environment)


@pytest.mark.slow
@pytest.mark.release
def test_exercise_is_added_as_the_guide_says(tmp_path):
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__")
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=left_out)
    *codes, mistake = code_of_the_guide()
    told = run_in(copy, "-m", "tests.check.new_exercise", NAME, "01", "a b", "4")
    notebook = "notebooks/01_dot_product.ipynb"
    files = "lesson/check/exercises.py", "lesson/check/steps.py", f"tests/check/answers/{NAME}.py"
    for file, code in zip(files, codes, strict=True):
        assert file in told
        fill(copy / file, code)
    fill_cells(copy / notebook)
    mistakes = copy / "lesson" / "check" / "mistakes" / "dot_product.py"
    text = mistakes.read_text(encoding="utf-8")
    assert text.count("\n]\n") == 1
    text = text.replace("\n]\n", f"\n{textwrap.indent(mistake, '    ')}]\n")
    mistakes.write_text(text, encoding="utf-8")
    run_in(copy, "publish/execute.py", "01")
    run_in(copy, "-m", "pytest", "-n2", "tests/check", "-k", NAME, "-m", "slow or not slow")
    affected = [notebook, "tests/notebooks", "tests/publish", "tests/teaching"]
    others = [path.stem for path in (copy / "notebooks").glob("0[2-9]_*.ipynb")]
    # Without the tests of other notebooks, and without those for which all pages are built.
    fewer = ["-k", f"not ({' or '.join(others)})", "--ignore=tests/publish/test_pages.py"]
    run_in(copy, "-m", "pytest", "-n2", *affected, *fewer)


# The Python code of README and the guides

BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
BLOCKS = [(guide, code) for guide in GUIDES for code in BLOCK.findall(text_of(guide))]
PROGRAMS = [(guide, code) for guide, code in BLOCKS if code not in code_of_the_guide()]


def results(code):
    """Runs the code, and yields for each expression with a comment behind it the value and the comment.

    The comment is the beginning of what `print` shows of the value. One that says something else stands on a line of
    its own.
    """
    names, lines = {}, code.splitlines()
    for statement in ast.parse(code).body:
        told = lines[statement.end_lineno - 1][statement.end_col_offset :].partition("#")[2].strip()
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), "guide", "eval"), names)
            if told:
                yield value, told
        else:
            assert not told, f"a comment behind what has no value: {told}"
            exec(compile(ast.Module([statement], []), "guide", "exec"), names)


@pytest.mark.parametrize("guide, code", PROGRAMS, ids=[guide for guide, _ in PROGRAMS])
def test_code_gives_what_its_comments_say(guide, code):
    with np.errstate(over="ignore"):  # some code shows an overflow
        found = list(results(code))
    for value, told in found:
        assert str(value).startswith(told), f"{guide} says {told}, and the code gives {value}"
