"""Answers to `attention_scores` as learners write them."""

import numpy as np

from tests.check.answers.generic import zeros_where


def up_to_the_last_key(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for j in range(k.shape[-2] - 1):
        scores[..., j] = (q * k[..., j : j + 1, :]).sum(-1)
    return scores


WRONG = {
    "last-not-filled": [up_to_the_last_key],
    "pairs-only": [lambda q, k: np.einsum("...id,...id->...i", q, k)],
    "queries-transposed": [lambda q, k: np.swapaxes(q, -1, -2) @ k],
    "products-side-by-side": [lambda q, k: np.einsum("...id,...jd->...ijd", q, k)],
    "not-multiplied": [lambda q, k: (q[..., None, :] + k[..., None, :, :]).sum(-1)],
    "not-summed": [lambda q, k: q[..., :-1] @ k[..., :-1].mT],
}


RIGHT = [lambda q, k: (k @ q.mT).mT]


ALMOST_RIGHT = {
    "three_axes_in_front": zeros_where(lambda q, k: q.ndim == 5, RIGHT[0]),
    "in_the_dtype_of_q": lambda q, k: (q @ k.mT).astype(q.dtype),
}
