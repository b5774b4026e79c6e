"""Answers to `padding_mask` as learners write them."""

import numpy as np

WRONG = {
    "row-for-every-query": [lambda lengths, n: np.repeat(np.arange(n) < lengths[:, None, None], n, axis=1)],
    "empty-sentence-seen": [lambda lengths, n: (np.arange(n) < lengths[:, None, None]) | (np.arange(n) == 0)],
    "everything-hidden": [lambda lengths, n: (np.arange(n) < 0 * lengths[:, None])[:, None]],
}


RIGHT = [lambda lengths, n: [[[j < length for j in range(n)]] for length in lengths]]
ALMOST_RIGHT = {
    "five_sentences_at_most": lambda lengths, n: (np.arange(n) < np.asarray(lengths)[:, None, None])[:5],
}
