"""Mistakes in hiding keys from the softmax."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.shown import weights_of_hidden_keys
from lesson.check.mistakes.softmax import unguarded_softmax


def fill_hidden_with(value):
    return lambda x, mask: np.where(mask, x, value)


def unmasked(scores, mask):
    return scores


def hide_future(x, mask=True):
    return np.where(mask & np.tri(*x.shape[-2:], dtype=bool), x, -np.inf)


def zero_hidden(weights, mask):
    return weights if mask is None else weights * mask


def renormalised(weights, mask):
    """Right, unless all the weight was on hidden keys."""
    kept = zero_hidden(weights, mask)
    total = kept.sum(-1, keepdims=True)
    return weights if mask is None else kept / np.where(total > 0, total, 1)


def zero_empty_rows(weights, mask):
    return weights if mask is None else weights * mask.any(-1, keepdims=True)


def add_to_hidden(value):
    return lambda x, mask: x + np.where(mask, 0, value)


def zeros_if_any_nan(axis):
    """Zeros along these axes where one of them has NaN; () stands for all axes."""

    def wrong_softmax(x):
        weights = unguarded_softmax(x)
        lost = np.isnan(weights).any(axis or None, keepdims=True)
        return np.where(lost, 0, weights)

    return wrong_softmax


APPLYING = [
    mistake(
        "zero-times-infinity",
        "0 times infinity is NaN, and so is infinity minus infinity: each row with one of them is lost.",
        "Where in your lines does an infinity meet a 0 or a second infinity? Can you choose between two values without that?",
        shows=weights_of_hidden_keys,
        apply_mask=[lambda x, mask: x + np.where(mask, np.nan, -np.inf)],
        supersedes="plus-infinity empty-row both-parts-empty",
        nan_suffices=True,
    ),
    mistake(
        "polarity-inverted",
        "The mask is upside down. True means: may attend.",
        "What does your code do where the mask is True? Say it aloud.",
        shows=weights_of_hidden_keys,
        apply_mask=[
            lambda x, mask: np.where(mask, -np.inf, x),
            lambda x, mask: np.where(mask, -1e9, x),
            lambda x, mask: x + np.where(mask, -1e9, 0),
        ],
        together=[{"apply_mask": unmasked, "mask_weights": lambda w, mask: w if mask is None else w * ~mask}],
        supersedes="plus-infinity empty-row both-parts-empty",
    ),
    mistake(
        "plus-infinity",
        "Hidden scores became very large, or NaN, but should be very low.",
        "Which weight does the largest score of a row get, and which weights has a row with a NaN?",
        shows=weights_of_hidden_keys,
        apply_mask=[fill_hidden_with(np.inf), fill_hidden_with(1e9)],
        supersedes="overflows lowered-otherwise log-sums-overflow",
    ),
    mistake(
        "masked-after-softmax",
        "The mask came after the softmax or its sum, when the hidden keys had already taken part of the weight.",
        "Add up that row. Which keys have the rest?",
        shows=weights_of_hidden_keys,
        together=[{"apply_mask": unmasked, "mask_weights": zero_hidden}],
    ),
    mistake(
        "mask-ignored",
        "The mask changed nothing: the weights are those without it.",
        "Follow the mask through your lines. Where does it change a score?",
        shows=weights_of_hidden_keys,
        apply_mask=[unmasked],
    ),
    mistake(
        "mask-added-as-numbers",
        "True and False were added or subtracted as 1 and 0, so hidden scores stayed the same, or nearly.",
        "What must a hidden score become, so that exp of it is 0?",
        shows=weights_of_hidden_keys,
        apply_mask=[lambda x, mask: x + mask, lambda x, mask: x - mask],
        supersedes="fill-above-scores",
    ),
    mistake(
        "filled-with-zero",
        "Hidden scores became 0, but 0 is a score like any other.",
        "What is exp(0)? Which score would give a weight of 0?",
        shows=weights_of_hidden_keys,
        apply_mask=[fill_hidden_with(0.0)],
    ),
    mistake(
        "filled-with-minimum",
        "Hidden scores were made as low as the lowest of the matrix or row, but that still gets weight.",
        "Which weight does the lowest score of a row get? Which number is lower than every score?",
        shows=weights_of_hidden_keys,
        apply_mask=[
            lambda x, mask: np.where(mask, x, x.min(-1, keepdims=True)),
            lambda x, mask: np.where(mask, x, x.min()),
        ],
    ),
    mistake(
        "fill-too-small",
        "The value for hidden scores is not low enough, so hidden keys get weight.",
        "Which number is lower than every score?",
        shows=weights_of_hidden_keys,
        apply_mask=[fill_hidden_with(-10.0)],
        supersedes="fill-above-scores",
    ),
    mistake(
        "one-mask-for-all",
        "All queries, or all matrices of scores, got the mask of one of them.",
        "Does an index or a loop of yours pick out a part of the mask? Which rows use the other parts?",
        shows=weights_of_hidden_keys,
        apply_mask=[
            lambda x, mask: np.where(np.broadcast_to(mask, x.shape)[..., :1, :], x, -np.inf),
            lambda x, mask: np.where(mask[0], x, -np.inf),
            lambda x, mask: np.where(mask[-1], x, -np.inf),
        ],
    ),
    mistake(
        "zero-taken-for-hidden",
        "An allowed score of exactly 0 was taken for a hidden one.",
        "Does a line of yours look for hidden keys in the scores? What else says which keys are hidden?",
        shows=weights_of_hidden_keys,
        apply_mask=[lambda x, mask: np.where(mask & (x != 0), x, -np.inf)],
    ),
    mistake(
        "hidden-without-a-mask",
        "Where no mask was given, the future was hidden. No mask means: see every key.",
        "What does your function do when mask is None?",
        go_without_mask=[hide_future],
    ),
    mistake(
        "future-hidden-too",
        "The future was hidden as well, though the mask does not say so.",
        "Which line hides keys that the mask allows?",
        shows=weights_of_hidden_keys,
        apply_mask=[hide_future],
        together=[{"apply_mask": hide_future, "go_without_mask": hide_future}],
    ),
    mistake(
        "all-hidden-without-a-mask",
        "Where no mask was given, everything was hidden.",
        "What does your line for the mask do when mask is None?",
        go_without_mask=[lambda x: np.full(x.shape, -np.inf), lambda x: np.full(x.shape, -1e9)],
        nan_suffices=True,
    ),
]

# Most of these show on extreme probes alone; Exercise.extreme_variants finds out which. Here the order alone counts.
SHOWN_BY_EXTREMES = [
    mistake(
        "renormalised-after-mask",
        "A hidden score far above the allowed ones took part before it was hidden, and the row is lost.",
        "Does a hidden score still get into your maximum, or into exp?",
        shows=weights_of_hidden_keys,
        together=[{"apply_mask": unmasked, "mask_weights": renormalised}],
    ),
    mistake(
        "empty-row",
        "A fully masked row, whose query may see no key, should get zeros.",
        "What are the maximum and the sum of a row in which every key is hidden?",
        shows=weights_of_hidden_keys,
        softmax=[
            unguarded_softmax,
            lambda x: np.zeros(x.shape) if np.isneginf(x).all() else unguarded_softmax(x),
        ],
        apply_mask=[
            fill_hidden_with(-1e9),
            lambda x, mask: np.where(mask, x, -np.inf) if mask.any() else x,
        ],
    ),
    mistake(
        "zeros-if-any-nan",
        "A row with allowed keys was lost because a different row has none.",
        "Which rows have no allowed key at all? Only those get zeros.",
        shows=weights_of_hidden_keys,
        softmax=[zeros_if_any_nan(()), zeros_if_any_nan((-1, -2)), zeros_if_any_nan(-2)],
    ),
    mistake(
        "fill-above-scores",
        "A hidden score did not become low enough: here it is above the allowed ones, or not far below.",
        "Which number stays below every score, whatever it is added to?",
        shows=weights_of_hidden_keys,
        together=[
            {"apply_mask": apply_mask, "mask_weights": zero_empty_rows}
            for fill in (-50, -1e2, -1e3, -1e4, -1e5, -1e6)
            for apply_mask in (fill_hidden_with(fill), add_to_hidden(fill))
        ]
        + [{"apply_mask": add_to_hidden(-1e9), "mask_weights": zero_empty_rows}],
    ),
]
