"""Nothing tells the answer to a prediction before its cell is run.

A prediction is a question with a mark of its own, then one or more cells tagged "answer", then an explanation
that is folded. Three places could give the answer away: the fold of the output, whose first line JupyterLab
shows; the words around it; and the code.
"""

import copy
import json
import re

import pytest

from publish.minutes import EXPLAINED
from tests.notebooks.test_notebooks import NOTEBOOKS, SERIES, every_notebook, execute_module, joined, load

MARK = "> ### ✎ Predict\n>\n> "
FOLDED = f"<details>{EXPLAINED}\n\n"
FOLD = execute_module().FOLD
SENTENCE = FOLD["data"]["text"]

# What JupyterLab takes the line beside a folded output from, in this order.
SHOWN = ["text/html", "image/svg+xml", "application/pdf", "text/markdown", "text/plain"]


def is_answer(cell):
    return "answer" in cell["metadata"].get("tags", [])


def shown_beside_the_fold(cell):
    """The line that JupyterLab shows beside the dots of a folded output."""
    output = cell["outputs"][0]
    if output["output_type"] == "stream":
        forms = [output["text"]]
    elif output["output_type"] == "error":
        forms = [output["evalue"]]
    else:
        kinds = [*SHOWN, "application/vnd.jupyter.stderr", "application/vnd.jupyter.stdout", "text"]
        forms = [output["data"][kind] for kind in kinds if kind in output["data"]]
    for form in forms:
        for line in joined(form).splitlines():
            if line.strip():
                return line.strip()
    return ""


def complaints_about_folds(cells):
    """What is wrong with the folded outputs of a notebook's cells."""
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        marked = [output for output in cell["outputs"] if output.get("metadata") == FOLD["metadata"]]
        if any(
            {kind: joined(form) for kind, form in output["data"].items()} != FOLD["data"] for output in marked
        ):
            yield f"{cell['id']}: an output that the cell made carries the mark of the neutral sentence"
        if not is_answer(cell):
            if marked:
                yield f"{cell['id']}: a neutral sentence on a cell that answers no prediction"
        elif not cell["outputs"] or shown_beside_the_fold(cell) != SENTENCE:
            yield f"{cell['id']}: its fold does not show the neutral sentence: run notebooks/execute.py"


def predictions(cells):
    """Each prediction as (question, its answer cells, the cell after them, index of the question)."""
    for i, cell in enumerate(cells):
        if cell["cell_type"] == "markdown" and MARK in joined(cell["source"]):
            after = i + 1
            while after < len(cells) and is_answer(cells[after]):
                after += 1
            yield cell, cells[i + 1 : after], cells[after] if after < len(cells) else None, i


def complaints_about_order(cells):
    """Where a prediction lacks its mark, its answer, or the fold around its explanation."""
    for cell in cells:
        if cell["cell_type"] == "markdown":
            source = joined(cell["source"])
            if len(re.findall(r"(?:\*\*|# |✎ )Predict\b", source)) != source.count(MARK):
                yield f"{cell['id']}: a prediction without the mark {MARK!r}"
            if source.count(MARK) > 1:
                yield f"{cell['id']}: two predictions in one cell"
    for question, answers, explanation, _ in predictions(cells):
        if not answers:
            yield f"{question['id']}: no cell tagged answer follows"
        text = joined(explanation["source"]) if explanation else ""
        if not (text.startswith(FOLDED) and text.endswith("\n\n</details>") and text.count("<details") == 1):
            yield f"{question['id']}: its explanation is not folded under {FOLDED.strip()!r}"


def numbers(text):
    """The decimals in a text, by value: 0.3 and 0.30 are one."""
    return {
        float(number) for number in re.findall(r"(?<![\d.])[-−]?\d+\.\d+(?!\d|\.\d)", text.replace("−", "-"))
    }


def in_the_open(cell):
    """What a reader sees of a cell before running it: prose outside folds, code, outputs not folded."""
    source = joined(cell["source"])
    if cell["cell_type"] == "markdown":
        return re.sub(r"<details>.*?</details>", "", source, flags=re.DOTALL)
    return source if is_answer(cell) else source + printed(cell)


