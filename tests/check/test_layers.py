"""What is special about the two exercises of the last notebook: parameters in a dict, and the real layer."""

import numpy as np
import pytest

from attention_lib import data
from lesson.check import EXERCISES
from tests.check.answers import WRONG
from tests.check.answers.multi_head import multi_head
from tests.check.verdicts import verdict_on


def test_right_multi_head_ends_with_the_real_layer():
    verdict = verdict_on("multi_head", multi_head)
    assert verdict.lines[-1] == (
        "The real model",
        "your function returns what attention adds in layer 1, to 1e-5.",
    )


def test_real_layer_is_the_recorded_one():
    _, probe, (added,) = EXERCISES["multi_head"].real()
    x, parameters, n_heads = probe.args
    recorded = data.load("layer_one")
    assert n_heads == 12 and np.array_equal(x, recorded["x"])
    assert sorted(parameters) == sorted(f"{kind}_{name}" for kind in "wb" for name in "qkvo")
    assert all(np.array_equal(parameters[key], recorded[key]) for key in parameters)
    assert np.array_equal(added, recorded["added"])


@pytest.mark.parametrize(
    "lines, id",
    [
        ({"split": lambda x, n: x.reshape(*x.shape[:-2], n, x.shape[-2], -1)}, "projection-not-swapped"),
        ({"merge": lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1)}, "outputs-not-swapped"),
    ],
)
def test_missing_swap_is_told_of_the_split_or_of_the_merge(lines, id):
    verdict = verdict_on("multi_head", lambda *args: multi_head(*args, **lines))
    assert (verdict.mistake, verdict.also) == (id, ())


@pytest.mark.parametrize("key", ["w_q", "b_o"])
def test_changed_parameter_is_reported(key):
    def changes(x, parameters, n_heads):
        result = multi_head(x, parameters, n_heads)
        parameters[key] += 1
        return result

    verdict = verdict_on("multi_head", changes)
    assert (verdict.mistake, verdict.also) == ("input-changed", ())
    assert "Your function changes its argument parameters." in verdict.message


def test_parameters_are_shown_by_their_shapes():
    message = verdict_on("multi_head", lambda x: x).message
    shapes = "w_q (8, 8), b_q (8,), and so on"
    assert f"Called with x (5, 8), parameters {{{shapes}}}, n_heads = 2, your function stopped" in message


def test_sums_of_weights_are_not_shown_where_no_weights_come_back():
    message = verdict_on("multi_head", WRONG["multi_head", "normalised-over-queries"][0]).message
    assert "add up to 1 over the queries" in message and "The rows add up" not in message
    assert "entry [" in message
