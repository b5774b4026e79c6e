"""Answers to `induction_score` as learners write them."""

import numpy as np

from tests.check.answers.generic import zeros_where


def of_queries(first, offset, last=0):
    """The mean over the queries from n + first to the last one, each on the key n - offset before."""

    def answer(weights):
        n = weights.shape[-1] // 2
        i = np.arange(n + first, 2 * n - last)
        return weights[..., i, i - n + offset].mean(-1)

    return answer


plain = of_queries(0, 1)


WRONG = {
    "same-token-instead": [of_queries(0, 0)],
    "one-position-late": [
        lambda weights: np.diagonal(weights, 2 - weights.shape[-1] // 2, -2, -1)[..., 2:].mean(-1)
    ],
    "last-of-the-first-half": [of_queries(-1, 1), of_queries(-1, 1, 1)],
    "last-token-left-out": [of_queries(0, 1, 1)],
    "queries-for-keys": [lambda weights: plain(weights.swapaxes(-1, -2))],
    "length-not-halved": [
        lambda weights: np.diagonal(weights, 1 - weights.shape[-1], -2, -1)[..., 1:].mean(-1)
    ],
    "heads-averaged-together": [lambda weights: plain(weights).mean()],
    "diagonal-of-the-first-axes": [
        lambda weights: np.diagonal(weights, 1 - weights.shape[-1] // 2)[..., 1:].mean(-1)
    ],
}
RIGHT = [plain]
ALMOST_RIGHT = {
    "of_heads_of_two_layers_at_most": zeros_where(lambda weights: weights.ndim == 5, plain),
    "squeezed": lambda weights: np.squeeze(plain(weights)),
    "of_what_is_below_the_main_diagonal": lambda weights: plain(np.tril(weights, -1)),
}
