"""Each probe is needed: without it some wrong answer would be called something else, or pass."""

from dataclasses import replace

import numpy as np
import pytest

from attention_lib import check
from attention_lib.check import EXERCISES
from tests.check.answers import ALMOST_RIGHT, WRONG
from tests.check.verdicts import ATTENTION, cached_verdict, verdict_on


def without(*names):
    return lambda probes: [p for p in probes if p.name not in names]


def only(*names):
    return lambda probes: [p for p in probes if p.name in names]


def small(name):
    """The probe, with scores that overflow nowhere."""
    return lambda probes: [
        replace(p, args=(p.args[0] / 100, *p.args[1:])) if p.name == name else p for p in probes
    ]


def all_full(probes):
    return [replace(probes[0], name="full sentences", args=(np.array([5, 5]), 5))]


# The real model is in float32, so those with one need no other probe.
WITH_FLOAT32 = [name for name, e in EXERCISES.items() if not e.booleans and not e.real]
DRAWN = ["fractions and negative numbers", "numbers of float32", "a large table"]
EMPTY = ["an empty row", "an empty row in a batch", "an empty sentence"]
LOW = [
    "a hidden score of 1e300",
    "an allowed score of -50",
    "scores around -200000",
    "a hidden score far above",
    "scores far below zero",
]
# exercise, what is done to its probes, a wrong answer whose id is lost with them
BREAKS = [
    ("softmax", without("large scores"), "overflows"),
    ("softmax", without("large scores"), "one-maximum-for-all"),
    ("softmax", small("large scores"), "overflows"),
    ("masked_softmax", without("large scores"), "overflows"),
    ("masked_softmax", without("large scores"), "one-maximum-for-all"),
    ("scaled_dot_product_attention", without("large scores"), "overflows"),
    ("scaled_dot_product_attention", without("large scores"), "one-maximum-for-all"),
    ("masked_softmax", without(*EMPTY, "everything hidden"), "empty-row"),
    (ATTENTION, without(*EMPTY, "everything hidden"), "empty-row"),
    (
        "masked_softmax",
        without("a hidden score far above", "a hidden score of 1e300"),
        "renormalised-after-mask",
    ),
    ("masked_softmax", without(*EMPTY), "zeros-if-any-nan"),
    ("softmax", without("scores far below zero"), "underflows"),
    ("masked_softmax", without(*LOW), "fill-too-small"),
    (
        "scaled_dot_product_attention",
        without(*LOW),
        "fill-too-small",
    ),
    ("softmax", without("a square table", "sizes all equal", "one key"), "keepdims-missing"),
    ("masked_softmax", without("a square table", "sizes all equal", "one key"), "keepdims-missing"),
    ("attention_scores", only("unequal sizes", "one query"), "batches-paired"),
    ("attention_scores", only("unequal sizes", "one query"), "all-axes-reversed"),
    ("attention_scores", without("sizes all equal", "four axes, all equal"), "all-axes-reversed"),
    ("scaled_scores", only("sizes all equal"), "scaled-by-length"),
    (
        "softmax",
        only("one row", "one query", "large scores"),
        "normalised-over-queries",
    ),
    ("causal_mask", only("one token"), "future-leaks"),
    ("scaled_dot_product_attention", only("sizes all equal", "a mask on a square table"), "scaled-by-length"),
    ("padding_mask", all_full, "off-by-one"),
    ("split_heads", only("one head"), "interleaved"),
    ("split_heads", only("one head"), "axes-not-swapped"),
    ("merge_heads", only("one head"), "interleaved"),
    ("dot_product", only("a right angle"), "cosine"),
    ("dot_product", only("one number"), "not-summed"),
    ("merge", without("log sums of a thousand", "log sums far apart"), "overflows"),
    ("merge", without("two parts that saw nothing"), "empty-row"),
    ("rotate", only("four vectors", "heads"), "positions-ignored"),
    ("rotate", only("one pair"), "other-pairs"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name, change, found", BREAKS)
def test_probe_is_needed(name, change, found, monkeypatch):
    """With all probes every wrong answer is named rightly; without these some are named otherwise, or pass."""
    functions = WRONG[name, found]
    assert all(cached_verdict(name, function).mistake == found for function in functions)
    exercise = EXERCISES[name]
    monkeypatch.setitem(vars(exercise), "probes", change(exercise.probes))
    assert any(verdict_on(name, function).mistake != found for function in functions)


# exercise, what is done to its probes, an answer that passes then
ALLOWS = [
    ("dot_product", without("two hundred numbers"), "of_the_first_64"),
    ("dot_product", without("forty numbers", "two hundred numbers", "numbers of float32"), "six_decimals"),
    ("dot_product", without("large numbers", "equal products"), "memoised_by_shape"),
    ("dot_product", without("whole numbers"), "partner_by_index"),
    ("dot_product", without("large numbers"), "whole_beyond_50000"),
    *(
        (name, without("numbers of float32"), "zeros_for_float32")
        for name in EXERCISES
        if name in WITH_FLOAT32
    ),
    (ATTENTION, without("numbers of float32"), "zeros_for_float32_with_a_mask"),
    ("attention_scores", without("the same sizes and other numbers"), "memoised_by_shape"),
    ("attention_scores", without("many queries", "many keys"), "of_the_first_64"),
    ("scaled_scores", without("one sentence"), "unscaled_at_32"),
    ("scaled_scores", without("one key", "long vectors"), "unscaled_beyond_64"),
    (
        "softmax",
        without(
            "the same sizes and other numbers", "scores of 5 and -5 million, and -inf", "scores far apart"
        ),
        "memoised_by_shape",
    ),
    ("softmax", without("many queries", "many keys"), "of_the_first_64"),
    ("softmax", without("scores of 5 and -5 million, and -inf"), "clipped_at_1500"),
    ("softmax", without("scores of 5 and -5 million, and -inf"), "clipped_at_minus_10000"),
    ("softmax", without("scores of 5 and -5 million, and -inf"), "fifty_below_for_infinity"),
    ("softmax", without("scores far apart"), "small_shares_cut_off"),
    ("softmax", without("a score of -inf"), "nan_after_infinity"),
    ("padding_mask", without("three other sentences"), "memoised_by_shape"),
    ("padding_mask", without("long sentences"), "five_sentences_at_most"),
    ("padding_mask", without("three other sentences"), "each_length_once"),
    ("padding_mask", without("a list of lengths"), "not_from_a_list"),
    ("masked_softmax", without("many queries", "many keys"), "of_the_first_64"),
    ("masked_softmax", without("a mask of one row"), "of_two_axes_at_least"),
    ("masked_softmax", without("an empty sentence"), "empty_rows_by_index"),
    ("masked_softmax", without("a mask for each head"), "first_heads_mask_for_all"),
    ("masked_softmax", without("a hidden score of 1e300"), "added_mask"),
    ("split_heads", without(*DRAWN), "of_sorted_numbers"),
    ("split_heads", without(*DRAWN), "made_positive"),
    ("split_heads", without(*DRAWN), "filled_into_whole_numbers"),
    ("split_heads", without("a large table", "numbers of float32"), "long_heads_reversed"),
    ("split_heads", without("a large table"), "of_the_first_64"),
    ("merge_heads", without(*DRAWN), "of_sorted_numbers"),
    ("merge_heads", without(*DRAWN), "made_positive"),
    ("merge_heads", without(*DRAWN), "filled_into_whole_numbers"),
    (
        ATTENTION,
        without("a hidden score far above", "scores of 5 and -5 million"),
        "maximum_over_hidden_keys",
    ),
    (ATTENTION, without("scores of 5 and -5 million"), "clipped_at_1500"),
    (ATTENTION, without("a mask that hides nothing"), "causal_if_nothing_is_hidden"),
    (ATTENTION, without("an empty sentence"), "empty_rows_by_index"),
    (ATTENTION, without("a mask for each head"), "first_heads_mask_for_all"),
    (ATTENTION, without("a mask of one row"), "of_two_axes_at_least"),
    (ATTENTION, without("values of one number", "long vectors"), "unscaled_beyond_64"),
    (ATTENTION, without("many queries", "many keys"), "of_the_first_64"),
    ("multi_head", without("many tokens"), "of_64_tokens"),
    ("multi_head", without("long heads"), "d_k_up_to_64"),
    ("multi_head", without("the same sizes and other numbers"), "memoised_by_shape"),
    ("project", without("a large table"), "of_the_first_64"),
    ("rotate", without("positions out of order"), "no_turn_beyond_100"),
    ("rotate", without("positions out of order"), "first_position_and_count"),
    ("rotate", without("the same sizes and other numbers"), "memoised_by_shape"),
    ("rotate", without("sentences and heads"), "of_three_axes_at_most"),
    ("rotate", without("whole numbers"), "filled_into_whole_numbers"),
    ("rotate", without("long vectors"), "of_the_first_64"),
    ("merge", without("log sums of a thousand"), "clipped"),
    (
        "merge",
        without("a part that saw nothing", "two parts that saw nothing"),
        "output_zero_if_a_part_is_empty",
    ),
    ("merge", without("two parts that saw nothing"), "log_sum_zero_if_empty"),
    ("merge", without("sentences and heads"), "of_three_axes_at_most"),
    ("merge", without("one query", "values of one number"), "squeezed"),
    ("merge", without("many queries"), "of_the_first_64"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name, change, what", ALLOWS)
def test_without_the_probe_a_wrong_answer_passes(name, change, what, monkeypatch):
    """With all probes none of these passes: test_almost_right_answers.py."""
    exercise = EXERCISES[name]
    monkeypatch.setitem(vars(exercise), "probes", change(exercise.probes))
    assert verdict_on(name, ALMOST_RIGHT[name, what]).passed


def test_unequal_sizes_are_all_different():
    for probe in only("unequal sizes", "sentences and heads")(EXERCISES[ATTENTION].probes):
        q, k, v = probe.args
        sizes = [*q.shape, k.shape[-2], v.shape[-1]]
        assert len(set(sizes)) == len(sizes) and min(sizes) > 1


@pytest.mark.parametrize("name", EXERCISES)
def test_probes_of_an_exercise_have_different_names(name):
    names = [probe.name for probe in EXERCISES[name].probes]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", EXERCISES)
def test_each_id_on_an_edge_has_one_mistake_without_variants(name):
    listed = [m.id for m in check.MISTAKES if not m.variants]
    for edge in filter(None, (probe.edge for probe in EXERCISES[name].probes)):
        ids = {*edge.rows.values(), *edge.errors.values(), edge.leak} - {None}
        assert all(listed.count(id) == 1 for id in ids), f"{name} has an edge with {ids}"
