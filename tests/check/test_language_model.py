"""The exercises of notebook 10: a function that gets a past, and returns an output and a pair; the border of a nucleus."""

import numpy as np
import pytest

from attention_lib.attention import softmax
from lesson.check import EXERCISES
from lesson.check.exercises import unpacked

OUTPUT, KEYS, VALUES = np.ones((3, 2, 2, 2))


@pytest.mark.parametrize("pair", [(KEYS, VALUES), [KEYS, VALUES], np.stack([KEYS, VALUES])])
def test_past_may_be_any_pair(pair):
    assert [part.shape for part in unpacked((OUTPUT, pair))] == [(2, 2, 2)] * 3


@pytest.mark.parametrize("probe", EXERCISES["nucleus"].probes, ids=lambda probe: probe.name)
def test_no_sum_of_probabilities_lies_close_to_p(probe):
    """Where rounding would decide which tokens are kept, two right answers could differ."""
    logits, p = probe.args
    shares = np.sort(softmax(logits))[::-1]
    assert p == 1 or (np.abs(shares.cumsum() - p).min() > 1e-4 and len(set(logits)) == len(logits))
