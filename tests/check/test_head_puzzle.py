"""The one task that asks for two numbers: the head that links "love" to "her"."""

import contextlib
import io

import numpy as np
import pytest

from attention_lib import data
from lesson import check

WEIGHTS = data.load("cat_sentence")["weights"]
OTHERS = [1, 2, 3, 4, 5, 6, 9]
NAMED_HEADS = {
    (2, 8): "largest-weight",
    (2, 9): "counted-from-one",
    (0, 2): "link-reversed",
    (1, 3): "another-link",
}


def head(*layer_and_number):
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = check.linking_head(*layer_and_number)
    assert screen.getvalue() == verdict.message + "\n"
    return verdict


def test_linking_head_judges_each_of_the_72_heads():
    for layer, number in np.ndindex(6, 12):
        verdict = head(layer, number)
        found = None if (layer, number) == (1, 8) else NAMED_HEADS.get((layer, number), "different")
        assert (verdict.passed, verdict.mistake, verdict.also) == (found is None, found, ())
        assert f"In layer {layer}, head {number}, love gives her " in verdict.message


@pytest.mark.parametrize("kind", [int, np.uint8])
def test_linking_head_takes_whole_numbers_of_any_kind(kind):
    assert head(kind(1), kind(8)).passed
    assert head(kind(2), kind(8)) == head(2, 8)


@pytest.mark.parametrize("layer, number", [(..., ...), (None, 3), (1, None), (1, ...), (..., 3)])
def test_linking_head_not_started(layer, number):
    assert head(layer, number).mistake == "not-started"


def test_linking_head_asks_for_two_numbers_when_it_gets_one_thing():
    assert head({"layer": 1, "head": 8}) == head((1, 8)) == head() == head(..., ...)


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
        (8, np.array([1, 3])),
        ({"layer": 1}, {"head": 8}),
    ],
)
def test_linking_head_refuses_what_is_no_whole_number_in_range(layer, number):
    assert head(layer, number).mistake == "wrong-type"


def test_linking_head_tells_that_layer_and_head_are_exchanged():
    assert "These two are exchanged." in head(8, 1).message
    assert "exchanged" not in head(8, 2).message and "exchanged" not in head("8", "1").message


def test_linking_head_tells_what_one_position_among_all_heads_is():
    assert "the layer is n // 12 and the head n % 12." in head(20, 20).message
    assert "n // 12" not in head(6, 0).message and "n // 12" not in head(1.0, 20.0).message


def test_linking_head_shows_the_recorded_numbers():
    for layer, number in [(1, 8), (2, 8), (0, 0)]:
        link, rest = WEIGHTS[layer, number, 7, 8], WEIGHTS[layer, number, OTHERS, 8].mean()
        assert f"love gives her {link:.3f}" in head(layer, number).message
        assert f"The selectivity is {link - rest:.3f}." in head(layer, number).message


def test_other_definitions_of_selectivity_find_another_head():
    link = WEIGHTS[:, :, 7, 8]
    mean_over_keys = WEIGHTS[:, :, 7, OTHERS].mean(axis=-1)
    link_reversed = WEIGHTS[:, :, 8, 7] - WEIGHTS[:, :, OTHERS, 7].mean(axis=-1)
    found = {"largest-weight": [link, link - mean_over_keys], "link-reversed": [link_reversed]}
    for id, wrongs in found.items():
        for wrong in wrongs:
            assert head(*np.unravel_index(wrong.argmax(), (6, 12))).mistake == id
