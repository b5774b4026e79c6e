"""Verdicts on answers, and lists of answers as parameters of tests."""

import contextlib
import functools
import io

import pytest

from lesson import check
from tests.check.answers import WRONG

ATTENTION = "scaled_dot_product_attention"
# A verdict on these takes long: the default run tries a part of their answers.
SLOW_EXERCISES = {"masked_softmax", ATTENTION, "multi_head"}

WRONG_CASES = [
    pytest.param(name, id, function, id=f"{name}-{id}-{i}")
    for (name, id), functions in WRONG.items()
    for i, function in enumerate(functions)
]


def verdict_on(name, function):
    """The verdict on a function; what the check prints is dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        return getattr(check, name)(function)


cached_verdict = functools.cache(verdict_on)  # for answers that several tests look at
