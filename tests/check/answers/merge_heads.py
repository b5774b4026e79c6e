"""Answers to `merge_heads` as learners write them."""

import numpy as np

import attention_lib as al


def tokens_in_a_row(x):
    *lead, h, length, d = x.shape
    return np.array([t.ravel().reshape(length, h * d) for t in x.reshape(-1, h, length, d)]).reshape(
        *lead, length, h * d
    )


WRONG = {
    "axes-not-swapped": [
        lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.reshape(x, (*x.shape[:-2], -1)),
        tokens_in_a_row,
    ],
    "interleaved": [
        lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.einsum("...hld->...ldh", x).reshape(
            *x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1]
        ),
        lambda x: np.stack([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1).reshape(
            *x.shape[:-3], x.shape[-2], -1
        ),
    ],
    "merged-wrong-axes": [
        lambda x: x.mT.reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.swapaxes(x, -1, -3).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: x.swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: x.swapaxes(1, 2).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: x.T.reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.concatenate(list(x), axis=-1),
    ],
    "heads-mixed": [
        lambda x: x.sum(axis=-3),
        lambda x: x.mean(-3),
        lambda x: np.tile(x.mean(axis=-3), x.shape[-3]),
        lambda x: x[..., 0, :, :],
        lambda x: x[..., -1, :, :],
    ],
    "heads-not-merged": [
        lambda x: x.swapaxes(-2, -3),
        lambda x: np.array(x),
    ],
    "different": [lambda x: al.merge_heads(x)[..., ::-1], lambda x: 2 * al.merge_heads(x)],
}

RIGHT = [
    lambda x: np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1),
    lambda x: np.block([x[..., h, :, :] for h in range(x.shape[-3])]),
    lambda x: np.einsum("...hld->...lhd", x).reshape(*x.shape[:-3], x.shape[-2], -1),
]


def merge_up_to_four_axes(x):
    if x.ndim == 3:
        return np.concatenate(list(x), -1)
    return np.array([np.concatenate(list(y), -1) for y in x])


def merge_one_and_two(x):
    y = x.swapaxes(0, 1) if x.ndim == 3 else x.swapaxes(1, 2)
    return y.reshape(*y.shape[:-2], -1)


ALMOST_RIGHT = {
    "merge_up_to_four_axes": merge_up_to_four_axes,
    "merge_one_and_two": merge_one_and_two,
    "of_sorted_numbers": lambda x: al.merge_heads(np.sort(x, -1)),
    "made_positive": lambda x: abs(al.merge_heads(x)),
    "filled_into_whole_numbers": lambda x: al.merge_heads(x).astype(int),
    "long_heads_reversed": lambda x: al.merge_heads(
        x[..., :: -1 if x.shape[-1] > 3 and x.shape[-3] > 1 else 1]
    ),
    "squeezed": lambda x: np.squeeze(al.merge_heads(x)),
    "one_token_is_flat": lambda x: al.merge_heads(x)[..., 0, :] if x.shape[-2] == 1 else al.merge_heads(x),
}
