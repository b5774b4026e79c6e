"""Every variant of every mistake is named, with the cause, in each exercise whose recipe has the step; and two at once."""

import numpy as np
import pytest

from lesson.check import EXERCISES
from tests.check.answers.derived import answer_with, derived_answers
from tests.check.verdicts import ATTENTION, verdict_on

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


# By default one answer of twelve is tried.
CASES = [
    pytest.param(
        name, mistake, answer, id=f"{name}-{mistake.id}-{i}", marks=[pytest.mark.slow] if i % 12 else []
    )
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


# Two mistakes at once: both are named ----------------------------------------------------------------


def wrong_steps(name, wrong):
    """The first wrong form of each of these steps, {step: id}."""
    return {
        step: next(v[step] for m, v in EXERCISES[name].variants if m.id == id and list(v) == [step])
        for step, id in wrong.items()
    }


BOTH_NAMED = [
    (ATTENTION, {"score": "reshaped-not-transposed", "scale": "divided-by-d_k"}),
    (ATTENTION, {"scale": "not-scaled", "apply_mask": "plus-infinity"}),
    (ATTENTION, {"softmax": "keepdims-missing", "average": "keys-as-values"}),
    (ATTENTION, {"scale": "scaled-by-length", "order_results": "return-order"}),
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


@pytest.mark.parametrize("id", ["polarity-inverted", "filled-with-zero", "plus-infinity", "mask-ignored"])
def test_a_right_fully_masked_row_is_not_accused_beside_another_mistake(id):
    """A wrong form of the mask is joined with a right guard."""
    wrong = wrong_steps("masked_softmax", {"apply_mask": id})
    guarded = answer_with("masked_softmax", **wrong, mask_weights=zero_where_all_is_hidden)
    verdict = verdict_on("masked_softmax", guarded)
    assert "empty-row" not in {verdict.mistake, *verdict.also}, verdict.message
