"""The formula of publish.minutes. tests/notebooks/test_minutes.py compares the notebooks with it."""

import pytest

from publish import minutes
from publish.notebooks import EXPLAINED, PREDICT, SUMMARY

HINT = f"<details>{SUMMARY}Hint</summary> {'word ' * 139}</details>"


@pytest.mark.parametrize(
    ("source", "felt"),
    [
        ("word " * 70, 0.65),
        (HINT, 0.65),  # folded words count half
        (HINT.replace(f"{SUMMARY}Hint</summary>", EXPLAINED), 1.3275),  # those of an explanation in full
        ("| one two three four five six seven | eight |", 2 + 1.3 * 11 / 140),
        ("Easy, 7 minutes", 7 + 1.3 * 3 / 140),
        (PREDICT, 1.3 * (3 / 4 + 2 / 140)),
    ],
)
def test_minutes_of_a_text(source, felt):
    assert minutes.estimate([("id", "markdown", source)]) == pytest.approx(felt, abs=0.001)
