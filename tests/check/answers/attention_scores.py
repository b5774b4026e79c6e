"""Answers to `attention_scores` as learners write them."""

import operator

import numpy as np

from tests.check.answers.shared import softmax


def keys_by_queries(q, k):
    scores = np.zeros((*q.shape[:-2], k.shape[-2], q.shape[-2]))
    for *lead, i, j in np.ndindex(scores.shape):
        scores[(*lead, i, j)] = (k[(*lead, i)] * q[(*lead, j)]).sum()
    return scores


def reread(k):
    return k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


# Wrong products of queries and keys. They come back scaled, and inside attention.
PRODUCTS = {
    "queries-and-keys-swapped": [
        lambda q, k: k @ q.mT,
        lambda q, k: np.einsum("...id,...jd->...ji", q, k),
        lambda q, k: np.matmul(q, np.swapaxes(k, -2, -1)).swapaxes(-1, -2),
        lambda q, k: k @ q.T,
        keys_by_queries,
    ],
    "reshaped-not-transposed": [
        lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]),
        lambda q, k: np.matmul(q, np.reshape(k, (*k.shape[:-2], k.shape[-1], -1))),
        lambda q, k: np.einsum("...id,...dj->...ij", q, reread(k)),
    ],
    "batches-paired": [
        lambda q, k: np.dot(q, k.mT),
        lambda q, k: np.inner(q, k),
        lambda q, k: np.tensordot(q, k, axes=(-1, -1)),
        lambda q, k: q.dot(np.swapaxes(k, -1, -2)),
    ],
    "all-axes-reversed": [
        lambda q, k: q @ k.T,
        lambda q, k: np.matmul(q, np.transpose(k)),
        lambda q, k: np.dot(q, k.T),
    ],
}
# These come back scaled alone.
MORE_PRODUCTS = {
    "pairs-only": [
        lambda q, k: (q * k).sum(-1),
        lambda q, k: np.einsum("...id,...id->...i", q, k),
        lambda q, k: q * k,
    ],
    "not-transposed": [
        lambda q, k: q @ k,
        lambda q, k: np.matmul(q.mT, k),
    ],
    "axes-counted-from-the-front": [
        lambda q, k: q @ np.swapaxes(k, 0, 1),
        lambda q, k: np.matmul(q, np.rollaxis(k, 1)),
    ],
    "one-vector-twice": [
        lambda q, k: q @ q.mT,
        lambda q, k: k @ k.mT,
    ],
    "not-multiplied": [
        lambda q, k: -((q[..., None, :] - k[..., None, :, :]) ** 2).sum(-1),
        lambda q, k: -(np.linalg.norm(q[..., None, :] - k[..., None, :, :], axis=-1) ** 2),
        lambda q, k: np.linalg.norm(q[..., None, :] - k[..., None, :, :], axis=-1),
        lambda q, k: (q[..., None, :] + k[..., None, :, :]).sum(-1),
    ],
}


def lengths_of(x):
    return np.sqrt((x**2).sum(-1, keepdims=True))


COSINES = [
    lambda q, k: (q / lengths_of(q)) @ (k / lengths_of(k)).mT,
    lambda q, k: q @ k.mT / (lengths_of(q) * lengths_of(k).mT),
]


def multiplied_if_it_can_be(q, k):
    try:
        return q @ k
    except ValueError:
        return q @ k.mT


