"""The one task that asks for two numbers: the head that links the second "i" to the first."""

import contextlib
import io

import numpy as np
import pytest

from attention_lib import data
from lesson import check

NAMED_HEADS = {
    (2, 4): "largest-weight",
    (2, 2): "counted-from-one",
    (0, 9): "link-reversed",
    (1, 3): "another-link",
}


def head(layer, number):
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = check.linking_head(layer, number)
    assert screen.getvalue() == verdict.message + "\n"
    return verdict


def test_linking_head_judges_each_of_the_72_heads():
    for layer, number in np.ndindex(6, 12):
        verdict = head(layer, number)
        found = None if (layer, number) == (1, 1) else NAMED_HEADS.get((layer, number), "different")
        assert (verdict.passed, verdict.mistake, verdict.also) == (found is None, found, ())
        assert f"In layer {layer}, head {number}, the second i gives the first " in verdict.message


@pytest.mark.parametrize("kind", [int, np.uint8])
def test_linking_head_takes_whole_numbers_of_any_kind(kind):
    assert head(kind(1), kind(1)).passed
    assert head(kind(2), kind(4)) == head(2, 4)


@pytest.mark.parametrize("layer, number", [(..., ...), (None, 3), (1, None), (1, ...), (..., 3)])
def test_linking_head_not_started(layer, number):
    assert head(layer, number).mistake == "not-started"


@pytest.mark.parametrize(
    "layer, number",
    [
        ("1", "3"),
        (1.0, 3.0),
        (6, 0),
        (0, 12),
        (-1, 3),
        (1, -9),
        (True, 3),
        (1, np.nan),
        (np.array(1.0), 3),
        ([1, 3], 3),
    ],
)
def test_linking_head_refuses_what_is_no_whole_number_in_range(layer, number):
    assert head(layer, number).mistake == "wrong-type"


def test_linking_head_shows_the_recorded_numbers():
    weights = data.load("cat_sentence")["weights"]
    others = [2, 3, 4, 5, 7, 8, 9]
    for layer, number in [(1, 1), (2, 4), (0, 0)]:
        link, rest = weights[layer, number, 6, 1], weights[layer, number, others, 1].mean()
        assert f"the second i gives the first {link:.3f}" in head(layer, number).message
        assert f"The selectivity is {link - rest:.3f}." in head(layer, number).message


def test_other_definitions_of_selectivity_find_another_head():
    weights = data.load("cat_sentence")["weights"]
    reversed_link = weights[:, :, 1, 6] - weights[:, :, [2, 3, 4, 5, 7, 8, 9], 6].mean(axis=-1)
    layer, number = np.unravel_index(reversed_link.argmax(), (6, 12))
    assert head(layer, number).mistake == "link-reversed"
    largest = weights[:, :, 6, 1]
    for wrong in (largest, largest - weights[..., 1].mean(axis=-1)):  # the mean over all rows
        layer, number = np.unravel_index(wrong.argmax(), (6, 12))
        assert head(layer, number).mistake == "largest-weight"
