"""Answers to `scaled_scores` as learners write them."""

import math
import operator

import numpy as np

import attention_lib as al
from tests.check.answers import attention_scores
from tests.check.answers.attention_scores import COSINES, MORE_PRODUCTS, PRODUCTS
from tests.check.answers.shared import softmax


def scaled(product):
    """The right scale behind a product of queries and keys."""
    return lambda q, k: product(q, k) / np.sqrt(q.shape[-1])


def divided_by(divisor):
    return lambda q, k: q @ k.mT / divisor(q, k)


def root_of_d_k(q):
    return math.sqrt(q.shape[-1])


def scale_in_place(q, k):
    q /= np.sqrt(q.shape[-1])
    return q @ k.mT


WRONG = {id: [scaled(product) for product in found] for id, found in (PRODUCTS | MORE_PRODUCTS).items()}
WRONG["queries-and-keys-swapped"] += [lambda q, k: (k / q.shape[-1] ** 0.5) @ np.swapaxes(q, -1, -2)]
WRONG["all-axes-reversed"] += [lambda q, k: q * q.shape[-1] ** -0.25 @ (k * k.shape[-1] ** -0.25).T]
WRONG |= {
    "not-scaled": [
        lambda q, k: q @ k.mT,
        lambda q, k: np.einsum("...id,...jd->...ij", q, k),
        lambda q, k: [[i @ j for j in k] for i in q] if q.ndim == 2 else q @ k.mT,
        lambda q, k: q @ k.mT - np.sqrt(q.shape[-1]),
    ],
    "divided-by-d_k": [
        lambda q, k: q @ k.mT / q.shape[-1],
        lambda q, k: (q / np.sqrt(q.shape[-1])) @ (k / np.sqrt(k.shape[-1])).mT,
        lambda q, k: np.einsum("...id,...jd->...ij", q, k) * k.shape[-1] ** -1.0,
        lambda q, k: q @ k.mT / (q.shape[-1] ** 1 / 2),
        lambda q, k: q @ k.mT / q.shape[-1] ** 1 / 2,
        lambda q, k: q @ k.mT * q.shape[-1] ** -1 / 2,
    ],
    "multiplied-by-sqrt-d_k": [
        lambda q, k: q @ k.mT * np.sqrt(q.shape[-1]),
        lambda q, k: math.sqrt(k.shape[-1]) * np.matmul(q, k.swapaxes(-1, -2)),
        lambda q, k: q @ k.mT * q.shape[-1],
    ],
    "scaled-by-length": [
        lambda q, k: q @ k.mT / np.sqrt(k.shape[-2]),
        lambda q, k: q @ k.mT / np.sqrt((q @ k.mT).shape[-1]),
        lambda q, k: np.matmul(q, k.mT) / len(q) ** 0.5,
        lambda q, k: q @ k.mT / k.shape[-2],
        lambda q, k: q @ k.mT / np.sqrt(q.shape[-2]),
        divided_by(lambda q, k: math.sqrt(len(k[0]))),
        divided_by(lambda q, k: math.sqrt(q.shape[1])),
        divided_by(lambda q, k: len(k[0])),
        divided_by(lambda q, k: len(q[0])),
    ],
    "scaled-by-vector-length": [
        *COSINES,
        lambda q, k: q @ k.mT / (np.linalg.norm(q) * np.linalg.norm(k)),
    ],
    "scaled-by-another-root": [
        lambda q, k: q @ k.mT / q.shape[-1] ** 0.25,
        lambda q, k: q @ k.mT / q.shape[-1] ** 2,
        lambda q, k: q @ k.mT / np.sqrt(np.sqrt(k.shape[-1])),
        divided_by(lambda q, k: np.cbrt(q.shape[-1])),
        divided_by(lambda q, k: np.log(q.shape[-1])),
        divided_by(lambda q, k: np.sqrt(q.shape[-1] + 1)),
        divided_by(lambda q, k: np.sqrt(2 * q.shape[-1])),
        divided_by(lambda q, k: q.shape[-1] // 2),
    ],
    "scaled-by-size": [
        lambda q, k: q @ k.mT / np.sqrt(q.size),
        lambda q, k: q @ k.mT / np.size(q),
        lambda q, k: q @ k.mT / np.sqrt(q.ndim),
    ],
    "scaled-by-a-constant": [
        divided_by(lambda q, k, constant=constant: constant)
        for constant in (
            *(np.sqrt(32), 8, 3**0.5, 4, 128**0.5, 100, 2),
            *(5**0.5, 10, 512**0.5, 768**0.5, 64, 512),
        )
    ],
    "root-of-scores": [
        lambda q, k: np.sqrt(q @ k.mT / q.shape[-1]),
        lambda q, k: (q @ k.mT) ** 0.5,
    ],
    "rounded": [
        divided_by(lambda q, k: math.isqrt(q.shape[-1])),
        divided_by(lambda q, k: math.ceil(root_of_d_k(q))),
        divided_by(lambda q, k: round(root_of_d_k(q))),
        lambda q, k: q @ k.mT // root_of_d_k(q),
    ],
    "standardised": [
        lambda q, k: ((s := q @ k.mT) - s.mean(-1, keepdims=True)) / s.std(-1, keepdims=True),
        lambda q, k: q @ k.mT / np.std(q @ k.mT),
        lambda q, k: q @ k.mT / np.var(q @ k.mT),
        lambda q, k: q @ k.mT / (q @ k.mT).std(axis=-1, keepdims=True),
        lambda q, k: ((s := q @ k.mT) - s.mean()) / s.std(),
    ],
    "shared-already": [
        lambda q, k: softmax(q @ k.mT / np.sqrt(q.shape[-1])),
        lambda q, k: al.softmax(al.scaled_scores(q, k)),
    ],
    "input-changed": [
        scale_in_place,
        lambda q, k: q @ operator.itruediv(k, k.shape[-1] ** 0.5).mT,
    ],
    "different": [
        lambda q, k: np.round(q @ k.mT / np.sqrt(q.shape[-1]), 1),
    ],
}

RIGHT = [
    lambda q, k: (q / np.sqrt(q.shape[-1])) @ k.mT,
    lambda q, k: (q * q.shape[-1] ** -0.25) @ (k * k.shape[-1] ** -0.25).mT,
    lambda q, k: np.einsum("...id,...jd->...ij", q, k / math.sqrt(k.shape[-1])),
]


def into_the_type_of_q(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]), dtype=q.dtype)
    scores[...] = q @ k.mT / np.sqrt(q.shape[-1])
    return scores


ALMOST_RIGHT = {
    **{what: scaled(product) for what, product in attention_scores.ALMOST_RIGHT.items()},
    "into_the_type_of_q": into_the_type_of_q,
    "unscaled_at_32": divided_by(lambda q, k: root_of_d_k(q) if q.shape[-1] != 32 else 1),
    "unscaled_beyond_64": divided_by(lambda q, k: root_of_d_k(q) if q.shape[-1] <= 64 else 1),
    "divided_in_place": lambda q, k: np.divide(s := q @ k.mT, np.sqrt(q.shape[-1]), out=s),
    "root_of_a_table": divided_by(
        lambda q, k: [1, 1, 2**0.5, 3**0.5, 2, 5**0.5, 6**0.5][min(q.shape[-1], 6)]
    ),
}
