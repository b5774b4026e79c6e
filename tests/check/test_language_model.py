"""The exercises of notebook 10: a function that gets a past, and returns an output and a pair; the border of a nucleus."""

import numpy as np
import pytest

from attention_lib.attention import softmax
from lesson.check import EXERCISES
from lesson.check.exercises import unpacked
from tests.check.answers import RIGHT_ANSWER
from tests.check.verdicts import verdict_on

plain = RIGHT_ANSWER["attend"]
OUTPUT, KEYS, VALUES = np.ones((3, 2, 2, 2))


@pytest.mark.parametrize("pair", [(KEYS, VALUES), [KEYS, VALUES], np.stack([KEYS, VALUES])])
def test_past_may_be_any_pair(pair):
    assert [part.shape for part in unpacked((OUTPUT, pair))] == [(2, 2, 2)] * 3


def kept_outside(q, k, v, past, kept=[]):  # noqa: B006
    """Its own past, from a call before."""
    if past is None:
        kept[:] = [None]
    output, new = plain(q, k, v, kept[-1])
    kept.append(new)
    return output, new


def flat(q, k, v, past):
    output, pair = plain(q, k, v, past)
    return output, *pair


def stops_behind_a_past(q, k, v, past):
    return plain(q, k, v, None if past is None else past[2])


REFUSED = [
    (kept_outside, "raises", "Arrays were to be joined"),
    (flat, "wrong-type", "The exercise asks for two things"),
    (stops_behind_a_past, "raises", "past = [[[["),
]


@pytest.mark.parametrize("answer, id, said", REFUSED)
def test_refused_with_what_was_seen(answer, id, said):
    verdict = verdict_on("attend", answer)
    assert verdict.mistake == id and said in verdict.message, verdict.message


@pytest.mark.parametrize("probe", EXERCISES["nucleus"].probes, ids=lambda probe: probe.name)
def test_no_sum_of_probabilities_lies_close_to_p(probe):
    """Where rounding would decide which tokens are kept, two right answers could differ."""
    logits, p = probe.args
    shares = np.sort(softmax(logits))[::-1]
    assert p == 1 or (np.abs(shares.cumsum() - p).min() > 1e-4 and len(set(logits)) == len(logits))
