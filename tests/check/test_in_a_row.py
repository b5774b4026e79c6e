"""Exercises whose function is called for one token after the other, with what it kept of those before."""

import numpy as np
import pytest

import attention_lib as al
from attention_lib import today
from lesson.check import EXERCISES
from lesson.check.in_a_row import call_in_a_row
from tests.check.answers import RIGHT_ANSWER
from tests.check.verdicts import verdict_on

QKV = EXERCISES["attend_newest"].probes[0].args
plain = RIGHT_ANSWER["attend_newest"]


def test_each_call_gets_one_token_its_place_and_what_the_last_call_returned():
    calls, kept = [], iter(["a", "b", "c", "d", "e"])

    def noted(q, k, v, place, past):
        calls.append((q, k, v, place, past))
        return place, next(kept)

    four = [x[:, :4] for x in QKV]
    outputs, _ = call_in_a_row(noted, *four)
    assert outputs == (0, 1, 2, 3, 1)
    in_turn = [(0, None), (1, "a"), (2, "b"), (3, "c")]
    assert [(place, past) for *_, place, past in calls] == [*in_turn, (1, "a")]
    for *newest, place, _ in calls:
        for given, whole in zip(newest, four):
            np.testing.assert_array_equal(given, whole[:, place : place + 1])


def changes(name):
    def changes_it(q, k, v, place, past):
        result = plain(q, k, v, place, past)
        if place == 2:
            {"q": q, "v": v, "past": past and past[1]}[name][...] += 1
        return result

    return changes_it


def keeps_four(q, k, v, place, past):
    output, (keys, values) = plain(q, k, v, place, past)
    return output, (keys[:, -4:], values[:, -4:])


def in_one_buffer(q, k, v, place, past, buffers={}):  # noqa: B006
    output, past = plain(q, k, v, place, past)
    buffer = buffers.setdefault((q.shape, q.dtype), np.empty(q.shape, output.dtype))
    buffer[...] = output
    return buffer, past


def in_one_room(q, k, v, place, past, room=np.zeros((2, 100, 8, 70))):  # noqa: B008
    keys, values = room[:, : len(q), : place + 1, : q.shape[-1]]
    keys[:, place], values[:, place] = today.rotate(k, [place])[:, 0], v[:, 0]
    output = al.scaled_dot_product_attention(today.rotate(q, [place]), keys, values).output
    return output, (keys, values)


def kept_outside(q, k, v, place, past, kept=[]):  # noqa: B006
    if past is None:
        kept[:] = [None]
    output, newest = plain(q, k, v, place, kept[-1])
    kept.append(newest)
    return output, "kept"


def too_large(q, k, v, place, past):
    return plain(q * 1.1, k, v, place, past)


def stops_at_two(q, k, v, place, past):
    if place == 2:
        raise ValueError("no third token")
    return plain(q, k, v, place, past)


REFUSED = [
    (changes("q"), "its argument q"),
    (changes("v"), "its argument v"),
    (changes("past"), "its argument past"),
    (keeps_four, "output of token 2 and 3 others are right."),
    (in_one_buffer, "after later calls"),
    (in_one_room, "after later calls"),
    (kept_outside, "of the output of token 1 when asked again with its old past is"),
    (
        too_large,
        "q = [[[0.94, -0.55, 1.3, -0.62], [1.07, -1.31, 0.43, 0.13]]], k = ",
    ),  # the tokens up to the first that is wrong
    (stops_at_two, "Called with q = [[["),
    (stops_at_two, ", place = 2, your function stopped"),
]


@pytest.mark.parametrize("answer, said", REFUSED)
def test_refused_with_what_was_seen_of_the_tokens(answer, said):
    verdict = verdict_on("attend_newest", answer)
    assert not verdict.passed and said in verdict.message, verdict.message


@pytest.mark.parametrize("past", [(x for x in "ab"), object(), {"n": lambda: 1}, [[1], [2, 3]]])
def test_past_may_be_anything(past):
    def keeps_more(q, k, v, place, last):
        output, new = plain(q, k, v, place, last and last[1])
        return output, (past, new)

    assert verdict_on("attend_newest", keeps_more).passed
