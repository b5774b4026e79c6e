"""What the stored notebooks may hold, what their exercises promise, and that the check bites.

nbval runs the notebooks and compares their outputs; conftest.py makes it strict. This file reads them as
they are stored. Its last part changes a small notebook in every way that must not go unnoticed.
"""

import ast
import base64
import html
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbformat
import numpy as np
import pytest

import attention_lib as al
from attention_lib import check, data

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
FIGURES = ROOT / "figures"

# The functions to write, and all tasks, by notebook: what attention_lib.check says.
EXERCISES, TASKS = {}, {}
for task in check.TASKS:
    TASKS.setdefault(task.notebook, []).append(task)
    EXERCISES.setdefault(task.notebook, []).extend([task.name] if task.name in check.EXERCISES else [])
SERIES = list(EXERCISES)

# "answer": the output of a prediction, stored folded; "hide-input": its code as well.
ALLOWED_TAGS = {"nbval-ignore-output", "answer", "hide-input"}
# Every cell whose output is not compared: (notebook, cell id), with the reason beside it.
IGNORED = {
    # It stores the scores of a sentence that the whole model has just read, to the last bit, and the last
    # bits depend on the processor. The weights are compared in the picture above it.
    ("06_inside_the_model", "nb06-explorer"),
}

# As in conftest.py: other systems draw the same picture with other bytes.
COMPARE_PICTURES = sys.platform == "linux"

RUN_IT = "it is not as notebooks/execute.py leaves it: run that, and look at the diff"

every_notebook = pytest.mark.parametrize("name", SERIES)


# The stored files


def load(name):
    """The notebook as plain JSON: reading it through nbformat would mend what is to be found."""
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))


def code(name):
    return [cell for cell in load(name)["cells"] if cell["cell_type"] == "code"]


def joined(text):
    """Text as nbformat stores it: a string, or a list of lines."""
    return text if isinstance(text, str) else "".join(text)


def prose(name):
    """The source of each Markdown cell, with code taken out."""
    for cell in load(name)["cells"]:
        if cell["cell_type"] == "markdown":
            text = re.sub(r"^```.*?^```", "", joined(cell["source"]), flags=re.DOTALL | re.MULTILINE)
            yield re.sub(r"`[^`\n]*`", "", text)


def bundles(name):
    """The outputs of a notebook that have several forms, as {type: text}."""
    for cell in code(name):
        for output in cell["outputs"]:
            if "data" in output:
                yield {kind: joined(text) for kind, text in output["data"].items()}


def texts(name):
    """Everything a reader of the outputs reads: the streams, plain text, and HTML without its pictures."""
    for cell in code(name):
        for output in cell["outputs"]:
            yield joined(output.get("text", ""))
    for bundle in bundles(name):
        yield bundle.get("text/plain", "")
        yield re.sub(r"base64,[^\"]*", "", bundle.get("text/html", ""))


