"""The tables of teaching/README.md and clickers.csv: how they are made, and that the stored ones are up to date."""

import csv
import io
import re

import pytest

from publish import guide, minutes
from publish.notebooks import PREDICT, SUMMARY

SERIES = guide.read_series()

# A notebook of two sections, with a prediction and a question to choose in.
SMALL = [
    ("a", "markdown", "# Why?\n\n**Time**: 4 minutes for the core path, 2 more."),
    ("b", "markdown", "## 1. Red\n\n> " + PREDICT + "\n>\n> Look.\n> Is it red? Or blue?\n\nRun."),
    ("c", "code", "1 + 1\n\n# two"),
    (
        "d",
        "markdown",
        "## In your hands now\n<details>" + SUMMARY + "1. Which is it?<br>(a) red</summary>no</details>",
    ),
    ("e", "markdown", "## Going further\n\n*2 minutes* (easy, 2 minutes). The end."),
]
NOTE = {
    "question": "Is *it* red?",
    "answers": [
        {"says": "=`yes` | no", "means": "**Guesses.**"},
        {"says": "no", "means": "Looks.", "right": True},
    ],
    "next": "Why?",
}


def rows(table):
    lines = table.splitlines()
    assert re.fullmatch(r"(\| -{3}:? )+\|", lines[1])
    return [re.split(r"(?<!\\) ?\| ?", line)[1:-1] for line in [lines[0], *lines[2:]]]


def test_stored_files_are_up_to_date():
    contents = guide.contents()
    assert sorted(path.name for path in contents) == ["README.md", "clickers.csv"]
    for path, text in contents.items():
        assert path.read_text(encoding="utf-8") == text, "run .venv/bin/python -m publish.guide"


def test_readme_has_every_table():
    text = (guide.teaching_data.FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- made: (\S+) -->", text)) == set(guide.all_tables())


@pytest.mark.parametrize("number", SERIES)
def test_minutes_of_the_sections_add_up_to_those_stated(number):
    _, *body = rows(guide.minutes_table(SERIES[number]))
    core = [row[0] for row in body].index("**Core path**")
    assert sum(int(row[1]) for row in body[:core]) == int(body[core][1].strip("*"))
    assert sum(int(row[2]) for row in body[:core]) == int(body[core][2])


def test_minutes_of_a_small_notebook():
    assert rows(guide.minutes_table(SMALL))[1:] == [
        ["Opening", "0", "0", ""],
        ["1. Red", "2", "1", ""],
        ["In your hands now", "2", "1", ""],
        ["**Core path**", "**4**", "2", ""],
        ["Going further", "2", "0", ""],
    ]
    assert minutes.core(SMALL) == SMALL[:4]


@pytest.mark.parametrize("total", [1, 7, 50])
def test_rounded_parts_add_up(total):
    parts = [0.2, 1.7, 3.4, 11.9, 0.01]
    rounded = guide.round_to_total(parts, total)
    assert sum(rounded) == total
    for part, n in zip(parts, rounded, strict=True):
        assert abs(n - part * total / sum(parts)) < 1


def test_question_is_read_from_its_box_or_from_the_choices():
    assert guide.question_text(SMALL[1][2]) == "Look. Is it red?"
    assert guide.question_text(SMALL[3][2]) == "1. Which is it?"
    assert guide.question_text("**Multiple choice** (easy, 1 minute). Which?\n\n(a) red") == (
        "**Multiple choice** (easy, 1 minute). Which?"
    )


def test_table_of_questions():
    assert rows(guide.question_table(SMALL, {"b": NOTE}))[1:] == [
        ["**§1** Is *it* red?", "=`yes` \\| no", "**Guesses.**"],
        ["", "✓ no", "Looks."],
        ["", "*next*", "Why?"],
    ]


def test_clickers_are_plain_text_and_no_formulas():
    (line,) = csv.DictReader(io.StringIO(guide.vote_csv({"01": SMALL}, {"b": NOTE, "d": {}})))
    assert line == {
        "notebook": "01",
        "cell": "b",
        "question": "Is it red?",
        "A": "'=yes | no",
        "B": "no",
        "right": "B",
        "A means": "Guesses.",
        "B means": "Looks.",
    }
    _, first, second = rows(guide.vote_table({"01": SMALL}, {"b": NOTE}))
    assert (first[0], second[0]) == ("**1** (1) Is *it* red?", "")
    assert (first[1], second[1]) == ("A. =`yes` \\| no", "B. ✓ no")


def test_route_counts_its_minutes():
    parts = [
        {"minutes": 3, "title": "Look", "notebook": "01", "cells": ["b", "c"], "say": "Vote."},
        {"minutes": 4, "title": "Draw", "notebook": "", "cells": [], "say": ""},
    ]
    assert rows(guide.route_table(parts, {"01": SMALL}))[1:] == [
        ["0-3", "Look", "1 §1", "Vote."],
        ["3-7", "Draw", "", ""],
    ]


def test_mistakes_are_all_there_once():
    ids = [row[0] for row in rows(guide.mistake_table())[1:]]
    assert len(ids) == len(set(ids)) > 90 and "`not-summed`" in ids and "`raises`" in ids


def test_only_text_between_the_marks_is_replaced():
    text = "A\n<!-- made: x -->\nold\n<!-- end -->\nB\n<!-- made: y -->\n<!-- end -->\nC\n"
    tables = {"x": "| new \\1 |", "y": "| too |"}
    filled = guide.fill_tables(text, tables)
    assert filled == (
        "A\n<!-- made: x -->\n\n| new \\1 |\n\n<!-- end -->\nB\n"
        "<!-- made: y -->\n\n| too |\n\n<!-- end -->\nC\n"
    )
    assert guide.fill_tables(filled, tables) == filled


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<!-- made: z -->\n<!-- end -->", "no such table: z"),
        ("<!-- made: x -->\n", "needs its"),
        ("<!-- made: x -->\n<!-- made: x -->\n<!-- end -->", "needs its"),
        ("text <!-- made: x --> <!-- end -->", "needs its"),
    ],
)
def test_wrong_marks_are_refused(text, why):
    with pytest.raises(SystemExit, match=why):
        guide.fill_tables(text, {"x": ""})
