"""Answers to `merge_heads` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers.generic import zeros_where

WRONG = {
    "a-head-missing": [lambda x: np.concatenate([x[..., h, :, :] for h in range(x.shape[-3] - 1)], axis=-1)],
    "one-head-alone": [lambda x: x[..., 0, :, :]],
    "heads-not-merged": [lambda x: np.array(x)],
    "heads-counted-from-the-front": [
        lambda x: np.moveaxis(x, 2, 1).reshape(x.shape[0], x.shape[2], -1),
        lambda x: np.swapaxes(x, 0, 1).reshape(x.shape[1], -1),
    ],
}

RIGHT = [lambda x: np.block([x[..., h, :, :] for h in range(x.shape[-3])])]
ALMOST_RIGHT = {
    "one_sentence": zeros_where(lambda x: x.ndim == 4 and len(x) == 1, al.merge_heads),
    "one_head": zeros_where(lambda x: x.shape[-3] == 1, al.merge_heads),
    "one_token": zeros_where(lambda x: x.shape[-2] == 1, al.merge_heads),
}
