"""The list of mistakes, and the parts of the grader that find them."""

import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from lesson import check
from lesson.check import EXERCISES
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
    ordinary = [probe.args for probe in exercise.probes if probe.ordinary]
    results = [exercise.result_with(variant, args) or exercise.right_answer(args) for args in ordinary]
    return tuple((x.shape, np.round(x, 6).tobytes()) for parts in results for x in parts)


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


# Scores of one number have no spread, so the variant of `standardised` gives NaN here.
SCALED_PRODUCT = replace(EXERCISES["dot_product"], recipe=lambda s, a, b: s.scale(s.dot(a, b), a, b))


def cosine(a, b):
    return a @ b / (a @ a * (b @ b)) ** 0.5


def test_mistake_is_not_named_where_it_is_no_explanation():
    assert verdict_of(SCALED_PRODUCT, lambda a, b: np.nan).mistake == "not-finite"
    without_cosine = replace(EXERCISES["dot_product"], does_not_apply="cosine")
    assert verdict_of(without_cosine, cosine).mistake == "different"


def test_of_mistakes_that_fit_alike_the_first_in_the_lists_is_told(monkeypatch):
    alike = [make_mistake(id, "A cause.", "Why?", dot=[lambda a, b: a @ b + 1]) for id in "za"]
    exercise = replace(EXERCISES["dot_product"])
    monkeypatch.setitem(vars(exercise), "ordinary_variants", [(m, m.variants[0]) for m in alike])
    verdict = verdict_of(exercise, lambda a, b: a @ b + 1)
    assert (verdict.mistake, verdict.also) == ("z", ())
