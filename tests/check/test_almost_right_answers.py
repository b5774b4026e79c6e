"""Answers that are right almost everywhere. None may pass: each breaks what its statement demands."""

import pytest

from tests.check.answers import ALMOST_RIGHT
from tests.check.verdicts import SLOW_EXERCISES, verdict_on

# By default a third of those whose verdicts take long; all of masked_softmax, which alone asks for exact zeros.
CASES = [
    pytest.param(
        name,
        function,
        id=f"{name}-{what}",
        marks=pytest.mark.slow if name in SLOW_EXERCISES - {"masked_softmax"} and i % 3 else (),
    )
    for i, (name, what, function) in enumerate(ALMOST_RIGHT)
]


@pytest.mark.parametrize("name, function", CASES)
def test_almost_right_answer_does_not_pass(name, function):
    verdict = verdict_on(name, function)
    assert not verdict.passed, f"make_probes of {name} needs arguments for which this answer is wrong"
    assert verdict.mistake != "not-started"
    assert "has no name for" not in verdict.message, verdict.message
