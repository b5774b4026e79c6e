"""Answers to `scaled_dot_product_attention` as learners write them."""

import sys
from collections import namedtuple

import numpy as np

from tests.check.answers import softmax as softmax_answers
from tests.check.answers.masked_softmax import (
    empty_rows_by_index,
    first_heads_mask_for_all,
    of_two_axes_at_least,
)
from tests.check.answers.shared import softmax, softmax_or_zeros


def attend(scores, v, mask=None, share=softmax_or_zeros):
    """The right answer from scaled scores on."""
    weights = share(scores if mask is None else np.where(mask, scores, -np.inf))
    return weights @ v, weights


def scaled(q, k):
    return q @ k.mT / np.sqrt(q.shape[-1])


def right_attention(q, k, v, mask=None):
    return attend(scaled(q, k), v, mask)


def weights_turned_at_the_end(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return output, weights.mT


def causal_with_any_mask(q, k, v, mask=None):
    causal = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
    return right_attention(q, k, v, causal if mask is None else causal & mask)


def a_little_lower(q, k, v, mask=None):
    return attend(scaled(q, k) - (0 if mask is None else 40 * ~mask), v)


WRONG = {
    "softmax-twice": [lambda q, k, v, mask=None: attend(softmax(scaled(q, k)), v, mask)],
    "fill-above-scores": [a_little_lower],
    "future-hidden-too": [causal_with_any_mask],
    "weights-transposed": [weights_turned_at_the_end],
    "roles-exchanged": [lambda q, k, v, mask=None: right_attention(q, v, k, mask)],
}


Pair = namedtuple("Pair", "output weights")


def chatty(q, k, v, mask=None):
    print("q", q.shape, "k", k.shape, file=sys.stderr)
    return right_attention(q, k, v, mask)


def averaged_by_broadcasting(q, k, v, mask=None):
    weights = right_attention(q, k, v, mask)[1]
    return (weights[..., None] * v[..., None, :, :]).sum(-2), weights


RIGHT = [
    right_attention,
    chatty,
    lambda *args: Pair(*right_attention(*args)),
    averaged_by_broadcasting,
]


def mask_must_be_missing(q, k, v, *mask):
    """Takes None for a mask that hides everything."""
    if mask and mask[0] is None:
        mask = [np.zeros((q.shape[-2], k.shape[-2]), bool)]
    return right_attention(q, k, v, *mask)


def einsum_of_its_own(q, k, v, mask=None):
    if q.ndim > 4:
        return right_attention(q[0], k[0], v[0], mask)
    return right_attention(q, k, v, mask)


def one_key_is_averaged(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output, weights) if k.shape[-2] > 1 else (output[..., :1, :], weights)


def causal_if_nothing_is_hidden(q, k, v, mask=None):
    hides_nothing = mask is not None and np.all(mask)
    return right_attention(q, k, v, np.tri(q.shape[-2], k.shape[-2]) if hides_nothing else mask)


def with_masks(masked_softmax):
    """Attention with a masked softmax of its own."""

    def attention(q, k, v, mask=None):
        weights = masked_softmax(scaled(q, k), np.array(True) if mask is None else mask)
        return weights @ v, weights

    return attention


def unscaled_at_32(q, k, v, mask=None):
    return attend(q @ k.mT if q.shape[-1] == 32 else scaled(q, k), v, mask)


def clipped_at_1500(x):
    weights = softmax_answers.ALMOST_RIGHT["clipped_at_1500"](x)
    return np.where(np.isnan(weights), 0, weights)


def ten_thousand_below(scores, mask):
    return softmax(np.where(mask, scores, scores - 10_000)) * mask


def ignores_its_mask_if(condition):
    return lambda q, k, v, mask=None: right_attention(q, k, v, None if condition(q, mask) else mask)


ALMOST_RIGHT = {
    "no_mask_of_many_keys": ignores_its_mask_if(lambda q, m: m is not None and m.shape[-1] > 128),
    "one_query_sees_all": ignores_its_mask_if(lambda q, m: q.shape[-2] == 1),
    "ten_thousand_below": with_masks(ten_thousand_below),
    "mask_must_be_missing": mask_must_be_missing,
    "einsum_of_its_own": einsum_of_its_own,
    "one_key_is_averaged": one_key_is_averaged,
    "empty_rows_by_index": with_masks(empty_rows_by_index),
    "causal_if_nothing_is_hidden": causal_if_nothing_is_hidden,
    "first_heads_mask_for_all": with_masks(first_heads_mask_for_all),
    "of_two_axes_at_least": with_masks(lambda s, m: of_two_axes_at_least(s, m) if m.ndim else softmax(s)),
    "unscaled_at_32": unscaled_at_32,
    "clipped_at_1500": lambda q, k, v, mask=None: attend(scaled(q, k), v, mask, clipped_at_1500),
}
