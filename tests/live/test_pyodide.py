"""The library and its checker in Pyodide, under Node: Python 3.14, no threads, no processes, NumPy without BLAS.

pip install -r publish/requirements.txt && pytest -m live tests/live/test_pyodide.py
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from publish import boxes, notebooks
from tests.notebooks.test_exercises import exercises, solutions

pytestmark = pytest.mark.live

TESTS = [
    "attention",
    "model",
    "check/test_answers.py",
    "check/test_behaviour.py",
    "check/test_messages.py",
]
NO_FLAGS = "NumPy reports no invalid operation there: NaN that was computed looks like NaN that was written"
# Tests that cannot pass there, and why.
LEFT_OUT = {
    "attention/test_properties.py": "hypothesis has a part that is not Python",
    "attention/test_today.py": "hypothesis has a part that is not Python",
    "check/test_answers.py::test_wrong_answer_is_named[masked_softmax-plus-infinity-0]": NO_FLAGS,
    "check/test_answers.py::test_wrong_answer_is_named[masked_softmax-plus-infinity-1]": NO_FLAGS,
    "check/test_behaviour.py::test_checks_in_two_threads_run_at_once_and_keep_their_prints_apart": "no threads",
    "check/test_behaviour.py::test_slow_function_is_told_how_to_be_interrupted": "no threads",
    "model/test_model.py::test_model_is_loaded_once_when_a_sentence_needs_it": "no processes",
}
PYTEST = """
import json, os, sys
os.chdir("/repository")
sys.path.append("/packages")  # behind Pyodide's NumPy: of these, pytest is pure Python
sys.dont_write_bytecode = True
import pytest
failed = pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "-m", "not slow and not oracles", *{arguments}])
assert not failed
json.dump(None, open("/results/result.json", "w"))
"""


@pytest.fixture
def run(pyodide, tmp_path):
    """A function that runs a program in Pyodide, and gives what it writes to /results/result.json. The program sees
    the repository as /repository, and what it is given as /results/given.json."""
    if not shutil.which("node"):
        pytest.skip("needs Node")

    def run(program, given=None):
        (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
        packages = Path(pytest.__file__).parents[1]
        mounted = {"repository": notebooks.ROOT, "packages": packages, "results": tmp_path}
        settings = {
            "packages": boxes.PACKAGES,
            "env": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "LESSON_RAISE_ERRORS": "1"},
        }
        program = "import sys; sys.path.insert(0, '/repository')\n" + program
        lines = [
            f"import {{ loadPyodide }} from {json.dumps((pyodide / 'pyodide.mjs').as_uri())};",
            f"const python = await loadPyodide({json.dumps(settings)});",
            *(f"python.mountNodeFS('/{name}', {json.dumps(str(path))});" for name, path in mounted.items()),
            f"python.runPython({json.dumps(program)});",
        ]
        command = ["node", "--input-type=module", "--eval", "\n".join(lines)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))

    return run


BOXES = """
import json
box = {"__name__": "box"}
exec(compile(open("/repository/publish/site/box.py").read(), "box.py", "exec"), box)
shown = []
for first_cell, source, call in json.load(open("/results/given.json")):
    shown.append("")
    def show(kind, content):
        shown[-1] += content
    box["run"](first_cell, source, call, show)
json.dump(shown, open("/results/result.json", "w"))
"""


def test_boxes_take_all_stubs_and_solutions_and_quote_the_line_that_stops(run):
    given, expected = [], []
    for path in notebooks.PATHS.values():
        cells = notebooks.read(path).cells
        boxes.mark(path, cells)
        first_cell = next(cell.source for cell in cells if cell.cell_type == "code")
        for stub, exercise in [(c.source, c.metadata["exercise"]) for c in cells if "exercise" in c.metadata]:
            given.append([first_cell, stub, exercise["call"]])
            expected.append("Not started")
        for name, _, folds in exercises(path.stem):
            for solution in solutions(folds, name):
                given.append([first_cell, solution, f"check.{name}({name})"])
                expected.append("✓ Right")
    given.append(
        [first_cell, "def dot_product(a, b):\n    return a.sums()", "check.dot_product(dot_product)"]
    )
    expected.append("in your line <code>return a.sums()</code>")
    for words, text, (_, source, _) in zip(expected, run(BOXES, given), given, strict=True):
        assert words in text, f"{source}\n\n{text}"


@pytest.mark.release
def test_the_librarys_own_tests_pass(run):
    arguments = [f"tests/{name}" for name in TESTS]
    arguments += [f"--deselect=tests/{name}" for name in LEFT_OUT if "::" in name]
    arguments += [f"--ignore=tests/{name}" for name in LEFT_OUT if "::" not in name]
    run(PYTEST.format(arguments=arguments))
