"""The formula of publish.minutes. tests/notebooks/test_minutes.py compares the notebooks with it."""

import pytest

from publish import minutes
from publish.notebooks import EXPLAINED, PREDICT, SUMMARY


def test_minutes_of_each_kind_of_cell():
    def estimate(source, kind="markdown"):
        return minutes.estimate([("id", kind, source)])

    fold = f"<details>{SUMMARY}Hint</summary> " + "word " * 139 + "</details>"
    assert estimate("word " * 140) == pytest.approx(1.2)
    assert estimate("x\n\ny", "code") == pytest.approx(1.2 * (1 / 3 + 2 / 20))
    assert estimate(fold) == pytest.approx(0.6)
    assert estimate(fold.replace(f"{SUMMARY}Hint</summary>", EXPLAINED)) > 1
    assert estimate("(hard, 9 minutes)") == pytest.approx(1.2 * (9 + 3 / 140))
    assert estimate(f"{PREDICT} {SUMMARY}1. Why?</summary>") == pytest.approx(1.2 * (2 * 3 / 4 + 4 / 140))
