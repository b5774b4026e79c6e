"""Whoever always answers with one letter scores as little as possible: the right answers are spread over the letters."""

import re

from publish import minutes, notebooks, teaching_data

NOTES = teaching_data.read_notes()
HOUR = teaching_data.read_routes()["50"]["parts"]


def votes(ids):
    """The right letter of each vote."""
    rights = [[answer.get("right") for answer in NOTES[id]["answers"]] for id in ids]
    return [teaching_data.LETTERS[right.index(True)] for right in rights]


def test_right_answers_are_spread_over_the_letters():
    key = (teaching_data.FOLDER / "exam-key.md").read_text(encoding="utf-8").partition("## Form B")
    text = "\n".join(minutes.markdown(minutes.cells_of(path)) for path in notebooks.PATHS.values())
    questions = re.findall(r"^\(([a-d])\)\. ", text, re.MULTILINE)
    assert len(questions) == len(re.findall(r"(?:^- |<br>)\(a\) ", text, re.MULTILINE))
    hour = votes(teaching_data.votes_of(HOUR, NOTES))
    for right, letters in [
        (re.findall(r"^\| \d+ \| ([a-d]) \|", key[0], re.MULTILINE), "abcd"),
        (re.findall(r"^\| \d+ \| ([a-d]) \|", key[2], re.MULTILINE), "abcd"),
        (questions, "abc"),  # few have a fourth option
        (votes(id for id, note in NOTES.items() if "question" in note), "ABC"),
        (hour, "ABC"),
    ]:
        counts = [right.count(letter) for letter in letters]
        assert right and max(counts) - min(counts) <= 1, f"{letters}: {counts}"
    assert not re.search(r"(.)\1\1", "".join(hour)), "three in a row"
