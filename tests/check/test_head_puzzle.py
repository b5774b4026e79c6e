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
    np.unravel_index(REVERSED.argmax(), LINK.shape): "link-reversed",
    (2, 9): "counted-from-one",
    (1, 3): "another-link",
    (1, 8): None,
}


def head(*layer_and_number):
    with contextlib.redirect_stdout(io.StringIO()):
        return check.linking_head(*layer_and_number)


def test_linking_head_judges_each_of_the_72_heads():
    for layer, number in np.ndindex(6, 12):
        verdict = head(layer, number)
        found = NAMED_HEADS.get((layer, number), "different")
        assert (verdict.passed, verdict.mistake) == (found is None, found)
        link, rest = LINK[layer, number], WEIGHTS[layer, number, OTHERS, 8].mean()
        assert f"In layer {layer}, head {number}, love gives her {link:.3f}, and " in verdict.message
        assert f"The selectivity is {link - rest:.3f}." in verdict.message


# (what is given, id, what the verdict's last line ends with)
REFUSED = [
    ((), "not-started", "both counted from 0."),
    ((1, ...), "not-started", "both counted from 0."),
    (("1", "8"), "wrong-type", "What is in quotes is a text."),
    ((0, 12), "wrong-type", "the layer is n // 12 and the head n % 12."),
    ((6, 0), "wrong-type", "a head one from 0 to 11."),
    ((8, 1), "wrong-type", "These two are exchanged."),
]


@pytest.mark.parametrize("given, id, said", REFUSED)
def test_linking_head_refuses_what_is_no_whole_number_in_range(given, id, said):
    verdict = head(*given)
    assert (verdict.passed, verdict.mistake) == (False, id) and verdict.message.endswith(said)
