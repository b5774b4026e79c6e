"""Answers to `softmax` as learners write them."""

import math
import operator
from functools import reduce

import numpy as np

from tests.check.answers.shared import softmax, softmax_or_zeros


def power(x):
    return np.exp(x - x.max(-1, keepdims=True))


def naive(scores):
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


def softmax_by_columns(scores):
    if scores.ndim == 1:
        return softmax(scores)
    result = np.empty(scores.shape)
    for j in range(scores.shape[-1]):
        e = np.exp(scores[..., j] - scores[..., j].max(-1, keepdims=True))
        result[..., j] = e / e.sum(-1, keepdims=True)
    return result


def softmax_of_the_whole(scores):
    flat = scores.flatten()
    flat = np.exp(flat - max(flat))
    return (flat / sum(flat)).reshape(scores.shape)


def naive_row_by_row(scores):
    result = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        powers = [np.exp(s) for s in scores[place]]
        result[place] = [p / sum(powers) for p in powers]
    return result


def row_by_row(share):
    """Softmax in plain Python: share makes the shares of one row, and may look at the whole table."""

    def softmax(scores):
        result = np.zeros(scores.shape)
        for place in np.ndindex(scores.shape[:-1]):
            result[place] = share([float(score) for score in scores[place]], scores)
        return result

    return softmax


def plain_powers(row, table):
    return [math.exp(score) / sum(map(math.exp, row)) for score in row]


def one_top_in_plain_python(row, table):
    top = float(table.max())
    return [math.exp(score - top) / sum(math.exp(other - top) for other in row) for score in row]


def lost_axis(scores):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    total = np.sum(e, axis=-1)
    return np.divide(e, total)


def unshared(scores):
    result = np.array(scores, float)
    for row in result.reshape(-1, result.shape[-1]):
        row[:] = np.exp(row - row.max())
    return result


def twice_in_a_loop(scores):
    for _ in range(2):
        e = np.exp(scores)
        scores = e / e.sum(-1, keepdims=True)
    return scores


def shifted(shift):
    """A softmax that subtracts something else than the row's maximum: a row is lost where its largest score is not near 0 then."""

    def share(x):
        e = np.exp(x - shift(x))
        return e / e.sum(-1, keepdims=True)

    return share


def max_of_rows_sum_of_columns(scores):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(0) if scores.ndim < 3 else e / e.sum(axis=-2, keepdims=True)


def sums_over(axis):
    return lambda x: (e := np.exp(x)) / e.sum(min(axis, x.ndim - 1), keepdims=True)


def one_maximum_and_sums_over(axis):
    return lambda x: (e := np.exp(x - np.max(x))) / e.sum(min(axis, x.ndim - 1), keepdims=True)


def sums_over_axis_0(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


def sigmoid_in_a_loop(scores):
    out = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape):
        out[place] = 1 / (1 + math.exp(-scores[place])) if scores[place] > -700 else 0.0
    return out


def loudest(scores):
    out = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        out[place][np.argmax(scores[place])] = 1
    return out


def low_maximum(scores):
    e = np.exp(scores - np.maximum(scores.max(-1, keepdims=True), 0))
    return e / e.sum(-1, keepdims=True)


def shares(top=None, total=None):
    """Softmax with another maximum or another sum."""

    def share(x):
        e = np.exp(x - (top(x) if top else x.max(-1, keepdims=True)))
        return e / (total(e) if total else e.sum(-1, keepdims=True))

    return share


def powers_in_place(scores):
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


