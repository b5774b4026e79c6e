"""Estimates the minutes that the core path of a notebook takes.

The estimate is for a reader with English as a second language: 145 words a minute, folded ones too; 30 seconds a code
cell and 5 seconds a line of code that is not folded; a minute a prediction or question; and what the exercises state.

Simulated students with a clock needed 55, 41, 61, 72 and 70 minutes for the core paths of notebooks 1, 2, 4, 7 and 8
as they were in November 2026. A finer estimate was made to fit these times; this one gives the same within a minute.
"""

import re

from publish.notebooks import PREDICT, SUMMARY

FURTHER = "Going further"
NOT_CORE = (FURTHER, "Sources")  # sections that are not part of the core path
EXERCISE_MINUTES = re.compile(r"\b(?:[Ee]asy|[Mm]edium|[Hh]ard), (\d+) minutes?\b")
HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)


def markdown(cells):
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def sections(cells):
    """{title: its cells}, in order; "" has the cells before the first heading."""
    found, title = {"": []}, ""
    for cell in cells:
        source = "".join(cell["source"])  # the tests read notebooks as JSON
        heading = HEADING.search(re.sub(r"(?ms)^```.*?^```", "", source))
        if cell["cell_type"] == "markdown" and heading:
            title = heading[1]
        found.setdefault(title, []).append(cell)
    return found


def exercise_minutes(text):
    """The sum of the minutes that the exercises state."""
    return sum(map(int, EXERCISE_MINUTES.findall(text)))


def words(text):
    """How many words a text has, without its HTML tags."""
    return len(re.sub(r"<[^<>]*>", " ", text).split())


def estimate(cells):
    """The minutes that the core path takes, not rounded: all sections but "Going further" and "Sources"."""
    core = [cell for title, inside in sections(cells).items() if title not in NOT_CORE for cell in inside]
    code = [cell for cell in core if cell.cell_type == "code"]
    read_code = [cell.source for cell in code if "hide-input" not in cell.metadata.get("tags", [])]
    lines = [line for source in read_code for line in source.splitlines() if line.strip()]
    text = markdown(core)
    asked = text.count(PREDICT) + len(re.findall(rf"{SUMMARY}\d\.", text))
    return words(text) / 145 + len(code) / 2 + len(lines) / 12 + asked + exercise_minutes(text)
