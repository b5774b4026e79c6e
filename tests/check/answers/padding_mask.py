"""Answers to `padding_mask` as learners write them."""

import numpy as np


def positions_from_one(lengths, n):
    positions = np.arange(n)[None, None]
    return (positions >= 1) & (positions <= lengths[:, None, None])


def padding_written(lengths, max_length):
    mask = np.ones((len(lengths), 1, max_length), bool)
    for row, length in zip(mask, lengths):
        row[:, -(max_length - length) :] = False
    return mask


def front(lengths, n):
    mask = np.zeros((len(lengths), 1, n), bool)
    for i, length in enumerate(lengths):
        mask[i, 0, n - length :] = True
    return mask


WRONG = {
    "mask-upside-down": [lambda lengths, n: [[[j >= length for j in range(n)]] for length in lengths]],
    "off-by-one": [
        lambda lengths, n: (np.arange(n) <= lengths[:, None])[:, None, :],
        lambda lengths, n: [[[j < length - 1 for j in range(n)]] for length in lengths],
        positions_from_one,
    ],
    "queries-masked": [lambda lengths, n: np.arange(n)[:, None] < lengths[:, None, None]],
    "axis-missing": [lambda lengths, n: [[j < length for j in range(n)] for length in lengths]],
    "axis-misplaced": [lambda lengths, n: (np.arange(n) < lengths[:, None])[None]],
    "row-for-every-query": [lambda lengths, n: np.repeat(np.arange(n) < lengths[:, None, None], n, axis=1)],
    "one-true-each": [lambda lengths, n: np.arange(n) == lengths[:, None, None] - 1],
    "padded-at-the-front": [front],
    "padding-not-hidden": [lambda lengths, n: np.full((len(lengths), 1, n), True)],
    "everything-hidden": [lambda lengths, n: (np.arange(n) < 0 * lengths[:, None])[:, None]],
    "sentences-confused": [lambda lengths, n: (np.arange(n) < lengths[:, None, None])[::-1]],
    "one-length-for-all": [lambda lengths, n: np.stack([np.arange(n) < lengths[0]] * len(lengths))[:, None]],
    "padded-queries-hidden": [
        lambda lengths, n: np.stack([np.outer(real, real) for real in np.arange(n) < lengths[:, None]]),
    ],
    "minus-zero-slice": [padding_written],
    "empty-sentence-seen": [
        lambda lengths, n: (np.arange(n) < lengths[:, None, None]) | (np.arange(n) == 0),
    ],
    "max_length-ignored": [
        lambda lengths, n: [[[i < length for i in range(max(lengths))]] for length in lengths],
        lambda lengths, n: [[[True] * int(length)] for length in lengths],
    ],
}


def mask_filled(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for i, length in enumerate(lengths):
        mask[i, 0, : int(length)] = True
    return mask


RIGHT = [
    mask_filled,
    lambda lengths, n: [[[j < length for j in range(n)]] for length in lengths],
    lambda lengths, n: ~(np.arange(n)[None, None] >= np.reshape(lengths, (-1, 1, 1))),
]

ALMOST_RIGHT = {
    "five_sentences_at_most": lambda lengths, n: (np.arange(n) < np.asarray(lengths)[:, None, None])[:5],
    "each_length_once": lambda lengths, n: np.array(
        [[np.arange(n) < x] for x in dict.fromkeys(list(lengths))]
    ),
    "not_from_a_list": lambda lengths, n: np.arange(n) < lengths[:, None, None],
}
