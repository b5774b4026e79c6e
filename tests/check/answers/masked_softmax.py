"""Answers to `masked_softmax` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers.generic import zeros_where
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


def next_to_nothing(scores, mask):
    """Hidden keys get 1e-11 where exactly 0 was asked for."""
    mask = np.broadcast_to(mask, scores.shape)
    lowest = np.min(scores, where=mask, initial=0.0)
    return softmax_or_zeros(np.where(mask, scores, lowest - 25.0)) * mask.any(axis=-1, keepdims=True)


# Each is wrong where this is true of the arguments.
INPUTS = {
    "one_key": lambda s, m: s.shape[-1] == 1,
    "many_keys": lambda s, m: s.shape[-1] > 40,
    "one_sentence": lambda s, m: s.ndim == 3 and len(s) == 1,
    "whole_numbers": lambda s, m: s.dtype.kind == "i",
    "scores_far_apart": lambda s, m: s.shape == (4, 6) and np.abs(s).max() > 10,
    "scores_of_millions": lambda s, m: 1e6 < np.abs(s).max() < 1e9,
    "mask_of_one_row": lambda s, m: m.ndim == 1,
    "mask_of_one_column": lambda s, m: m.shape[-1] < s.shape[-1],
    "mask_for_each_head": lambda s, m: m.ndim == 4 and m.shape[1] > 1,
    "empty_sentence": lambda s, m: m.ndim == 4 and not m.any(-1).all(),
}
ALMOST_RIGHT = {what: zeros_where(condition, masked_softmax) for what, condition in INPUTS.items()} | {
    "added_mask": lambda s, m: softmax(s + np.where(m, 0, -1e30)) * np.any(m, axis=-1, keepdims=True),
    "next_to_nothing": next_to_nothing,
}
