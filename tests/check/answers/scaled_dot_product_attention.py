"""Answers to `scaled_dot_product_attention` as learners write them."""

import sys
from collections import namedtuple

import numpy as np

from tests.check.answers import softmax as softmax_answers
from tests.check.answers.masked_softmax import (
    column_is_the_first,
    empty_rows_by_index,
    fill_a_copy,
    first_heads_mask_for_all,
    of_two_axes_at_least,
)
from tests.check.answers.shared import softmax, softmax_or_zeros
from tests.check.answers.softmax import naive, shifted


def attend(scores, v, mask=None, share=softmax_or_zeros):
    """The right answer from scaled scores on."""
    weights = share(scores if mask is None else np.where(mask, scores, -np.inf))
    return weights @ v, weights


def scaled(q, k):
    return q @ k.mT / np.sqrt(q.shape[-1])


def right_attention(q, k, v, mask=None):
    return attend(scaled(q, k), v, mask)


def with_average(average):
    """Right weights, and something else done with the values."""

    def attention(q, k, v, mask=None):
        weights = right_attention(q, k, v, mask)[1]
        return average(weights, k, v), weights

    return attention


def paired_twice(q, k, v, mask=None):
    scores = np.inner(q, k) / np.sqrt(q.shape[-1])
    weights = softmax_or_zeros(scores if mask is None else np.where(mask, scores, -np.inf))
    return np.dot(weights, v), weights


