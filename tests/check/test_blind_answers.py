"""Answers that were written without sight of the checker, with labels that were fixed before it ran."""

import pytest

from tests.check.answers import BLIND, blind_function
from tests.check.verdicts import SLOW_EXERCISES, verdict_on

# By default a third of those whose verdicts are quick.
CASES = [
    pytest.param(
        entry,
        id=entry["name"],
        marks=pytest.mark.slow if i % 3 or entry["exercise"] in SLOW_EXERCISES else (),
    )
    for i, entry in enumerate(BLIND)
]


@pytest.mark.parametrize("entry", CASES)
def test_blind_answer(entry):
    verdict = verdict_on(entry["exercise"], blind_function(entry))
    assert verdict.passed == entry["right"], verdict.message
    if "told" in entry:
        assert entry["told"] in (verdict.mistake, *verdict.also), verdict.message
