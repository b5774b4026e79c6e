"""Answers that were written without sight of the checker, with labels that others verified."""

import pytest

from tests.check.answers import BLIND
from tests.check.verdicts import SLOW_EXERCISES, verdict_on

CASES = [
    pytest.param(
        entry,
        function,
        id=entry["name"],
        marks=pytest.mark.slow if entry["exercise"] in SLOW_EXERCISES else (),
    )
    for entry, function in BLIND
]


@pytest.mark.parametrize("entry, function", CASES)
def test_blind_answer(entry, function):
    verdict = verdict_on(entry["exercise"], function)
    assert verdict.passed == entry["right"], verdict.message
    if "told" in entry:
        assert entry["told"] in (verdict.mistake, *verdict.also), verdict.message