WRONG = {
    **PRODUCTS,
    **MORE_PRODUCTS,
    "not-transposed": [*MORE_PRODUCTS["not-transposed"], multiplied_if_it_can_be],
    "batches-paired": [
        *PRODUCTS["batches-paired"],
        lambda q, k: q[:, None] @ np.swapaxes(k, -1, -2),
    ],
    "cosine": [
        *COSINES,
        lambda q, k: (q / lengths_of(q)) @ k.mT,
        lambda q, k: q @ (k / lengths_of(k)).mT,
    ],
    "scaled-already": [
        lambda q, k: q @ k.mT / np.sqrt(q.shape[-1]),
        lambda q, k: (q * k.shape[-1] ** -0.5) @ np.swapaxes(k, -1, -2),
        lambda q, k: np.einsum("...id,...jd->...ij", q, k) / q.shape[-1],
    ],
    "not-summed": [
        lambda q, k: q[..., :, None, :] * k[..., None, :, :],
        lambda q, k: np.einsum("...id,...jd->...ijd", q, k),
    ],
    "shared-already": [
        lambda q, k: softmax(q @ k.mT),
        lambda q, k: np.exp(q @ k.mT) / np.exp(q @ k.mT).sum(-1)[..., None],
        lambda q, k: softmax(q @ k.mT / np.sqrt(q.shape[-1])),
    ],
    "sign-lost": [
        lambda q, k: np.abs(q @ k.mT),
        lambda q, k: np.maximum(q @ k.mT, 0),
    ],
    "rounded": [
        lambda q, k: (q @ k.mT).astype(int),
        lambda q, k: np.round(q @ k.mT, 1),
        lambda q, k: np.around(q @ k.mT, 2),
    ],
    "standardised": [
        lambda q, k: ((s := q @ k.mT) - s.mean(-1, keepdims=True)) / s.std(-1, keepdims=True),
        lambda q, k: np.divide(*(lambda s: (s - s.mean(-1)[..., None], s.std(-1)[..., None]))(q @ k.mT)),
    ],
    "input-changed": [
        lambda q, k: operator.imul(q, 2) @ k.mT / 2,
        lambda q, k: -q @ operator.imul(k, -1).mT,
    ],
    "different": [lambda q, k: q @ k.mT + 1, lambda q, k: (q @ k.mT) ** 2],
}


def scores_in_loops(q, k):
    if q.ndim > 2:
        return np.stack([scores_in_loops(x, y) for x, y in zip(q, k)])
    return [[sum(x * y for x, y in zip(row, key)) for key in k] for row in q]


RIGHT = [
    scores_in_loops,
    lambda q, k: np.einsum("...id,...jd->...ij", q, k),
    lambda q, k: (k @ q.mT).mT,
    lambda q, k: (q[..., :, None, :] * k[..., None, :, :]).sum(-1),
    lambda q, k: np.matmul(q, np.moveaxis(k, -1, -2)).tolist(),
]


def einsum_up_to_four(q, k):
    letters = {2: "id,jd->ij", 3: "bid,bjd->bij", 4: "bhid,bhjd->bhij"}[q.ndim]
    return np.einsum(letters, q, k)


def unrolled(q, k):
    """Five products, however long the vectors are."""
    return sum(q[..., :, None, i] * k[..., None, :, i] for i in range(min(5, q.shape[-1])))


def one_table_for_all(q, k):
    first = q.reshape(-1, *q.shape[-2:])[0] @ k.reshape(-1, *k.shape[-2:])[0].T
    return np.broadcast_to(first, (*q.shape[:-1], k.shape[-2])) if q.ndim > 4 else q @ k.mT


def transposed_by_number(q, k):
    if k.ndim == 2:
        return q @ k.T
    return q @ (k.transpose(0, 2, 1) if k.ndim == 3 else k.transpose(0, 1, 3, 2))


ALMOST_RIGHT = {
    "einsum_up_to_four": einsum_up_to_four,
    "squeezed": lambda q, k: np.squeeze(q @ k.mT),
    "squeezed_in_front": lambda q, k: (q @ k.mT)[0] if len(q) == 1 else q @ k.mT,
    "flat_for_one_query": lambda q, k: (q @ k.mT).ravel() if q.shape[-2] == 1 else q @ k.mT,
    "flat_for_one_key": lambda q, k: (q @ k.mT)[..., 0] if k.shape[-2] == 1 else q @ k.mT,
    "unrolled": unrolled,
    "one_table_for_all": one_table_for_all,
    "transposed_by_number": transposed_by_number,
    "one_digit_too_few": lambda q, k: np.round(q @ k.mT, 4) + 1e-4 * (q.shape[-1] == 256),
}