class Tags(HTMLParser):
    """The start tags in a piece of HTML, as (tag, attributes)."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def named(self, name):
        return [attributes for tag, attributes in self.found if tag == name]


def pictures(name):
    """The pictures of a notebook as {name in figures/: bytes}."""
    found = {}
    for bundle in bundles(name):
        if "image/png" in bundle:
            (figure,) = Tags(bundle["text/html"]).named("figure")
            file = f"{name[:2]}_{figure['id']}.png"
            assert file not in found, f"two pictures are called {figure['id']}"
            found[file] = base64.b64decode(bundle["image/png"])
    return found


def test_stored_series_is_complete():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == SERIES


@every_notebook
def test_stored_notebook_is_valid(name):
    notebook = load(name)
    nbformat.validate(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) >= (4, 5)
    ids = [cell.get("id") for cell in notebook["cells"]]
    assert all(ids) and len(set(ids)) == len(ids)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "version" not in notebook["metadata"]["language_info"], f"{name}: {RUN_IT}"
    as_written = nbformat.writes(nbformat.from_dict(notebook)) + "\n"
    assert (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8") == as_written, f"{name}: {RUN_IT}"


@every_notebook
def test_stored_cells_ran_once_from_top_to_bottom(name):
    counts = [cell["execution_count"] for cell in code(name)]
    assert counts and counts == list(range(1, len(counts) + 1)), f"{name}: {RUN_IT}"


@every_notebook
def test_stored_outputs_hold_no_error(name):
    for cell in code(name):
        for output in cell["outputs"]:
            assert output["output_type"] != "error" and output.get("name") != "stderr", cell["source"]


@every_notebook
def test_stored_outputs_are_compared(name):
    for cell in load(name)["cells"]:
        tags = set(cell["metadata"].get("tags", []))
        assert tags <= ALLOWED_TAGS, cell["id"]
        assert not tags - {"answer", "hide-input"} or (name, cell["id"]) in IGNORED, (
            f"{name}: {cell['id']} is not on the list IGNORED"
        )
        # nbval obeys comments too, and they would go round the list.
        assert not re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)_", joined(cell["source"])), cell["id"]


def test_list_of_ignored_cells_is_not_stale():
    assert all(cell in {c["id"] for c in load(name)["cells"]} for name, cell in IGNORED)


@every_notebook
def test_stored_cells_end_without_semicolon(name):
    # It silences an output in Jupyter, and not under nbval.
    for cell in code(name):
        assert not re.search(r";\s*(#.*)?\Z", joined(cell["source"])), cell["source"]


@every_notebook
def test_stored_cells_set_no_print_options(name):
    # Some versions of ipykernel forget them between cells, Binder's own among them.
    for cell in code(name):
        assert not re.search(r"set_printoptions|set_option|pd\.options|%precision", joined(cell["source"]))


UNSTABLE = {
    "memory address": r"\b0x[0-9a-fA-F]{5,}",
    "path of one machine": r"/tmp/|/home/|/root/|/Users/|\b[A-Z]:\\|ipykernel_\d",
    "id of a Styler": r"\bT_[0-9a-f]{5}",
    "negative zero": r"(?<![\w.])-0(\.0*)?(?![\d.])",
    "rounding residual": r"\d[eE]-(0[7-9]|[1-9]\d)",
}


def unstable(text):
    """What in `text` would differ on another machine, or None."""
    for what, pattern in UNSTABLE.items():
        if found := re.search(pattern, text):
            return f"{what}: {found[0]}"
    for number in re.findall(r"\d+\.\d+", text):
        whole = re.fullmatch(r"\d+\.00?", number)  # exact, however long it is
        if not whole and len(number.replace(".", "").lstrip("0")) > 7:
            return f"more digits than another processor would repeat: {number}"
    return None


@every_notebook
def test_stored_outputs_would_be_the_same_elsewhere(name):
    for text in texts(name):
        assert unstable(text) is None, f"{unstable(text)}\n{text}"


@pytest.mark.parametrize(
    "text",
    [
        "<function f at 0x7f3a2c1d>",
        "/tmp/x.py:3",
        "/home/me/a",
        "C:\\Users",
        "#T_1a2b3_row0",
        "[-0. 1.]",
        "-0.00",
        "2.220446e-16",
        "1.19e-07",
        "0.46512345",
        "[0.12345678 1.]",
        "1234.56789",
    ],
)
def test_unstable_output_is_noticed(text):
    assert unstable(text)


@pytest.mark.parametrize(
    "text",
    [
        "[-0.25 0.5]",
        "1e-05",
        "0.0001234567",
        "4294967296",
        "-1e+09",
        "0x3",
        "a-0",
        "10-0",
        "2.3.4",
        "-0.05",
        "196608.00",
    ],
)
def test_stable_output_is_left_alone(text):
    assert unstable(text) is None


@every_notebook
def test_stored_pictures_are_described(name):
    assert "No description has been provided" not in (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
    for bundle in bundles(name):
        drawn = {kind for kind in bundle if kind.startswith("image/")}
        shown = Tags(bundle.get("text/html", "")).named("img")
        assert drawn <= {"image/png"}
        if "<script>" in bundle.get("text/html", ""):  # an explorer: its table stands for the picture
            assert Tags(bundle["text/html"]).named("caption") and bundle["text/plain"].strip()
            continue
        assert len(shown) == len(drawn)
        for image in shown:
            assert image["alt"].strip()
            assert bundle["text/plain"] == image["alt"]
            assert image["src"].startswith("data:image/png;base64,")
            assert base64.b64decode(image["src"].split(",")[1]) == base64.b64decode(bundle["image/png"])
    for text in prose(name):
        assert not re.search(r"!\[\s*\]", text)
        assert all((image.get("alt") or "").strip() for image in Tags(text).named("img"))


def test_stored_figures_are_the_pictures_of_the_notebooks():
    made = {file: png for name in SERIES for file, png in pictures(name).items()}
    kept = {path.name: path.read_bytes() for path in FIGURES.iterdir()}
    assert sorted(kept) == sorted(made), f"figures/: {RUN_IT}"
    assert [file for file in made if made[file] != kept[file]] == [], f"figures/: {RUN_IT}"


@every_notebook
def test_stored_prose_has_one_title_and_closed_folds(name):
    pieces = list(prose(name))
    assert [bool(re.search(r"^# ", text, re.MULTILINE)) for text in pieces] == [True] + [False] * (
        len(pieces) - 1
    )
    assert len(re.findall(r"^# ", pieces[0], re.MULTILINE)) == 1
    for text in pieces:
        folds = re.findall(r"<(/?)details([^>]*)>", text)
        assert [end for end, _ in folds] == ["", "/"] * (len(folds) // 2), text
        assert not any("open" in attributes for _, attributes in folds), text
        assert text.count("<summary>") == text.count("</summary>") == len(folds) // 2, text


@every_notebook
def test_stored_links_lead_to_files(name):
    for text in prose(name):
        for target in re.findall(r'\]\(([^)\s]+)|\b(?:src|href)="([^"]+)"', text):
            path, _, _ = unquote("".join(target)).partition("#")
            if path and not re.match(r"[a-z]+:", path):
                assert (NOTEBOOKS / path).exists(), path


# The exercises


def minutes(name):
    """How long the core path takes: teaching/minutes.py has the formula."""
    from publish.minutes import cells_of, core, felt

    return felt(core(cells_of(NOTEBOOKS / f"{name}.ipynb")))


@every_notebook
def test_every_task_states_its_difficulty_and_minutes(name):
    text = "\n".join(prose(name))
    tasks = re.findall(r"\*\*(?:Find the bug|Modify|Multiple choice)[^*]*\*\*(.{30})", text)
    assert tasks
    for task in tasks:
        assert re.match(r" \((?:easy|medium|hard), \d+ minutes?\)", task), task
    headings = re.findall(r"^### Exercise .*\n\n(.*)", text, flags=re.MULTILINE)
    assert all(re.match(r"\*(?:Easy|Medium|Hard), \d+ minutes\.\*", first) for first in headings)
    assert len(headings) >= len(EXERCISES[name])


@every_notebook
def test_minutes_are_measured_and_not_guessed(name):
    text = "".join(prose(name))
    stated, more = map(
        int, re.search(r"\*\*Time\*\*: (\d+) minutes for the core path, (\d+) more", text).groups()
    )
    assert stated <= 50
    assert abs(stated - minutes(name)) <= 1, f"{name} states {stated} minutes, and takes {minutes(name):.1f}"
    assert minutes(name) <= 50, f"{name} takes {minutes(name):.2f} minutes: cut, fold or move"
    _, further = text.split("## Going further")
    tasks = re.findall(r"\b(?:[Ee]asy|[Mm]edium|[Hh]ard), (\d+) minutes?\b", further)
    assert f"*{more} minutes, may be left out.*" in further
    assert sum(map(int, tasks)) == more, f"{name} states {more} minutes for Going further"
    row = next(
        line
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        if f"{name}.ipynb) |" in line
    )
    assert row.endswith(f"| {stated} |")


def definition(source, name):
    """The function `name` that `source` defines, or None."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    return None


