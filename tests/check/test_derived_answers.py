"""Every variant of every mistake is named, with the cause, in each exercise whose recipe has the step."""

import numpy as np
import pytest

from lesson.check import EXERCISES
from tests.check.answers.derived import answer_with, derived_answers
from tests.check.verdicts import ATTENTION, SLOW_EXERCISES, verdict_on

# {(exercise, id of a mistake): the ids that some of its answers get instead; None if they are right}
NAMED_OTHERWISE = {
    # NaN in every row with a hidden key has several causes, and the first in the list is named.
    ("masked_softmax", "lowered-otherwise"): {"plus-infinity"},
    (ATTENTION, "lowered-otherwise"): {"plus-infinity"},
    # A softmax in the place of the scale is followed by the exercise's own.
    (ATTENTION, "shared-already"): {"softmax-twice"},
    ("multi_head", "shared-already"): {"softmax-twice"},
    # d_v is d_k here, and the mean of all values is the output of equal scores.
    ("multi_head", "averaged-otherwise"): {"scaled-after-softmax", "scores-ignored"},
    # The smallest of the numbers added shows in no row with its own maximum.
    ("softmax", "lost-beside-epsilon"): {"one-maximum-for-all"},
    ("masked_softmax", "lost-beside-epsilon"): {"one-maximum-for-all"},
    # These variants change the matrices and biases of k and v, and this exercise has the one of q alone.
    ("project", "table-transposed"): {None},
    ("project", "projection-missing"): {None},
    ("project", "bias-forgotten"): {None},
    ("project", "bias-subtracted"): {None},
    # A second division, by the root of the number of keys, may stand in the softmax as well.
    (ATTENTION, "scaled-by-length"): {"scaled-in-softmax"},
    ("multi_head", "scaled-by-length"): {"scaled-in-softmax"},
    # -1e9 is too little beside a hidden score of 1e300 alone, and this exercise has no such probe.
    (ATTENTION, "fill-above-scores"): {None},
    # A number subtracted from all scores of a row changes no weight: these are told that nothing was divided.
    (ATTENTION, "root-subtracted"): {"not-scaled"},
    ("multi_head", "root-subtracted"): {"not-scaled"},
}


def marks_of(name, i):
    """By default one answer of three; of exercises whose verdicts take long one of twelve, and all for a release."""
    if name in SLOW_EXERCISES:
        return [pytest.mark.slow, pytest.mark.release] if i % 12 else []
    return [pytest.mark.slow] if i % 3 else []


CASES = [
    pytest.param(
        name,
        mistake,
        answer,
        id=f"{name}-{mistake.id}-{i}",
        marks=marks_of(name, i),
    )
    for name in EXERCISES
    for i, (mistake, answer) in enumerate(derived_answers(name))
]


@pytest.mark.parametrize("name, mistake, answer", CASES)
def test_derived_answer_is_named_with_its_cause(name, mistake, answer):
    verdict = verdict_on(name, answer)
    case = name, mistake.id
    assert verdict.mistake in {mistake.id} | NAMED_OTHERWISE.get(case, set()), verdict.message
    assert mistake.cause in verdict.message or case in NAMED_OTHERWISE


@pytest.mark.slow
@pytest.mark.parametrize("name, id", NAMED_OTHERWISE)
def test_exception_is_needed(name, id):
    answers = [answer for mistake, answer in derived_answers(name) if mistake.id == id]
    assert {verdict_on(name, answer).mistake for answer in answers} - {id} == NAMED_OTHERWISE[name, id]


def zero_where_all_is_hidden(weights, mask):
    return np.where(np.any(mask, axis=-1, keepdims=True), weights, 0)


def test_a_right_fully_masked_row_is_not_accused_beside_another_mistake():
    """Each wrong form of the mask is joined with a right guard."""
    for mistake, variant in EXERCISES["masked_softmax"].variants:
        if variant.keys() == {"apply_mask"}:
            guarded = answer_with("masked_softmax", **variant, mask_weights=zero_where_all_is_hidden)
            verdict = verdict_on("masked_softmax", guarded)
            assert "empty-row" not in {verdict.mistake, *verdict.also}, (mistake.id, verdict.message)
