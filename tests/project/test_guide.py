"""CONTRIBUTING.md, "Add an exercise": whoever takes its steps, with the code that stands there, ends with green tests."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.project.test_readme import ROOT, text_of

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


def run(copy, *arguments):
    """What Python prints in the copy, if it ends well."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(copy)  # comes before what is installed
    options = {"cwd": copy, "env": environment, "capture_output": True, "encoding": "utf-8", "timeout": 900}
    done = subprocess.run([sys.executable, *arguments], check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.release
def test_exercise_is_added_as_the_guide_says(tmp_path):
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__")
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=left_out)
    *codes, mistake = code_of_the_guide()
    told = run(copy, "-m", "tests.check.new_exercise", NAME, "01", "a b", "4")
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
    run(copy, "publish/execute.py", "01")
    run(copy, "-m", "pytest", "-n2", "tests/check", "-k", NAME, "-m", "slow or not slow")
    affected = [notebook, "tests/notebooks", "tests/publish", "tests/teaching"]
    others = [path.stem for path in (copy / "notebooks").glob("0[2-9]_*.ipynb")]
    # Without the tests of other notebooks, and without those for which all pages are built.
    fewer = ["-k", f"not ({' or '.join(others)})", "--ignore=tests/publish/test_pages.py"]
    run(copy, "-m", "pytest", "-n2", *affected, *fewer)
