"""Reads what is in teaching/: notes.toml, for each question of the notebooks; routes.toml, plans for a class;
treats.toml, the slides that treat mistakes; likely.toml, mistakes that are likely in an exercise.

From the notes it makes clickers.txt, the questions to vote on, for the voting program of a school.
"""

import re
import tomllib

from publish import notebooks
from publish.notebooks import ROOT

FOLDER = ROOT / "teaching"
LETTERS = "ABCD"
OPTION = re.compile(r"(?:<br>|^- )\(([a-d])\) (.+?)[.;]?(?=<br>|</summary>|$)", re.MULTILINE)
RIGHT = re.compile(r"^\(([a-d])\)\. ", re.MULTILINE)


def read_notes():
    """{id of a cell that asks: its note}. A note has answers, "next" and sometimes a "question" to vote on.

    Wrong answers come from the notebook: those that the explanation of a prediction takes up, or the options of a
    multiple-choice question.
    """
    notes = read("notes.toml")
    for path in notebooks.PATHS.values():
        cells = notebooks.read(path).cells
        for i, cell in enumerate(cells):
            if cell.id in notes:
                note = notes[cell.id]
                note["answers"] = _predicted(note, cells[i:]) if "right" in note else _options(cell.source)
    return notes


def _predicted(note, cells):
    """The answers to the prediction that these cells begin with, in the order of the alphabet."""
    explanation = next(cell.source for cell in cells if notebooks.EXPLAINED in cell.source)
    wrong = [
        {"says": says[0].upper() + says[1:], "means": means}
        for says, means in notebooks.YOU_SAID.findall(explanation)
    ]
    return sorted([{"says": note["right"], "right": True}, *wrong], key=lambda answer: answer["says"].lower())


def _options(question):
    """The options of a multiple-choice question."""
    right = RIGHT.search(question)[1]
    return [{"says": says, "right": letter == right} for letter, says in OPTION.findall(question)]


def read(name):
    """A file of teaching/. The top of routes.toml says what a part of a route has."""
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def votes_of(parts, notes):
    """The ids of the cells that these parts of a route put to a vote, in order."""
    shown = [id for part in parts for id in part.get("cells", [])]
    return [id for id in shown if "question" in notes.get(id, {})]


def aiken(notes, hour):
    """The questions to vote on in Aiken's format, which voting programs import; those of the parts `hour` first."""
    questions = []
    for id in dict.fromkeys([*votes_of(hour, notes), *votes_of([{"cells": notes}], notes)]):
        note = notes[id]
        answers = list(zip(LETTERS, note["answers"]))
        (right,) = [letter for letter, answer in answers if answer.get("right")]
        options = [f"{letter}. {plain_text(answer['says'])}" for letter, answer in answers]
        questions.append("\n".join([plain_text(note["question"]), *options, f"ANSWER: {right}\n"]))
    return "\n".join(questions)


def plain_text(markdown):
    """Text without Markdown: *cat* is "cat"."""
    text = re.sub(r"(?<!\w)\*\*(\S.*?)\*\*(?!\w)", r"\1", re.sub("[`$]", "", markdown))
    return re.sub(r"(?<!\w)\*(\S.*?)\*(?!\w)", r'"\1"', text)
