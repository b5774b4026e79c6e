"""Answers to `scaled_dot_product_attention` as learners write them."""

from collections import namedtuple

import numpy as np

from tests.check.answers import masked_softmax
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


Pair = namedtuple("Pair", "output weights")


RIGHT = [right_attention, lambda *args: Pair(*right_attention(*args))]


def mask_must_be_missing(q, k, v, *mask):
    """Takes None for a mask that hides everything."""
    if mask and mask[0] is None:
        mask = [np.zeros((q.shape[-2], k.shape[-2]), bool)]
    return right_attention(q, k, v, *mask)


def of_four_axes_at_most(q, k, v, mask=None):
    if q.ndim > 4:
        return right_attention(q[0], k[0], v[0], mask)
    return right_attention(q, k, v, mask)


def one_key_is_averaged(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output, weights) if k.shape[-2] > 1 else (output[..., :1, :], weights)


def causal_if_nothing_is_hidden(q, k, v, mask=None):
    hides_nothing = mask is not None and np.all(mask)
    return right_attention(q, k, v, np.tri(q.shape[-2], k.shape[-2]) if hides_nothing else mask)


def with_masks(share):
    """Attention with a masked softmax of its own."""

    def attention(q, k, v, mask=None):
        weights = share(scaled(q, k), np.array(True) if mask is None else mask)
        return weights @ v, weights

    return attention


def ignores_its_mask_if(condition):
    return lambda q, k, v, mask=None: right_attention(q, k, v, None if condition(q, mask) else mask)


ALMOST_RIGHT = {
    "no_mask_of_many_keys": ignores_its_mask_if(lambda q, m: m is not None and m.shape[-1] > 128),
    "one_query_sees_all": ignores_its_mask_if(lambda q, m: q.shape[-2] == 1),
    "ten_thousand_below": with_masks(lambda s, m: softmax(np.where(m, s, s - 10_000)) * m),
    "mask_must_be_missing": mask_must_be_missing,
    "of_four_axes_at_most": of_four_axes_at_most,
    "one_key_is_averaged": one_key_is_averaged,
    "causal_if_nothing_is_hidden": causal_if_nothing_is_hidden,
    "unscaled_at_32": lambda q, k, v, mask=None: attend(
        q @ k.mT if q.shape[-1] == 32 else scaled(q, k), v, mask
    ),
} | {
    what: with_masks(masked_softmax.ALMOST_RIGHT[what])
    for what in ("clipped_at_1500", "empty_rows_by_index", "first_heads_mask_for_all", "of_two_axes_at_least")
}
