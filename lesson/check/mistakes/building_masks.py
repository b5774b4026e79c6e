"""Mistakes in building the causal mask and the padding mask."""

from operator import itemgetter

import numpy as np

from lesson.check.formatting import format_numbers
from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.shown import furthest_off, wrong_row


def keys_allowed(run):
    """How many keys each row of a mask lets through."""
    got, right = (format_numbers(mask.sum(-1)) for mask in (run.got[0], run.right[0]))
    if got == right:
        return furthest_off(run)
    return f"the rows can see {got} keys, but should see {right}."


def one_length(pick):
    """The same row for every sentence."""
    return lambda lengths, n: np.arange(n) < np.full((len(lengths), 1), pick(lengths))


BUILDING = [
    mistake(
        "mask-upside-down",
        "The mask is upside down. True means: may attend.",
        "Say aloud what True means for a key. Does your first row say so?",
        shows=wrong_row,
        set_polarity=[np.logical_not],
    ),
    mistake(
        "diagonal-hidden",
        "A token cannot see itself.",
        "Does the key at the query's own position lie in the future?",
        shows=keys_allowed,
        compare_positions=[lambda n: np.tri(n, k=-1, dtype=bool)],
    ),
    mistake(
        "future-leaks",
        "A query can see keys that come after it.",
        "How many keys may the first query see? If all your rows are equal, are they one row, repeated?",
        shows=keys_allowed,
        compare_positions=[lambda n: np.tri(n, k=1, dtype=bool), lambda n: np.ones((n, n), bool)],
    ),
    mistake(
        "transposed",
        "The triangle is on the wrong side: queries see the future instead of the past.",
        "Rows are queries. How many keys may the last row see?",
        shows=keys_allowed,
        orient_mask=[lambda mask: np.swapaxes(mask, -1, -2)],
    ),
    mistake(
        "past-hidden",
        "A query sees too little of the past.",
        "The last token of five: which tokens came before it?",
        shows=keys_allowed,
        compare_positions=[
            lambda n: np.eye(n, dtype=bool),
            lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-2, dtype=bool),
        ],
    ),
    mistake(
        "rows-upside-down",
        "The triangle is a mirror image of the right one.",
        "Which keys may the first query see, and which the last?",
        shows=keys_allowed,
        orient_mask=[lambda mask: mask[::-1], lambda mask: mask[:, ::-1]],
        supersedes="transposed",
    ),
    mistake(
        "off-by-one",
        "The border between tokens and padding is off by one.",
        "Positions start at 0. Which is the last real position of a sentence of length 6?",
        shows=wrong_row,
        compare_with_lengths=[
            lambda lengths, n: np.arange(n) <= lengths[:, None],
            lambda lengths, n: np.arange(n) < lengths[:, None] - 1,
        ],
    ),
    mistake(
        "padded-at-the-front",
        "The padding comes before the tokens. The exercise wants it after them.",
        "A sentence of length 2 in a row of 7: which two positions are real?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.arange(n) >= n - lengths[:, None]],
    ),
    mistake(
        "minus-zero-slice",
        "A sentence without padding lost its tokens, as with a slice from -0: it starts at 0.",
        "How much padding does a full sentence have? What do your lines make of that number?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.arange(n) < np.where(lengths == n, 0, lengths)[:, None]],
    ),
    mistake(
        "empty-sentence-seen",
        "A sentence of length 0 kept a token. All its positions are padding.",
        "How many positions are real where the length is 0?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.arange(n) < np.maximum(lengths, 1)[:, None]],
    ),
    mistake(
        "max_length-ignored",
        "A row is as long as its sentence or the longest one. All should be as long as max_length.",
        "Where does max_length occur in your lines?",
        compare_with_lengths=[lambda lengths, n: np.arange(lengths.max()) < lengths[:, None]],
    ),
    mistake(
        "padding-not-hidden",
        "No padding is hidden: every entry is True.",
        "Do your lines compare each position with a length?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.ones((len(lengths), n), bool)],
    ),
    mistake(
        "rows-filled-whole",
        "A row is all True or all False, as with `mask[b, length:]`: that slices the axis of the queries, not that of the keys.",
        "In (B, 1, max_length), which axis does the second index count?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.broadcast_to(lengths[:, None] > 0, (len(lengths), n))],
    ),
    mistake(
        "everything-hidden",
        "Every entry is False, so no query may see any key.",
        "Which line should make an entry True, and does it?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.zeros((len(lengths), n), bool)],
        compare_positions=[lambda n: np.zeros((n, n), bool)],
        nan_suffices=True,
    ),
    mistake(
        "sentences-confused",
        "A row has the length of a different sentence.",
        "Which length belongs to the row above?",
        shows=wrong_row,
        compare_with_lengths=[
            lambda lengths, n: np.arange(n) < np.sort(lengths)[:, None],
            lambda lengths, n: np.arange(n) < np.sort(lengths)[::-1, None],
        ],
    ),
    mistake(
        "one-length-for-all",
        "All sentences got the length of one of them.",
        "Which length belongs to row 0, and which to row 1? Which of them do your lines use?",
        shows=wrong_row,
        compare_with_lengths=[one_length(pick) for pick in (np.max, np.min, itemgetter(0), itemgetter(-1))],
    ),
    mistake(
        "one-true-each",
        "One position of each row is marked. All real positions should be True.",
        "How many entries should be True in the row of a sentence of length 6?",
        shows=wrong_row,
        compare_with_lengths=[lambda lengths, n: np.arange(n) == lengths[:, None]],
    ),
    mistake(
        "queries-masked",
        "The padding lies along the queries, so padded keys would still get weight.",
        "In (B, Lq, Lk), which axis holds the keys?",
        add_query_axis=[lambda real: real[:, :, None]],
    ),
    mistake(
        "padded-queries-hidden",
        "Padded queries were hidden as well as padded keys, so their rows are fully masked.",
        "All queries of a sentence may see the same keys. How long does their axis have to be?",
        add_query_axis=[lambda real: real[:, None, :] & real[:, :, None]],
    ),
    mistake(
        "axis-missing",
        "The axis of the queries is missing, so sentences would be taken for queries.",
        "Write (B, Lq, Lk) above your shape and line both up from the right. What does B meet?",
        add_query_axis=[lambda real: real],
    ),
    mistake(
        "axis-misplaced",
        "There is an axis of length 1 in the wrong position, or one too many.",
        "Write (B, Lq, Lk) above your shape, from the right. Which of them is the 1?",
        add_query_axis=[lambda real: real[None], lambda real: real[:, None, None]],
    ),
    mistake(
        "row-for-every-query",
        "There is a row for every query. One for all of them is enough: that axis has length 1.",
        "Which size does broadcasting repeat by itself?",
        add_query_axis=[lambda real: np.repeat(real[:, None], real.shape[1], 1)],
    ),
]
