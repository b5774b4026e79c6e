"""The guide's tables are made and up to date, and the notes behind them fit the notebooks."""

import csv
import io
import re

import pytest

from publish import guide, minutes

SERIES = guide.notebooks()
NOTES = guide.read("notes.toml")
ROUTES = guide.read("routes.toml")
every_notebook = pytest.mark.parametrize("number", SERIES)

# A notebook of two sections, with a prediction and a question to choose in.
SMALL = [
    ("a", "markdown", "# Why?\n\n**Time**: 4 minutes for the core path, 2 more."),
    ("b", "markdown", "## 1. Red\n\n> ### ✎ Predict\n>\n> Look.\n> Is it red? Or blue?\n\nRun."),
    ("c", "code", "1 + 1\n\n# two"),
    (
        "d",
        "markdown",
        "## In your hands now\n<details><summary>1. Which is it?<br>(a) red</summary>no</details>",
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


# What is stored


def test_tables_and_clickers_are_up_to_date():
    assert guide.outdated() == [], f"run {guide.COMMAND}"


def test_guide_has_every_table():
    text = (guide.HERE / "README.md").read_text(encoding="utf-8")
    there = set(re.findall(r"<!-- made: (\S+) -->", text))
    assert there == set(guide.tables(SERIES, NOTES, ROUTES))


@every_notebook
def test_every_prediction_has_a_note(number):
    asks = {
        id
        for id, kind, source in SERIES[number]
        if kind == "markdown" and ("### ✎ Predict" in source or "**Multiple choice**" in source)
    }
    assert asks <= set(NOTES)


def test_every_note_is_about_a_cell_that_asks():
    sources = {id: source for cells in SERIES.values() for id, _, source in cells}
    for id, note in NOTES.items():
        assert "?" in sources[id], id
        assert set(note) <= {"minutes", "question", "answers", "next"} and note["next"]
        assert 2 <= len(note["answers"]) <= len(guide.LETTERS), id
        assert [answer.get("right") for answer in note["answers"]].count(True) == 1, id
        assert all(answer["says"] and answer["means"] for answer in note["answers"]), id


def test_fifteen_questions_can_be_voted_on():
    assert len(guide.clickers(SERIES, NOTES)) == 15


@pytest.mark.parametrize("name", ROUTES)
def test_routes_walk_through_the_notebooks_in_order(name):
    stops = ROUTES[name]
    order = [id for cells in SERIES.values() for id, _, _ in cells]
    for stop in stops:
        places = [order.index(id) for id in stop.get("cells", [])]
        assert places == sorted(set(places)), stop["title"]
    if name.isdecimal():
        assert sum(stop["minutes"] for stop in stops) <= int(name)


# How they are made


@every_notebook
def test_minutes_of_the_sections_add_up_to_those_stated(number):
    _, *body = rows(guide.section_minutes(SERIES[number]))
    core = [row[0] for row in body].index("**Core path**")
    assert sum(int(row[1]) for row in body[:core]) == int(body[core][1].strip("*"))
    assert sum(int(row[2]) for row in body[:core]) == int(body[core][2])


def test_minutes_of_a_small_notebook():
    assert rows(guide.section_minutes(SMALL))[1:] == [
        ["Opening", "0", "0", ""],
        ["1. Red", "2", "1", ""],
        ["In your hands now", "2", "1", ""],
        ["**Core path**", "**4**", "2", ""],
        ["Going further", "2", "0", ""],
    ]


def test_minutes_follow_the_formula():
    words = [("a", "markdown", "word " * 140)]
    assert minutes.felt(words) == 1
    assert minutes.felt([("a", "code", "x\n\ny")]) == pytest.approx(1 / 3 + 2 / 20)
    fold = "<details><summary>Hint</summary> " + "word " * 138 + "</details>"
    assert minutes.felt([("a", "markdown", fold)]) == pytest.approx(0.5)
    explained = fold.replace("<summary>Hint</summary>", minutes.EXPLAINED)
    assert minutes.felt([("a", "markdown", explained)]) > 1
    assert minutes.felt([("a", "markdown", "(hard, 9 minutes)")]) == pytest.approx(9 + 3 / 140)
    assert minutes.felt(SMALL) == pytest.approx(sum(minutes.felt([cell]) for cell in SMALL))
    assert minutes.core(SMALL) == SMALL[:4]


@pytest.mark.parametrize("total", [1, 7, 50])
def test_rounded_parts_add_up(total):
    parts = [0.2, 1.7, 3.4, 11.9, 0.01]
    rounded = minutes.whole(parts, total)
    assert sum(rounded) == total
    for part, n in zip(parts, rounded, strict=True):
        assert abs(n - part * total / sum(parts)) < 1


def test_question_is_read_from_its_box_or_from_the_choices():
    assert guide.prompt(SMALL[1][2]) == "Look. Is it red?"
    assert guide.prompt(SMALL[3][2]) == "1. Which is it?"
    assert guide.prompt("**Multiple choice** (easy, 1 minute). Which?\n\n(a) red") == (
        "**Multiple choice** (easy, 1 minute). Which?"
    )


def test_table_of_questions():
    assert rows(guide.questions(SMALL, {"b": NOTE}))[1:] == [
        ["**§1** Is *it* red?", "=`yes` \\| no", "**Guesses.**"],
        ["", "✓ no", "Looks."],
        ["", "*next*", "Why?"],
    ]


def test_clickers_are_options_in_words_that_compute_nothing():
    (line,) = csv.DictReader(io.StringIO(guide.clicker_csv({"01": SMALL}, {"b": NOTE, "d": {}})))
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
    _, first, second = rows(guide.clicker_table({"01": SMALL}, {"b": NOTE}))
    assert (first[0], second[0]) == ("**1** (1) Is *it* red?", "")
    assert (first[1], second[1]) == ("A. =`yes` \\| no", "B. ✓ no")


def test_route_counts_its_minutes():
    stops = [
        {"minutes": 3, "title": "Look", "notebook": "01", "cells": ["b", "c"], "say": "Vote."},
        {"minutes": 4, "title": "Draw", "cells": []},
    ]
    assert rows(guide.route(stops, {"01": SMALL}))[1:] == [
        ["0-3", "Look", "1 §1", "Vote."],
        ["3-7", "Draw", "", ""],
    ]


def test_mistakes_are_all_there_once():
    ids = [row[0] for row in rows(guide.mistakes())[1:]]
    assert len(ids) == len(set(ids)) > 90 and "`not-summed`" in ids and "`raises`" in ids


def test_only_what_stands_between_the_marks_is_replaced():
    text = "A\n<!-- made: x -->\nold\n<!-- end -->\nB\n<!-- made: y -->\n<!-- end -->\nC\n"
    made = {"x": "| new \\1 |", "y": "| too |"}
    filled = guide.filled(text, made)
    assert filled == (
        "A\n<!-- made: x -->\n\n| new \\1 |\n\n<!-- end -->\nB\n"
        "<!-- made: y -->\n\n| too |\n\n<!-- end -->\nC\n"
    )
    assert guide.filled(filled, made) == filled


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<!-- made: z -->\n<!-- end -->", "no such table: z"),
        ("<!-- made: x -->\n", "needs its"),
        ("<!-- made: x -->\n<!-- made: x -->\n<!-- end -->", "needs its"),
        ("text <!-- made: x --> <!-- end -->", "needs its"),
    ],
)
def test_marks_that_do_not_fit_are_refused(text, why):
    with pytest.raises(SystemExit, match=why):
        guide.filled(text, {"x": ""})


def test_files_of_a_folder(tmp_path):
    (tmp_path / "notes.toml").write_text((guide.HERE / "notes.toml").read_text("utf-8"), "utf-8")
    (tmp_path / "routes.toml").write_text('[[50]]\nminutes = 5\ntitle = "Look"\n')
    (tmp_path / "README.md").write_text("<!-- made: route-50 -->\n<!-- end -->\n")
    wanted = guide.files(tmp_path)
    assert sorted(path.name for path in wanted) == ["README.md", "clickers.csv"]
    assert "| 0-5 | Look |  |" in wanted[tmp_path / "README.md"]
