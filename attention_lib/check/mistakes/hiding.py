"""Mistakes in hiding keys from the softmax."""

import numpy as np

from attention_lib.check.grading.format_evidence import entry, first_table, forbidden
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.mistakes.shares import total
from attention_lib.check.mistakes.signs import (
    hidden_as_if,
    hidden_get_everything,
    hidden_get_zero_and_the_rest_is_lost,
)
from attention_lib.check.steps import RIGHT


def fill(value):
    return lambda x, mask: np.where(mask, x, value)


def add(value):
    return lambda x, mask: x + np.where(mask, 0.0, value)


def unmasked(scores, mask):
    return scores


def stretched(mask, x):
    return np.broadcast_to(mask, x.shape)


def is_square(x):
    return x.shape[-1] == x.shape[-2]


def hide_future_too(x, mask):
    return np.where(mask & np.tri(*x.shape[-2:], dtype=bool), x, -np.inf)


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
        "What does your code do where the mask is True? Say it aloud.",
        hide=[
            lambda x, mask: np.where(mask, -np.inf, x),
            lambda x, mask: np.where(mask, -1e9, x),
            lambda x, mask: x + np.where(mask, -1e9, 0),
            lambda x, mask: np.where(mask, 0.0, x),
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
        hide=[fill(np.inf), fill(1e9)],
        over="overflows",
        together=[{"hide": fill(np.inf), "share": lambda x: np.exp(x) / total(np.exp(x))}],
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
        hide=[fill(-10.0), add(-10.0), lambda x, mask: np.where(mask, x, x.min())],
        sign=hidden_as_if(-np.inf, -0.3),
    ),
    mistake(
        "one-mask-for-all",
        "All queries, or all tables, got the mask of one of them.",
        forbidden,
        "Which index picks a part of the mask in your lines? Who gets the other parts?",
        hide=[
            lambda x, mask: np.where(stretched(mask, x)[..., :1, :], x, -np.inf),
            lambda x, mask: np.where(first_table(stretched(mask, x)), x, -np.inf),
            lambda x, mask: np.where(mask[0], x, -np.inf),
            lambda x, mask: np.where(mask[-1], x, -np.inf),
        ],
    ),
    mistake(
        "zero-taken-for-hidden",
        "An allowed score of exactly 0 was taken for a hidden one.",
        forbidden,
        "Which line looks for hidden keys in the scores? Who else knows what is hidden?",
        hide=[lambda x, mask: np.where(mask & (x != 0), x, -np.inf)],
    ),
    mistake(
        "hidden-without-a-mask",
        "Where no mask was given, the future was hidden. No mask means: see every key.",
        entry,
        "What does your function do when mask is None?",
        unhidden=[
            lambda x: np.where(np.tri(*x.shape[-2:], dtype=bool), x, -np.inf),
            lambda x: RIGHT["hide"](x, np.tri(x.shape[-1]) if is_square(x) else True),
        ],
    ),
    mistake(
        "hidden-without-a-mask",
        "The future was hidden as well, though the mask does not say so.",
        forbidden,
        "Which line hides keys that the mask allows?",
        hide=[hide_future_too],
        together=[
            {
                "hide": hide_future_too,
                "unhidden": lambda x: np.where(np.tri(*x.shape[-2:], dtype=bool), x, -np.inf),
            }
        ],
    ),
    mistake(
        "hidden-without-a-mask",
        "Where no mask was given, everything was hidden.",
        entry,
        "What does your line for the mask do when mask is None?",
        unhidden=[
            lambda x: np.full(x.shape, -np.inf),
            lambda x: np.full(x.shape, -1e9),
        ],
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
        "A hidden score did not become low enough: here it lies above the allowed ones.",
        forbidden,
        "Which number stays below every score, whatever it is added to?",
    ),
]
