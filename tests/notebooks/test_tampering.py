"""Each check of the stored notebooks is seen to fail, on a small notebook in which one thing is changed.

test_outputs.py does the same for the comparison of outputs.
"""

import copy

import nbformat
import pytest

from notebooks import execute
from publish.notebooks import EXPLAINED, SUMMARY
from tests.notebooks import test_stored_files as files
from tests.notebooks.stored import MARK
from tests.notebooks.test_predictions import problems_with_answers, problems_with_order
from tests.notebooks.test_prose import (
    problems_with_decimals,
    problems_with_names,
    problems_with_numbering,
    problems_with_slides,
)


def markdown(id, source, **metadata):
    return {"cell_type": "markdown", "id": id, "metadata": metadata, "source": source}


def code(id, count, source, html=None, text="0.125", tags=()):
    data = {"text/plain": text} | ({"text/html": html, "image/png": "eA=="} if html else {})
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    cell = {"cell_type": "code", "id": id, "metadata": {"tags": [*tags]}, "source": source}
    return cell | {"execution_count": count, "outputs": [output]}


FIGURE = '<figure id="her"><img alt="One cell." src="data:image/png;base64,eA=="></figure>'
CELLS = [
    markdown("title", "# Who looks at whom?\n\nSee section 1, notebook 2 and [README](../README.md)."),
    markdown("section", "## 1. Shares"),
    markdown("question", f"{MARK}How much is an eighth?"),
    code("answer", 1, "1 / 8", tags=["answer"]),
    markdown("explanation", f"<details>{EXPLAINED}\n\nIt is 0.125.\n\n</details>"),
    code("picture", 2, 'show.heatmap(..., name="her")', FIGURE, "One cell."),
    markdown("exercise", "### Exercise 1 · Write it"),
    markdown(
        "hint", f"<details>{SUMMARY}Hint</summary>\n\nDivide.\n\n</details>", slideshow={"slide_type": "skip"}
    ),
]


@pytest.fixture
def cells():
    return copy.deepcopy(CELLS)


@pytest.fixture
def cell(cells):
    """A function: the cell with that id."""
    return {cell["id"]: cell for cell in cells}.__getitem__


CHANGED_SOURCES = [
    (files.problems_with_comparison, "answer", "# NBVAL_IGNORE_OUTPUT\n1 / 8", "nbval obeys"),
    (files.problems_with_semicolons, "answer", "1 / 8;  # quiet", "semicolon"),
    (files.problems_with_print_options, "answer", "np.set_printoptions(precision=1)", "print options"),
    (files.problems_with_descriptions, "picture", 'show.heatmap(..., alt="One.")', "writes an alt text"),
    (files.problems_with_descriptions, "section", "![](../figures/her.png)", "without a description"),
    (files.problems_with_titles, "section", "# A second title", "one title"),
    (files.problems_with_folds, "hint", "<details open><summary>Hint</summary></details>", "is open"),
    (files.problems_with_links, "section", "[Figure](../figures/none.png)", "links to ../figures/none.png"),
    (problems_with_order, "question", "> ### Predict\n>\n> How much?", "must begin with"),
    (problems_with_order, "explanation", "It is 0.125.", "is not folded"),
    (problems_with_answers, "explanation", "It is 0.125.", "explanation tells 0.125, which answers question"),
    (problems_with_answers, "answer", "assert x == 0.125", "answer tells 0.125, which answers question"),
    (problems_with_decimals, "explanation", "It is 0.126.", "explanation says 0.126"),
    (problems_with_numbering, "section", "## 2. Shares", "sections are numbered 2"),
    (problems_with_numbering, "exercise", "### Exercise 2 · Write it", "exercises are numbered 2"),
    (problems_with_numbering, "question", "As in sections 1 and 3", "question refers to section 3"),
    (problems_with_numbering, "question", "As in notebook 9", "question refers to notebook 9"),
]


@pytest.mark.parametrize(("problems", "id", "source", "message"), CHANGED_SOURCES)
def test_changed_source_fails(problems, id, source, message, cells, cell):
    cell(id)["source"] = source
    assert message in "".join(problems(cells))


UNSTABLE = [
    "<function f at 0x7f3a2c1d>",
    "C:\\Users",
    "#T_1a2b3_row0",
    "[-0. 1.]",
    "2.220446e-16",
    "0.46512345",
]


@pytest.mark.parametrize("text", UNSTABLE)
def test_unstable_output_fails(text, cells, cell):
    cell("answer")["outputs"][0]["data"]["text/plain"] = text
    assert "answer prints a" in "".join(files.problems_with_numbers(cells))


def test_repeated_id_fails(cells, cell):
    cell("answer")["id"] = "picture"
    assert list(files.problems_with_ids(cells))


def test_stored_warning_fails(cells, cell):
    cell("answer")["outputs"].append({"output_type": "stream", "name": "stderr", "text": "Warning"})
    assert list(files.problems_with_errors(cells))


def test_output_that_is_not_compared_fails(cells, cell):
    cell("answer")["metadata"]["tags"].append("nbval-ignore-output")
    assert list(files.problems_with_comparison(cells))


def test_missing_alt_text_fails(cells, cell):
    data = cell("picture")["outputs"][0]["data"]
    data["text/html"] = data["text/html"].replace("One cell.", "")
    assert list(files.problems_with_descriptions(cells))


def test_hint_on_a_slide_fails(cells, cell):
    cell("hint")["metadata"]["slideshow"]["slide_type"] = "subslide"
    assert list(problems_with_slides(cells))


def test_missing_stale_and_changed_figures_fail():
    made, kept = {"01_a.png": b"a", "01_b.png": b"b"}, {"01_b.png": b"?", "01_c.png": b"c"}
    found = [problem.split()[0] for problem in files.problems_with_figures(made, kept)]
    assert found == ["figures/01_a.png", "figures/01_b.png", "figures/01_c.png"]


def test_name_that_does_not_exist_fails():
    (problem,) = problems_with_names("README.md", "Call `al.masked_softmax(s, m)` or `al.mask_softmax`.")
    assert problem == "README.md names al.mask_softmax, which does not exist"


# What a front end changes when it saves


def run_in_a_front_end(notebook, answer):
    answer.outputs.pop(0)
    answer.metadata.jupyter.outputs_hidden = False


def run_twice(notebook, answer):
    answer.execution_count = 3


def leave_a_time(notebook, answer):
    answer.metadata.execution = {"iopub.execute_input": "2030-01-01T00:00:00Z"}


def choose_another_kernel(notebook, answer):
    notebook.metadata.kernelspec = {"name": "venv", "display_name": "venv"}


def leave_out_the_version(notebook, answer):
    del notebook.metadata.language_info["version"]


@pytest.mark.parametrize(
    "change", [run_in_a_front_end, run_twice, leave_a_time, choose_another_kernel, leave_out_the_version]
)
def test_file_saved_by_a_front_end_fails(change):
    notebook = nbformat.v4.new_notebook(
        cells=copy.deepcopy(CELLS), metadata={"language_info": {"name": "python", "version": "3.11"}}
    )
    notebook = nbformat.from_dict(notebook)
    execute.tidy(notebook)
    assert files.is_as_executed(execute.as_text(notebook))
    change(notebook, next(cell for cell in notebook.cells if cell.id == "answer"))
    assert not files.is_as_executed(execute.as_text(notebook))
