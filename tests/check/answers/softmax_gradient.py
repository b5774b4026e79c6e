"""Answers to `softmax_gradient` as learners write them."""

import numpy as np


def by_row(step):
    """The answer that takes this step for each row of weights and upstream."""

    def answer(weights, upstream):
        result = np.empty(weights.shape)
        for place in np.ndindex(weights.shape[:-1]):
            result[place] = step(weights[place], upstream[place])
        return result

    return answer


def plain(weights, upstream):
    mean = (weights * upstream).sum(axis=-1, keepdims=True)
    return weights * (upstream - mean)


def with_einsum(weights, upstream):
    return weights * upstream - weights * np.einsum("...k,...k->...", weights, upstream)[..., None]


def without_the_diagonal(p, g):
    return -np.outer(p, p) @ g


def centred(weights, upstream):
    return upstream - np.sum(weights * upstream, axis=-1, keepdims=True)


def mean_minus_gradient(weights, upstream):
    return weights * np.sum(weights * upstream, axis=-1, keepdims=True) - weights * upstream


def of_two_axes(weights, upstream):
    if weights.ndim > 2:
        raise ValueError("one matrix, please")
    return plain(weights, upstream)


WRONG = {
    "weight-forgotten": [centred],
    "mean-alone": [by_row(without_the_diagonal)],
    "gradient-turned": [mean_minus_gradient],
    "mean-over-queries": [lambda w, up: w * (up - np.sum(w * up, axis=1, keepdims=True))],
}


def in_place(weights, upstream):
    """Raises for whole numbers beside fractions."""
    gradient = upstream.copy()
    gradient -= (weights * upstream).sum(axis=-1, keepdims=True)
    return weights * gradient


RIGHT = [plain, with_einsum, in_place]
ALMOST_RIGHT = {
    "no leading axes": of_two_axes,
    "rows without a weight of 1": lambda w, a: np.where(w.max(-1, keepdims=True) == 1, a, plain(w, a)),
}
