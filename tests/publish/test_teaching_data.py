"""The teacher's notes and plans fit the notebooks, and README has the plans."""

import csv
import io
import re

import pytest

from attention_lib import data
from publish import minutes, notebooks, teaching_data
from publish.notebooks import PREDICT

CELLS = {number: minutes.cells_of(path) for number, path in notebooks.PATHS.items()}
SOURCES = {id: source for cells in CELLS.values() for id, _, source in cells}
NOTES = teaching_data.read_notes()
ROUTES = teaching_data.read_routes()
every_route = pytest.mark.parametrize("name", ROUTES)


def test_every_prediction_and_multiple_choice_question_has_a_note():
    asks = {id for id, source in SOURCES.items() if PREDICT in source or "**Multiple choice**" in source}
    assert asks <= set(NOTES)


@pytest.mark.parametrize("id", NOTES)
def test_note_is_complete_and_about_a_cell_that_asks(id):
    note = NOTES[id]
    assert "?" in SOURCES[id]
    assert set(note) <= {"question", "answers", "next"} and note["next"]
    assert 2 <= len(note["answers"]) <= len(teaching_data.LETTERS)
    assert [answer.get("right") for answer in note["answers"]].count(True) == 1
    assert all(answer["says"] and answer["means"] for answer in note["answers"])


def test_clickers_are_plain_text_and_no_formulas():
    note = {
        "question": "Is *it* red?",
        "answers": [{"says": "=`yes` | no", "means": "**Guesses.**"}, {"says": "no", "means": "Looks.", "right": True}],
        "next": "Why?",
    }  # fmt: skip
    (line,) = csv.DictReader(io.StringIO(teaching_data.vote_csv({"nb01-x": note, "nb01-y": {}}, [])))
    assert {name: text for name, text in line.items() if text} == {
        "notebook": "01",
        "cell": "nb01-x",
        "question": "Is it red?",
        "A": "'=yes | no",
        "B": "no",
        "right": "B",
        "A means": "Guesses.",
        "B means": "Looks.",
    }


def test_votes_in_the_format_of_aiken():
    note = {"question": "Is `it` red?", "answers": [{"says": "*yes*"}, {"says": "no", "right": True}]}
    one = "Is it red?\nA. yes\nB. no\nANSWER: B\n"
    assert teaching_data.aiken({"a": note, "b": note}, []) == f"{one}\n{one}"
    assert teaching_data.aiken(NOTES, []).count("\nANSWER: ") == sum("question" in n for n in NOTES.values())


def test_clickers_number_the_votes_of_the_hour():
    lines = list(csv.DictReader(io.StringIO(teaching_data.vote_csv(NOTES, ROUTES["50"]["parts"]))))
    assert [line["vote of the hour"] for line in lines[:7]] == ["1", "2", "3", "4", "5", "6", ""]
    numbers = {line["cell"]: line["vote of the hour"] for line in lines if line["vote of the hour"]}
    for part in ROUTES["50"]["parts"]:
        said = re.findall(r"Vote (\d)", part["say"])
        assert said == [numbers[id] for id in part.get("cells", []) if id in numbers], part["title"]


# Plans


def shown_cells(name):
    return [id for part in ROUTES[name]["parts"] for id in part.get("cells", [])]


def votes(name):
    return teaching_data.votes_of(ROUTES[name]["parts"], NOTES)


@every_route
def test_plan_goes_through_the_notebooks_in_order(name):
    order = list(SOURCES)
    for part in ROUTES[name]["parts"]:
        optional = {"notebook", "cells", "before", "after", "draws"}
        assert {"minutes", "title", "say"} <= set(part) <= {"minutes", "title", "say"} | optional
        own = {id for id, _, _ in CELLS.get(part.get("notebook"), [])}
        places = [order.index(id) for id in part.get("cells", [])]
        assert set(part.get("cells", [])) <= own, part["title"]
        assert places == sorted(set(places)), part["title"]


@every_route
def test_readme_has_the_plan(name):
    readme = (teaching_data.FOLDER / "README.md").read_text(encoding="utf-8")
    start = 0
    for part in ROUTES[name]["parts"]:
        end = start + part["minutes"]
        assert f"| {start}-{end} | {part['title']} | {part['say']} |" in readme
        start = end


def test_plans_take_their_minutes():
    totals = {name: sum(part["minutes"] for part in route["parts"]) for name, route in ROUTES.items()}
    assert totals == {"50": 48, "lab": 180, "lab-after-50": 180}  # 2 of 50 are for what the room asks


def test_hour_has_six_votes_and_the_lab_after_it_none_of_them():
    assert len(votes("50")) == len(set(votes("50"))) == 6
    assert not set(votes("50")) & set(votes("lab-after-50"))
    assert not set(shown_cells("50")) & set(shown_cells("lab-after-50"))


def test_lab_after_the_hour_has_both_masks_and_seven_exercises():
    text = "\n".join(SOURCES[id] for id in shown_cells("lab-after-50"))
    exercises = re.findall(r"^check\.(\w+)\(", text, re.MULTILINE)
    assert {"causal_mask", "padding_mask"} <= set(exercises) and len(exercises) >= 7


@pytest.mark.parametrize("name", ["50", "lab"])
def test_board_has_the_scores_of_her(name):
    recorded = data.load("cat_sentence")
    scores = recorded["q"][1, 3, 8] @ recorded["k"][1, 3].T
    row = " | ".join(f"**{x:.1f}**" if x == scores.max() else f"{x:.1f}" for x in scores)
    texts = [part.get("before", "") + part.get("after", "") for part in ROUTES[name]["parts"]]
    assert any(f"| {' | '.join(recorded['tokens'])} |" in text and f"| {row} |" in text for text in texts)
