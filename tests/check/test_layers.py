"""The two exercises of the last notebook: tables in a dict, the real layer, two mistakes at once."""

import itertools
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from attention_lib import data
from attention_lib.check import EXERCISES
from tests.check import layer_answers as answers
from tests.check.answers import enough, judged, mostly_slow
from tests.check.layer_answers import layer, multi_head, softmax

MULTI_HEAD = EXERCISES["multi_head"]


def test_right_multi_head_ends_with_the_real_layer():
    verdict = judged("multi_head", multi_head)
    assert verdict.lines[-1] == (
        "The real model",
        "your function gives what attention adds in layer 1, to 1e-5.",
    )


def test_real_layer_is_the_recorded_one():
    _, probe, (added,) = MULTI_HEAD.real()
    x, tables, n_heads = probe.args
    recorded = data.load("layer_one")
    assert n_heads == 12 and np.array_equal(x, recorded["x"])
    assert sorted(tables) == sorted(f"{kind}_{name}" for kind in "wb" for name in "qkvo")
    assert all(np.array_equal(tables[key], recorded[key]) for key in tables)
    assert np.array_equal(added, recorded["added"])


def test_right_on_the_probes_and_wrong_on_the_real_layer():
    def six_at_most(x, tables, n_heads):
        return multi_head(x, tables, min(n_heads, 6))

    verdict = judged("multi_head", six_at_most)
    assert (verdict.passed, verdict.mistake) == (False, "different")
    assert "the real layer" in verdict.message


def test_bias_of_the_keys_changes_nothing_and_is_not_missed():
    def without(*names):
        return lambda x, t, n: multi_head(x, {**t, **{name: 0 * t[name] for name in names}}, n)

    assert judged("multi_head", without("b_k")).passed
    for name in ("b_q", "b_v", "b_o"):
        assert judged("multi_head", without(name)).mistake == "bias-forgotten"
        assert judged("multi_head", without(name, "b_k")).mistake == "bias-forgotten"


@pytest.mark.parametrize("key", [f"{kind}_{name}" for kind in "wb" for name in "qkvo"])
def test_a_table_that_is_changed_is_seen(key):
    def changes(x, tables, n_heads):
        result = multi_head(x, tables, n_heads)
        tables[key] += 1
        return result

    verdict = judged("multi_head", changes)
    assert (verdict.mistake, verdict.also) == ("input-changed", ())
    assert "Your function changes its argument tables." in verdict.message


def test_tables_may_be_any_mapping_of_arrays_that_cannot_be_written(monkeypatch):
    def read_only(tables):
        copies = {key: np.copy(values) for key, values in tables.items()}
        for values in copies.values():
            values.setflags(write=False)
        return MappingProxyType(copies)

    fixed = [replace(p, args=(p.args[0], read_only(p.args[1]), p.args[2])) for p in MULTI_HEAD.probes]
    monkeypatch.setitem(vars(MULTI_HEAD), "probes", fixed)
    assert judged("multi_head", multi_head).passed
    assert judged("multi_head", answers.tables_in_place).mistake == "input-changed"


def test_tables_are_shown_by_their_shapes():
    message = judged("multi_head", lambda x: x).message
    shapes = "w_q (6, 8), b_q (8,), w_k (6, 8), b_k (8,), w_v (6, 14), b_v (14,), w_o (14, 6), b_o (6,)"
    assert f"Called with x (5, 6), tables {{{shapes}}}, n_heads = 2, your function stopped" in message


def test_message_of_a_table_that_was_turned_over():
    lines = judged("project", lambda x, w, b, n: answers.cut(x @ w.T + b, n)).message.splitlines()
    x, w, b, n = next(p.args for p in EXERCISES["project"].probes if p.name == "a square table")
    got, right = answers.cut(x @ w.T + b, n), answers.project(x, w, b, n)
    at = np.unravel_index(np.abs(got - right).argmax(), got.shape)
    values = f"{np.round(got[at], 2):g} and should be {np.round(right[at], 2):g}"
    assert f"With a square table: entry {[int(i) for i in at]} is {values}." in lines[1]
    assert "With unequal sizes it stopped in your line" in lines[1]
    assert lines[2:] == [
        "Perhaps: A table was turned over. It is stored (in, out), so it stands as it is behind the @.",
        "Ask yourself: In x @ w, the last axis of x meets which axis of w? Which axis of w is in?",
    ]


