"""Mistakes in hiding keys, and in the two masks."""

import numpy as np

from attention_lib.check.evidence import entry, first_row, forbidden, keys_seen, shape
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.mistakes.shares import finite, power, unguarded
from attention_lib.check.signs import (
    hidden_as_if,
    hidden_get_everything,
    hidden_get_zero_and_the_rest_is_lost,
)


def fill(value):
    return lambda x, mask: np.where(mask, x, value)


def add(value):
    return lambda x, mask: x + np.where(mask, 0.0, value)


def unmasked(scores, mask):
    return scores


def strike(weights, mask):
    return weights if mask is None else weights * mask


HIDING = [
    mistake(
        "zero-times-infinity",
        "0 times infinity is NaN, so each row with such a product is lost.",
        forbidden,
        "Can you choose between two values without multiplying by the mask?",
        hide=[
            lambda x, mask: x + np.where(mask, np.nan, -np.inf),
            lambda x, mask: x + np.where(mask, -np.inf, np.nan),
        ],
        over="plus-infinity empty-row",
    ),
    mistake(
        "polarity-inverted",
        "The mask is upside down. True means: may attend.",
        forbidden,
        "Say aloud what your code does where the mask is True.",
        hide=[
            lambda x, mask: np.where(mask, -np.inf, x),
            lambda x, mask: np.where(mask, -1e9, x),
            lambda x, mask: x + np.where(mask, -1e9, 0),
            *(lambda x, mask, v=v: np.where(mask, v, x) for v in (0.0, 1e-9, -1e4, -1e5)),
        ],
        together=[
            {
                "hide": unmasked,
                "after": lambda w, mask: w if mask is None else w * ~mask,
            }
        ],
        sign=hidden_get_everything,
        over="plus-infinity empty-row",
    ),
    mistake(
        "plus-infinity",
        "Hidden scores were made very large, and should be very low.",
        forbidden,
        "Which share does the largest score of a row get?",
        hide=[fill(np.inf), fill(1e9), add(1e9)],
        over="overflows",
        together=[
            {
                "hide": fill(np.inf),
                "share": lambda x: np.where(np.isnan(unguarded(x)), np.isinf(x), unguarded(x)),
            }
        ],
    ),
    mistake(
        "filled-with-nan",
        "Hidden scores became NaN, and one NaN spoils the maximum and the sum of its row.",
        forbidden,
        "Which number is lower than every score, and still a number to compare with?",
        hide=[fill(np.nan)],
        unless=lambda seen: seen.invalid,
        over="plus-infinity",
    ),
    mistake(
        "masked-after-softmax",
        "The mask came after the softmax, when the hidden keys had taken their share already.",
        forbidden,
        "Add up that row. Who has the rest?",
        together=[
            {"hide": unmasked, "after": strike},
            {"hide": unmasked, "share": power, "after": strike},
        ],
        sign=hidden_get_zero_and_the_rest_is_lost,
    ),
    mistake(
        "mask-ignored",
        "The mask changed nothing: these are the weights without it.",
        forbidden,
        "Follow the mask through your lines. Where does it change a score?",
        hide=[unmasked],
    ),
    mistake(
        "fill-too-small",
        "True and False were added as 1 and 0, so hidden scores stayed as they were.",
        forbidden,
        "What must a hidden score become, so that exp of it is 0?",
        hide=[
            lambda x, mask: x + mask,
            lambda x, mask: x - ~mask,
        ],
    ),
    mistake(
        "filled-with-zero",
        "Hidden scores became 0, and 0 is a score like any other.",
        forbidden,
        "What is exp(0)? Which score would give a share of 0?",
        hide=[fill(0.0), fill(1e-9), fill(-1e-9)],
        sign=hidden_as_if(-0.3, 0.3),
    ),
    mistake(
        "fill-too-small",
        "The value for hidden scores is not low enough, and hidden keys get a share.",
        forbidden,
        "Which number is lower than every score?",
        hide=[way(-x) for way in (fill, add) for x in (1.0, 2.0, 5.0, 8.0, 9.0, 10.0, 15.0)]
        + [
            lambda x, mask: np.where(mask, x, x.min()),
            lambda x, mask: np.where(mask, x, x.min() - 1),
        ],
        sign=hidden_as_if(-np.inf, -0.3),
    ),
    mistake(
        "different",
        "Where no mask was given, everything was hidden.",
        entry,
        "What does your line for the mask do when mask is None?",
        unhidden=[
            lambda x: np.full(x.shape, -np.inf),
            lambda x: np.full(x.shape, -1e9),
        ],
    ),
    mistake(
        "scores-ignored",
        "All allowed keys of a row got the same share, whatever their scores.",
        forbidden,
        "Where do the scores enter your last line?",
        hide=[lambda x, mask: np.where(mask, 0 * finite(x), -np.inf)],
    ),
]

# Only edges show these: they have no ways.
EDGES = [
    mistake(
        "renormalised-after-mask",
        "The maximum ran over all keys. A hidden score far above the allowed ones leaves them 0.",
        forbidden,
        "Whose maximum should be subtracted: that of all keys, or that of the allowed ones?",
    ),
    mistake(
        "empty-row",
        "A query that may see nothing should get zeros.",
        forbidden,
        "What are the maximum and the sum of a row in which everything is hidden?",
    ),
    mistake(
        "zeros-if-any-nan",
        "A row that has allowed keys became 0, because another row, or another entry, was NaN.",
        forbidden,
        "Which rows have no allowed key at all? Only those get zeros.",
    ),
    mistake(
        "fill-too-small",
        "The value for hidden scores is not low enough: here the allowed scores lie below it.",
        forbidden,
        "Which number is lower than every score?",
    ),
]

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
            lambda real: np.repeat(real[:, None], real.shape[1], 1),
        ],
    ),
]
