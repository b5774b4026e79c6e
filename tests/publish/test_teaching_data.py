"""The teacher's notes and plans fit the notebooks, and README has the plans."""

import re

import pytest

from attention_lib import data
from publish import notebooks, teaching_data
from publish.notebooks import PREDICT
from tests.notebooks import minutes

CELLS = {number: notebooks.read(path).cells for number, path in notebooks.PATHS.items()}
SOURCES = {cell.id: cell.source for cells in CELLS.values() for cell in cells}
NOTES = teaching_data.read_notes()
ROUTES = {name: route["parts"] for name, route in teaching_data.read("routes.toml").items()}
SHOWN = {name: [id for part in parts for id in part.get("cells", [])] for name, parts in ROUTES.items()}


def test_what_asks_has_a_note_and_notes_are_complete_and_about_cells_that_ask():
    asks = {id for id, source in SOURCES.items() if PREDICT in source or "**Multiple choice**" in source}
    assert asks <= set(NOTES)
    for id, note in NOTES.items():
        assert "?" in SOURCES[id], id
        assert 2 <= len(note["answers"]) <= len(teaching_data.LETTERS), id
        assert [answer.get("right") for answer in note["answers"]].count(True) == 1, id


def test_votes_in_the_format_of_aiken_begin_with_those_of_the_hour_as_the_plan_numbers_them():
    hour = teaching_data.votes_of(ROUTES["50"], NOTES)
    text = teaching_data.aiken(NOTES, ROUTES["50"])
    assert not re.search(r"[*`$]", text)
    questions = text.split("\n\n")
    assert len(questions) == sum("question" in note for note in NOTES.values())
    for id, question in zip(hour, questions):
        asked, *options, right = question.strip().splitlines()
        assert asked == teaching_data.plain_text(NOTES[id]["question"])
        says = {option[0]: option[3:] for option in options}
        (answer,) = [answer["says"] for answer in NOTES[id]["answers"] if answer.get("right")]
        assert says[right.removeprefix("ANSWER: ")] == teaching_data.plain_text(answer)
    numbers = {id: str(number) for number, id in enumerate(hour, 1)}
    for part in ROUTES["50"]:
        asked = [numbers[id] for id in part.get("cells", []) if id in numbers]
        assert re.findall(r"Vote (\d)", part["say"]) == asked, part["title"]


# Plans


@pytest.mark.parametrize(
    ("name", "minutes"), {"10": 10, "50": 48, "100": 97, "lab": 180, "lab-after-50": 180}.items()
)
def test_plan_takes_its_minutes_in_the_notebooks_order_and_is_in_readme(name, minutes):
    readme = (teaching_data.FOLDER / "README.md").read_text(encoding="utf-8")
    order, start = list(SOURCES), 0
    for part in ROUTES[name]:
        own = {cell.id for cell in CELLS.get(part.get("notebook"), [])}
        cells = part.get("cells", [])
        assert set(cells) <= own and cells == sorted(set(cells), key=order.index), part["title"]
        end = start + part["minutes"]
        assert f"| {start}-{end} | {part['title']} | {part['say']} |" in readme
        start = end
    assert start == minutes


def test_hour_and_lab_show_the_scores_of_her():
    recorded = data.load("cat_sentence")
    scores = recorded["q"][1, 3, 8] @ recorded["k"][1, 3].T
    row = " | ".join(f"**{x:.1f}**" if x == scores.max() else f"{x:.1f}" for x in scores)
    row_on_screen = f"| {' | '.join(recorded['tokens'])} |\n{'| --- ' * len(scores)}|\n| {row} |\n"
    for name in ("50", "lab"):
        assert row_on_screen in "".join(
            part.get("before", "") + part.get("after", "") for part in ROUTES[name]
        )


def test_parts_of_the_lesson_fit_into_their_minutes_when_read_aloud():
    needed = []
    for part in ROUTES["100"]:
        cells = part.get("cells", [])
        text = "\n".join(SOURCES[id] for id in cells) + part["say"]
        votes = len(teaching_data.votes_of([part], NOTES))
        exercises = minutes.exercise_minutes(text)
        spoken = minutes.words(re.sub(r"(?s)<details>.*?</details>", "", text)) / 130
        needed.append(spoken + 2.5 * votes + exercises)
        assert needed[-1] < part["minutes"], part["title"]
    readme = (teaching_data.FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"take {sum(needed):.0f} of the 92 minutes" in readme


def test_plan_sets_the_exercises_on_its_slides():
    for name, route in teaching_data.read("routes.toml").items():
        shown = "\n".join(SOURCES[id] for id in SHOWN[name])
        assert route.get("set", "").split() == re.findall(r"^[^#\n]*check\.(\w+)\(", shown, re.MULTILINE)