def test_sums_of_weights_are_not_shown_where_no_weights_come_back():
    message = judged("multi_head", layer(share=lambda s: softmax(s, -2))).message
    assert "add up to 1 over the queries" in message and "The rows add up" not in message
    assert "entry [" in message


# Each probe is needed


def only(*whats):
    return lambda probes: [p for p in probes if p.name in whats]


def without_square_tables(probes):
    return [p for p in probes if not square(p)]


def square(probe):
    w = probe.args[1]["w_q"] if isinstance(probe.args[1], dict) else probe.args[1]
    return w.shape[0] == w.shape[1]


def zero_biases(probes):
    def zeros(args):
        if isinstance(args[1], dict):
            x, tables, n = args
            return x, {k: 0 * a if k[0] == "b" else a for k, a in tables.items()}, n
        x, w, b, n = args
        return x, w, 0 * b, n

    return [replace(p, args=zeros(p.args)) for p in probes]


BREAKS = [
    ("multi_head", without_square_tables, answers.layer(make=answers.turned), "table-transposed"),
    ("project", without_square_tables, lambda x, w, b, n: answers.cut(x @ w.T + b, n), "table-transposed"),
    ("multi_head", zero_biases, answers.layer(make=answers.without_bias), "bias-forgotten"),
    ("project", zero_biases, lambda x, w, b, n: answers.cut(x @ w, n), "bias-forgotten"),
    ("multi_head", only("one head"), answers.layer(cut=answers.in_turns), "interleaved"),
    ("project", only("one head"), lambda x, w, b, n: answers.reshaped(x @ w + b, n), "axes-not-swapped"),
    ("multi_head", only("one token"), layer(score=lambda q, k: q @ k.mT), "not-scaled"),
    (
        "project",
        only("unequal sizes", "a square table"),
        lambda x, w, b, n: np.stack(np.split(x @ w + b, n, -1)),
        "heads-in-front",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("name, change, function, found", BREAKS)
def test_probe_is_needed(name, change, function, found, monkeypatch):
    exercise = EXERCISES[name]
    assert judged(name, function).mistake == found
    monkeypatch.setitem(vars(exercise), "probes", change(exercise.probes))
    assert judged(name, function).mistake != found


# Two mistakes at once

STEPS = {
    "make": {"table-transposed": answers.turned, "bias-forgotten": answers.without_bias},
    "cut": {"axes-not-swapped": answers.reshaped, "interleaved": answers.in_turns},
    "score": {
        "not-scaled": lambda q, k: q @ k.mT,
        "divided-by-d_k": lambda q, k: q @ k.mT / q.shape[-1],
        "queries-and-keys-swapped": lambda q, k: answers.scaled(k, q),
    },
    "share": {"normalised-over-queries": lambda s: softmax(s, -2)},
    "mix": {"keys-as-values": lambda w, k, v: w @ k, "weights-transposed": lambda w, k, v: w.mT @ v},
    "glue": {"axes-not-swapped": answers.reshaped_back, "interleaved": answers.glued_in_turns},
    "end": {
        "table-transposed": answers.turned,
        "bias-forgotten": answers.without_bias,
        "output-table-missing": lambda x, w, b: x,
    },
    "give": {"residual-added": answers.plus},
}
PAIRS = [
    pytest.param({one: STEPS[one][a], other: STEPS[other][b]}, {a, b}, id=f"{one}-{a}-{other}-{b}")
    for one, other in itertools.combinations(STEPS, 2)
    for a, b in itertools.product(STEPS[one], STEPS[other])
]
# Any two of these are the third: they turn the table of weights over, or how it is shared out.
TRIANGLE = {"queries-and-keys-swapped", "normalised-over-queries", "weights-transposed"}


@pytest.mark.parametrize("lines, two", mostly_slow(PAIRS[::3], enough(PAIRS[::3])[::2]))  # a second each
def test_two_mistakes_are_not_passed_and_one_of_them_is_named(lines, two):
    verdict = judged("multi_head", layer(**lines))
    expected = TRIANGLE - two if two < TRIANGLE else two
    assert not verdict.passed and expected & {verdict.mistake, *verdict.also}, verdict.message


TURNED_AND_BARE = [
    lambda x, w, b, n: answers.cut(x @ w.T, n),
    lambda x, w, b, n: answers.cut(np.einsum("...i,oi->...o", x, w), n),
]


@pytest.mark.parametrize("function", TURNED_AND_BARE)
def test_two_mistakes_of_one_projection_are_both_named(function):
    verdict = judged("project", function)
    assert {verdict.mistake, *verdict.also} == {"table-transposed", "bias-forgotten"}
