"""Verdicts on answers, and lists of answers as parameters of tests."""

import contextlib
import functools
import io

import pytest

from lesson import check
from tests.check.answers import WRITTEN, WRONG

ATTENTION = "scaled_dot_product_attention"
# Answers that every exercise gets are tried on these by default: a number, an array, a mask, two arrays.
OF_EACH_KIND = ["dot_product", "softmax", "causal_mask", ATTENTION]


def marks_of_generic(name, is_written):
    return () if is_written or name in OF_EACH_KIND else pytest.mark.slow


WRONG_CASES = [
    pytest.param(
        name,
        id,
        function,
        id=f"{name}-{id}-{i}",
        marks=marks_of_generic(name, function in getattr(WRITTEN[name], "WRONG", {}).get(id, ())),
    )
    for (name, id), functions in WRONG.items()
    for i, function in enumerate(functions)
]


def verdict_on(name, function):
    """The verdict on a function; what the check prints is dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        return getattr(check, name)(function)


cached_verdict = functools.cache(verdict_on)  # for answers that several tests look at
