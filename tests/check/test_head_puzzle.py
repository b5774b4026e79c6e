"""The one task that asks for two numbers: the head that links "love" to "her"."""

import contextlib
import io

import numpy as np
import pytest

from attention_lib import data
from lesson import check

WEIGHTS = data.load("cat_sentence")["weights"]
OTHERS = [1, 2, 3, 4, 5, 6, 9]
LINK = WEIGHTS[:, :, 7, 8]
REVERSED = WEIGHTS[:, :, 8, 7] - WEIGHTS[:, :, OTHERS, 7].mean(axis=-1)
# What is found by another definition of selectivity, or by another way of counting or reading
NAMED_HEADS = {
    np.unravel_index(LINK.argmax(), LINK.shape): "largest-weight",
    np.unravel_index((LINK - WEIGHTS[:, :, 7, OTHERS].mean(axis=-1)).argmax(), LINK.shape): "largest-weight",
    np.unravel_index(REVERSED.argmax(), LINK.shape): "link-reversed",
    (2, 9): "counted-from-one",
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
        link, rest = LINK[layer, number], WEIGHTS[layer, number, OTHERS, 8].mean()
        assert f"In layer {layer}, head {number}, love gives her {link:.3f}, and " in verdict.message
        assert f"The selectivity is {link - rest:.3f}." in verdict.message


def test_linking_head_takes_whole_numbers_of_any_kind():
    assert head(np.uint8(2), np.uint8(8)) == head(2, 8)


NOT_STARTED = [(), ({"layer": 1, "head": 8},), (..., ...), (None, 3), (1, None), (1, ...), (..., 3)]


@pytest.mark.parametrize("given", NOT_STARTED)
def test_linking_head_asks_for_two_numbers(given):
    assert head(*given).mistake == "not-started"


# (layer, head, what is said, and what is not)
REFUSED = [
    ("1", "3", "What is in quotes is a text.", "exchanged"),
    ("8", "1", "What is in quotes is a text.", "exchanged"),
    (1.0, 20.0, "a whole number from 0 to 5", "n // 12"),
    (6, 0, "a whole number from 0 to 5", "n // 12"),
    (0, 12, "the layer is n // 12 and the head n % 12.", "exchanged"),
    (-1, 3, "a whole number from 0 to 5", "exchanged"),
    (1, -9, "a whole number from 0 to 5", "exchanged"),
    (True, 3, "a whole number from 0 to 5", "exchanged"),
    (8, 1, "These two are exchanged.", "n // 12"),
    (8, 2, "a whole number from 0 to 5", "exchanged"),
    (np.array(1.0), 3, "a whole number from 0 to 5", "exchanged"),
    (8, np.array([1, 3]), "a whole number from 0 to 5", "exchanged"),
]


@pytest.mark.parametrize("layer, number, said, not_said", REFUSED)
def test_linking_head_refuses_what_is_no_whole_number_in_range(layer, number, said, not_said):
    verdict = head(layer, number)
    assert verdict.mistake == "wrong-type" and said in verdict.message and not_said not in verdict.message
