"""Nothing gives away the answer to a prediction before its cell is run.

A prediction is a question that begins with MARK, then one or more cells tagged "answer", whose output is stored
folded (test_stored_files.py), then an explanation that is folded.
"""

import re

from publish.notebooks import EXPLAINED
from tests.notebooks.stored import (
    MARK,
    every_notebook,
    joined,
    load,
    markdown_cells,
    predictions,
    printed,
    report,
    tags,
)

FOLDED = f"<details>{EXPLAINED}\n\n"


def problems_with_order(cells):
    """Where a prediction lacks its mark, its answer, or the fold around its explanation."""
    for cell in markdown_cells(cells):
        source = joined(cell["source"])
        if len(re.findall(r"(?:\*\*|# |✎ )Predict\b", source)) != source.count(MARK):
            yield f"{cell['id']}: a prediction must begin with {MARK!r}"
        if source.count(MARK) > 1:
            yield f"{cell['id']}: two predictions in one cell"
    for question, answers, explanation, _ in predictions(cells):
        if not answers:
            yield f"{question['id']}: no cell tagged answer follows"
        text = joined(explanation["source"]) if explanation else ""
        if not (text.startswith(FOLDED) and text.endswith("\n\n</details>") and text.count("<details") == 1):
            yield f"{question['id']}: its explanation is not folded under {FOLDED.strip()!r}"


def decimals(text):
    """The decimals in a text, by value: 0.3 and 0.30 are one."""
    found = re.findall(r"(?<![\d.])[-−]?\d+\.\d+(?!\d|\.\d)", text.replace("−", "-"))
    return set(map(float, found))


def visible(cell):
    """What a reader sees of a cell before running it: prose outside folds, code, outputs that are not folded."""
    source = joined(cell["source"])
    if cell["cell_type"] == "markdown":
        return re.sub(r"<details>.*?</details>", "", source, flags=re.DOTALL)
    return source if "answer" in tags(cell) else source + printed(cell)


def answer_decimals(cells):
    """The decimals that only a prediction's answer shows, as (question, its index, decimals).

    Those that are visible in the question or above it are left out.
    """
    for question, answers, _, start in predictions(cells):
        known = set().union(*(decimals(visible(cell)) for cell in cells[: start + 1]))
        yield question, start, set().union(*(decimals(printed(cell)) for cell in answers)) - known


def problems_with_answers(cells):
    """Where visible text tells an answer, between its question and the end of the section."""
    for question, start, answer in answer_decimals(cells):
        for cell in cells[start + 1 :]:
            if cell["cell_type"] == "markdown" and joined(cell["source"]).startswith("## "):
                break
            for number in sorted(answer & decimals(visible(cell))):
                yield f"{cell['id']} tells {number}, which answers {question['id']}"


@every_notebook
def test_predictions_have_an_answer_and_a_folded_explanation(name):
    cells = load(name)["cells"]
    report(problems_with_order(cells))
    assert len(list(predictions(cells))) >= 5


@every_notebook
def test_answers_are_not_visible(name):
    report(problems_with_answers(load(name)["cells"]))
