"""The one task that asks for two numbers: the head that links her to cat."""

import contextlib
import io

import numpy as np
import pytest

from attention_lib import check, data

NAMED_HEADS = {(5, 11): "largest-weight", (2, 4): "counted-from-one", (3, 1): "layer-and-head-swapped"}


def head(layer, number):
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = check.linking_head(layer, number)
    assert screen.getvalue() == verdict.message + "\n"
    return verdict


def test_linking_head_knows_each_of_the_72_heads():
    for layer, number in np.ndindex(6, 12):
        verdict = head(layer, number)
        found = None if (layer, number) == (1, 3) else NAMED_HEADS.get((layer, number), "different")
        assert (verdict.passed, verdict.mistake, verdict.also) == (found is None, found, ())
        assert f"In layer {layer}, head {number}, her gives cat " in verdict.message


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.int32])
def test_linking_head_takes_whole_numbers_of_any_kind(kind):
    assert head(kind(1), kind(3)).passed
    assert head(kind(5), kind(11)) == head(5, 11)


@pytest.mark.parametrize("layer, number", [(..., ...), (None, 3), (1, None), (1, ...), (..., 3)])
def test_linking_head_not_started(layer, number):
    assert head(layer, number).mistake == "not-started"


@pytest.mark.parametrize(
    "layer, number",
    [
        ("1", "3"), (1.0, 3.0), (1, 3.5), (6, 0), (0, 12), (-1, 3), (1, -9), (True, 3), (1, np.nan), (10**30, 0),
        (np.array(1.0), 3), (np.array([1, 3]), 3), ([1, 3], 3), ((1, 3), None.__class__), (1 + 0j, 3),
    ],
)  # fmt: skip
def test_linking_head_wants_whole_numbers_in_range(layer, number):
    assert head(layer, number).mistake == "wrong-type"


class Strange:
    """Fails whatever it is asked."""

    def __eq__(self, other):
        raise RuntimeError

    def __bool__(self):
        raise RuntimeError


def test_linking_head_takes_an_object_that_fails_for_no_number():
    assert head(Strange(), 3).mistake == head(1, Strange()).mistake == "wrong-type"


def test_linking_head_shows_the_recorded_numbers():
    weights = data.load("cat_sentence")["weights"]
    others = [1, 2, 3, 5, 6, 7, 9]
    for layer, number in [(1, 3), (5, 11), (0, 0)]:
        her, rest = weights[layer, number, 8, 4], weights[layer, number, others, 4].mean()
        assert f"her gives cat {her:.2f}" in head(layer, number).message
        assert f"The selectivity is {her - rest:.2f}." in head(layer, number).message
