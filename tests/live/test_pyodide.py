"""Boxes in Pyodide, under Node: Python 3.14, no threads, no processes, NumPy without BLAS.

pip install -r publish/requirements.txt && pytest -m live tests/live/test_pyodide.py
"""

import json
import re
import shutil
import subprocess

import pytest

from publish import boxes, notebooks
from tests.check.answers import BLIND
from tests.publish.test_box_program import run_boxes, stubs

pytestmark = pytest.mark.live

# Runs all boxes. The folders of the repository and of what is given are mounted.
PROGRAM = """
import json, sys
sys.path.insert(0, "/repository")
from publish.site import box
all_shown = []
for first_cell, source, call in json.load(open("/given/given.json")):
    shown = []
    box.run(first_cell, source, call, lambda kind, content: shown.append([kind, content]))
    all_shown.append(shown)
json.dump(all_shown, open("/given/shown.json", "w"))
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


def said(shown):
    """The verdict that a box shows, without what quotes Python's errors; whole numbers are of another type there."""
    text = "".join(content for kind, content in shown if kind == "html")
    return re.sub("<em>Seen:.*?</div>", "", text).replace("int32", "int64")


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
def test_boxes_say_there_of_all_blind_answers_and_stubs_what_they_say_here(pyodide, tmp_path):
    given = []
    for first_cell, stub, exercise in stubs():
        answers = [entry["source"] for entry in BLIND if entry["exercise"] == exercise.name]
        given += [[first_cell, source, exercise.call] for source in (stub, *answers)]
    (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
    run_in_pyodide(pyodide, tmp_path)
    shown = json.loads((tmp_path / "shown.json").read_text(encoding="utf-8"))
    for here, there, (_, source, _) in zip(run_boxes(given), shown, given, strict=True):
        assert said(there) == said(here), source
