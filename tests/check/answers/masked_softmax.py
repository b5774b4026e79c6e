"""Answers to `masked_softmax` as learners write them."""

import math

import numpy as np

import attention_lib as al
from tests.check.answers import softmax as softmax_answers
from tests.check.answers.shared import softmax, softmax_or_zeros
from tests.check.answers.softmax import SHARES, loop_into_zeros, low_maximum, naive, online_softmax


def masked_softmax_with(hide=None, share=softmax_or_zeros, after=None):
    """Right masked_softmax, with some of its lines replaced."""

    def masked_softmax(scores, mask):
        w = share(hide(scores, mask) if hide else np.where(mask, scores, -np.inf))
        return after(w, mask) if after else w

    return masked_softmax


def masked_row_by_row(hidden):
    """A masked softmax in loops, where a hidden score becomes `hidden`."""

    def masked_softmax(scores, mask):
        mask = np.broadcast_to(mask, scores.shape)
        result = np.zeros(scores.shape)
        for place in np.ndindex(scores.shape[:-1]):
            row = np.array([s if allowed else hidden for s, allowed in zip(scores[place], mask[place])])
            result[place] = softmax_or_zeros(row)
        return result

    return masked_softmax


def plain_python_with_mask(scores, mask):
    """Only the allowed scores of a row; max() of none is an error."""
    mask, result = np.broadcast_to(mask, scores.shape), np.zeros(scores.shape)
    for *place, j in np.argwhere(np.ones(scores.shape, bool)).tolist():
        row, seen = scores[tuple(place)], mask[tuple(place)]
        top = max(s for s, allowed in zip(row, seen) if allowed)
        total = sum(math.exp(s - top) for s, allowed in zip(row, seen) if allowed)
        result[(*place, j)] = math.exp(row[j] - top) / total if seen[j] else 0.0
    return result


def plain_sum_of_nothing(scores, mask):
    """The sum of no powers is 0, and Python does not divide by it."""
    mask, result = np.broadcast_to(mask, scores.shape), np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        top = max(scores[place].tolist())
        powers = [math.exp(s - top) * bool(m) for s, m in zip(scores[place].tolist(), mask[place])]
        result[place] = [power / sum(powers) for power in powers]
    return result


def zeros_for_empty_rows(w, mask):
    return np.where(np.any(mask, axis=-1, keepdims=True), w, 0)


def fill_a_copy(hidden):
    """Hides by writing into a copy."""

    def hide(s, mask):
        s = s.copy()
        s[np.broadcast_to(~mask, s.shape)] = hidden
        return s

    return hide


def inverted_in_loops(scores, mask):
    return masked_row_by_row(-np.inf)(scores, ~mask)


def first_query(mask, scores):
    return np.broadcast_to(mask, scores.shape)[..., :1, :]


def first_table(mask, scores):
    return np.broadcast_to(mask, scores.shape).reshape(-1, *scores.shape[-2:])[0]


def zero_is_hidden(s, mask):
    s = s * mask
    return np.where(s == 0, -np.inf, s)


def future_too(s, mask):
    return np.where(np.tri(*s.shape[-2:], dtype=bool) & mask, s, -np.inf)