# Wrong ways from scores to shares. They come back with a mask, and inside attention.
SHARES = {
    "normalised-over-queries": [
        lambda x: softmax(x, axis=-2 if x.ndim > 1 else -1),
        lambda x: np.exp(x) / np.exp(x).sum(axis=0),
        lambda x: softmax(x.T).T,
        softmax_by_columns,
    ],
    "normalised-over-everything": [
        lambda x: np.exp(x) / np.exp(x).sum(),
        lambda x: np.exp(x - np.max(x)) / np.sum(np.exp(x - np.max(x))),
        softmax_of_the_whole,
        lambda x: (
            np.exp(x) / np.exp(x).sum(axis=(-2, -1), keepdims=True)
            if x.ndim > 1
            else np.exp(x) / sum(np.exp(x))
        ),
    ],
    "keepdims-missing": [
        lambda x: np.exp(x) / np.exp(x).sum(-1),
        lambda x: np.einsum("...ij,...j->...ij", np.exp(x), 1 / np.exp(x).sum(-1)),
        lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1),
        lambda x: np.exp(x) / np.exp(x).sum(axis=1) if x.ndim > 1 else softmax(x),
        lost_axis,
    ],
    "overflows": [
        naive,
        lambda x: np.exp(x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))),
        lambda x: np.e**x / np.einsum("...j->...", np.e**x)[..., None],
        naive_row_by_row,
        row_by_row(plain_powers),
    ],
    "one-maximum-for-all": [
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(-1, keepdims=True),
        lambda x: np.exp(x - np.amax(x)) / np.sum(np.exp(x - np.amax(x)), axis=x.ndim - 1)[..., None],
        lambda x: (lambda e: e / np.einsum("...j->...", e)[..., np.newaxis])(np.exp(x - max(x.flat))),
        row_by_row(one_top_in_plain_python),
    ],
    "not-normalised": [
        power,
        lambda x: np.e**x,
        unshared,
    ],
    "softmax-twice": [
        lambda x: softmax(softmax(x)),
        lambda x: reduce(lambda y, _: softmax_or_zeros(y), range(2), x),
        twice_in_a_loop,
    ],
    "divided-without-exp": [
        lambda x: x / x.sum(-1, keepdims=True),
        lambda x: np.divide(x, np.einsum("...j->...", x)[..., None]),
        lambda x: np.abs(x) / np.abs(x).sum(-1, keepdims=True),
        lambda x: (x - x.min(-1, keepdims=True)) / (x - x.min(-1, keepdims=True)).sum(-1, keepdims=True),
    ],
}

