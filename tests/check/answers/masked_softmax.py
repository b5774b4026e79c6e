"""Answers to `masked_softmax` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers import softmax as softmax_answers
from tests.check.answers.shared import softmax, softmax_or_zeros


def masked_softmax(scores, mask):
    return softmax_or_zeros(np.where(mask, scores, -np.inf))


WRONG = {
    "filled-with-minimum": [lambda s, m: softmax_or_zeros(np.where(m, s, np.min(s)))],
    "fill-too-small": [lambda s, m: softmax_or_zeros(np.where(m, s, -10))],
    "plus-infinity": [lambda s, m: softmax_or_zeros(np.where(m, s, np.nan))],
    "one-mask-for-all": [lambda s, m: masked_softmax(s, np.broadcast_to(m, s.shape)[..., :1, :])],
    "zero-taken-for-hidden": [lambda s, m: masked_softmax(s, s * m != 0)],
    "library-used": [lambda x, m: np.asarray(al.masked_softmax(np.array(x), np.array(m)).tolist())],
    "softmax-twice": [lambda s, m: masked_softmax(softmax(s), m)],
    "scores-ignored": [lambda x, m: np.zeros(x.shape) + m / np.maximum(m.sum(-1, keepdims=True), 1)],
}
RIGHT = [masked_softmax]


def hidden_with(share):
    """The same, with hidden scores at -inf and empty rows seen to."""

    def masked_softmax(scores, mask):
        some = np.any(np.broadcast_to(mask, scores.shape), -1, keepdims=True)
        w = share(np.where(some, np.where(mask, scores, -np.inf), 0.0))
        return np.where(some if w.shape == scores.shape else True, w, 0)

    return masked_softmax


def of_forty_keys(scores, mask):
    """Masks longer than 32 keys are cut."""
    mask = np.array(np.broadcast_to(mask, scores.shape))
    mask[..., 32:] = True
    return masked_softmax(scores, mask)


def empty_rows_by_index(scores, mask):
    """The mask must have as many rows as the table."""
    w = softmax(np.where(mask, scores, -np.inf))
    if np.isnan(w).any():
        w[~mask.any(-1)] = 0
    return w


def of_two_axes_at_least(scores, mask):
    return masked_softmax(scores, mask if mask.ndim != 1 else mask[: scores.shape[-2], None])


def first_heads_mask_for_all(scores, mask):
    return masked_softmax(scores, mask[:, :1] if mask.ndim == 4 else mask)


def next_to_nothing(scores, mask):
    """Hidden keys get 1e-11 where exactly 0 was asked for."""
    mask = np.broadcast_to(mask, scores.shape)
    lowest = np.min(scores, where=mask, initial=0.0)
    return softmax_or_zeros(np.where(mask, scores, lowest - 25.0)) * mask.any(axis=-1, keepdims=True)


ALMOST_RIGHT = {
    what: hidden_with(softmax_answers.ALMOST_RIGHT[what])
    for what in ("small_shares_cut_off", "clipped_at_1500", "one_key_is_no_key", "first_sentence_of_one")
} | {
    "filled_into_whole_numbers": lambda s, m: masked_softmax(s, m).astype(s.dtype),
    "added_mask": lambda s, m: softmax(s + np.where(m, 0, -1e30)) * np.any(m, axis=-1, keepdims=True),
    "first_heads_mask_for_all": first_heads_mask_for_all,
    "empty_rows_by_index": empty_rows_by_index,
    "of_two_axes_at_least": of_two_axes_at_least,
    "of_forty_keys": of_forty_keys,
    "next_to_nothing": next_to_nothing,
    "column_is_the_first": lambda s, m: masked_softmax(s, m & (np.arange(s.shape[-1]) < m.shape[-1])),
}
