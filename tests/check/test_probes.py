"""Each probe is needed: without it some wrong answer would be called something else, or pass."""

from dataclasses import replace

import numpy as np
import pytest

from attention_lib import check
from attention_lib.check import EXERCISES
from tests.check.answers import WRONG
from tests.check.verdicts import ATTENTION, cached_verdict, verdict_on


def without(*names):
    return lambda probes: [p for p in probes if p.name not in names]


def only(*names):
    return lambda probes: [p for p in probes if p.name in names]


def all_full(probes):
    return [replace(probes[0], name="full sentences", args=(np.array([5, 5]), 5))]


def without_square_tables(probes):
    return [p for p in probes if p.args[1].shape[0] != p.args[1].shape[1]]


def with_zero_biases(probes):
    def zeros(x, tables, n):
        return x, {key: 0 * a if key[0] == "b" else a for key, a in tables.items()}, n

    return [replace(p, args=zeros(*p.args)) for p in probes]


EMPTY = ["an empty row", "an empty row in a batch", "an empty sentence", "a mask of one column"]
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
    ("masked_softmax", without("large scores"), "overflows"),
    ("scaled_dot_product_attention", without("large scores"), "overflows"),
    ("masked_softmax", without(*EMPTY, "everything hidden"), "empty-row"),
    (ATTENTION, without(*EMPTY, "everything hidden"), "empty-row"),
    (
        "masked_softmax",
        without("a hidden score far above", "a hidden score of 1e300"),
        "renormalised-after-mask",
    ),
    ("masked_softmax", without(*EMPTY), "zeros-if-any-nan"),
    ("softmax", without("scores far below zero"), "underflows"),
    ("masked_softmax", without(*LOW), "fill-above-scores"),
    (
        "scaled_dot_product_attention",
        without(*LOW),
        "fill-above-scores",
    ),
    ("softmax", without("a square table", "sizes all equal", "one key"), "keepdims-missing"),
    ("attention_scores", only("unequal sizes", "one query"), "batches-paired"),
    ("attention_scores", without("sizes all equal", "four axes, all equal"), "all-axes-reversed"),
    ("scaled_scores", only("sizes all equal"), "scaled-by-length"),
    (
        "softmax",
        only("one row", "one query", "large scores"),
        "normalised-over-axis-one",
    ),
    ("causal_mask", only("one token"), "future-leaks"),
    ("padding_mask", all_full, "off-by-one"),
    ("split_heads", only("one head"), "interleaved"),
    ("split_heads", only("one head"), "axes-not-swapped"),
    ("merge_heads", only("one head"), "merged-in-turns"),
    ("dot_product", only("a right angle"), "cosine"),
    ("dot_product", only("one number"), "not-summed"),
    ("merge", without("log sums of a thousand", "log sums far apart"), "log-sums-overflow"),
    ("merge", without("two parts that saw nothing"), "both-parts-empty"),
    ("rotate", only("four vectors", "heads"), "positions-ignored"),
    ("rotate", only("one pair"), "other-pairs"),
    ("project", without_square_tables, "table-transposed"),
    ("multi_head", with_zero_biases, "bias-forgotten"),
    ("multi_head", only("one head"), "projection-in-turns"),
    ("project", only("one head"), "projection-in-turns"),
    ("multi_head", only("one token"), "normalised-over-queries"),
    ("project", only("unequal sizes", "a square table"), "heads-in-front"),
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
def test_each_id_of_an_edge_case_has_one_mistake_without_variants(name):
    listed = [m.id for m in check.MISTAKES if not m.variants]
    for edge_case in filter(None, (probe.edge_case for probe in EXERCISES[name].probes)):
        ids = {*edge_case.rows.values(), *edge_case.errors.values(), edge_case.leak} - {None}
        assert all(listed.count(id) == 1 for id in ids), f"{name} has an edge case with {ids}"
