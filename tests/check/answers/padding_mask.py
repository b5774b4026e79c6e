"""Answers to `padding_mask` as learners write them."""

import numpy as np


def filled_along_the_queries(lengths, n):
    m = np.zeros((len(lengths), 1, n), dtype=bool)
    for b in range(len(lengths)):
        m[b, lengths[b] :] = True
    return m


WRONG = {
    "rows-filled-whole": [filled_along_the_queries],
    "row-for-every-query": [lambda lengths, n: np.repeat(np.arange(n) < lengths[:, None, None], n, axis=1)],
    "everything-hidden": [lambda lengths, n: (np.arange(n) < 0 * lengths[:, None])[:, None]],
    "empty-sentence-seen": [
        lambda lengths, n: (np.arange(n) < lengths[:, None, None]) | (np.arange(n) == 0),
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


def kept_by_sum():
    masks = {}

    def mask(lengths, n):
        return masks.setdefault((len(lengths), sum(lengths), n), mask_filled(lengths, n))

    return mask


ALMOST_RIGHT = {
    "kept_by_sum": kept_by_sum(),
    "five_sentences_at_most": lambda lengths, n: (np.arange(n) < np.asarray(lengths)[:, None, None])[:5],
    "each_length_once": lambda lengths, n: np.array(
        [[np.arange(n) < x] for x in dict.fromkeys(list(lengths))]
    ),
    "not_from_a_list": lambda lengths, n: np.arange(n) < lengths[:, None, None],
}
