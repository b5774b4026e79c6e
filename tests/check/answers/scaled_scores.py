"""Answers to `scaled_scores` as learners write them."""

import numpy as np

from tests.check.answers.shared import softmax


def right(q, k):
    return q @ k.mT / np.sqrt(q.shape[-1])


WRONG = {
    "root-subtracted": [lambda q, k: q @ k.mT - np.sqrt(q.shape[-1])],
    "scaled-by-size": [lambda q, k: q @ k.mT / np.sqrt(q.size)],
    "root-of-scores": [lambda q, k: np.sqrt(q @ k.mT / q.shape[-1])],
    "added-to-the-root": [lambda q, k: q @ k.mT / np.sqrt(q.shape[-1] + 1e-6)],
    "scaled-by-a-constant": [lambda q, k: q @ k.mT / np.sqrt(384)],
    "shared-already": [lambda q, k: softmax(right(q, k)), lambda q, k: softmax(q @ k.mT)],
}

RIGHT = [right]

ALMOST_RIGHT = {
    "unscaled_at_32": lambda q, k: right(q, k) if q.shape[-1] != 32 else q @ k.mT,
    "clipped_at_100": lambda q, k: np.clip(right(q, k), -100, 100),
    "divided_in_place": lambda q, k: np.divide(s := q @ k.mT, np.sqrt(q.shape[-1]), out=s),
}