def exercises(name):
    """Each exercise of a notebook as (function, stub, [folded text])."""
    cells = load(name)["cells"]
    for i, cell in enumerate(cells):
        source = joined(cell["source"])
        called = re.search(r"^check\.(\w+)\((\w+)\)\s*\Z", source, re.MULTILINE)
        if cell["cell_type"] == "code" and called:
            assert called[1] == called[2]
            text = ""
            for after in cells[i + 1 :]:
                if after["cell_type"] != "markdown":
                    break
                text += joined(after["source"]) + "\n"
            yield called[1], source, re.findall(r"<details>(.*?)</details>", text, re.DOTALL)


def exercise(name, function):
    """Each place where a notebook asks for `function`, as (stub, [folded text])."""
    return [(stub, folds) for called, stub, folds in exercises(name) if called == function]


def summary(fold):
    return html.unescape(re.search(r"<summary>(.*?)</summary>", fold, re.DOTALL)[1])


def solutions(folds, function):
    """The fenced definitions of `function` in the folded solution."""
    (solution,) = [fold for fold in folds if "Solution" in summary(fold)]
    blocks = re.findall(r"^```python\n(.*?)^```", solution, re.DOTALL | re.MULTILINE)
    return [block for block in blocks if definition(block, function)]


every_exercise = pytest.mark.parametrize(
    ("name", "function"), [(name, function) for name in SERIES for function in EXERCISES[name]]
)


