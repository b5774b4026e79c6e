"""Answers that were written without sight of the checker, with labels that were fixed before it ran."""

import pytest

from tests.check.answers import BLIND, blind_function
from tests.check.verdicts import verdict_on


@pytest.mark.parametrize("entry", BLIND, ids=[entry["name"] for entry in BLIND])
def test_blind_answer(entry):
    verdict = verdict_on(entry["exercise"], blind_function(entry))
    assert verdict.passed == entry["right"], verdict.message
    if "told" in entry:
        assert entry["told"] in (verdict.mistake, *verdict.also), verdict.message
