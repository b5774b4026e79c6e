"""Answers to `merge_heads` as learners write them."""

import numpy as np

import attention_lib as al

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
    "one_number_turned": lambda x: (
        np.concatenate([*np.moveaxis(x, -3, 0)], -1) if x.shape[-1] > 1 else x[..., 0].T
    ),
    "one_head_is_flat": lambda x: al.merge_heads(x) if x.shape[-3] > 1 else x,
    "one_token_is_flat": lambda x: al.merge_heads(x)[..., 0, :] if x.shape[-2] == 1 else al.merge_heads(x),
}
