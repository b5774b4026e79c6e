"""Answers to `softmax` as learners write them."""

import math

import numpy as np

from tests.check.answers.shared import softmax


def power(x):
    return np.exp(x - x.max(-1, keepdims=True))


def divided_by_sum(powers):
    return powers / powers.sum(-1, keepdims=True)


def below(scores, limit):
    """The maximum is subtracted from rows below the limit, and from no others."""
    top = scores.max(-1, keepdims=True)
    return divided_by_sum(np.exp(scores - np.where(top < limit, top, 0)))


def naive(scores):
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


def twice_in_a_loop(scores):
    for _ in range(2):
        e = np.exp(scores)
        scores = e / e.sum(-1, keepdims=True)
    return scores


def shifted(shift):
    """A softmax that subtracts something else than the row's maximum: a row is lost where its largest score is not near 0 then."""
    return lambda x: divided_by_sum(np.exp(x - shift(x)))


def powers_in_place(scores):
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


WRONG = {
    "not-normalised": [power],
    "divided-by-the-mean": [lambda x: power(x) / np.mean(power(x), axis=-1, keepdims=True)],
    "added-to-the-sum": [lambda x: power(x) / (power(x).sum(axis=-1, keepdims=True) + 1e-6)],
    "lost-beside-epsilon": [
        lambda x: (e := np.exp(x - np.amax(x))) / (np.sum(e, axis=-1, keepdims=True) + 1e-8),
    ],
    "maximum-over-queries": [shifted(lambda x: x.max(-2 if x.ndim > 1 else -1, keepdims=True))],
    "softmax-missing": [lambda x: np.array(x.tolist())],
    "softmax-twice": [twice_in_a_loop],
    "divided-without-exp": [
        lambda x: np.divide(x, np.einsum("...j->...", x)[..., None]),
    ],
    "sigmoid-not-softmax": [
        lambda x: 1 / (1 + np.exp(-x)),
    ],
    "winner-takes-all": [lambda x: (x == x.max(-1, keepdims=True)) * 1.0],
    "scores-ignored": [lambda x: softmax(np.zeros(np.shape(x)))],
    "standardised": [lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)],
}


def softmax_in_plain_python(scores):
    if np.ndim(scores) > 1:
        return [softmax_in_plain_python(row) for row in scores]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


RIGHT = [
    softmax,
    softmax_in_plain_python,
    lambda scores: powers_in_place(scores.copy()),  # refuses whole numbers
]


ALMOST_RIGHT = {
    "axis_two": lambda x: softmax(x, 2 if x.ndim > 2 else -1),
    "minus_700": lambda x: softmax(x) if x.max() > 0 else divided_by_sum(np.exp(x - 700)),
    "lowest_rows_alone_shifted": lambda x: softmax(x) if x.max() > 745 else below(x, -745),
    "small_shares_cut_off": lambda x: np.where(softmax(x) < 5e-5, 0, softmax(x)),
    "fifty_below_for_infinity": lambda x: softmax(np.where(np.isinf(x), -50, x)),
    "nan_after_infinity": lambda x: np.where(np.isinf(x[..., :1]), np.nan, softmax(x)),
    "clipped_at_1500": lambda x: softmax(np.minimum(x, 1500)),
    "clipped_at_minus_10000": lambda x: softmax(np.maximum(x, -1e4)),
    "one_key_is_no_key": lambda x: softmax(x) if x.shape[-1] > 1 else np.zeros(x.shape),
    "first_sentence_of_one": lambda x: softmax(x)[0] if x.ndim == 3 and len(x) == 1 else softmax(x),
    "filled_into_whole_numbers": lambda x: softmax(x).astype(x.dtype),
}
