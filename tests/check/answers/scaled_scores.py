"""Answers to `scaled_scores` as learners write them."""

import math

import numpy as np

from tests.check.answers.shared import softmax


def divided_by(divisor):
    return lambda q, k: q @ k.mT / divisor(q, k)


def root_of_d_k(q, k):
    return math.sqrt(q.shape[-1])


WRONG = {
    "root-subtracted": [lambda q, k: q @ k.mT - np.sqrt(q.shape[-1])],
    "multiplied-by-sqrt-d_k": [
        lambda q, k: math.sqrt(k.shape[-1]) * np.matmul(q, k.swapaxes(-1, -2)),
    ],
    "scaled-by-size": [divided_by(lambda q, k: np.sqrt(q.size))],
    "root-of-scores": [lambda q, k: np.sqrt(q @ k.mT / q.shape[-1])],
    "shared-already": [
        lambda q, k: softmax(q @ k.mT / np.sqrt(q.shape[-1])),
        lambda q, k: softmax(q @ k.mT),
    ],
    "added-to-the-root": [lambda q, k: q @ k.mT / np.sqrt(q.shape[-1] + 1e-6)],
    "scaled-by-a-constant": [lambda q, k: q @ k.mT / np.sqrt(384)],
}

RIGHT = [
    lambda q, k: (q / np.sqrt(q.shape[-1])) @ k.mT,
]

ALMOST_RIGHT = {
    "unscaled_at_32": divided_by(lambda q, k: root_of_d_k(q, k) if q.shape[-1] != 32 else 1),
    "unscaled_beyond_64": divided_by(lambda q, k: root_of_d_k(q, k) if q.shape[-1] <= 64 else 1),
    "clipped_at_100": lambda q, k: np.clip(q @ k.mT / root_of_d_k(q, k), -100, 100),
    "divided_in_place": lambda q, k: np.divide(s := q @ k.mT, np.sqrt(q.shape[-1]), out=s),
}
