"""Verdicts on answers, and lists of answers as parameters of tests."""

import contextlib
import functools
import io

import pytest

from attention_lib import check
from tests.check.answers import WRONG

ATTENTION = "scaled_dot_product_attention"
# A verdict on these takes long: of their wrong answers the default run tries one for each id.
SLOW_EXERCISES = {"masked_softmax", ATTENTION, "multi_head"}

WRONG_CASES = [
    pytest.param(name, id, function, id=f"{name}-{id}-{i}")
    for (name, id), functions in WRONG.items()
    for i, function in enumerate(functions)
]
FIRST_OF_EACH = [case for case in WRONG_CASES if case.id.endswith("-0")]
RUN_BY_DEFAULT = FIRST_OF_EACH + [case for case in WRONG_CASES if case.values[0] not in SLOW_EXERCISES]


def verdict_on(name, function):
    """The verdict on a function; what the check prints is dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        return getattr(check, name)(function)


cached_verdict = functools.cache(verdict_on)  # for answers that several tests look at


def mark_slow_except(cases, kept):
    """The cases, of which all but those kept run in the slow group only."""
    kept = {id(case) for case in kept}
    return [
        case if id(case) in kept else pytest.param(*case.values, id=case.id, marks=pytest.mark.slow)
        for case in cases
    ]


def cover_each_mistake(pairs):
    """A few of the pairs, in which each mistake of theirs occurs; a case's last value is its two ids."""
    covered, chosen = set(), []
    for new in (2, 1):  # first the pairs of which both mistakes are new
        for case in pairs:
            two = case.values[-1]
            if len(two - covered) >= new:
                covered |= two
                chosen.append(case)
    return chosen
