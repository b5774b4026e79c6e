"""Answers to `project` as learners write them."""

import numpy as np


def split(x, n):
    return x.reshape(*x.shape[:-1], n, -1).swapaxes(-2, -3)


def project(x, w, b, n_heads):
    return split(x @ w + b, n_heads)


WRONG = {
    "table-transposed": [lambda x, w, b, n: split(np.einsum("...i,oi->...o", x, w) + b, n)],
    "bias-multiplied": [lambda x, w, b, n: split(x @ w * b, n)],
    "split-wrong-axes": [lambda x, w, b, n: (x @ w + b).reshape(*x.shape[:-1], n, -1).swapaxes(-1, -2)],
    "bias-twice": [lambda x, w, b, n: project(x, w, b, n) + np.stack(np.split(b, n))[:, None]],
    "heads-in-front": [
        lambda x, w, b, n: np.array([x @ v + c for v, c in zip(np.split(w, n, 1), np.split(b, n))])
    ],
}

RIGHT = [project]

ALMOST_RIGHT = {
    "no_axis_for_one_head": lambda x, w, b, n: project(x, w, b, n) if n > 1 else x @ w + b,
    "swap_one_and_two": lambda x, w, b, n: (
        (x @ w + b).reshape(*x.shape[:-1], n, -1).swapaxes(*((0, 1) if x.ndim == 2 else (1, 2)))
    ),
    "whole_if_x_is": lambda x, w, b, n: project(x, w, b, n).astype(x.dtype),
}
