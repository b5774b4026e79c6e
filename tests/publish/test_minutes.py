"""Folded words in the formula of publish.minutes. tests/notebooks/test_minutes.py compares the notebooks with it."""

import pytest

from publish import minutes
from publish.notebooks import EXPLAINED, SUMMARY


def test_folded_words_count_half_and_those_of_an_explanation_in_full():
    hint = f"<details>{SUMMARY}Hint</summary> " + "word " * 139 + "</details>"
    explanation = hint.replace(f"{SUMMARY}Hint</summary>", EXPLAINED)
    assert minutes.estimate([("id", "markdown", hint)]) == pytest.approx(0.65)
    assert minutes.estimate([("id", "markdown", explanation)]) > 1
