"""Answers to `scaled_dot_product_attention` as learners write them."""

import numpy as np

from tests.check.answers.generic import zeros_where
from tests.check.answers.shared import softmax, softmax_or_zeros


def attend(scores, v, mask=None):
    """The right answer from scaled scores on."""
    weights = softmax_or_zeros(scores if mask is None else np.where(mask, scores, -np.inf))
    return weights @ v, weights


def scaled(q, k):
    return q @ k.mT / np.sqrt(q.shape[-1])


def right_attention(q, k, v, mask=None):
    return attend(scaled(q, k), v, mask)


def causal_with_any_mask(q, k, v, mask=None):
    causal = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
    return right_attention(q, k, v, causal if mask is None else causal & mask)


WRONG = {
    "softmax-twice": [lambda q, k, v, mask=None: attend(softmax(scaled(q, k)), v, mask)],
    "future-hidden-too": [causal_with_any_mask],
    "roles-exchanged": [lambda q, k, v, mask=None: right_attention(q, v, k, mask)],
}


RIGHT = [right_attention, lambda *args: list(right_attention(*args))]


# Each is wrong where this is true of the arguments.
INPUTS = {
    "three_axes_in_front": lambda q, *others: q.ndim == 5,
    "one_query": lambda q, *others: q.shape[-2] == 1,
    "one_key": lambda q, k, *others: k.shape[-2] == 1,
    "one_sentence": lambda q, *others: q.ndim == 3 and len(q) == 1,
    "none_for_a_mask": lambda *given: len(given) == 4 and given[3] is None,
    "many_keys": lambda q, k, *others: k.shape[-2] > 128,
    "mask_that_hides_nothing": lambda q, k, v, mask=None: np.shape(mask) == (4, 6) and mask.all(),
}
ALMOST_RIGHT = {what: zeros_where(condition, right_attention) for what, condition in INPUTS.items()}