def weights_turned_at_the_end(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return output, weights.mT


def causal_with_any_mask(q, k, v, mask=None):
    causal = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
    return right_attention(q, k, v, causal if mask is None else causal & mask)


WRONG = {
    "batches-paired": [paired_twice],
    "softmax-twice": [lambda q, k, v, mask=None: attend(softmax(scaled(q, k)), v, mask)],
    "overflows": [lambda q, k, v, mask=None: attend(scaled(q, k), v, mask, naive)],
    "one-maximum-for-all": [lambda q, k, v, mask=None: attend(scaled(q, k), v, mask, shifted(np.max))],
    "fill-above-scores": [
        lambda q, k, v, mask=None: attend(scaled(q, k) - (0 if mask is None else 40 * ~mask), v)
    ],
    "future-hidden-too": [causal_with_any_mask],
    "weights-transposed": [
        with_average(lambda w, k, v: np.einsum("...ji,...jd->...id", w, v)),
        weights_turned_at_the_end,
    ],
    "roles-exchanged": [
        lambda q, k, v, mask=None: right_attention(q, v, k, mask),
    ],
}


Pair = namedtuple("Pair", "output weights")


def chatty(q, k, v, mask=None):
    print("q", q.shape, "k", k.shape, file=sys.stderr)
    return right_attention(q, k, v, mask)


def low_fill_handled(q, k, v, mask=None):
    scores = scaled(q, k)
    weights = softmax(scores if mask is None else fill_a_copy(-1e9)(scores, mask))
    weights = weights if mask is None else weights * np.any(mask, -1, keepdims=True)
    return weights @ v, weights


RIGHT = [
    right_attention,
    chatty,
    low_fill_handled,
    lambda *args: Pair(*right_attention(*args)),
    with_average(lambda w, k, v: (w[..., None] * v[..., None, :, :]).sum(-2)),
]


def mask_must_be_missing(q, k, v, *mask):
    """Takes None for a mask that hides everything."""
    if not mask:
        return right_attention(q, k, v)
    return right_attention(
        q, k, v, np.zeros((q.shape[-2], k.shape[-2]), bool) if mask[0] is None else mask[0]
    )


def einsum_of_its_own(q, k, v, mask=None):
    if q.ndim > 4:
        return right_attention(q[0], k[0], v[0], mask)
    return right_attention(q, k, v, mask)


def values_of_one_number(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output[..., 0] if v.shape[-1] == 1 else output), weights


def one_key_is_averaged(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output, weights) if k.shape[-2] > 1 else (output[..., :1, :], weights)


def long_tables_are_cut(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    weights[..., 16:] = 0
    return output, weights


def in_place_on_whole_numbers(q, k, v, mask=None):
    q = q.copy()
    q *= q.shape[-1] ** -0.5
    return attend(q @ k.mT, v, mask)


def maximum_over_hidden_keys(q, k, v, mask=None):
    scores = scaled(q, k)
    powers = np.exp(scores - scores.max(-1, keepdims=True)) * (1 if mask is None else mask)
    total = powers.sum(-1, keepdims=True)
    weights = powers / np.where(total == 0, 1, total)
    return weights @ v, weights


def causal_if_nothing_is_hidden(q, k, v, mask=None):
    hides_nothing = mask is not None and np.all(mask)
    return right_attention(q, k, v, np.tri(q.shape[-2], k.shape[-2]) if hides_nothing else mask)


def with_masks(masked_softmax):
    """Attention with a masked softmax of its own."""

    def attention(q, k, v, mask=None):
        weights = masked_softmax(scaled(q, k), np.array(True) if mask is None else mask)
        return weights @ v, weights

    return attention


def zeros_for_float32_with_a_mask(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (0 * output, weights) if mask is not None and q.dtype == np.float32 else (output, weights)


def zero_where_nan(share):
    return lambda x: np.where(np.isnan(w := share(x)), 0, w)


def unscaled_if(condition):
    return lambda q, k, v, mask=None: attend(q @ k.mT if condition(q.shape[-1]) else scaled(q, k), v, mask)


def ten_thousand_below(scores, mask):
    return softmax(np.where(mask, scores, scores - 10_000)) * mask


def one_query_sees_all(q, k, v, mask=None):
    return right_attention(q, k, v, mask if q.shape[-2] > 1 else None)


def ignores_its_mask_if(condition):
    return lambda q, k, v, mask=None: right_attention(q, k, v, None if condition(q, mask) else mask)


ALMOST_RIGHT = {
    "no_mask_for_all_sentences": ignores_its_mask_if(lambda q, m: q.ndim == 3 and np.ndim(m) == 2),
    "no_mask_for_one_sentence": ignores_its_mask_if(lambda q, m: len(q) == 1),
    "no_mask_of_many_keys": ignores_its_mask_if(lambda q, m: m is not None and m.shape[-1] > 128),
    "ten_thousand_below": with_masks(ten_thousand_below),
    "one_query_sees_all": one_query_sees_all,
    "mask_must_be_missing": mask_must_be_missing,
    "einsum_of_its_own": einsum_of_its_own,
    "values_of_one_number": values_of_one_number,
    "one_key_is_averaged": one_key_is_averaged,
    "long_tables_are_cut": long_tables_are_cut,
    "in_place_on_whole_numbers": in_place_on_whole_numbers,
    "maximum_over_hidden_keys": maximum_over_hidden_keys,
    "empty_rows_by_index": with_masks(empty_rows_by_index),
    "causal_if_nothing_is_hidden": causal_if_nothing_is_hidden,
    "first_heads_mask_for_all": with_masks(first_heads_mask_for_all),
    "column_is_the_first": with_masks(column_is_the_first),
    "of_two_axes_at_least": with_masks(lambda s, m: of_two_axes_at_least(s, m) if m.ndim else softmax(s)),
    "zeros_for_float32_with_a_mask": zeros_for_float32_with_a_mask,
    "unscaled_at_32": unscaled_if(lambda d_k: d_k == 32),
    "unscaled_beyond_64": unscaled_if(lambda d_k: d_k > 64),
    "clipped_at_1500": lambda q, k, v, mask=None: attend(
        scaled(q, k), v, mask, zero_where_nan(softmax_answers.ALMOST_RIGHT["clipped_at_1500"])
    ),
}