# Wrong ways to hide a score before the softmax. They come back inside attention.
HIDES = {
    "polarity-inverted": [
        lambda s, mask: np.where(mask, -np.inf, s),
        lambda s, mask: np.where(~mask, s, -1e9),
        lambda s, mask: s + mask * -1e9,
        lambda s, mask: fill_a_copy(-np.inf)(s, ~mask),
    ],
    "filled-with-zero": [
        lambda s, mask: s * mask,
        lambda s, mask: np.where(mask, s, 1e-9),
        fill_a_copy(0),
    ],
    "fill-too-small": [
        lambda s, mask: np.where(mask, s, -10),
        lambda s, mask: np.where(mask, s, -1e5),
        lambda s, mask: s + ~mask * -10.0,
        lambda s, mask: s - 40 * ~mask,
        lambda s, mask: np.where(mask, s, -20.0),
        fill_a_copy(-100.0),
        fill_a_copy(-3.0),
    ],
    "zero-times-infinity": [
        lambda s, mask: s + (1 - mask) * -np.inf,
        lambda s, mask: s - ~mask * np.inf,
        lambda s, mask: mask * s + np.multiply(~mask, -np.inf),
    ],
    "plus-infinity": [
        lambda s, mask: np.where(mask, s, np.inf),
        lambda s, mask: np.where(mask, s, 1e9),
        fill_a_copy(float("inf")),
    ],
    "mask-ignored": [
        lambda s, mask: s,
        lambda s, mask: np.where(True, s, -np.inf),
        lambda s, mask: s + np.where(mask, 0, 0),
    ],
}
ONE_MASK_FOR_ALL = [
    lambda s, mask: np.where(first_query(mask, s), s, -np.inf),
    lambda s, mask: np.where(first_table(mask, s), s, -np.inf),
]
ZERO_TAKEN_FOR_HIDDEN = [zero_is_hidden, lambda s, mask: np.where(mask * s, s, -np.inf)]


def zero_if_nan(scores, mask):
    w = softmax(np.where(mask, scores, -np.inf))
    return np.zeros_like(w) if np.isnan(w).any() else w


def renormalised(scores, mask):
    weights = np.exp(scores - np.where(mask, scores, -np.inf).max(-1, keepdims=True, initial=-1e30)) * mask
    total = weights.sum(-1, keepdims=True)
    return np.divide(weights, total, out=np.zeros(weights.shape), where=total > 0)


def divided_after(scores, mask):
    w = softmax(scores) * mask
    total = w.sum(-1, keepdims=True)
    return w / np.where(total == 0, 1, total)


def with_silent_infinity(scores, mask):
    with np.errstate(all="ignore"):
        return softmax(np.where(mask, scores, math.inf))


def with_silent_nan(scores, mask):
    with np.errstate(all="ignore"):
        return softmax(np.where(mask, scores, np.nan))


def hide_in_place(scores, mask):
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return softmax_or_zeros(scores)


def mask_flipped_in_place(scores, mask):
    np.logical_not(mask, out=mask)
    return softmax_or_zeros(np.where(mask, -np.inf, scores))


def right_in_empty_rows(share):
    """A wrong share, and nothing else that is wrong: empty rows get zeros."""
    return lambda scores, mask: zeros_for_empty_rows(share(np.where(mask, scores, -np.inf)), mask)