def run(source, name, **given):
    """What `source` defines as `name`, with what a notebook has imported."""
    namespace = {"np": np, "al": al, "math": math, **given}
    exec(source, namespace)
    return namespace[name]


@every_notebook
def test_exercises_are_those_of_the_series(name):
    asked = [function for function, _, _ in exercises(name)]
    assert list(dict.fromkeys(asked)) == EXERCISES[name], (
        f"{name} has stubs for {asked}, each ended by check.NAME(NAME), and attention_lib.check.TASKS says {EXERCISES[name]}"
    )
    sources = "\n".join(joined(cell["source"]) for cell in code(name))
    called = re.findall(r"^check\.(\w+)", sources, re.MULTILINE)
    assert list(dict.fromkeys(called)) == [task.name for task in TASKS[name]], (
        "the order is that of attention_lib.check.TASKS"
    )


@every_notebook
def test_hint_and_solution_never_share_a_cell(name):
    # A double click on the hint opens the source of its cell.
    for text in prose(name):
        folds = re.findall(r"<summary>(Hint|Solution)</summary>", text)
        assert len(folds) <= 1, text


@every_notebook
def test_exercises_state_the_difficulty_and_minutes_of_the_checker(name):
    found = re.findall(
        r"^### Exercise .*\n\n\*(\w+), (\d+) minutes\.\*", "\n".join(prose(name)), flags=re.MULTILINE
    )
    listed = [(task.difficulty.capitalize(), str(task.minutes)) for task in TASKS[name]]
    assert found == listed, f"{name} states {found}, and attention_lib.check.TASKS says {listed}"


@every_exercise
def test_exercise_is_a_stub_with_hint_and_solution(name, function):
    for stub, folds in exercise(name, function):
        body = definition(stub, function).body
        if ast.get_docstring(definition(stub, function)) is not None:
            body = body[1:]
        assert [ast.unparse(line) for line in body] == ["..."], (
            f"{function}: its stub must do nothing but `...`"
        )
        titles = [summary(fold) for fold in folds]
        assert titles[:2] == ["Hint", "Solution"], (
            f"{function}: after its stub, two Markdown cells must fold a Hint and a Solution, and there are {titles}"
        )
        signature = ast.unparse(definition(stub, function).args)
        assert solutions(folds, function), f"{function}: the solution defines no function of that name"
        for solution in solutions(folds, function):
            assert ast.unparse(definition(solution, function).args) == signature
            assert f"al.{function}(" not in solution  # that would solve nothing


@every_exercise
def test_exercise_stub_is_told_that_it_was_not_started(name, function):
    for stub, _ in exercise(name, function):
        stub = re.sub(r"^check\..*", "", stub, flags=re.MULTILINE)
        verdict = getattr(check, function)(run(stub, function))
        assert (verdict.passed, verdict.mistake) == (False, "not-started")


@every_exercise
def test_exercise_solution_passes_the_check(name, function):
    for _, folds in exercise(name, function):
        for solution in solutions(folds, function):
            verdict = getattr(check, function)(run(solution, function))
            assert verdict.passed, verdict.message


