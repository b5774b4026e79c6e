"""Answers to `split_heads` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers.generic import zeros_where

WRONG = {
    "split-wrong-axes": [lambda x, n: np.swapaxes(x.reshape(*x.shape[:-1], n, x.shape[-1] // n), -1, -2)],
    "heads-reversed": [lambda x, n: np.stack(np.split(x, n, axis=-1)[::-1], axis=-3)],
}

RIGHT = [lambda x, n: np.einsum("...lhd->...hld", x.reshape(*x.shape[:-1], n, -1))]


ALMOST_RIGHT = {
    "three_axes_in_front": zeros_where(lambda x, n: x.ndim == 5, al.split_heads),
    "one_head": zeros_where(lambda x, n: n == 1, al.split_heads),
    "one_sentence": zeros_where(lambda x, n: x.ndim == 3 and len(x) == 1, al.split_heads),
}