WRONG = {id: [masked_softmax_with(hide) for hide in hides] for id, hides in HIDES.items()}
WRONG |= {id: [right_in_empty_rows(share) for share in shares] for id, shares in SHARES.items()}
WRONG["polarity-inverted"] += [
    inverted_in_loops,
    lambda scores, mask: softmax(scores) * ~mask,
    masked_softmax_with(lambda s, m: s * ~m),
]
WRONG["zero-times-infinity"] += [
    lambda scores, mask: softmax(scores + (1 - mask.astype(float)) * -np.inf),
]
WRONG["plus-infinity"] += [
    lambda scores, mask: softmax(np.where(mask, scores, np.inf)),
    masked_softmax_with(fill_a_copy(np.inf), share=naive),
    with_silent_infinity,
]
WRONG["filled-with-zero"] += [masked_row_by_row(0.0)]
WRONG["fill-too-small"] += [
    masked_row_by_row(-50.0),
    masked_softmax_with(lambda s, m: s + m),
    masked_softmax_with(lambda s, m: s - ~m),
    masked_softmax_with(lambda s, m: s - m),
    masked_softmax_with(lambda s, m: np.where(m, s, s.min())),
    lambda s, mask: softmax(s + np.where(mask, 0, -1e9)) * mask.any(-1, keepdims=True),
    lambda s, mask: softmax(s + (1.0 - mask) * -1e4) * mask.any(-1, keepdims=True),
]
WRONG["mask-ignored"] += [lambda scores, mask: al.softmax(scores)]
WRONG["softmax-twice"] += [
    lambda x, m: softmax_or_zeros(np.where(m, softmax_or_zeros(np.where(m, x, -np.inf)), -np.inf)),
    masked_softmax_with(hide=lambda x, m: np.where(m, softmax(x), -np.inf)),
]
WRONG |= {
    "masked-after-softmax": [
        lambda scores, mask: softmax(scores) * mask,
        lambda scores, mask: np.where(mask, softmax(scores), 0),
        lambda scores, mask: fill_a_copy(0)(softmax(scores), mask),
    ],
    "empty-row": [
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)),
        lambda scores, mask: softmax(scores + np.where(mask, 0, -np.inf)),
        lambda scores, mask: softmax(np.where(mask, scores, np.finfo(float).min)),
        plain_python_with_mask,
    ],
    "renormalised-after-mask": [
        divided_after,
        renormalised,
        plain_sum_of_nothing,
        lambda x, m: np.nan_to_num(divided_after(x, m)),
    ],
    "filled-with-nan": [
        masked_softmax_with(fill_a_copy(np.nan)),
        masked_softmax_with(lambda s, m: np.where(m, s, np.nan)),
        with_silent_nan,
    ],
    "one-mask-for-all": [
        *map(masked_softmax_with, ONE_MASK_FOR_ALL),
        masked_softmax_with(lambda s, mask: np.where(mask[0], s, -np.inf)),
        masked_softmax_with(lambda s, mask: np.where(mask[-1], s, -np.inf)),
    ],
    "zero-taken-for-hidden": [*map(masked_softmax_with, ZERO_TAKEN_FOR_HIDDEN)],
    "hidden-without-a-mask": [
        masked_softmax_with(future_too),
        lambda s, mask: softmax_or_zeros(future_too(np.array(s), mask)),
    ],
    "zeros-if-any-nan": [
        zero_if_nan,
        lambda x, m: softmax_or_zeros(np.where(m, x, -np.inf)) * np.any(m, -1).all(),
    ],
    "scores-ignored": [
        lambda x, m: np.zeros(x.shape) + m / np.maximum(m.sum(-1, keepdims=True), 1),
        lambda x, m: softmax_or_zeros(np.where(m, 0 * x, -np.inf)),
    ],
    "underflows": [
        masked_softmax_with(share=low_maximum),
        lambda x, m: masked_softmax_with(share=low_maximum)(x, m) + 0,
    ],
    "sign-turned": [
        lambda x, m: softmax_or_zeros(np.where(m, -x, -np.inf)),
        masked_softmax_with(lambda s, m: np.where(m, 0 - s, -np.inf)),
    ],
    "library-used": [
        al.masked_softmax,
        lambda x, m: al.softmax(np.where(m, x, -np.inf)),
        lambda x, m: (
            al.scaled_dot_product_attention(x, np.eye(x.shape[-1]), np.eye(x.shape[-1]), m, scale=1).weights
        ),
    ],
    "input-changed": [hide_in_place, mask_flipped_in_place],
    "different": [
        masked_softmax_with(share=lambda x: np.round(softmax_or_zeros(x), 2)),
        masked_softmax_with(share=lambda x: softmax_or_zeros(0.7 * x)),
    ],
}


def low_fill_then_zero(scores, mask):
    return softmax(np.where(mask, scores, -1e9)) * mask


def added_mask(scores, mask):
    return zeros_for_empty_rows(softmax(scores + np.where(mask, 0, -1e30)), mask)


def nan_to_zero(scores, mask):
    return np.nan_to_num(softmax(np.where(mask, scores, -np.inf)), nan=0.0)


