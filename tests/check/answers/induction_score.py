"""Answers to `induction_score` as learners write them."""

import numpy as np


def of_queries(first, offset, last=0):
    """The mean over the queries from n + first to the last one, each on the key n - offset before."""

    def answer(weights):
        n = weights.shape[-1] // 2
        i = np.arange(n + first, 2 * n - last)
        return weights[..., i, i - n + offset].mean(-1)

    return answer


def diagonal(weights):
    n = weights.shape[-1] // 2
    return np.diagonal(weights, 1 - n, -2, -1)


# Right ones


def in_a_loop(weights):
    n = weights.shape[-1] // 2
    total = 0
    for i in range(n, 2 * n):
        total = total + weights[..., i, i - n + 1]
    return total / n


def by_a_mask(weights):
    length = weights.shape[-1]
    n = length // 2
    pairs = np.eye(length, k=1 - n, dtype=bool)
    pairs[:n] = False
    return np.where(pairs, weights, 0).sum((-2, -1)) / n


def of_the_lower_left_quarter(weights):
    n = weights.shape[-1] // 2
    return np.diagonal(weights[..., n:, :n], 1, -2, -1).mean(-1)


WRONG = {
    "same-token-instead": [of_queries(0, 0)],
    "one-position-late": [
        lambda weights: np.diagonal(weights, 2 - weights.shape[-1] // 2, -2, -1)[..., 2:].mean(-1),
        lambda weights: np.diagonal(weights, 2 - weights.shape[-1] // 2, -2, -1).mean(-1),
    ],
    "last-of-the-first-half": [
        of_queries(-1, 1),
        of_queries(-1, 1, 1),
    ],
    "last-token-left-out": [of_queries(0, 1, 1), of_the_lower_left_quarter],
    "queries-for-keys": [lambda weights: of_queries(0, 1)(weights.swapaxes(-1, -2))],
    "length-not-halved": [
        lambda weights: np.diagonal(weights, 1 - weights.shape[-1], -2, -1)[..., 1:].mean(-1),
        lambda weights: np.diagonal(weights, 1 - weights.shape[-1], -2, -1).mean(-1),
    ],
    "heads-averaged-together": [lambda weights: diagonal(weights)[..., 1:].mean()],
    "diagonal-of-the-first-axes": [
        lambda weights: np.diagonal(weights, 1 - weights.shape[-1] // 2)[..., 1:].mean(-1)
    ],
}
RIGHT = [of_queries(0, 1), in_a_loop, by_a_mask]
ALMOST_RIGHT = {
    "of_heads_of_two_layers_at_most": lambda weights: (
        of_queries(0, 1)(weights) if weights.ndim < 5 else np.zeros(weights.shape[:-2])
    ),
    "squeezed": lambda weights: np.squeeze(of_queries(0, 1)(weights)),
    "of_what_is_below_the_main_diagonal": lambda weights: of_queries(0, 1)(np.tril(weights, -1)),
}
