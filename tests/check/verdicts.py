"""Verdicts on answers, and lists of answers as parameters of tests."""

import contextlib
import functools
import io

import pytest

from lesson import check
from lesson.check import EXERCISES
from tests.check.answers import WRITTEN, generic

ATTENTION = "scaled_dot_product_attention"
# Answers that every exercise gets are tried on these by default: a number, an array, a mask, two arrays.
OF_EACH_KIND = ["dot_product", "softmax", "causal_mask", ATTENTION]


def cases(kind, make_generic):
    """The answers of all written tables of this kind, and those that every exercise gets."""
    for name, exercise in EXERCISES.items():
        marks = () if name in OF_EACH_KIND else pytest.mark.slow
        yield from parameters(name, getattr(WRITTEN[name], kind, {}))
        yield from parameters(name, make_generic(exercise), marks)


def parameters(name, table, marks=()):
    """(exercise, key, answer) for each answer of a table; under a key stands one, or a list of them."""
    for key, answers in table.items():
        for answer in answers if isinstance(answers, list) else [answers]:
            yield pytest.param(name, key, answer, id=f"{name}-{key}", marks=marks)


WRONG_CASES = [*cases("WRONG", generic.wrong_answers)]
ALMOST_RIGHT_CASES = [*cases("ALMOST_RIGHT", generic.almost_right_answers)]


def verdict_on(name, function):
    """The verdict on a function; what the check prints is dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        return getattr(check, name)(function)


cached_verdict = functools.cache(verdict_on)  # for answers that several tests look at
