"""Answers to `project` as learners write them."""

import numpy as np

import attention_lib as al


def split(x, n):
    return x.reshape(*x.shape[:-1], n, -1).swapaxes(-2, -3)


def project(x, w, b, n_heads):
    return split(x @ w + b, n_heads)


def turned(x, w, b):
    return x @ w.T + b


def turned_by_einsum(x, w, b):
    return np.einsum("...i,oi->...o", x, w) + b


def in_turns(x, n):
    return np.stack([x[..., h::n] for h in range(n)], axis=-3)


def in_turns_by_reshape(x, n):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3)


def reshaped(x, n):
    return x.reshape(*x.shape[:-2], n, x.shape[-2], -1)


def reshaped_in_a_loop(x, n):
    if x.ndim > 2:
        return np.stack([reshaped_in_a_loop(y, n) for y in x])
    return x.reshape(n, len(x), x.shape[1] // n)


def left_as_they_are(x, n):
    return x.reshape(*x.shape[:-1], n, x.shape[-1] // n)


def bias_in_place(x, w, b, n_heads):
    result = project(x, w, b, n_heads)
    b += 1
    return result


def bias_into_x(x, w, b, n_heads):
    result = project(x, w, b, n_heads)
    x[..., 0] = 1
    return result


WRONG = {
    "table-transposed": [
        lambda x, w, b, n: split(x @ w.T + b, n),
        lambda x, w, b, n: split(turned_by_einsum(x, w, b), n),
    ],
    "bias-forgotten": [
        lambda x, w, b, n: split(x @ w, n),
        lambda x, w, b, n: np.stack([x @ small for small in np.split(w, n, 1)], -3),
    ],
    "bias-subtracted": [
        lambda x, w, b, n: split(x @ w - b, n),
        lambda x, w, b, n: split(x @ w, n) - b.reshape(n, 1, -1),
    ],
    "axes-not-swapped": [
        lambda x, w, b, n: reshaped(x @ w + b, n),
        lambda x, w, b, n: left_as_they_are(x @ w + b, n),
        lambda x, w, b, n: np.stack(np.split(x @ w + b, n, axis=-1), axis=-2),
    ],
    "interleaved": [
        lambda x, w, b, n: in_turns(x @ w + b, n),
        lambda x, w, b, n: np.stack([x @ w[:, h::n] + b[h::n] for h in range(n)], -3),
    ],
    "heads-in-front": [
        lambda x, w, b, n: np.stack(np.split(x @ w + b, n, axis=-1)),
        lambda x, w, b, n: np.array([x @ v + c for v, c in zip(np.split(w, n, 1), np.split(b, n))]),
    ],
    "heads-not-cut": [
        lambda x, w, b, n: x @ w + b,
        lambda x, w, b, n: np.dot(x, w) + b,
        lambda x, w, b, n: (x @ w + b)[..., None, :, :],
    ],
    "sizes-exchanged": [
        lambda x, w, b, n: split(x @ w + b, w.shape[-1] // n),
        lambda x, w, b, n: np.einsum("...lhd->...hdl", (x @ w + b).reshape(*x.shape[:-1], n, -1)),
        lambda x, w, b, n: project(x, w, b, n).mT,
    ],
    "input-changed": [bias_in_place, bias_into_x],
    "different": [
        lambda x, w, b, n: project(x, w, b, n) + 1,
        lambda x, w, b, n: project(x, w, b, n) ** 2,
    ],
}

RIGHT = [
    project,
    lambda x, w, b, n: np.stack([x @ v + c for v, c in zip(np.split(w, n, axis=1), np.split(b, n))], axis=-3),
    lambda x, w, b, n: np.einsum("...li,iho->...hlo", x, w.reshape(len(w), n, -1)) + b.reshape(n, 1, -1),
    lambda x, w, b, n: x[..., None, :, :] @ np.stack(np.split(w, n, 1)) + b.reshape(n, 1, -1),
    lambda x, w, b, n: al.split_heads(x @ w + b, n),
    lambda x, w, b, n: split((w.T @ x.mT).mT + b, n).tolist(),
]

ALMOST_RIGHT = {
    "bias_to_five_decimals": lambda x, w, b, n: project(x, w, np.round(b, 5), n),
    "squeezed": lambda x, w, b, n: np.squeeze(project(x, w, b, n)),
    "no_axis_for_one_head": lambda x, w, b, n: project(x, w, b, n) if n > 1 else x @ w + b,
    "swap_one_and_two": lambda x, w, b, n: (
        (x @ w + b).reshape(*x.shape[:-1], n, -1).swapaxes(*((0, 1) if x.ndim == 2 else (1, 2)))
    ),
    "whole_if_x_is": lambda x, w, b, n: project(x, w, b, n).astype(x.dtype),
}