def printed(cell):
    """What the outputs of a cell say in words and numbers, descriptions of figures included."""
    said = ""
    for output in cell["outputs"]:
        said += joined(output.get("text", "")) + joined(output.get("data", {}).get("text/plain", "")) + "\n"
    return said


def secrets(cells):
    """The decimals that only a prediction's answer shows, as (question, its place, numbers).

    Those that the question gives, or anything above it in the open, are no secret.
    """
    for question, answers, _, start in predictions(cells):
        known = set().union(*(numbers(in_the_open(cell)) for cell in cells[: start + 1]))
        yield question, start, set().union(*(numbers(printed(cell)) for cell in answers)) - known


def told(cells):
    """Where the open text tells an answer, between its question and the end of the section."""
    for question, start, secret in secrets(cells):
        for cell in cells[start + 1 :]:
            if cell["cell_type"] == "markdown" and joined(cell["source"]).startswith("## "):
                break
            for number in sorted(secret & numbers(in_the_open(cell))):
                yield f"{cell['id']} tells {number}, which answers {question['id']}"


@every_notebook
def test_folds_show_the_neutral_sentence(name):
    assert list(complaints_about_folds(load(name)["cells"])) == []


@every_notebook
def test_predictions_have_their_mark_their_answer_and_a_folded_explanation(name):
    cells = load(name)["cells"]
    assert list(complaints_about_order(cells)) == []
    assert len(list(predictions(cells))) >= 5


@every_notebook
def test_nothing_in_the_open_tells_an_answer(name):
    assert list(told(load(name)["cells"])) == []


# The three tests bite


@pytest.fixture
def cells():
    """The cells of a notebook, to be tampered with."""
    return copy.deepcopy(load(SERIES[0])["cells"])


def first_answer(cells):
    return next(cell for cell in cells if is_answer(cell))


def test_missing_sentence_is_noticed(cells):
    first_answer(cells)["outputs"].pop(0)
    assert "does not show the neutral sentence" in "".join(complaints_about_folds(cells))


def test_mark_on_a_real_output_is_noticed(cells):
    # conftest.py leaves marked outputs out of the comparison: none that a cell made may carry the mark.
    first_answer(cells)["outputs"][1]["metadata"] = FOLD["metadata"]
    assert "carries the mark" in "".join(complaints_about_folds(cells))


def test_explanation_in_the_open_is_noticed(cells):
    _, _, explanation, _ = next(predictions(cells))
    explanation["source"] = joined(explanation["source"]).replace("<details>", "").replace("</details>", "")
    assert "is not folded" in "".join(complaints_about_order(cells))


def test_prediction_without_its_mark_is_noticed(cells):
    question, *_ = next(predictions(cells))
    question["source"] = joined(question["source"]).replace("✎ ", "")
    assert "without the mark" in "".join(complaints_about_order(cells))


@pytest.mark.parametrize("kind", ["markdown", "code"])
def test_answer_told_in_the_open_is_noticed(cells, kind):
    question, _, secret = next(found for found in secrets(cells) if found[2])
    answer = cells[cells.index(question) + 1]
    if kind == "code":  # a literal of the answer's own cell
        answer["source"] = f"assert round(it, 2) == {min(secret)}"
    else:
        planted = {
            "cell_type": "markdown",
            "id": "planted",
            "metadata": {},
            "source": f"It is {min(secret)}.",
        }
        cells.insert(cells.index(answer) + 1, planted)
    assert f"tells {min(secret)}, which answers {question['id']}" in "".join(told(cells))


def test_stored_files_are_read_as_json():
    # load() must not mend what it reads: the neutral sentence is data of an unusual kind.
    text = (NOTEBOOKS / f"{SERIES[0]}.ipynb").read_text(encoding="utf-8")
    assert json.loads(text)["cells"] == load(SERIES[0])["cells"]
