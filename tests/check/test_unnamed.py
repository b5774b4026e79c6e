"""What the checker says where no mistake fits: nothing in it is inferred, so each sentence has an answer that gets it."""

import re

import numpy as np
import pytest

import attention_lib as al
from tests.check.answers import WRITTEN
from tests.check.answers.shared import softmax
from tests.check.verdicts import ATTENTION, verdict_on

scores, split, merge, attention = (
    al.scaled_scores,
    al.split_heads,
    al.merge_heads,
    al.scaled_dot_product_attention,
)


SHAPES = {
    "The exercise asks for two arrays": (ATTENTION, lambda *given: 2 * attention(*given).output),
    "there, but in an array of a different shape": ("softmax", lambda x: softmax(x).ravel()),
    "in a different order, and in an array": ("softmax", lambda x: softmax(x).T.ravel()),
    "The result has the wrong shape": ("softmax", lambda x: softmax(x).max(-1)),
}
NUMBERS = {
    "in different positions": ("scaled_scores", lambda q, k: np.sort(scores(q, k))),
    "Hidden keys get weight": ("masked_softmax", lambda x, mask: softmax(np.where(mask, x, x.min() - 10))),
    "do not add up to 1": ("softmax", lambda x: softmax(x) ** 2),
    "All numbers of the weights are right": (
        ATTENTION,
        lambda *given: (attention(*given).output ** 3, attention(*given).weights),
    ),
    'right with "numbers of 16 digits" and "numbers of float32", but wrong with': (
        "softmax",
        lambda x: (
            softmax(x)
            * (
                1
                if (np.round(x, 2) != x).any() and x.ndim == 2 and x.shape == (4, 6) and abs(x).max() < 5
                else 1.5
            )
        ),
    ),
    "has no name for": ("scaled_scores", lambda q, k: scores(q, k) ** 3 + 1),
}


@pytest.mark.parametrize("sentence", SHAPES | NUMBERS)
def test_message_says_what_is_true_of_the_numbers(sentence):
    exercise, function = (SHAPES | NUMBERS)[sentence]
    verdict = verdict_on(exercise, function)
    assert verdict.mistake == ("wrong-shape" if sentence in SHAPES else "different"), verdict.message
    assert sentence in verdict.message


def test_numbers_that_are_nearly_right_are_not_said_to_have_moved():
    def never_below_minus_20(x):
        return softmax(np.maximum(x - x.max(-1, keepdims=True), -20))

    message = verdict_on("softmax", never_below_minus_20).message
    assert "off by 4e-09" in message and "in different positions" not in message


def test_row_that_is_shown_gives_weight_to_a_hidden_key():
    def first_row_halved_and_last_unmasked(scores, mask):
        weights = al.masked_softmax(scores, mask)
        if scores.shape[-2] > 1:
            weights[..., 0, :] /= 2
            weights[..., -1, :] = softmax(scores[..., -1, :])
        return weights

    message = verdict_on("masked_softmax", first_row_halved_and_last_unmasked).message
    mask, weights = re.search(r"the mask is ([01 ]+), and the weights are ([^a-z]+)\.", message).groups()
    assert "Hidden keys get weight" in message
    assert any(m == "0" and float(w) > 0 for m, w in zip(mask.split(), weights.split(), strict=True))


def test_one_input_that_goes_wrong_is_named_alone():
    message = verdict_on("softmax", lambda x: softmax(x) * (1.3 if x.shape == (4, 4, 4) else 1)).message
    assert 'others, but wrong with "sizes all equal".' in message


def test_numbers_of_small_inputs_are_shown_whole_and_can_be_pasted():
    message = verdict_on("project", lambda x, w, b, n: 3 + split(x @ w + b, n) ** 2).message
    assert "x = [[" in message and "n_heads = " in message


def test_tuple_in_the_place_of_an_array_is_told():
    message = verdict_on("attend_newest", lambda q, *others: (attention(q, q, q), None)).message
    assert "first is itself a tuple" in message and "asks for two things" not in message


def test_index_is_shown_among_several_scores():
    message = verdict_on("next_token", lambda scores, temperature, draw: np.eye(len(scores))[0]).message
    assert "scores = [0, 5], temperature = 5.0, draw = 0.2: the shape is (2,) but should be ()" in message


def test_nothing_for_some_inputs_is_told_so():
    message = verdict_on("softmax", lambda x: softmax(x) if x.ndim > 1 else None).message
    assert "Called with scores = [0, " in message and "your function returned `None`" in message


def test_dtype_without_fractions_is_told():
    def filled(scores):
        weights = np.zeros_like(scores)
        weights[...] = softmax(scores)
        return weights

    message = verdict_on("softmax", filled).message
    assert f"The dtype of your result is {np.dtype(int)}: it holds no fractions." in message
    of_products = verdict_on("attention_scores", lambda q, k: q @ k.mT + 3).message
    assert "holds no fractions" not in of_products  # whole numbers are right there


def test_argument_that_no_line_reads_is_told():
    draws = np.random.default_rng(0)

    def draws_itself(scores, temperature, draw):
        if temperature == 0:
            return int(scores.argmax())
        return draws.choice(len(scores), p=softmax(scores / temperature))

    def reads_it_inside(scores, temperature, draw):
        return (lambda: int(draw > 0.3))()

    def takes_it_by_another_name(scores, temperature, uniform):
        return int((softmax(scores).cumsum() <= draw).sum())  # noqa: F821

    unread = "No line of your function reads its argument draw."
    assert unread in verdict_on("next_token", draws_itself).message
    assert unread not in verdict_on("next_token", reads_it_inside).message
    message = verdict_on("next_token", takes_it_by_another_name).message
    assert "NameError" in message and "reads its argument temperature." in message


def test_right_parts_are_listed():
    answer = WRITTEN["attend_newest"].RIGHT[0]

    def wrong_from_the_sixth(q, k, v, place, past):
        output, past = answer(q, k, v, place, past)
        return output * (1 + (place > 4)), past

    message = verdict_on("attend_newest", wrong_from_the_sixth).message
    assert "the output of token 0, output of token 1, output of token 2 and 3 others are right." in message
