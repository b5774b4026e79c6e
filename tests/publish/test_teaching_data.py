"""The teacher's notes and routes fit the notebooks."""

import pytest

from publish import guide, teaching_data
from publish.notebooks import PREDICT

SERIES = guide.read_series()
SOURCES = {id: source for cells in SERIES.values() for id, _, source in cells}
NOTES = teaching_data.read_notes()
ROUTES = teaching_data.read_routes()


def test_every_prediction_and_multiple_choice_question_has_a_note():
    asks = {
        id
        for cells in SERIES.values()
        for id, kind, source in cells
        if kind == "markdown" and (PREDICT in source or "**Multiple choice**" in source)
    }
    assert asks <= set(NOTES)


@pytest.mark.parametrize("id", NOTES)
def test_note_is_complete_and_about_a_cell_that_asks(id):
    note = NOTES[id]
    assert "?" in SOURCES[id]
    assert set(note) <= {"question", "answers", "next"} and note["next"]
    assert 2 <= len(note["answers"]) <= len(guide.LETTERS)
    assert [answer.get("right") for answer in note["answers"]].count(True) == 1
    assert all(answer["says"] and answer["means"] for answer in note["answers"])


def test_fifteen_questions_can_be_voted_on():
    assert len(guide.vote_questions(SERIES, NOTES)) == 15


@pytest.mark.parametrize("name", ROUTES)
def test_route_goes_through_the_notebooks_in_order(name):
    order = list(SOURCES)
    for part in ROUTES[name]:
        assert set(part) == {"minutes", "title", "notebook", "cells", "say"}
        own = {id for id, _, _ in SERIES.get(part["notebook"], [])}
        assert set(part["cells"]) <= own, part["title"]
        places = [order.index(id) for id in part["cells"]]
        assert places == sorted(set(places)), part["title"]


def test_short_class_takes_fifty_minutes():
    assert sum(part["minutes"] for part in ROUTES["50"]) == 50
