"""Answers that were written without sight of the checker, with labels that were fixed before it ran."""

import pytest

from tests.check.answers import BLIND, blind_function
from tests.check.verdicts import verdict_on

# By default a third of them.
CASES = [
    pytest.param(entry, id=entry["name"], marks=pytest.mark.slow if i % 3 else ())
    for i, entry in enumerate(BLIND)
]


@pytest.mark.parametrize("entry", CASES)
def test_blind_answer(entry):
    verdict = verdict_on(entry["exercise"], blind_function(entry))
    assert verdict.passed == entry["right"], verdict.message
    if "told" in entry:
        assert entry["told"] in (verdict.mistake, *verdict.also), verdict.message
