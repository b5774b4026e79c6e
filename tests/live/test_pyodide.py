"""The library and its checker in Pyodide, under Node: Python 3.14, no threads, no processes, NumPy without BLAS.

pip install -r publish/requirements.txt && pytest -m live tests/live/test_pyodide.py
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from publish import boxes, notebooks
from tests.live.verdicts import verdicts
from tests.notebooks.test_exercises import exercises, solutions

pytestmark = pytest.mark.live

# Answers on which the verdict is another one there, and why.
NO_FLAGS = "NumPy reports no invalid operation there: NaN that was computed looks like NaN that was written"
DIFFERENT = dict.fromkeys(["masked_softmax, plus-infinity, 0", "masked_softmax, plus-infinity, 1"], NO_FLAGS)

TESTS = ["attention", "model", "check/test_behaviour.py", "check/test_messages.py", "check/test_describe.py"]
# Tests that cannot pass there, and why.
LEFT_OUT = {
    "attention/test_properties.py": "hypothesis has a part that is not Python",
    "attention/test_today.py": "hypothesis has a part that is not Python",
    "attention/test_attention.py::test_threads_at_once_get_their_own_results": "no threads",
    "check/test_behaviour.py::test_checks_in_several_threads_run_at_once_and_keep_their_prints_apart": "no threads",
    "check/test_behaviour.py::test_interrupt_in_plain_python_shows_one_line": "no processes",
    "check/test_behaviour.py::test_slow_function_is_told_how_to_be_interrupted": "no threads",
    "check/test_behaviour.py::test_huge_result_is_refused_before_it_is_compared": "an array has 2**31 numbers at most",
    "model/test_model.py::test_model_is_loaded_once_when_a_sentence_needs_it": "no processes",
}
IMPORTABLE = "import sys; sys.path.insert(0, '/repository')\n"
PYTEST = """
import os, sys
os.chdir("/repository")
sys.path.append("/packages")  # behind Pyodide's NumPy: of these, pytest is pure Python
sys.dont_write_bytecode = True
import pytest
assert not pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "-m", "not slow and not oracles", *{arguments}])
"""


class InNode:
    """A program in Pyodide, started at once. It sees the repository as /repository, `folder` as /results."""

    def __init__(self, pyodide, program, folder):
        settings = {
            "packages": boxes.PACKAGES,
            "env": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "ATTENTION_LIB_RAISE_ERRORS": "1"},
        }
        mounted = {
            "repository": notebooks.ROOT,
            "packages": Path(pytest.__file__).parents[1],
            "results": folder,
        }
        lines = [
            f"import {{ loadPyodide }} from {json.dumps((pyodide / 'pyodide.mjs').as_uri())};",
            f"const python = await loadPyodide({json.dumps(settings)});",
            *(f"python.mountNodeFS('/{name}', {json.dumps(str(path))});" for name, path in mounted.items()),
            f"python.runPython({json.dumps(IMPORTABLE + program)});",
        ]
        command = [shutil.which("node"), "--input-type=module", "--eval", "\n".join(lines)]
        self.folder = folder
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def end(self):
        """Waits for its end, and fails with what it printed if it failed."""
        written, _ = self.process.communicate(timeout=500)
        assert self.process.returncode == 0, written

    def result(self):
        """What it wrote to /results/result.json."""
        self.end()
        return json.loads((self.folder / "result.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def start(pyodide, tmp_path_factory):
    """A function that starts a program in Pyodide, with what it is given as /results/given.json."""
    if not shutil.which("node"):
        pytest.skip("needs Node")
    started = []

    def start(program, given=None):
        folder = tmp_path_factory.mktemp("results")
        (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
        started.append(InNode(pyodide, program, folder))
        return started[-1]

    yield start
    for running in started:
        running.process.kill()
        running.process.communicate()


@pytest.fixture(scope="module")
def answers(start):
    """The verdicts there on all answers, which take a minute: they begin before the other tests."""
    return start("from tests.live import verdicts; verdicts.write('/results/result.json')")


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


def test_boxes_of_all_notebooks_take_their_stubs_and_solutions(answers, start):
    given, expected = [], []
    for path in notebooks.PATHS.values():
        cells = notebooks.read(path).cells
        boxes.mark(cells)
        first_cell = next(cell.source for cell in cells if cell.cell_type == "code")
        calls = [(cell.source, cell.metadata["exercise"]) for cell in cells if "exercise" in cell.metadata]
        for stub, exercise in calls:
            given.append([first_cell, stub, exercise["call"]])
            expected.append("Not started")
        for name, _, folds in exercises(path.stem):
            for solution in solutions(folds, name):
                given.append([first_cell, solution, f"check.{name}({name})"])
                expected.append("✓ Right")
    shown = start(BOXES, given).result()
    for (_, source, _), words, text in zip(given, expected, shown, strict=True):
        assert words in text, f"{source}\n\n{text}"


def test_the_librarys_own_tests_pass(answers, start):
    arguments = [f"tests/{name}" for name in TESTS]
    arguments += [f"--deselect=tests/{name}" for name in LEFT_OUT if "::" in name]
    arguments += [f"--ignore=tests/{name}" for name in LEFT_OUT if "::" not in name]
    start(PYTEST.format(arguments=arguments)).end()


def test_every_written_answer_gets_the_same_verdict_and_quotes_the_same_line(answers):
    here, there = verdicts(), answers.result()
    assert here.keys() == there.keys()
    other = {name: (here[name], there[name]) for name in here if here[name] != there[name]}
    assert other.keys() == DIFFERENT.keys(), other
