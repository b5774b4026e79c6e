"""Every wrong step of every mistake is named, in each exercise whose recipe has the step."""

import pytest

from attention_lib.check import EXERCISES
from tests.check.answers.derived import derived_answers
from tests.check.verdicts import SLOW_EXERCISES, verdict_on

# {(exercise, id of a mistake): the ids that some of its answers get instead; None if they are right}
NAMED_OTHERWISE = {
    # NaN in every row with a hidden key has several causes, and the first in the list is named.
    ("masked_softmax", "overflows"): {"plus-infinity"},
    ("scaled_dot_product_attention", "overflows"): {"plus-infinity"},
    # A softmax in the place of the scale is followed by the exercise's own.
    ("scaled_dot_product_attention", "shared-already"): {"softmax-twice"},
    ("multi_head", "shared-already"): {"softmax-twice"},
    # d_v is d_k here, and the mean of all values is the output of equal scores.
    ("multi_head", "averaged-otherwise"): {"scaled-after-softmax", "scores-ignored"},
    # No probe of this exercise has large scores.
    ("multi_head", "overflows"): {None},
    # These variants change the tables and biases of k and v, and this exercise has the one of q alone.
    ("project", "table-transposed"): {None},
    ("project", "projection-missing"): {None},
    ("project", "bias-forgotten"): {None},
    ("project", "bias-subtracted"): {None},
}


# By default one answer of three, of exercises whose verdicts take long one of twelve
CASES = [
    pytest.param(name, *case, marks=pytest.mark.slow if i % (12 if name in SLOW_EXERCISES else 3) else ())
    for name in EXERCISES
    for i, case in enumerate(derived_answers(name))
]


@pytest.mark.parametrize("name, id, answer", CASES)
def test_derived_answer_is_named(name, id, answer):
    verdict = verdict_on(name, answer)
    assert verdict.mistake in {id} | NAMED_OTHERWISE.get((name, id), set()), verdict.message


@pytest.mark.slow
@pytest.mark.parametrize("name, id", NAMED_OTHERWISE)
def test_exception_is_needed(name, id):
    named = {verdict_on(name, answer).mistake for found, answer in derived_answers(name) if found == id}
    assert named - {id} == NAMED_OTHERWISE[name, id]