WRONG = {
    **SHARES,
    "normalised-over-queries": [
        *SHARES["normalised-over-queries"],
        lambda x: softmax(x, axis=1),
        lambda x: power(x) / power(x).sum(-2, keepdims=True),
        max_of_rows_sum_of_columns,
        sums_over_axis_0,
        *(one_maximum_and_sums_over(axis) for axis in (-2, 0, 1)),
        *(sums_over(axis) for axis in (-2, 0, 1)),
    ],
    "normalised-over-everything": [
        *SHARES["normalised-over-everything"],
        lambda x: np.exp(x) / np.exp(x).sum(tuple(range(x.ndim))[-2:], keepdims=True),
    ],
    "keepdims-missing": [
        *SHARES["keepdims-missing"],
        lambda x: power(x) / np.sum(power(x), axis=1),
        lambda x: np.exp(x - x.max(1)) / np.exp(x - x.max(1)).sum(1),
        lambda x: (e := np.exp(x - x.max(axis=-1))) / e.sum(axis=-1, keepdims=True),
        lambda x: power(x) / power(x).sum(-1)[:, None],
    ],
    "overflows": [
        *SHARES["overflows"],
        shifted(lambda x: x[..., :1]),
        shifted(lambda x: x.min(-1, keepdims=True)),
        shifted(lambda x: x.mean(-1, keepdims=True)),
        shifted(lambda x: abs(x).max(-1, keepdims=True)),
        shifted(lambda x: np.where(np.isneginf(x), np.inf, x).min(-1, keepdims=True)),
    ],
    "underflows": [
        low_maximum,
        lambda x: (
            np.exp(x - x.max(-1, keepdims=True, initial=0))
            / np.exp(x - x.max(-1, keepdims=True, initial=0)).sum(-1, keepdims=True)
        ),
    ],
    "not-normalised": [
        *SHARES["not-normalised"],
        lambda x: np.exp(x - np.max(x)),
        lambda x: power(x) / np.sqrt((power(x) ** 2).sum(-1, keepdims=True)),
        lambda x: np.exp(x) / x.sum(-1, keepdims=True),
        lambda x: power(x) / x.shape[-1],
        *(
            lambda x, small=small: power(x) / (power(x).sum(-1)[..., None] + small)
            for small in (1, 1e-2, 1e-3, 1e-4, 1e-5)
        ),
        lambda x: np.exp(x) / (1 + np.exp(x).sum(-1, keepdims=True)),
    ],
    "maximum-over-queries": [
        shares(top=lambda x: x.max(-2 if x.ndim > 1 else -1, keepdims=True)),
        shares(top=lambda x: x.max(0)),
        shares(top=lambda x: x.max(min(1, x.ndim - 1), keepdims=True)),
    ],
    "scaled-already": [
        lambda x: softmax(x / np.sqrt(x.shape[-1])),
        lambda x: (
            np.exp((y := x * x.shape[-1] ** -0.5) - y.max(-1, keepdims=True))
            / np.exp(y - y.max(-1, keepdims=True)).sum(-1, keepdims=True)
        ),
    ],
    "softmax-missing": [
        lambda x: x,
        lambda x: np.array(x.tolist()),
        lambda x: np.nan_to_num(x, neginf=0),
    ],
    "divided-without-exp": [
        *SHARES["divided-without-exp"],
        lambda x: x**2 / (x**2).sum(-1, keepdims=True),
        lambda x: (r := np.maximum(x, 0)) / r.sum(-1, keepdims=True),
        lambda x: (x - x.min(-1, keepdims=True)) / (x.max(-1, keepdims=True) - x.min(-1, keepdims=True)),
        lambda x: x / x.max(-1, keepdims=True),
        lambda x: x / np.sum(x),
    ],
    "sigmoid-not-softmax": [
        lambda x: 1 / (1 + np.exp(-x)),
        sigmoid_in_a_loop,
        lambda x: (s := 1 / (1 + np.exp(-x))) / s.sum(-1, keepdims=True),
        np.tanh,
    ],
    "sign-turned": [
        lambda x: softmax(-x),
        lambda x: np.exp(-x) / np.exp(-x).sum(-1, keepdims=True),
    ],
    "sign-lost": [
        lambda x: softmax(abs(x)),
        lambda x: softmax(np.where(x < 0, 0, x)),
    ],
    "other-base": [
        lambda x: (
            2.0 ** (x - x.max(-1, keepdims=True)) / (2.0 ** (x - x.max(-1, keepdims=True))).sum(-1)[..., None]
        ),
        lambda x: (p := 10 ** (x - x.max(-1, keepdims=True))) / p.sum(-1, keepdims=True),
    ],
    "winner-takes-all": [loudest, lambda x: (x == x.max(-1, keepdims=True)) * 1.0],
    "logarithm-of-shares": [
        lambda x: np.log(softmax(x)),
        lambda x: x - np.log(power(x).sum(-1, keepdims=True)) - x.max(-1, keepdims=True),
    ],
    "scores-ignored": [
        lambda x: np.ones(x.shape) / x.shape[-1],
        lambda x: softmax(np.zeros(np.shape(x))),
    ],
    "exp-of-a-part": [
        lambda x: (
            np.exp(x)
            - x.max(-1, keepdims=True) / (np.exp(x) - x.max(-1, keepdims=True)).sum(-1, keepdims=True)
        ),
        lambda x: np.exp(x) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True),
        lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x).sum(-1, keepdims=True),
        lambda x: np.exp(x / x.sum(-1, keepdims=True)),
        lambda x: np.exp(power(x)) / np.exp(power(x)).sum(-1, keepdims=True),
    ],
    "standardised": [
        lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True),
        lambda x: (x - np.mean(x)) / np.std(x),
    ],
    "input-changed": [
        powers_in_place,
        lambda x: softmax(operator.isub(x, x.max(-1, keepdims=True))),
    ],
    "different": [lambda x: softmax(0.7 * x), lambda x: np.round(softmax(x), 2)],
}


