"""Each check of the stored notebooks is seen to fail, on a small notebook in which one thing is changed.

test_outputs.py does the same for the comparison of outputs.
"""

import copy

import nbformat
import pytest

from publish import execute
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


def source(text):
    """The change that gives a cell this source."""
    return {"source": text}


WARNING = {"output_type": "stream", "name": "stderr", "text": "Warning"}
UNDESCRIBED = {"text/plain": "One cell.", "text/html": FIGURE.replace("One cell.", ""), "image/png": "eA=="}
# The check, the cell that is changed, what of it, and words of what the check then says.
TAMPERED = [
    (files.problems_with_errors, "answer", {"outputs": [WARNING]}, "stores an error or a warning"),
    (files.problems_with_comparison, "answer", {"metadata": {"tags": ["nbval-ignore-output"]}}, "is tagged"),
    (files.problems_with_sources, "answer", source("1 / 8;  # quiet"), "semicolon"),
    (files.problems_with_descriptions, "picture", {"outputs": [{"data": UNDESCRIBED}]}, "description"),
    (files.problems_with_titles, "section", source("# A second title"), "one title"),
    (files.problems_with_folds, "hint", source(f"<details open>{SUMMARY}Hint</summary></details>"), "open"),
    (files.problems_with_links, "section", source("[Figure](../figures/none.png)"), "../figures/none.png"),
    (problems_with_order, "explanation", source("It is 0.125."), "is not folded"),
    (problems_with_answers, "explanation", source("It is 0.125."), "tells 0.125, which answers question"),
    (problems_with_answers, "answer", source("assert x == 0.125"), "answer tells 0.125"),
    (problems_with_decimals, "explanation", source("It is 0.126."), "explanation says 0.126"),
    (problems_with_numbering, "question", source("As in sections 1 and 3"), "question refers to section 3"),
    (problems_with_slides, "hint", {"metadata": {}}, "its slide_type must be skip"),
]


@pytest.mark.parametrize(("problems", "id", "change", "message"), TAMPERED)
def test_changed_cell_fails(problems, id, change, message):
    cells = [{**cell, **change} if cell["id"] == id else cell for cell in CELLS]
    assert message in "".join(problems(cells))


UNSTABLE = ["<f at 0x7f3a2c1d>", "C:\\Users", "#T_1a2b3_row0", "[-0. 1.]", "2.220446e-16", "0.46512345"]


def test_unstable_output_fails():
    assert [text for text in UNSTABLE if not files.unstable(text)] == []


def test_name_that_does_not_exist_fails():
    (problem,) = problems_with_names("README.md", "Call `al.masked_softmax(s, m)` or `al.mask_softmax`.")
    assert problem == "README.md names al.mask_softmax, which does not exist"


# What a front end changes when it saves


SAVED_OTHERWISE = {
    "its answers unfolded": ('"outputs_hidden": true', '"outputs_hidden": false'),
    "one cell run twice": ('"execution_count": 1', '"execution_count": 3'),
    "times": ('"jupyter": {', '"execution": {},\n    "jupyter": {'),
    "another kernel": ('"name": "python3"', '"name": "venv"'),
    "no version": ('"version": "3.11"', '"versions": "3.11"'),
}


def test_file_saved_by_a_front_end_fails():
    notebook = {"cells": CELLS, "metadata": {"language_info": {"name": "python", "version": "3.11"}}}
    notebook = nbformat.from_dict(copy.deepcopy(notebook) | {"nbformat": 4, "nbformat_minor": 5})
    execute.tidy(notebook)
    stored = execute.as_text(notebook)
    assert files.is_as_executed(stored)
    for what, (old, new) in SAVED_OTHERWISE.items():
        changed = stored.replace(old, new)
        assert changed == execute.as_text(nbformat.reads(changed, as_version=4)), "is no file of nbformat's"
        assert not files.is_as_executed(changed), what
