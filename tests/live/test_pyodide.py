"""The library and its checker in Pyodide, under Node: Python 3.14, no threads, no processes, NumPy without BLAS.

pip install -r publish/requirements.txt && pytest -m live tests/live/test_pyodide.py
"""

import json
import shutil
import subprocess

import pytest

from publish import boxes, notebooks
from tests.notebooks.test_exercises import exercises, solutions

pytestmark = pytest.mark.live

# Runs all boxes. The folders of the repository and of what is given are mounted.
PROGRAM = """
import json, sys
sys.path.insert(0, "/repository")
from publish.site import box
shown = []
for first_cell, source, call in json.load(open("/given/given.json")):
    shown.append("")
    def show(kind, content):
        shown[-1] += content
    box.run(first_cell, source, call, show)
json.dump(shown, open("/given/shown.json", "w"))
"""


def run_in_pyodide(pyodide, folder):
    settings = {"packages": boxes.PACKAGES, "env": {"LESSON_RAISE_ERRORS": "1"}}
    lines = [
        f"import {{ loadPyodide }} from {json.dumps((pyodide / 'pyodide.mjs').as_uri())};",
        f"const python = await loadPyodide({json.dumps(settings)});",
        f"python.mountNodeFS('/repository', {json.dumps(str(notebooks.ROOT))});",
        f"python.mountNodeFS('/given', {json.dumps(str(folder))});",
        f"python.runPython({json.dumps(PROGRAM)});",
    ]
    command = ["node", "--input-type=module", "--eval", "\n".join(lines)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
def test_boxes_take_all_stubs_and_solutions_and_quote_the_line_that_stops(pyodide, tmp_path):
    given, expected = [], []
    for path in notebooks.PATHS.values():
        first_cell = next(c.source for c in notebooks.read(path).cells if c.cell_type == "code")
        for name, stub, folds in exercises(path.stem):
            for source in (stub, *solutions(folds, name)):
                given.append([first_cell, source, f"check.{name}({name})"])
                expected.append("Not started" if source == stub else "✓ Right")
    wrong = "def dot_product(a, b):\n    return a.sums()"
    given.append([first_cell, wrong, "check.dot_product(dot_product)"])
    expected.append("in your line <code>return a.sums()</code>")
    (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
    run_in_pyodide(pyodide, tmp_path)
    shown = json.loads((tmp_path / "shown.json").read_text(encoding="utf-8"))
    for words, text, (_, source, _) in zip(expected, shown, given, strict=True):
        assert words in text, f"{source}\n\n{text}"
