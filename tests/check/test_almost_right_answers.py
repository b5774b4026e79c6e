"""Answers that are right almost everywhere. None may pass: each breaks what its statement demands."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest

from lesson.check import EXERCISES
from lesson.check.grading import verdict_on as verdict_of
from tests.check import answers
from tests.check.answers import ALMOST_RIGHT, WRITTEN, generic
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


@pytest.mark.parametrize("name, is_made", [("dot_product", False), ("softmax", True)])
def test_answer_of_the_first_64_is_made_where_an_array_comes_back(name, is_made):
    """Whatever the exercise is called: one number has no axis to be cut."""
    renamed = replace(EXERCISES[name], name="another_name")
    assert ("of_the_first_64" in generic.almost_right_answers(renamed, None)) == is_made


def cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@pytest.mark.parametrize("right", [cosine, lambda a, b: a @ b / ((a @ a) * (b @ b)) ** 0.5])
def test_answer_in_float16_is_named_however_the_right_one_is_written(right):
    """Some of its numbers are too large for float16 on the way, and end in NaN or 0."""
    exercise = replace(EXERCISES["dot_product"], name="cosine", recipe=lambda s, a, b: cosine(a, b))
    answer = generic.almost_right_answers(exercise, right)["in_float16"]
    with contextlib.redirect_stdout(io.StringIO()):
        assert verdict_of(exercise, answer).mistake == "float16"


def test_answer_of_a_file_stands_beside_a_generic_one_of_the_same_name(monkeypatch):
    monkeypatch.setitem(WRITTEN["softmax"].ALMOST_RIGHT, "in_one_buffer", generic.nothing)
    tried = [
        f for name, what, f in answers.almost_right_answers() if (name, what) == ("softmax", "in_one_buffer")
    ]
    assert len(tried) == 2 and generic.nothing in tried
