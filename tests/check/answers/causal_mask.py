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
    "polarity-inverted": [
        lambda n: ~np.tri(n, dtype=bool),
        lambda n: np.triu(np.ones((n, n)), k=1) == 1,
        lambda n: np.arange(n)[:, None] < np.arange(n),
        lambda n: [[j > i for j in range(n)] for i in range(n)],
    ],
    "diagonal-hidden": [
        lambda n: np.tri(n, k=-1, dtype=bool),
        lambda n: np.arange(n)[:, None] > np.arange(n),
        cut_at_the_diagonal,
    ],
    "future-leaks": [
        lambda n: np.tril(np.ones((n, n), bool), k=1),
        lambda n: np.arange(n) <= np.arange(n)[:, None] + 1,
        lambda n: [[j <= i + 1 for j in range(n)] for i in range(n)],
        lambda n: np.ones((n, n), dtype=bool),
    ],
    "transposed": [
        lambda n: np.triu(np.ones((n, n), bool)),
        lambda n: np.tri(n, dtype=bool).T,
        lambda n: np.arange(n)[:, None] <= np.arange(n)[None, :],
    ],
    "past-hidden": [lambda n: np.eye(n, dtype=bool), window],
    "rows-upside-down": [
        lambda n: np.tri(n, dtype=bool)[::-1],
        lambda n: np.fliplr(np.tril(np.ones((n, n), bool))),
    ],
    "everything-hidden": [
        lambda n: np.zeros((n, n), dtype=bool),
        lambda n: [[i < j < i for j in range(n)] for i in range(n)],
    ],
    "wrong-type": [lambda n: np.array([[j <= i for j in range(n)] for i in range(n)], dtype=object)],
    "different": [
        lambda n: np.arange(n)[:, None] % 3 == np.arange(n) % 3,
        lambda n: np.arange(n)[:, None] % 2 == np.arange(n) % 2,
    ],
}


def mask_by_appending(n):
    rows = []
    for i in range(n):
        rows.append([True] * (i + 1) + [False] * (n - i - 1))
    return tuple(map(tuple, rows))


RIGHT = [
    mask_by_appending,
    lambda n: np.arange(n)[:, None] >= np.arange(n),
    lambda n: np.triu(np.ones((n, n), bool)).T,
    lambda n: ~np.triu(np.ones((n, n), dtype=bool), k=1),
    lambda n: np.cumsum(np.eye(n), axis=0) == 1 if n > 1 else np.array([[True]]),
    lambda n: np.greater_equal.outer(range(n), range(n)),
]


def positions(dtype):
    return lambda n: np.arange(n).astype(dtype)[:, None] >= np.arange(n).astype(dtype)


ALMOST_RIGHT = {
    "up_to_eight": lambda n: np.tri(n, dtype=bool) | (np.arange(n) >= 8)[:, None],
    "window_of_ten": lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-10, dtype=bool),
    "squeezed": lambda n: np.squeeze(np.tri(n, dtype=bool)),
    "empty_for_one": lambda n: np.tri(n, dtype=bool) if n > 1 else np.array([[False]]),
    "in_eight_bits": positions(np.int8),
    "in_eight_bits_unsigned": positions(np.uint8),
}