def only_the_allowed(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    result = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        if mask[place].any():
            result[place][mask[place]] = softmax(scores[place][mask[place]])
    return result


RIGHT = [
    masked_softmax_with(),
    low_fill_then_zero,
    nan_to_zero,
    only_the_allowed,
    masked_softmax_with(share=online_softmax),
    masked_row_by_row(-np.inf),
    lambda scores, mask: np.ma.masked_invalid(softmax_or_zeros(np.where(mask, scores, -np.inf))).filled(0),
]


def hidden_with(share):
    """The same, with hidden scores at -inf and empty rows seen to."""

    def masked_softmax(scores, mask):
        hidden = np.where(mask, scores, -np.inf)
        some = np.any(np.broadcast_to(mask, scores.shape), -1, keepdims=True)
        hidden = np.where(some, hidden, 0.0)
        w = share(hidden)
        some = some if w.shape == hidden.shape else True
        return np.where(some, w, 0)

    return masked_softmax


def mask_as_index(scores, mask):
    if np.shape(mask) != scores.shape:
        mask = np.broadcast_to(mask, scores.shape[-2:])
        mask = np.broadcast_to(mask, scores.shape)
    return softmax_or_zeros(np.where(mask, scores, -np.inf))


def only_full_masks(scores, mask):
    return masked_softmax_with()(scores, mask) if mask.ndim in (2, 4) else softmax(scores)


def empty_only_in_tables(scores, mask):
    if scores.ndim == 2:
        return masked_softmax_with()(scores, mask)
    return softmax(np.where(mask, scores, -np.inf))


def first_mask_for_all(scores, mask):
    return masked_softmax_with()(scores, mask if mask.ndim < 3 or mask.ndim == 4 else mask[:1])


def handles_empty_tables_alone(scores, mask):
    w = softmax(np.where(mask, scores, -1e30))
    return w * np.any(mask) if np.ndim(mask) > 2 else np.where(mask.any(-1, keepdims=True), w, 0)


def of_forty_keys(scores, mask):
    """Masks longer than 32 keys are cut."""
    mask = np.array(np.broadcast_to(mask, scores.shape))
    mask[..., 32:] = True
    return masked_softmax_with()(scores, mask)


def empty_rows_by_index(scores, mask):
    """The mask must have as many rows as the table."""
    w = softmax(np.where(mask, scores, -np.inf))
    if np.isnan(w).any():
        w[~mask.any(-1)] = 0
    return w


def of_two_axes_at_least(scores, mask):
    return masked_softmax_with()(scores, mask if mask.ndim > 1 else mask[: scores.shape[-2], None])


def first_heads_mask_for_all(scores, mask):
    return masked_softmax_with()(scores, mask[:, :1] if mask.ndim == 4 else mask)


def next_to_nothing(scores, mask):
    """Hidden keys get 1e-11 where exactly 0 was asked for."""
    mask = np.broadcast_to(mask, scores.shape)
    lowest = np.min(scores, where=mask, initial=0.0)
    return softmax_or_zeros(np.where(mask, scores, lowest - 25.0)) * mask.any(axis=-1, keepdims=True)


ALMOST_RIGHT = {
    what: hidden_with(share)
    for what, share in softmax_answers.ALMOST_RIGHT.items()
    if what not in ("clipped", "clipped_below", "minus_700")
} | {
    "loop_into_zeros": lambda s, m: loop_into_zeros(np.where(m, s, s.min()), m),
    "mask_as_index": mask_as_index,
    "added_mask": added_mask,
    "first_heads_mask_for_all": first_heads_mask_for_all,
    "empty_rows_by_index": empty_rows_by_index,
    "of_two_axes_at_least": of_two_axes_at_least,
    "only_full_masks": only_full_masks,
    "empty_only_in_tables": empty_only_in_tables,
    "first_mask_for_all": first_mask_for_all,
    "handles_empty_tables_alone": handles_empty_tables_alone,
    "of_forty_keys": of_forty_keys,
    "low_maximum": masked_softmax_with(share=lambda x: softmax_or_zeros(np.maximum(x, -1e5))),
    "max_over_all_keys": lambda s, m: (
        (e := np.exp(s - s.max(-1, keepdims=True)) * m) / np.where((t := e.sum(-1, keepdims=True)) == 0, 1, t)
    ),
    "the_librarys": lambda s, m: al.softmax(np.where(m, s, -np.inf)),
    "the_librarys_too": lambda s, m: al.masked_softmax(s, m),
    "the_librarys_in_a_wrapper": lambda s, m: np.asarray(
        al.masked_softmax(np.array(s), np.array(m)).tolist()
    ),
    "tiny_leak": lambda s, m: np.where(m, masked_softmax_with()(s, m), 1e-6 * (np.any(m, -1, keepdims=True))),
    "next_to_nothing": next_to_nothing,
}
