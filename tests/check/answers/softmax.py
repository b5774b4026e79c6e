"""Answers to `softmax` as learners write them."""

import math

import numpy as np

from tests.check.answers.shared import softmax


def power(x):
    return np.exp(x - x.max(-1, keepdims=True))


def divided_by_sum(powers):
    return powers / powers.sum(-1, keepdims=True)


def below_the_columns(x):
    return divided_by_sum(np.exp(x - x.max(-2 if x.ndim > 1 else -1, keepdims=True)))


def overflows_in_plain_python(x):
    if x.ndim > 1:
        return np.array([overflows_in_plain_python(row) for row in x])
    return divided_by_sum(np.array([math.exp(score) for score in x]))


WRONG = {
    "overflows": [overflows_in_plain_python],
    "not-normalised": [power],
    "divided-by-the-mean": [lambda x: power(x) / np.mean(power(x), axis=-1, keepdims=True)],
    "lost-beside-epsilon": [
        lambda x: (e := np.exp(x - np.amax(x))) / (np.sum(e, axis=-1, keepdims=True) + 1e-8)
    ],
    "maximum-over-queries": [below_the_columns],
    "softmax-missing": [lambda x: np.array(x.tolist())],
    "softmax-twice": [lambda x: softmax(softmax(x))],
    "divided-without-exp": [lambda x: np.divide(x, np.einsum("...j->...", x)[..., None])],
    "sigmoid-not-softmax": [lambda x: 1 / (1 + np.exp(-x))],
    "winner-takes-all": [lambda x: (x == x.max(-1, keepdims=True)) * 1.0],
    "scores-ignored": [lambda x: softmax(np.zeros(np.shape(x)))],
}


RIGHT = [
    softmax,
    lambda x: divided_by_sum(np.exp(x - x.max(-1, keepdims=True), out=x.copy())),  # refuses whole numbers
    lambda x: softmax(x).tolist(),
    lambda x: softmax(x).astype(object),
    lambda x: softmax(np.longdouble(x)),
    lambda x: np.matrix(softmax(x)) if x.ndim == 2 else softmax(x),
]
ALMOST_RIGHT = {
    "minus_700": lambda x: softmax(x) if x.max() > 0 else divided_by_sum(np.exp(x - 700)),
    "small_shares_cut_off": lambda x: np.where(softmax(x) < 5e-5, 0, softmax(x)),
    "nan_after_infinity": lambda x: np.where(np.isinf(x[..., :1]), np.nan, softmax(x)),
    "clipped_at_1500": lambda x: softmax(np.minimum(x, 1500)),
    "one_key_is_no_key": lambda x: softmax(x) if x.shape[-1] > 1 else np.zeros(x.shape),
    "first_sentence_of_one": lambda x: softmax(x)[0] if x.ndim == 3 and len(x) == 1 else softmax(x),
    "filled_into_whole_numbers": lambda x: softmax(x).astype(x.dtype),
}
