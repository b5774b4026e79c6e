"""What is special about the two exercises of the last notebook: tables in a dict, and the real layer."""

import numpy as np
import pytest

from attention_lib import data
from attention_lib.check import EXERCISES
from tests.check.answers import WRONG
from tests.check.answers.multi_head import multi_head
from tests.check.answers.project import project, split
from tests.check.verdicts import verdict_on


def test_right_multi_head_ends_with_the_real_layer():
    verdict = verdict_on("multi_head", multi_head)
    assert verdict.lines[-1] == (
        "The real model",
        "your function gives what attention adds in layer 1, to 1e-5.",
    )


def test_real_layer_is_the_recorded_one():
    _, probe, (added,) = EXERCISES["multi_head"].real()
    x, tables, n_heads = probe.args
    recorded = data.load("layer_one")
    assert n_heads == 12 and np.array_equal(x, recorded["x"])
    assert sorted(tables) == sorted(f"{kind}_{name}" for kind in "wb" for name in "qkvo")
    assert all(np.array_equal(tables[key], recorded[key]) for key in tables)
    assert np.array_equal(added, recorded["added"])


def test_right_on_the_probes_and_wrong_on_the_real_layer():
    def six_at_most(x, tables, n_heads):
        return multi_head(x, tables, min(n_heads, 6))

    verdict = verdict_on("multi_head", six_at_most)
    assert (verdict.passed, verdict.mistake) == (False, "different")
    assert "the real layer" in verdict.message


@pytest.mark.parametrize(
    "lines, cause",
    [
        ({"split": lambda x, n: x.reshape(*x.shape[:-2], n, x.shape[-2], -1)}, "a head holds"),
        ({"merge": lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1)}, "merged without a swap"),
    ],
)
def test_missing_swap_is_told_of_the_split_or_of_the_merge(lines, cause):
    verdict = verdict_on("multi_head", lambda *args: multi_head(*args, **lines))
    assert (verdict.mistake, verdict.also) == ("axes-not-swapped", ()) and cause in verdict.message


@pytest.mark.parametrize("key", ["w_q", "b_o"])
def test_changed_table_is_reported(key):
    def changes(x, tables, n_heads):
        result = multi_head(x, tables, n_heads)
        tables[key] += 1
        return result

    verdict = verdict_on("multi_head", changes)
    assert (verdict.mistake, verdict.also) == ("input-changed", ())
    assert "Your function changes its argument tables." in verdict.message


def test_tables_are_shown_by_their_shapes():
    message = verdict_on("multi_head", lambda x: x).message
    shapes = "w_q (8, 8), b_q (8,), w_k (8, 8), b_k (8,), w_v (8, 8), b_v (8,), w_o (8, 8), b_o (8,)"
    assert f"Called with x (5, 8), tables {{{shapes}}}, n_heads = 2, your function stopped" in message


def test_message_about_a_transposed_table():
    lines = verdict_on("project", lambda x, w, b, n: split(x @ w.T + b, n)).message.splitlines()
    x, w, b, n = next(p.args for p in EXERCISES["project"].probes if p.name == "a square table")
    got, right = split(x @ w.T + b, n), project(x, w, b, n)
    at = np.unravel_index(np.abs(got - right).argmax(), got.shape)
    values = f"{np.round(got[at], 2):g} and should be {np.round(right[at], 2):g}"
    assert lines[1].startswith("Seen: With unequal sizes it stopped with a ValueError in your line `")
    assert lines[1].endswith(f"With a square table: entry {[int(i) for i in at]} is {values}.")
    assert lines[2:] == [
        "Perhaps: A table was turned over. It is stored (in, out), so it needs no transpose after the @.",
        "Ask yourself: In x @ w, which axis of w does the last axis of x meet?",
    ]


def test_sums_of_weights_are_not_shown_where_no_weights_come_back():
    message = verdict_on("multi_head", WRONG["multi_head", "normalised-over-queries"][0]).message
    assert "add up to 1 over the queries" in message and "The rows add up" not in message
    assert "entry [" in message
