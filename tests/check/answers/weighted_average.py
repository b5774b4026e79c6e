"""Answers to `weighted_average` as learners write them."""

import numpy as np


def of_one_sentence(weights, values):
    return np.array([sum(w * value for w, value in zip(row, values)) for row in weights])


WRONG = {
    "weights-transposed": [lambda w, v: w.mT @ v],
    "values-of-all-tables": [np.dot],
    "weights-not-used": [lambda w, v: np.stack([v.mean(axis=-2)] * w.shape[-2], axis=-2)],
    "divided-once-more": [lambda w, v: (w[..., None] * v[..., None, :, :]).mean(axis=-2)],
    "largest-weight-alone": [lambda w, v: np.array([v[row.argmax()] for row in w])],
    "softmax-once-more": [lambda w, v: np.exp(w) / np.exp(w).sum(axis=-1, keepdims=True) @ v],
    "weighted-not-added": [lambda w, v: np.einsum("...qk,...kd->...qkd", w, v)],
    "values-transposed": [lambda w, v: w @ np.swapaxes(v, -1, -2)],
    "multiplied-entry-by-entry": [lambda w, v: w * v],
}
RIGHT = [lambda w, v: np.einsum("...qk,...kd->...qd", w, v)]
ALMOST_RIGHT = {"one_sentence": of_one_sentence}