def test_puzzle_of_the_linking_head():
    """The one exercise that asks for two numbers and not for a function."""
    cells = load("05_batched_attention")["cells"]
    (asked,) = [i for i, cell in enumerate(cells) if "check.linking_head(" in joined(cell["source"])]
    stub, folded = joined(cells[asked]["source"]), joined(cells[asked + 2]["source"])
    assert "layer, head = ..., ..." in stub
    verdict = check.linking_head(..., ...)
    assert (verdict.passed, verdict.mistake) == (False, "not-started")
    (solution,) = re.findall(r"^```python\n(.*?)^```", folded, re.DOTALL | re.MULTILINE)
    given = {"all_weights": data.load("cat_sentence")["weights"]}
    verdict = check.linking_head(run(solution, "layer", **given), run(solution, "head", **given))
    assert verdict.passed, verdict.message


# The check bites


def execute_module():
    spec = importlib.util.spec_from_file_location("execute", NOTEBOOKS / "execute.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pytest_in(folder, *arguments, **environment):
    """Runs pytest in `folder`, as the README does in the repository's root."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--color=no", *arguments],
        cwd=folder,
        env=clean | environment,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=300,
    )


def assert_passes(result):
    assert result.returncode == 0, result.stdout + result.stderr
    assert " passed" in result.stdout


def assert_fails(result, because):
    assert result.returncode != 0, result.stdout
    assert because in result.stdout + result.stderr, result.stdout + result.stderr


SMALL = [
    "import numpy as np\n\nfrom attention_lib import show",
    "print(np.round(np.exp([0.5, 1.5]), 2))",
    'show.table([[0.25, 0.75]], ["her"], ["a", "cat"])',
    'show.heatmap([[0.25, 0.75]], ["her"], ["a", "cat"], alt="The cell her, cat is the darker.", name="her")',
]


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """One small notebook, run and stored, with this repository's conftest.py and settings."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "notebooks").mkdir()
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    path = folder / "notebooks" / f"{SERIES[0]}.ipynb"
    cells = [nbformat.v4.new_markdown_cell("# Who looks at whom?")]
    cells += [nbformat.v4.new_code_cell(source) for source in SMALL]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    execute = execute_module()
    execute.execute([path], folder / "figures")
    return folder


@pytest.fixture(scope="session")
def small_series(small, tmp_path_factory):
    """Five copies of the small notebook under the names of the series, with this file as their test."""
    folder = tmp_path_factory.mktemp("series") / "copy"
    shutil.copytree(small, folder)
    (folder / "tests").mkdir()
    shutil.copy(__file__, folder / "tests")
    for name in SERIES[1:]:
        shutil.copy(folder / "notebooks" / f"{SERIES[0]}.ipynb", folder / "notebooks" / f"{name}.ipynb")
        shutil.copy(folder / "figures" / "01_her.png", folder / "figures" / f"{name[:2]}_her.png")
    return folder


@pytest.fixture
def copy(tmp_path):
    def copy_of(folder):
        return shutil.copytree(folder, tmp_path / "copy")

    return copy_of


def edit(folder, change, name=SERIES[0]):
    """Changes a stored notebook: `change` gets its code cells."""
    path = folder / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change([cell for cell in notebook.cells if cell.cell_type == "code"])
    nbformat.write(notebook, path)


def change_a_digit(cells):
    cells[1].outputs[0].text = cells[1].outputs[0].text.replace("1.65", "1.66")


def change_a_digit_of_a_table(cells):
    data = cells[2].outputs[0].data
    data["text/html"] = data["text/html"].replace("0.75", "0.76")


def change_what_is_drawn(cells):
    cells[3].source = cells[3].source.replace("0.75", "0.65")


def change_the_png_alone(cells):
    data = cells[3].outputs[0].data
    data["image/png"] = base64.b64encode(base64.b64decode(data["image/png"])[:-1] + b"?").decode()


def change_the_description(cells):
    data = cells[3].outputs[0].data
    data["text/html"] = data["text/html"].replace("darker", "lighter")


def clear(cells):
    for cell in cells:
        cell.update(outputs=[], execution_count=None)


def failures(result):
    """The numbers of the code cells whose outputs differ, in what pytest said."""
    assert result.stdout.count("Cell outputs differ") > 0, result.stdout + result.stderr
    return [int(cell) for cell in re.findall(r"^FAILED .*::Cell (\d+)", result.stdout, re.MULTILINE)]


@pytest.mark.slow
def test_check_bites_where_something_was_changed_and_nowhere_else(small, copy):
    folder = copy(small)
    edit(folder, change_a_digit)
    edit(folder, change_what_is_drawn if COMPARE_PICTURES else change_the_description)
    assert failures(pytest_in(folder)) == [1, 3]


@pytest.mark.slow
def test_check_refuses_a_cell_that_was_never_run(small, copy):
    folder = copy(small)
    edit(folder, clear)
    assert_fails(pytest_in(folder), "was never run")


@pytest.mark.slow
def test_untampered_notebook_passes(small):
    assert_passes(pytest_in(small))


@pytest.mark.slow
def test_check_bites_further(small, copy):
    folder = copy(small)
    edit(folder, change_a_digit_of_a_table)
    edit(folder, change_the_description)
    result = pytest_in(folder)
    assert failures(result) == [2, 3]
    assert "run notebooks/execute.py" in result.stdout  # it says what to do


@pytest.mark.slow
@pytest.mark.skipif(not COMPARE_PICTURES, reason="pictures are compared on Linux alone")
def test_check_compares_the_bytes_of_a_picture(small, copy):
    folder = copy(small)
    edit(folder, change_the_png_alone)
    assert failures(pytest_in(folder)) == [3]


@pytest.mark.slow
def test_other_systems_compare_descriptions_and_not_pictures(small, copy):
    folder = copy(small)
    conftest = folder / "conftest.py"
    conftest.write_text(conftest.read_text().replace('sys.platform == "linux"', "False"))
    edit(folder, change_what_is_drawn)
    assert_passes(pytest_in(folder))
    edit(folder, change_the_description)
    assert_fails(pytest_in(folder), "Cell outputs differ")


def run_out_of_order(cells):
    cells[1].execution_count, cells[2].execution_count = 3, 2
    cells[2].outputs[0].execution_count = 2


def ignore_an_output(cells):
    cells[1].metadata.tags = ["nbval-ignore-output"]


def ignore_an_output_by_comment(cells):
    cells[1].source = "# NBVAL_IGNORE_OUTPUT\n" + cells[1].source


def lose_the_description(cells):
    data = cells[3].outputs[0].data
    data["text/html"] = re.sub('alt="[^"]*"', 'alt=""', data["text/html"])


def end_with_a_semicolon(cells):
    cells[1].source += ";  # quiet"


def stored(folder):
    return pytest_in(folder, "tests/test_notebooks.py", "-k", "test_stored")


@pytest.mark.slow
def test_untampered_series_passes(small_series):
    assert_passes(stored(small_series))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "because"),
    [
        (run_out_of_order, "test_stored_cells_ran_once_from_top_to_bottom[03_softmax]"),
        (clear, "test_stored_cells_ran_once_from_top_to_bottom[03_softmax]"),
        (ignore_an_output, "test_stored_outputs_are_compared[03_softmax]"),
        (ignore_an_output_by_comment, "test_stored_outputs_are_compared[03_softmax]"),
        (lose_the_description, "test_stored_pictures_are_described[03_softmax]"),
        (change_the_png_alone, "test_stored_figures_are_the_pictures_of_the_notebooks"),
        (end_with_a_semicolon, "test_stored_cells_end_without_semicolon[03_softmax]"),
    ],
)
def test_check_of_the_stored_files_bites(small_series, copy, change, because):
    folder = copy(small_series)
    edit(folder, change, "03_softmax")
    assert_fails(stored(folder), because)


