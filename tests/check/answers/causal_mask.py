"""Answers to `causal_mask` as learners write them."""

import numpy as np


def cut_at_the_diagonal(n):
    mask = np.zeros((n, n), bool)
    for i in range(n):
        mask[i, :i] = True
    return mask


def window(n):
    mask = np.zeros((n, n), bool)
    for i in range(n):
        mask[i, max(0, i - 1) : i + 1] = True
    return mask


WRONG = {
    "mask-upside-down": [lambda n: np.triu(np.ones((n, n)), k=1) == 1],
    "diagonal-hidden": [cut_at_the_diagonal],
    "future-leaks": [
        lambda n: [[j <= i + 1 for j in range(n)] for i in range(n)],
        lambda n: np.ones((n, n), dtype=bool),
    ],
    "transposed": [lambda n: np.arange(n)[:, None] <= np.arange(n)[None, :]],
    "past-hidden": [lambda n: np.eye(n, dtype=bool), window],
    "rows-upside-down": [lambda n: np.fliplr(np.tril(np.ones((n, n), bool)))],
    "everything-hidden": [lambda n: [[i < j < i for j in range(n)] for i in range(n)]],
    "wrong-type": [lambda n: np.array([[j <= i for j in range(n)] for i in range(n)], dtype=object)],
}


def mask_by_appending(n):
    rows = []
    for i in range(n):
        rows.append([True] * (i + 1) + [False] * (n - i - 1))
    return tuple(map(tuple, rows))


RIGHT = [
    mask_by_appending,
    lambda n: ~np.triu(np.ones((n, n), dtype=bool), k=1),
    lambda n: np.greater_equal.outer(range(n), range(n)),
]


def in_eight_bits(n):
    positions = np.arange(n).astype(np.int8)
    return positions[:, None] >= positions


ALMOST_RIGHT = {
    "empty_for_one": lambda n: np.tri(n, dtype=bool) if n > 1 else np.array([[False]]),
    "in_eight_bits": in_eight_bits,
}