def online_softmax(scores):
    """One pass, two keys at a time, corrected whenever a larger maximum comes."""
    top = np.full((*scores.shape[:-1], 1), -np.inf)
    total = np.zeros(top.shape)
    for start in range(0, scores.shape[-1], 2):
        block = scores[..., start : start + 2]
        new = np.maximum(top, block.max(-1, keepdims=True))
        shift = np.where(new == -np.inf, 0, new)
        total = total * np.exp(top - shift) + np.exp(block - shift).sum(-1, keepdims=True)
        top = new
    powers = np.exp(scores - np.where(top == -np.inf, 0, top))
    return powers / np.where(total == 0, 1, total)


def softmax_in_plain_python(scores):
    if np.ndim(scores) > 1:
        return [softmax_in_plain_python(row) for row in scores]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def softmax_in_place_on_a_copy(scores):
    scores = scores.copy()
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


def softmax_of_the_transposed(scores):
    x = np.moveaxis(scores, -1, 0)
    e = np.exp(x - x.max(0))
    return np.moveaxis(e / e.sum(0), 0, -1)


def softmax_in_logs(scores):
    top = scores.max(-1, keepdims=True)
    return np.exp(scores - top - np.log(np.exp(scores - top).sum(-1, keepdims=True)))


RIGHT = [
    softmax,
    online_softmax,
    softmax_in_plain_python,
    softmax_in_place_on_a_copy,
    softmax_of_the_transposed,
    softmax_in_logs,
    lambda x: 1 / np.exp(x[..., None, :] - x[..., :, None]).sum(-1) if np.isfinite(x).all() else softmax(x),
]


def nan_after_infinity(scores):
    """One pass that starts at the first score, which must be a number."""
    top, total = scores[..., :1], np.zeros((*scores.shape[:-1], 1))
    for i in range(scores.shape[-1]):
        new = np.maximum(top, scores[..., i : i + 1])
        total = total * np.exp(top - new) + np.exp(scores[..., i : i + 1] - new)
        top = new
    return np.exp(scores - top) / total


def axis_two(x):
    axis = 2 if x.ndim > 2 else -1
    return softmax(x, axis)


def by_number_of_axes(x):
    return softmax(x, {1: 0, 2: 1, 3: 2}.get(x.ndim, 1))


def loop_into_zeros(scores, mask=True):
    shares = np.zeros_like(scores)
    mask = np.broadcast_to(mask, scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        if mask[row].any():
            powers = np.exp(scores[row] - scores[row][mask[row]].max()) * mask[row]
            shares[row] = powers / powers.sum()
    return shares


ALMOST_RIGHT = {
    "squeezed": lambda x: np.squeeze(softmax(x)),
    "axis_two": axis_two,
    "by_number_of_axes": by_number_of_axes,
    "minus_700": lambda x: (
        softmax(x) if x.max() > 0 else np.exp(x - 700) / np.exp(x - 700).sum(-1)[..., None]
    ),
    "maximum_from_zero": shares(top=lambda x: x.max(-1, keepdims=True, initial=0)),
    "clipped": lambda x: softmax(np.clip(x, -500, 500)),
    "clipped_below": lambda x: softmax(np.maximum(x, -1000)),
    "one_maximum_a_table": shares(top=lambda x: x.max((-1, -2), keepdims=True) if x.ndim > 1 else x.max()),
    "never_zero": shares(total=lambda e: e.sum(-1, keepdims=True) + 1e-4),
    "small_shares_cut_off": lambda x: np.where(softmax(x) < 5e-5, 0, softmax(x)),
    "fifty_below_for_infinity": lambda x: softmax(np.where(np.isinf(x), -50, x)),
    "nan_after_infinity": nan_after_infinity,
    "a_millionth_added": shares(total=lambda e: e.sum(-1, keepdims=True) + 1e-6),
    "clipped_at_1500": lambda x: softmax(np.minimum(x, 1500)),
    "clipped_at_minus_10000": lambda x: softmax(np.maximum(x, -1e4)),
    "first_of_four_axes": lambda x: softmax(x) if x.ndim < 4 else softmax(x, 1),
    "one_key_is_no_key": lambda x: softmax(x) if x.shape[-1] > 1 else np.zeros(x.shape),
    "first_sentence_of_one": lambda x: softmax(x)[0] if x.ndim == 3 and len(x) == 1 else softmax(x),
    "loop_into_zeros": loop_into_zeros,
}
