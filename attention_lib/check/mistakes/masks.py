"""Mistakes in building the causal mask and the padding mask."""

import numpy as np

from attention_lib.check.grading.format_evidence import first_row, keys_seen, shape
from attention_lib.check.mistakes.mistake import mistake

BUILT = [
    mistake(
        "polarity-inverted",
        "The mask is upside down. True means: may attend.",
        first_row,
        "Say aloud what True means for a key. Does your first row say so?",
        flip=[np.logical_not],
    ),
    mistake(
        "diagonal-hidden",
        "A token cannot see itself.",
        keys_seen,
        "Does the key at the query's own position lie in the future?",
        causal=[lambda n: np.tri(n, k=-1, dtype=bool)],
    ),
    mistake(
        "future-leaks",
        "A query can see keys that come after it.",
        keys_seen,
        "How many keys may the first query see?",
        causal=[lambda n: np.tri(n, k=1, dtype=bool)],
        together=[{"causal": lambda n: np.ones((n, n), bool), "turn": np.asarray}],
    ),
    mistake(
        "transposed",
        "The triangle lies on the wrong side: queries see the future and not the past.",
        keys_seen,
        "Rows are queries. How many keys may the last row see?",
        turn=[lambda mask: np.swapaxes(mask, -1, -2)],
    ),
    mistake(
        "past-hidden",
        "A query sees too little of the past.",
        keys_seen,
        "The last token of five: which tokens came before it?",
        causal=[
            lambda n: np.eye(n, dtype=bool),
            lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-2, dtype=bool),
        ],
    ),
    mistake(
        "rows-upside-down",
        "The triangle is a mirror image: the first query sees what the last one should.",
        keys_seen,
        "How many keys may the first query see, and how many the last?",
        turn=[lambda mask: mask[::-1], lambda mask: mask[:, ::-1]],
        over="transposed",
    ),
    mistake(
        "off-by-one",
        "The border between tokens and padding is off by one.",
        first_row,
        "Positions start at 0. Which is the last real position of a sentence of length 6?",
        real=[
            lambda lengths, n: np.arange(n) <= lengths[:, None],
            lambda lengths, n: np.arange(n) < lengths[:, None] - 1,
            lambda lengths, n: (np.arange(n) > 0) & (np.arange(n) <= lengths[:, None]),
        ],
    ),
    mistake(
        "padded-at-the-front",
        "The padding stands in front of the tokens. Here it comes after them.",
        first_row,
        "A sentence of length 2 in a row of 7: which two positions are real?",
        real=[lambda lengths, n: np.arange(n) >= n - lengths[:, None]],
    ),
    mistake(
        "minus-zero-slice",
        "A sentence without padding lost its tokens: a slice from -0 starts at 0.",
        first_row,
        "For a full sentence, which number stands behind the minus of your slice?",
        real=[lambda lengths, n: np.arange(n) < np.where(lengths == n, 0, lengths)[:, None]],
    ),
    mistake(
        "empty-sentence-seen",
        "A sentence of length 0 kept a token. All its positions are padding.",
        first_row,
        "How many positions are real where the length is 0?",
        real=[lambda lengths, n: np.arange(n) < np.maximum(lengths, 1)[:, None]],
    ),
    mistake(
        "max_length-ignored",
        "The rows are as long as the longest sentence, and should be as long as max_length.",
        shape,
        "Where does max_length occur in your lines?",
        real=[lambda lengths, n: np.arange(lengths.max()) < lengths[:, None]],
    ),
    mistake(
        "padding-not-hidden",
        "Nothing is hidden: the lengths changed nothing.",
        first_row,
        "Where do your lines compare a position with a length?",
        real=[lambda lengths, n: np.ones((len(lengths), n), bool)],
    ),
    mistake(
        "everything-hidden",
        "Every entry is False, so nobody may see anything.",
        first_row,
        "Which line writes True, and does it run?",
        real=[lambda lengths, n: np.zeros((len(lengths), n), bool)],
        causal=[lambda n: np.zeros((n, n), bool)],
    ),
    mistake(
        "sentences-confused",
        "A row has the border of another sentence.",
        first_row,
        "Which length belongs to row 0?",
        real=[
            lambda lengths, n: (np.arange(n) < lengths[:, None])[::-1],
            lambda lengths, n: np.arange(n) < np.full(len(lengths), lengths.max())[:, None],
            lambda lengths, n: np.arange(n) < np.full(len(lengths), lengths[0])[:, None],
            lambda lengths, n: np.arange(n) < np.sort(lengths)[:, None],
        ],
    ),
    mistake(
        "one-true-each",
        "One position of each sentence is marked. All its real positions should be True.",
        first_row,
        "How many True should stand in the row of a sentence of length 6?",
        real=[
            lambda lengths, n: np.arange(n) == lengths[:, None],
            lambda lengths, n: np.arange(n) == lengths[:, None] - 1,
        ],
    ),
    mistake(
        "queries-masked",
        "The padding lies along the queries, so padded keys would still get weight.",
        shape,
        "In (B, Lq, Lk), which axis holds the keys?",
        shape_tells=True,
        lay=[lambda real: real[:, :, None]],
    ),
    mistake(
        "axis-missing",
        "The axis of the queries is missing, so sentences would be taken for queries.",
        shape,
        "Write (B, Lq, Lk) above your shape and line both up from the right. What does B meet?",
        shape_tells=True,
        lay=[lambda real: real],
    ),
    mistake(
        "axis-misplaced",
        "There is an axis of length 1 in the wrong place, or one too many.",
        shape,
        "Write (B, Lq, Lk) above your shape, from the right. Which of them is the 1?",
        shape_tells=True,
        lay=[
            lambda real: real[None],
            lambda real: real[:, None, None],
        ],
    ),
    mistake(
        "axis-misplaced",
        "A sentence's row was copied for every query. One is enough: that axis has length 1.",
        shape,
        "Which size does broadcasting repeat by itself?",
        shape_tells=True,
        lay=[lambda real: np.repeat(real[:, None], real.shape[1], 1)],
    ),
]
