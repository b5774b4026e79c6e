"""Answers to `project` as learners write them."""

import numpy as np

from tests.check.answers.generic import zeros_where


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
    "one_head": zeros_where(lambda x, w, b, n: n == 1, project),
    "two_axes_in_front": zeros_where(lambda x, *others: x.ndim == 4, project),
    "whole_if_x_is": lambda x, w, b, n: project(x, w, b, n).astype(x.dtype),
}
