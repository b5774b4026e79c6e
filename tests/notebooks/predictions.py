"""Nothing gives away the answer to a prediction before its cell is run.

A prediction is a question that begins with MARK, then one or more cells tagged "answer", whose output is stored
folded, then an explanation that is folded. test_cells.py runs these checks.
"""

import re

from publish.notebooks import EXPLAINED
from tests.notebooks.minutes import sections
from tests.notebooks.stored import MARK, code_cells, joined, markdown_cells, printed, tags

EXPLANATION = re.compile(rf"<details>{re.escape(EXPLAINED)}\n\n(?:(?!<details).)*\n\n</details>", re.DOTALL)
# Decimals that a question gives and its answer repeats.
GIVEN = {
    "nb01-46": "21.4",
    "nb02-31": "0.13 0.36 2.54 64.3",
    "nb02-37": "0.32 0.46",
    "nb03-norms": "0.49",
    "nb06-lengths": "0.05 0.46",
    "nb07-sink": "0.49",
    "nb07-turned": "21.4",
    "nb08-third": "0.3",
    "nb09-baselines": "3.3",
    "nb09-line": "0.5 0.72",
}


def predictions(cells):
    """Each prediction as (index of the question, its answer cells, the text of the cell after them)."""
    for start, cell in enumerate(cells):
        if cell["cell_type"] == "markdown" and MARK in joined(cell["source"]):
            end = start + 1
            while end < len(cells) and "answer" in tags(cells[end]):
                end += 1
            yield start, cells[start + 1 : end], "".join(joined(c["source"]) for c in cells[end : end + 1])


def problems_with_order(cells):
    """Where a prediction lacks its mark, its answer, or the fold around its explanation."""
    for cell in markdown_cells(cells):
        source = joined(cell["source"])
        asked, marks = len(re.findall(r"(?:\*\*|# |✎ )Predict\b", source)), source.count(MARK)
        if asked != marks or marks > 1:
            yield f"{cell['id']}: a prediction must begin with {MARK!r}, and have a cell of its own"
    for start, answers, explanation in predictions(cells):
        if not answers:
            yield f"{cells[start]['id']}: no cell tagged answer follows"
        if not EXPLANATION.fullmatch(explanation):
            yield f"{cells[start]['id']}: its explanation is not folded under {EXPLAINED!r}"


def decimals(*texts):
    """The decimals in texts, by value: 0.3 and 0.30 are one."""
    text = " ".join(texts).replace("−", "-")
    return set(map(float, re.findall(r"(?<![\d.])-?\d+\.\d+(?!\d|\.\d)", text)))


def visible(cell):
    """What a reader sees of a cell before running it: prose outside folds, code, outputs that are not folded."""
    source = joined(cell["source"])
    if cell["cell_type"] == "markdown":
        return re.sub(r"<details>.*?</details>", "", source, flags=re.DOTALL)
    return source if "answer" in tags(cell) else source + printed(cell)


def problems_with_answers(cells):
    """Where visible text of a section tells an answer that no cell above the question shows."""
    above = set()
    for section in sections(cells).values():
        for start, answers, _ in predictions(section):
            question = section[start]["id"]
            known = decimals(GIVEN.get(question, ""), *map(visible, code_cells(section[:start])))
            answer = decimals(*map(printed, answers)) - known - above
            for cell in section:
                for number in sorted(answer & decimals(visible(cell))):
                    yield f"{cell['id']} tells {number}, which answers {question}"
        above |= decimals(*map(visible, section))
