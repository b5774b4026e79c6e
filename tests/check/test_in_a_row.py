"""Exercises whose function is called for one token after the other, with what it kept of those before."""

import numpy as np
import pytest

import attention_lib as al
from attention_lib import today
from lesson.check import EXERCISES
from lesson.check.in_a_row import call_in_a_row
from tests.check.answers.attend_newest import plain
from tests.check.verdicts import verdict_on

QKV = EXERCISES["attend_newest"].probes[0].args


def test_each_call_gets_one_token_its_place_and_what_the_last_call_returned():
    calls, kept = [], iter(["a", "b", "c", "d", "e"])

    def noted(q, k, v, place, past):
        calls.append((q, k, v, place, past))
        return place, next(kept)

    four = [x[:, :4] for x in QKV]
    outputs, _ = call_in_a_row(noted, *four)
    assert outputs == (0, 1, 2, 3, 1)
    assert [(place, past) for *_, place, past in calls] == [
        *((0, None), (1, "a"), (2, "b"), (3, "c")),
        (1, "a"),  # again
    ]
    for *newest, place, _ in calls:
        for given, whole in zip(newest, four):
            np.testing.assert_array_equal(given, whole[:, place : place + 1])


@pytest.mark.parametrize("name", ["q", "k", "v", "past"])
def test_argument_that_is_changed_is_named(name):
    def changes(q, k, v, place, past):
        result = plain(q, k, v, place, past)
        if place == 2:
            {"q": q, "k": k, "v": v, "past": past and past[1]}[name][...] += 1
        return result

    verdict = verdict_on("attend_newest", changes)
    assert verdict.mistake == "input-changed" and f"its argument {name}" in verdict.message


def test_past_of_a_few_tokens_does_not_pass():
    def keeps_four(q, k, v, place, past):
        output, (keys, values) = plain(q, k, v, place, past)
        return output, (keys[:, -4:], values[:, -4:])

    assert not verdict_on("attend_newest", keeps_four).passed


def test_output_that_a_later_call_overwrites_is_told():
    buffers = {}

    def in_one_buffer(q, k, v, place, past):
        output, past = plain(q, k, v, place, past)
        buffer = buffers.setdefault((q.shape, q.dtype), np.empty(q.shape, output.dtype))
        buffer[...] = output
        return buffer, past

    verdict = verdict_on("attend_newest", in_one_buffer)
    assert not verdict.passed and "after later calls" in verdict.message


def test_past_that_a_later_call_overwrites_is_told():
    room = np.zeros((2, 100, 8, 70))

    def in_one_room(q, k, v, place, past):
        keys, values = room[:, : len(q), : place + 1, : q.shape[-1]]
        keys[:, place], values[:, place] = today.rotate(k, [place])[:, 0], v[:, 0]
        output = al.scaled_dot_product_attention(today.rotate(q, [place]), keys, values).output
        return output, (keys, values)

    verdict = verdict_on("attend_newest", in_one_room)
    assert not verdict.passed and "after later calls" in verdict.message


def test_past_that_is_kept_outside_fails_where_an_old_one_is_given_again():
    kept = []

    def keeps_it_outside(q, k, v, place, past):
        if past is None:
            kept[:] = [None]
        output, newest = plain(q, k, v, place, kept[-1])
        kept.append(newest)
        return output, "kept"

    message = verdict_on("attend_newest", keeps_it_outside).message
    assert "of the output of token 1 when asked again with its old past is" in message


def test_wrong_output_is_shown_with_the_tokens_up_to_it():
    def unscaled(q, k, v, place, past):
        return plain(q * 1.1, k, v, place, past)

    message = verdict_on("attend_newest", unscaled).message
    q, _, _ = next(probe.args for probe in EXERCISES["attend_newest"].probes if probe.name == "one head")
    assert f"q = {q[:, :2].tolist()}" in message and "of the output of token 1 is" in message


def test_error_is_told_with_the_arguments_of_the_call_that_stopped():
    def stops_at_two(q, k, v, place, past):
        if place == 2:
            raise ValueError("no third token")
        return plain(q, k, v, place, past)

    message = verdict_on("attend_newest", stops_at_two).message
    assert "Called with q = [[[" in message and ", place = 2, your function stopped" in message


@pytest.mark.parametrize("past", [iter([1]), (x for x in "ab"), object(), {"n": lambda: 1}, [[1], [2, 3]]])
def test_past_may_be_anything(past):
    def keeps_more(q, k, v, place, last):
        output, new = plain(q, k, v, place, last and last[1])
        return output, (past, new)

    assert verdict_on("attend_newest", keeps_more).passed


def test_past_that_is_kept_elsewhere_does_not_pass():
    kept = []

    def keeps_elsewhere(q, k, v, place, last):
        if last is None:
            kept.clear()
        output, new = plain(q, k, v, place, kept[-1] if kept else None)
        kept.append(new)
        return output, new

    assert not verdict_on("attend_newest", keeps_elsewhere).passed
