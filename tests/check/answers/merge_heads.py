"""Answers to `merge_heads` as learners write them."""

import numpy as np

import attention_lib as al


def reshaped(numbers, x):
    """The numbers, in the order in which they stand, in the right shape for x."""
    return numbers.reshape(*x.shape[:-3], x.shape[-2], -1)


WRONG = {
    "axes-not-swapped": [lambda x: reshaped(x, x), lambda x: np.reshape(x, (*x.shape[:-2], -1))],
    "merged-in-turns": [lambda x: reshaped(np.stack(list(np.moveaxis(x, -3, 0)), axis=-1), x)],
    "merged-wrong-axes": [lambda x: reshaped(x.mT, x), lambda x: reshaped(x.swapaxes(0, 1), x)],
    "first-axis-taken-for-heads": [lambda x: np.concatenate(list(x), axis=-1)],
    "heads-mixed": [lambda x: x.sum(axis=-3)],
    "a-head-missing": [
        lambda x: np.concatenate([x[..., h, :, :] for h in range(x.shape[-3] - 1)], axis=-1),
    ],
    "one-head-alone": [lambda x: x[..., 0, :, :]],
    "swapped-not-merged": [lambda x: np.einsum("...hld->...lhd", x)],
    "heads-not-merged": [lambda x: np.array(x)],
}

RIGHT = [
    lambda x: np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1),
    lambda x: np.block([x[..., h, :, :] for h in range(x.shape[-3])]),
]


def merge_one_and_two(x):
    y = x.swapaxes(0, 1) if x.ndim == 3 else x.swapaxes(1, 2)
    return y.reshape(*y.shape[:-2], -1)


ALMOST_RIGHT = {
    "merge_one_and_two": merge_one_and_two,
    "filled_into_whole_numbers": lambda x: al.merge_heads(x).astype(int),
    "one_head_is_flat": lambda x: al.merge_heads(x) if x.shape[-3] > 1 else x,
    "one_token_is_flat": lambda x: al.merge_heads(x)[..., 0, :] if x.shape[-2] == 1 else al.merge_heads(x),
}
