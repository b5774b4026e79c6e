"""The formula of publish.minutes. tests/notebooks/test_minutes.py compares the notebooks with it."""

import pytest

from publish import minutes


def test_minutes_of_each_kind_of_cell():
    def estimate(source, kind="markdown"):
        return minutes.estimate([("id", kind, source)])

    fold = "<details><summary>Hint</summary> " + "word " * 138 + "</details>"
    assert estimate("word " * 140) == 1
    assert estimate("x\n\ny", "code") == pytest.approx(1 / 3 + 2 / 20)
    assert estimate(fold) == pytest.approx(0.5)
    assert estimate(fold.replace("<summary>Hint</summary>", minutes.EXPLAINED)) > 1
    assert estimate("(hard, 9 minutes)") == pytest.approx(9 + 3 / 140)
    assert estimate("### ✎ Predict <summary>1. Why?</summary>") == pytest.approx(2 * 3 / 4 + 5 / 140)
