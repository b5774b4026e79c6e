"""Answers to `softmax` as learners write them."""

import math

import numpy as np

from tests.check.answers.generic import zeros_where
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
    lambda x: softmax(np.float32(x)).astype(float),
    lambda x: np.matrix(softmax(x)) if x.ndim == 2 else softmax(x),
]
# Each is wrong where this is true of the scores.
INPUTS = {
    "far_below_zero": lambda x: x.max() < -100,
    "far_apart": lambda x: x.shape == (4, 6) and np.abs(x).max() > 10,
    "minus_infinity": lambda x: np.isneginf(x).any() and x.max() < 1e6,
    "millions_beside_minus_infinity": lambda x: np.isneginf(x).any() and x.max() > 1e6,
    "one_key": lambda x: x.shape[-1] == 1,
    "one_sentence": lambda x: x.ndim == 3 and len(x) == 1,
    "whole_numbers": lambda x: x.dtype.kind == "i",
}
ALMOST_RIGHT = {what: zeros_where(condition, softmax) for what, condition in INPUTS.items()}
