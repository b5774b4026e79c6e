"""Answers with two mistakes at once: none may pass, and one of the two is named."""

import itertools

import pytest

from lesson.check import EXERCISES
from tests.check.answers.derived import answer_with
from tests.check.verdicts import ATTENTION, verdict_on

PRODUCTS = "queries-and-keys-swapped reshaped-not-transposed batches-paired all-axes-reversed"
SCALES = "not-scaled divided-by-d_k multiplied-by-sqrt-d_k scaled-by-length"
HIDES = "polarity-inverted filled-with-zero fill-too-small zero-times-infinity plus-infinity mask-ignored"
SHARES = "normalised-over-queries normalised-over-everything keepdims-missing not-normalised softmax-twice"
# {exercise: {step: ids of mistakes in it}}
MISTAKES = {
    "scaled_scores": {"score": PRODUCTS, "scale": SCALES},
    "padding_mask": {
        "compare_with_lengths": "off-by-one",
        "set_polarity": "mask-upside-down",
        "add_query_axis": "queries-masked axis-missing",
    },
    "project": {
        "apply_matrix": "table-transposed",
        "add_bias": "bias-forgotten",
        "split_projection": "projection-not-swapped",
    },
    "masked_softmax": {"apply_mask": HIDES, "softmax": SHARES},
    ATTENTION: {
        "score": PRODUCTS,
        "scale": SCALES,
        "apply_mask": HIDES,
        "softmax": SHARES,
        "scale_weights": "scaled-after-softmax",
        "average": "keys-as-values weights-transposed",
        "order_results": "return-order output-only",
    },
    "multi_head": {
        "apply_matrix": "table-transposed",
        "add_bias": "bias-forgotten",
        "split_projection": "projection-not-swapped projection-in-turns",
        "scale": "not-scaled divided-by-d_k",
        "softmax": "normalised-over-queries",
        "average": "keys-as-values",
        "merge_outputs": "outputs-not-swapped projection-in-turns",
        "apply_output_matrix": "table-transposed output-table-missing",
        "add_output_bias": "bias-forgotten",
        "leave_out_x": "residual-added",
    },
}
# Of these two, the NaN that one makes hides the other.
HIDDEN_BY_NAN = {"plus-infinity", "softmax-twice"}
EVERY = {ATTENTION: 4, "multi_head": 4}  # of these only each fourth pair: a verdict takes long
# By default one of six pairs is tried, and of those that take long one of eighteen; all are before a release.


def wrong_step(name, step, id):
    """The first wrong form of this step alone under this id."""
    return next(v[step] for m, v in EXERCISES[name].variants if m.id == id and list(v) == [step])


def pairs_of(name):
    """(exercise, answer, its two ids): each two steps, each mistake of one with each of the other."""
    for one, other in itertools.combinations(MISTAKES[name], 2):
        for a, b in itertools.product(MISTAKES[name][one].split(), MISTAKES[name][other].split()):
            wrong_steps = {one: wrong_step(name, one, a), other: wrong_step(name, other, b)}
            yield name, answer_with(name, **wrong_steps), {a, b}


PAIRS = [pair for name in MISTAKES for pair in list(pairs_of(name))[:: EVERY.get(name, 1)]]
CASES = [
    pytest.param(
        name,
        answer,
        two,
        id="-".join([name, *sorted(two)]),
        marks=[pytest.mark.slow, pytest.mark.release] if i % (18 if name in EVERY else 6) else (),
    )
    for i, (name, answer, two) in enumerate(PAIRS)
]


@pytest.mark.parametrize("name, answer, two", CASES)
def test_two_mistakes_are_not_passed_and_one_of_them_is_named(name, answer, two):
    verdict = verdict_on(name, answer)
    assert not verdict.passed
    assert two == HIDDEN_BY_NAN or two & {verdict.mistake, *verdict.also}, verdict.message


def test_both_mistakes_are_named_where_one_of_them_gives_nothing_but_nan():
    steps = {"scale": "not-scaled", "apply_mask": "plus-infinity"}
    answer = answer_with(ATTENTION, **{step: wrong_step(ATTENTION, step, id) for step, id in steps.items()})
    verdict = verdict_on(ATTENTION, answer)
    assert {verdict.mistake, *verdict.also} == {*steps.values()}, verdict.message


def test_a_number_is_shown_that_the_other_mistake_leaves_alone():
    unscaled = {"scale": wrong_step(ATTENTION, "scale", "not-scaled")}
    inverted = {"apply_mask": wrong_step(ATTENTION, "apply_mask", "polarity-inverted")}
    alone, both = (
        verdict_on(ATTENTION, answer_with(ATTENTION, **steps)) for steps in (unscaled, unscaled | inverted)
    )
    assert both.also == ("polarity-inverted",) and both.lines[0] == alone.lines[0]
