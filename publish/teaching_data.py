"""Reads what is in teaching/: notes.toml, what classes answer; routes.toml, plans for a class; treats.toml, the
slides that treat mistakes.

From the notes it makes clickers.txt, the questions to vote on, for the voting program of a school.
"""

import re
import tomllib

from publish.notebooks import ROOT

FOLDER = ROOT / "teaching"
LETTERS = "ABCD"


def read_notes():
    """{id of a cell that asks: its note}. A note has answers, "next" and sometimes a "question" to vote on."""
    return _read("notes.toml")


def read_routes():
    """{name of a route: {"title", "parts"}}. The top of routes.toml says what a part has."""
    return _read("routes.toml")


def read_treats():
    """{id of a slide's first cell: what the slide treats, ids of mistakes and exercises}."""
    return _read("treats.toml")


def _read(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def notebook_of(cell_id):
    """The number of a cell's notebook, as in its file's name."""
    return cell_id[2:4]


def votes_of(parts, notes):
    """The ids of the cells that these parts of a route put to a vote, in order."""
    shown = [id for part in parts for id in part.get("cells", [])]
    return [id for id in shown if "question" in notes.get(id, {})]


def aiken(notes, hour):
    """The questions to vote on in Aiken's format, which Moodle and voting programs import.

    Those of the hour come first; `hour` has its parts.
    """
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
