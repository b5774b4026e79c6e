"""Whoever always answers with one letter scores as little as possible: the right answers are spread over the letters."""

import itertools
import re
from collections import Counter

from publish import minutes, notebooks, teaching_data

NOTES = teaching_data.read_notes()
CELLS = [cell for path in notebooks.PATHS.values() for cell in minutes.cells_of(path)]
TEXT = "\n".join(source for _, kind, source in CELLS if kind == "markdown")
EXAM = (teaching_data.FOLDER / "exam.md").read_text(encoding="utf-8")


def votes(ids):
    """The right letter of each vote."""
    answers = [NOTES[id]["answers"] for id in ids]
    return [teaching_data.LETTERS[[a.get("right") for a in given].index(True)] for given in answers]


HOUR = votes(teaching_data.votes_of(teaching_data.read_routes()["50"]["parts"], NOTES))


def assert_spread(right, letters):
    """No letter is right more than once oftener than another."""
    counts = Counter(right)
    assert max(counts[x] for x in letters) - min(counts[x] for x in letters) <= 1, counts


def test_letters_of_the_exam():
    assert_spread(re.findall(r"^\| \d+ \| ([a-d]) \|", EXAM, re.MULTILINE), "abcd")


def test_letters_of_the_notebooks():
    right = re.findall(r"^\(([a-d])\)\. ", TEXT, re.MULTILINE)
    assert len(right) == len(re.findall(r"(?:^- |<br>)\(a\) ", TEXT, re.MULTILINE)) > 0
    assert_spread(right, "abc")  # few questions have a fourth option


def test_letters_of_the_votes():
    assert_spread(votes(id for id, note in NOTES.items() if "question" in note), "ABC")


def test_letters_of_the_hours_votes():
    assert_spread(HOUR, "ABC")
    assert max(len(list(run)) for _, run in itertools.groupby(HOUR)) < 3
