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


def jacobian(p, g):
    return (np.diag(p) - np.outer(p, p)) @ g


def jacobian_without_the_rest(p, g):
    return np.diag(p * (1 - p)) @ g


def without_the_diagonal(p, g):
    return -np.outer(p, p) @ g


def average_of_the_row(weights, upstream):
    return weights * (upstream - np.mean(upstream, -1)[..., None])


def average_of_the_products(weights, upstream):
    product = weights * upstream
    return product - weights * product.mean(-1)[..., None]


def down_the_columns(weights, upstream):
    queries = -2 if weights.ndim > 1 else 0
    return weights * (upstream - np.sum(weights * upstream, axis=queries, keepdims=True))


def one_mean(weights, upstream):
    return weights * (upstream - np.sum(weights * upstream))


def centred(weights, upstream):
    return upstream - np.sum(weights * upstream, axis=-1, keepdims=True)


def mean_minus_gradient(weights, upstream):
    return weights * np.sum(weights * upstream, axis=-1, keepdims=True) - weights * upstream


def of_two_axes(weights, upstream):
    if weights.ndim > 2:
        raise ValueError("one table, please")
    return plain(weights, upstream)


def with_the_weights_twice(weights, upstream):
    return weights * (weights - (weights**2).sum(-1)[..., None])


WRONG = {
    "mean-forgotten": [lambda weights, upstream: upstream * weights, by_row(jacobian_without_the_rest)],
    "mean-not-weighted": [average_of_the_row],
    "mean-divided-again": [average_of_the_products],
    "mean-over-queries": [down_the_columns],
    "mean-over-everything": [one_mean, lambda weights, upstream: weights * (upstream - upstream.mean())],
    "weight-forgotten": [centred],
    "mean-not-multiplied": [lambda w, a: w * a - np.sum(w * a, axis=-1, keepdims=True)],
    "mean-alone": [by_row(without_the_diagonal)],
    "gradient-turned": [mean_minus_gradient],
    "softmax-left-out": [lambda weights, upstream: np.array(upstream)],
    "weights-for-their-gradient": [with_the_weights_twice],
}
RIGHT = [plain, with_einsum, by_row(jacobian)]
ALMOST_RIGHT = {
    "no leading axes": of_two_axes,
    "rows without a weight of 1": lambda w, a: np.where(w.max(-1, keepdims=True) == 1, a, plain(w, a)),
}
