"""Mistakes in splitting vectors into heads and merging them again."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.shown import wrong_row
from lesson.check.steps import RIGHT, swap

DEALT_IN_TURNS = "The features were dealt to the heads in turns. A head's features should be side by side."

OTHER_AXES_SWAPPED = "The axes that were exchanged before the reshape are not those of heads and tokens."


def interleaved(x, n):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3)


def merged_interleaved(x):
    return np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)


def not_swapped(x, n):
    return x.reshape(*x.shape[:-2], n, x.shape[-2], -1)


def merged_not_swapped(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


def merged_token_by_token(x):
    return x.reshape(*x.shape[:-2], -1)


def tokens_first(heads):
    return heads.swapaxes(-2, -3)


def merged_after(exchange):
    return lambda x: exchange(x).reshape(*x.shape[:-3], x.shape[-2], -1)


MERGED_WRONG_AXES = [
    merged_after(lambda x: x.swapaxes(-1, -3)),
    merged_after(lambda x: x.swapaxes(0, 1)),
    merged_after(lambda x: x.swapaxes(1, 2)),
]
# The axes of (..., L, H, d) that change places, counted from the front
SPLIT_FROM_THE_FRONT = [
    lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(0, 1),
    lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(1, 2),
]
# Other axes than L and H of (..., L, H, d), counted from the end
SPLIT_WRONG_AXES = [lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(-1, -2)]

HEADS = [
    mistake(
        "axes-not-swapped",
        "The axes of heads and tokens were not exchanged, so rows hold numbers of the wrong tokens.",
        "If numbers read 100 t + f for token t and feature f, which of them belong in that row?",
        shows=wrong_row,
        split_heads=[not_swapped],
        order_axes=[tokens_first],
        merge_heads=[merged_not_swapped, merged_token_by_token],
        supersedes="merged-wrong-axes first-axis-taken-for-heads",
    ),
    mistake(
        "interleaved",
        DEALT_IN_TURNS,
        "If numbers read 100 t + f for token t and feature f, which features should head 0 hold?",
        shows=wrong_row,
        split_heads=[interleaved],
    ),
    mistake(
        "merged-in-turns",
        "The heads take turns in a row, one feature each. A head's features should be side by side.",
        "With 3 heads of 2 features: whose are the first two numbers of a row?",
        shows=wrong_row,
        merge_heads=[merged_interleaved],
        supersedes="merged-wrong-axes first-axis-taken-for-heads",
    ),
    mistake(
        "merged-wrong-axes",
        OTHER_AXES_SWAPPED,
        "If numbers read 100 t + f, which token should all numbers of a row come from?",
        shows=wrong_row,
        merge_heads=MERGED_WRONG_AXES,
    ),
    mistake(
        "first-axis-taken-for-heads",
        "The first axis was taken for the heads. In a batch it holds the sentences.",
        "Which axis holds the heads, counted from the end?",
        merge_heads=[lambda x: np.concatenate(list(x), -1)],
    ),
    mistake(
        "heads-mixed",
        "The heads were added up or averaged, but should be side by side.",
        "How many numbers does a token have when 3 heads hold 2 each?",
        merge_heads=[lambda x: x.sum(-3), lambda x: x.mean(-3)],
    ),
    mistake(
        "one-head-alone",
        "The result is as wide as one head. The heads should be side by side.",
        "How many numbers does a token have when 3 heads hold 2 each?",
        merge_heads=[lambda x: x[..., 0, :, :]],
    ),
    mistake(
        "heads-below-one-another",
        "The heads are below one another, along the tokens. They should be side by side in a row.",
        "How many rows should the result have for 4 tokens, and how many numbers in each?",
        merge_heads=[lambda x: x.reshape(*x.shape[:-3], -1, x.shape[-1])],
    ),
    mistake(
        "heads-reversed",
        "The heads are in the opposite order: the last one first.",
        "With 6 features and 3 heads, which two features belong to head 0?",
        merge_heads=[lambda x: RIGHT["merge_heads"](x[..., ::-1, :, :])],
        order_axes=[lambda heads: heads[..., ::-1, :, :]],
    ),
    mistake(
        "a-head-missing",
        "The result holds all heads but one.",
        "How many heads are in your result, and how many are there?",
        merge_heads=[lambda x: RIGHT["merge_heads"](x[..., :-1, :, :])],
    ),
    mistake(
        "heads-not-merged",
        "The heads still have their own axis. They should be side by side in the last one.",
        "How many axes does (..., L, H * d) have, and how many (..., H, L, d)?",
        merge_heads=[lambda x: x],
    ),
    mistake(
        "swapped-not-merged",
        "Heads and tokens were exchanged, but the heads are still apart: the last two axes have to become one.",
        "After your swap the axes end in (L, H, d). Which of them should be one axis in the end?",
        merge_heads=[tokens_first],
    ),
    mistake(
        "heads-in-front",
        "The heads come before the sentences, but should come right before the tokens.",
        "The result is (..., H, L, d). What do the dots stand for?",
        order_axes=[lambda heads: np.moveaxis(heads, -3, 0)],
        split_projection=[lambda x, n: np.moveaxis(RIGHT["split_projection"](x, n), -3, 0)],
        supersedes="axes-not-swapped projection-not-swapped outputs-not-swapped",
    ),
    mistake(
        "heads-counted-from-the-front",
        "The axes that were exchanged were counted from the front. With more or fewer axes these are different ones.",
        "Which two axes should be exchanged, counted from the end?",
        split_heads=SPLIT_FROM_THE_FRONT,
        split_projection=SPLIT_FROM_THE_FRONT,
        merge_heads=[
            lambda x: x.swapaxes(0, 1).reshape(x.shape[1], -1),
            lambda x: x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1),
        ],
        supersedes="axes-not-swapped projection-not-swapped outputs-not-swapped sizes-exchanged last-axes-exchanged projection-sizes-exchanged",
    ),
    mistake(
        "split-wrong-axes",
        "The axes that were exchanged after the reshape are not those of heads and tokens.",
        "The reshape gives (..., L, H, d). Which two axes have to be exchanged?",
        split_heads=SPLIT_WRONG_AXES,
        split_projection=SPLIT_WRONG_AXES,
    ),
    mistake(
        "tokens-cut",
        "The tokens were dealt to the heads. Each head should see all tokens, and a part of each.",
        "Which axis has to be cut: that of the tokens, or that of the features?",
        shows=wrong_row,
        split_heads=[
            lambda x, n: np.stack(np.split(x, n, axis=-2), axis=-3),
            lambda x, n: np.stack(np.split(x, n, axis=0)),
        ],
    ),
    mistake(
        "sizes-exchanged",
        "The number of heads and the head dimension were exchanged.",
        "x has 6 features for 2 heads. How long is the last axis of the result?",
        split_heads=[lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -2, -3)],
        supersedes="interleaved merged-in-turns projection-in-turns",
    ),
    mistake(
        "last-axes-exchanged",
        "The last two axes were exchanged: tokens come last, and a head's features before them.",
        "The result is (..., H, L, d). Which of your axes is L, and which is d?",
        order_axes=[swap],
    ),
]
