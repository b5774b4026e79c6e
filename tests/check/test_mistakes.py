"""The list of mistakes, and the parts of the grader that find them."""

import contextlib
import io
import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from lesson import check
from lesson.check import EXERCISES
from lesson.check.compare import same
from lesson.check.grading import verdict_on as verdict_of
from lesson.check.grading.find import not_superseded
from lesson.check.mistakes import mistake as make_mistake
from lesson.check.mistakes.general import GENERAL


def test_each_mistake_has_an_id_of_its_own_and_a_question():
    ids = [mistake.id for mistake in check.MISTAKES]
    assert len(set(ids)) == len(ids) and not set(ids) & GENERAL.keys()
    for mistake in check.MISTAKES:
        assert re.fullmatch(r"[a-z_]+(-[a-z_]+)*", mistake.id)
        assert mistake.cause.endswith(".") and "?" in mistake.question, mistake.id
        assert mistake.supersedes <= set(ids), mistake.id


def test_each_variant_belongs_to_an_exercise():
    of_exercises = {id(variant) for exercise in EXERCISES.values() for _, variant in exercise.variants}
    of_none = [(m.id, list(v)) for m in check.MISTAKES for v in m.variants if id(v) not in of_exercises]
    assert not of_none, f"no exercise has the steps of {of_none}"


def numbers_of(exercise, variant):
    """What the recipe gives with a variant on all ordinary probes, so that it can be compared; the right answer where it fails."""
    numbers = []
    for probe in exercise.probes:
        if probe.ordinary:
            parts = exercise.result_with(variant, probe.args) or exercise.right_answer(probe.args)
            numbers.append(tuple((x.shape, np.round(x, 6).tobytes()) for x in parts))
    return tuple(numbers)


@pytest.mark.parametrize("name", EXERCISES)
def test_of_mistakes_with_the_same_numbers_one_supersedes_the_others(name):
    """Which one is named does not depend on the order of the lists."""
    exercise, alike = EXERCISES[name], defaultdict(list)
    for mistake, variant in exercise.ordinary_variants:
        alike[numbers_of(exercise, variant)].append(mistake)
    for mistakes in alike.values():
        ids = {m.id for m in mistakes}
        assert len({m.id for m, _ in not_superseded([(m, None) for m in mistakes])}) == 1, (
            f"which of {sorted(ids)} supersedes the others?"
        )


SCALED_PRODUCT = replace(
    EXERCISES["dot_product"],
    name="scaled_product",
    recipe=lambda s, a, b: s.scale(s.dot(*s.choose_vectors(a, b)), a, b),
)


def graded(exercise, function):
    with contextlib.redirect_stdout(io.StringIO()):
        return verdict_of(exercise, function)


def cosine(a, b):
    return a @ b / (a @ a * (b @ b)) ** 0.5


def without_maximum(x):
    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)


# {case: (exercise, answer, id)}
GRADED = {
    "right": (SCALED_PRODUCT, lambda a, b: a @ b / len(a) ** 0.5, None),
    "first step": (SCALED_PRODUCT, lambda a, b: (a + b).sum() / len(a) ** 0.5, "not-multiplied"),
    "second step": (SCALED_PRODUCT, lambda a, b: a @ b, "not-scaled"),
    # scores of one number have no spread, so that the variant of `standardised` gives NaN here as well
    "nan alone": (SCALED_PRODUCT, lambda a, b: np.nan, "not-finite"),
    "zeros alone": (SCALED_PRODUCT, lambda a, b: 0.0, "different"),
    "applies not": (replace(EXERCISES["dot_product"], does_not_apply="cosine"), cosine, "different"),
    "extreme not": (replace(EXERCISES["softmax"], does_not_apply="overflows"), without_maximum, "not-finite"),
}


@pytest.mark.parametrize("case", GRADED)
def test_exercise_names_the_mistakes_of_its_steps(case):
    exercise, answer, id = GRADED[case]
    assert graded(exercise, answer).mistake == id


def test_variant_of_an_unknown_step_is_refused():
    with pytest.raises(TypeError, match="scael"):
        make_mistake("a-mistake", "A cause.", "Why?", scael=[lambda scores, q, k: scores])


ALIKE = [
    ([1, 2], [1, 2 + 1e-5], "float32", True),
    ([1000, 2], [1005, 2], "float32", False),
    ([1, 2], [1, 2 + 1e-6], "float64", False),
    ([np.nan, np.inf], [np.nan, np.inf], "float64", True),
    ([np.nan, np.inf], [np.nan, -np.inf], "float64", False),
    ([1, 2], [[1, 2]], "float64", False),
]


@pytest.mark.parametrize("x, y, dtype, equal", ALIKE)
def test_tolerance_follows_the_dtype(x, y, dtype, equal):
    with np.errstate(invalid="ignore"):  # as it is while a function is checked
        assert same((np.array(x, float),), (np.array(y, float),), np.dtype(dtype)) is equal
