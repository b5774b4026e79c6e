"""Every variant of every mistake is named, with the cause, in each exercise whose recipe has the step; and two at once."""

import itertools

import numpy as np
import pytest

from lesson.check import EXERCISES
from tests.check.answers.derived import answer_with, derived_answers
from tests.check.verdicts import ATTENTION, SLOW_EXERCISES, verdict_on

# {id of a mistake: the ids that some of its answers get instead}
NAMED_OTHERWISE = {
    # NaN in every row with a hidden key has several causes, and the first in the list is named.
    "lowered-otherwise": {"plus-infinity"},
    # A softmax in the place of the scale is followed by the exercise's own.
    "shared-already": {"softmax-twice"},
    # d_v is d_k in multi_head, and the mean of all values is the output of equal scores.
    "averaged-otherwise": {"scaled-after-softmax", "scores-ignored"},
    # The smallest of the numbers added shows in no row with its own maximum.
    "lost-beside-epsilon": {"one-maximum-for-all"},
    # A second division, by the root of the number of keys, may stand in the softmax as well.
    "scaled-by-length": {"scaled-in-softmax"},
    # A number subtracted from all scores of a row changes no weight: these are told that nothing was divided.
    "root-subtracted": {"not-scaled"},
}
# Some answers of these are right: project has the matrix and bias of q alone, and no score of this one is 1e300.
RIGHT_HERE = {
    "project": "table-transposed projection-missing bias-forgotten bias-subtracted",
    ATTENTION: "fill-above-scores",
}


def marks_of(name, i):
    """By default one answer of nine; of exercises whose verdicts take long one of 24, and all for a release."""
    if name in SLOW_EXERCISES:
        return [pytest.mark.slow, pytest.mark.release] if i % 24 else []
    return [pytest.mark.slow] if i % 9 else []


CASES = [
    pytest.param(name, mistake, answer, id=f"{name}-{mistake.id}-{i}", marks=marks_of(name, i))
    for name in EXERCISES
    for i, (mistake, answer) in enumerate(derived_answers(name))
]


@pytest.mark.parametrize("name, mistake, answer", CASES)
def test_derived_answer_is_named_with_its_cause(name, mistake, answer):
    verdict = verdict_on(name, answer)
    if verdict.passed:
        assert mistake.id in RIGHT_HERE.get(name, "").split()
    elif verdict.mistake not in NAMED_OTHERWISE.get(mistake.id, ()):
        assert verdict.mistake == mistake.id and mistake.cause in verdict.message, verdict.message


# Two mistakes at once: none may pass, and one of the two is named -----------------------------------

HIDES = "polarity-inverted filled-with-zero fill-too-small zero-times-infinity plus-infinity mask-ignored"
# {step of ATTENTION: ids of mistakes in it}
STEPS = {
    "score": "queries-and-keys-swapped reshaped-not-transposed batches-paired all-axes-reversed",
    "scale": "not-scaled divided-by-d_k multiplied-by-sqrt-d_k scaled-by-length",
    "apply_mask": HIDES,
    "softmax": "normalised-over-queries normalised-over-everything keepdims-missing not-normalised softmax-twice",
    "average": "keys-as-values",
    "order_results": "return-order output-only",
}
# Of these two, the NaN that one makes hides the other.
HIDDEN_BY_NAN = [{"plus-infinity", "softmax-twice"}, {"plus-infinity", "all-axes-reversed"}]


def wrong_steps(name, wrong):
    """The first wrong form of each of these steps, {step: id}."""
    return {
        step: next(v[step] for m, v in EXERCISES[name].variants if m.id == id and list(v) == [step])
        for step, id in wrong.items()
    }


PAIRS = [
    {one: a, other: b}
    for one, other in itertools.combinations(STEPS, 2)
    for a, b in itertools.product(STEPS[one].split(), STEPS[other].split())
]
# By default one of 24 pairs is tried; all are before a release.
PAIR_CASES = [
    pytest.param(
        pair, id="-".join(pair.values()), marks=[pytest.mark.slow, pytest.mark.release] if i % 24 else ()
    )
    for i, pair in enumerate(PAIRS)
]


@pytest.mark.parametrize("wrong", PAIR_CASES)
def test_two_mistakes_are_not_passed_and_one_of_them_is_named(wrong):
    two = {*wrong.values()}
    verdict = verdict_on(ATTENTION, answer_with(ATTENTION, **wrong_steps(ATTENTION, wrong)))
    assert not verdict.passed
    assert two in HIDDEN_BY_NAN or two & {verdict.mistake, *verdict.also}, verdict.message


BOTH_NAMED = [
    (ATTENTION, {"scale": "not-scaled", "apply_mask": "plus-infinity"}),
    ("project", {"apply_matrix": "table-transposed", "add_bias": "bias-forgotten"}),
    ("multi_head", {"scale": "not-scaled", "leave_out_x": "residual-added"}),
]


@pytest.mark.parametrize("name, wrong", BOTH_NAMED)
def test_both_mistakes_are_named(name, wrong):
    """Also where one of them gives nothing but NaN, or both are of one projection."""
    verdict = verdict_on(name, answer_with(name, **wrong_steps(name, wrong)))
    assert {verdict.mistake, *verdict.also} == {*wrong.values()}, verdict.message


def test_a_number_is_shown_that_the_other_mistake_leaves_alone():
    wrong = wrong_steps(ATTENTION, {"scale": "not-scaled", "apply_mask": "polarity-inverted"})
    both = verdict_on(ATTENTION, answer_with(ATTENTION, **wrong))
    alone = verdict_on(ATTENTION, answer_with(ATTENTION, scale=wrong["scale"]))
    assert both.also == ("polarity-inverted",) and both.lines[0] == alone.lines[0]


def zero_where_all_is_hidden(weights, mask):
    return np.where(np.any(mask, axis=-1, keepdims=True), weights, 0)


@pytest.mark.parametrize("id", HIDES.split())
def test_a_right_fully_masked_row_is_not_accused_beside_another_mistake(id):
    """A wrong form of the mask is joined with a right guard."""
    wrong = wrong_steps("masked_softmax", {"apply_mask": id})
    guarded = answer_with("masked_softmax", **wrong, mask_weights=zero_where_all_is_hidden)
    verdict = verdict_on("masked_softmax", guarded)
    assert "empty-row" not in {verdict.mistake, *verdict.also}, verdict.message