@pytest.mark.slow
def test_missing_or_sixth_notebook_is_noticed(small_series, copy):
    folder = copy(small_series)
    notebook = folder / "notebooks" / "05_batched_attention.ipynb"
    notebook.rename(folder / "notebooks" / "06_more.ipynb")
    assert_fails(stored(folder), "test_stored_series_is_complete")
    shutil.copy(folder / "notebooks" / "06_more.ipynb", notebook)
    assert_fails(stored(folder), "test_stored_series_is_complete")
    (folder / "notebooks" / "06_more.ipynb").unlink()
    assert_passes(stored(folder))


@pytest.mark.slow
def test_missing_or_stale_figure_is_noticed(small_series, copy):
    folder = copy(small_series)
    shutil.copy(folder / "figures" / "01_her.png", folder / "figures" / "01_him.png")
    assert_fails(stored(folder), "test_stored_figures_are_the_pictures_of_the_notebooks")
    (folder / "figures" / "01_him.png").unlink()
    (folder / "figures" / "01_her.png").unlink()
    assert_fails(stored(folder), "test_stored_figures_are_the_pictures_of_the_notebooks")


# The outputs survive


def compared(file):
    """The bytes of a file; of a notebook, without the outputs that another processor may change."""
    if file.suffix != ".ipynb":
        return file.read_bytes()
    notebook = json.loads(file.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "nbval-ignore-output" in cell["metadata"].get("tags", []):
            cell["outputs"] = []
    return json.dumps(notebook)


def contents(folder):
    files = [*(folder / "notebooks").glob("*.ipynb"), *(folder / "figures").iterdir()]
    return {str(file.relative_to(folder)): compared(file) for file in files}


@pytest.mark.slow
@pytest.mark.skipif(not COMPARE_PICTURES, reason="the pictures that are stored were made on Linux")
def test_execute_makes_what_is_stored(tmp_path):
    """From copies without any output, so that nothing stored can slip through: two runs write the same bytes."""
    (tmp_path / "figures").mkdir()
    execute = execute_module()
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks", ignore=shutil.ignore_patterns(".*"))
    for path in execute.stored(tmp_path / "notebooks"):
        edit(tmp_path, clear, path.stem)
    subprocess.run([sys.executable, tmp_path / "notebooks" / "execute.py"], check=True, timeout=300)
    made, kept = contents(tmp_path), contents(ROOT)
    assert sorted(made) == sorted(kept)
    assert [file for file in made if made[file] != kept[file]] == []


@pytest.mark.slow
def test_execute_saves_nothing_after_an_error(small, copy):
    folder = copy(small)
    shutil.copy(NOTEBOOKS / "execute.py", folder / "notebooks")
    edit(folder, lambda cells: cells[2].update(source="1 / 0"))
    before = contents(folder)
    command = [sys.executable, folder / "notebooks" / "execute.py"]
    result = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert result.returncode != 0 and "ZeroDivisionError" in result.stderr
    assert contents(folder) == before


def simd_features():
    """NumPy's names for what it would use of this processor beyond its baseline."""
    return " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


FORGETFUL = """
import sys

import numpy as np

DEFAULTS = np.get_printoptions()


def forget(info):
    np.set_printoptions(**DEFAULTS)
    if "pandas" in sys.modules:
        sys.modules["pandas"].reset_option("^display")


get_ipython().events.register("pre_run_cell", forget)
"""


@pytest.fixture
def forgetful(tmp_path):
    """The settings of an IPython that forgets print options before every cell."""
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "forget.py").write_text(FORGETFUL)
    return {"IPYTHONDIR": str(tmp_path / "ipython")}


@pytest.mark.slow
def test_outputs_survive_another_processor_and_a_forgetful_kernel(forgetful):
    # All at once: products and exp of an old processor, and print options that are gone in the next cell.
    unlike = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": simd_features(), **forgetful}
    assert_passes(pytest_in(ROOT, "notebooks", **unlike))


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("OPENBLAS_CORETYPE"), reason="the default run is on this processor")
def test_outputs_survive_this_processor():
    # The empty name takes what this machine has, whatever the environment says.
    assert_passes(pytest_in(ROOT, "notebooks", OPENBLAS_CORETYPE=""))


@pytest.mark.slow
def test_forgetful_kernel_would_be_noticed(small, copy, forgetful):
    folder = copy(small)

    def rely_on_print_options(cells):
        cells[0].source += "\nnp.set_printoptions(precision=1)"
        cells[1].outputs[0].text = "[1.6 4.5]\n"

    edit(folder, rely_on_print_options)
    assert_passes(pytest_in(folder))
    assert_fails(pytest_in(folder, **forgetful), "Cell outputs differ")
