"""Mistakes on the way from scores to shares: the softmax."""

import numpy as np

from attention_lib.check.grading.format_evidence import entry, sums
from attention_lib.check.mistakes.mistake import brings, mistake
from attention_lib.check.mistakes.signs import (
    columns_add_up_to_one,
    nothing_adds_up_to_one,
    tables_add_up_to_one,
)
from attention_lib.check.steps import RIGHT, swap

softmax = RIGHT["share"]


def top(x):
    return x.max(-1, keepdims=True)


def total(x):
    return x.sum(-1, keepdims=True)


def power(x):
    return np.exp(x - top(x))


def unguarded(x):
    return power(x) / total(power(x))


def over(axis_of_maximum, axis_of_sum):
    """A softmax with other axes."""

    def share(x):
        powers = np.exp(x - x.max(axis_of_maximum, keepdims=True))
        return powers / powers.sum(axis_of_sum, keepdims=True)

    return share


def one_maximum(axis):
    """One maximum for all, and sums over this axis."""
    return brings("one-maximum-for-all", over(None, axis))


def no_maximum(axis):
    """No maximum at all, and sums over this axis."""
    return brings("overflows", lambda x: np.exp(x) / np.exp(x).sum(axis, keepdims=True))


def lowered(by):
    """A softmax that lowers its scores by something else than a row's maximum."""
    return lambda x: np.exp(x - by(x)) / total(np.exp(x - by(x)))


def divided(f):
    return lambda x: f(x) / total(f(x))


def one_hot(x):
    return (x == top(x)).astype(float)


NORMALISED = [
    mistake(
        "normalised-over-everything",
        "The whole table was divided by one sum.",
        sums,
        "Whose attention is shared out? Each of those has 1 to spend.",
        share=[
            *(over(None, None), over((-1, -2), (-1, -2))),
            *(no_maximum(None), no_maximum((-1, -2))),
        ],
        sign=tables_add_up_to_one,
    ),
    mistake(
        "normalised-over-queries",
        "The shares add up to 1 over the queries, and should add up to 1 over the keys.",
        sums,
        "Which axis runs over the keys?",
        share=[
            *(over(-2, -2), over(0, 0), over(-1, -2), over(-1, 0)),
            *(one_maximum(-2), one_maximum(0), no_maximum(-2), no_maximum(0)),
        ],
        sign=columns_add_up_to_one,
    ),
    mistake(
        "normalised-over-queries",
        "Axis 1 holds the keys of a table. In a batch it holds the queries or the heads.",
        sums,
        "Which axis holds the keys, counted from the end?",
        share=[over(1, 1), one_maximum(1), no_maximum(1)],
        over="normalised-over-everything",
    ),
    mistake(
        "keepdims-missing",
        "Each column met the sum or the maximum of a row: an axis was lost on the way.",
        sums,
        "What is the shape of your sums, and how does NumPy line it up with the table?",
        share=[
            lambda x: power(x) / power(x).sum(-1),
            lambda x: power(x) / power(x).sum(1),
            lambda x: np.exp(x) / np.exp(x).sum(-1),
            lambda x: np.exp(x) / np.exp(x).sum(1),
            lambda x: np.exp(x) / swap(total(np.exp(x))),
            lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1),
            lambda x: np.exp(x - x.max(1)) / np.exp(x - x.max(1)).sum(1),
            lambda x: divided(np.exp)(x - x.max(-1)),
            lambda x: power(x) / power(x).sum(-1)[:, None],
        ],
        over="normalised-over-everything normalised-over-queries",
    ),
    mistake(
        "not-normalised",
        "The powers were not divided by their sum.",
        sums,
        "What should a row of shares add up to?",
        share=[
            power,
            brings("overflows", lambda x: np.exp(x)),
            brings("one-maximum-for-all", lambda x: np.exp(x - x.max())),
        ],
        sign=nothing_adds_up_to_one,
    ),
    mistake(
        "not-normalised",
        "The powers were divided, but not by their sum.",
        sums,
        "What should a row of shares add up to? Which divisor makes it so?",
        share=[
            lambda x: power(x) / np.linalg.norm(power(x), axis=-1, keepdims=True),
            lambda x: np.exp(x) / total(x),
            lambda x: power(x) / x.shape[-1],
        ],
    ),
    mistake(
        "not-normalised",
        "Something was added to the sum, so the shares of a row add up to less than 1.",
        sums,
        "Is there a small number beside your sum? After the maximum is gone, can the sum be 0?",
        share=[
            lambda x, small=small: power(x) / (total(power(x)) + small)
            for small in (1.0, 1e-2, 1e-3, 1e-4, 1e-5)
        ],
    ),
    mistake(
        "softmax-twice",
        "Softmax was applied twice, which makes the shares far too equal.",
        entry,
        "What went into the second softmax: scores, or shares?",
        share=[
            lambda x: unguarded(unguarded(x)),
            lambda x: unguarded(np.where(np.isneginf(x), -np.inf, softmax(x))),
        ],
        over="shared-already",
    ),
]

POWERS = [
    mistake(
        "divided-without-exp",
        "The scores themselves were divided. A score may be negative, and a share may not.",
        entry,
        "What makes every score positive and keeps their order?",
        share=[
            *map(divided, (np.asarray, np.abs, np.square, lambda x: np.maximum(x, 0))),
            divided(lambda x: x - x.min(-1, keepdims=True)),
            lambda x: x / x.sum(),
            lambda x: x / top(x),
            lambda x: (x - x.min(-1, keepdims=True)) / np.ptp(x, -1, keepdims=True),
        ],
    ),
    mistake(
        "sigmoid-not-softmax",
        "Each share depends on its own score alone: this is the sigmoid. Nothing is shared out.",
        sums,
        "Should a key's share fall when another key's score rises?",
        share=[lambda x: 1 / (1 + np.exp(-x)), divided(lambda x: 1 / (1 + np.exp(-x))), np.tanh],
        over="not-normalised",
    ),
    mistake(
        "sign-turned",
        "The order is turned over: the lowest score got the largest share.",
        entry,
        "Which of exp(2) and exp(-2) is larger? Which scores go into exp in your lines?",
        share=[lambda x: unguarded(-x), lambda x: unguarded(np.where(np.isinf(x), x, -x))],
    ),
    mistake(
        "sign-lost",
        "Minus signs were lost: a score far below the others got as much as one far above.",
        entry,
        "Which share should a score of -3 get beside a score of 3?",
        share=[lambda x: unguarded(np.abs(x)), lambda x: unguarded(np.maximum(x, 0))],
    ),
    mistake(
        "other-base",
        "The powers were taken of another number than e.",
        entry,
        "What is your power of the score 1? exp(1) is 2.718.",
        share=[
            lambda x: divided(lambda z: 2.0 ** (z - top(z)))(x),
            lambda x: divided(lambda z: 10.0 ** (z - top(z)))(x),
        ],
    ),
    mistake(
        "winner-takes-all",
        "All of a row went to its largest score. Softmax gives each key a share.",
        entry,
        "Two scores differ by 0.1. By how much should their shares differ?",
        share=[one_hot, lambda x: np.eye(x.shape[-1])[x.argmax(-1)]],
    ),
    mistake(
        "overflows",
        "The scores were lowered by something else than their row's maximum: a row that spreads "
        "far still overflows.",
        entry,
        "After your subtraction, which is the largest number that can go into exp?",
        share=[
            lowered(lambda x: x.min(-1, keepdims=True)),
            lowered(lambda x: x.mean(-1, keepdims=True)),
        ],
        over="one-maximum-for-all underflows renormalised-after-mask",
    ),
    mistake(
        "logarithm-of-shares",
        "These are the logarithms of the shares.",
        entry,
        "Can a share be negative? Which last step is missing, or too many?",
        share=[lambda x: np.log(unguarded(x)), lambda x: x - top(x) - np.log(total(power(x)))],
    ),
    mistake(
        "scores-ignored",
        "All keys of a row got the same share, whatever their scores.",
        entry,
        "Where do the scores enter your last line?",
        share=[lambda x: np.isfinite(x) / np.maximum(total(np.isfinite(x)), 1)],
        over="averaged-otherwise",
    ),
    mistake(
        "exp-of-a-part",
        "Powers were taken of something else than the lowered scores: brackets may be missing.",
        entry,
        "Which part is subtracted first, and which divided last? Do brackets say so?",
        share=[
            lambda x: np.exp(x) - top(x) / total(np.exp(x) - top(x)),
            lambda x: np.exp(x) / total(np.exp(x - top(x))),
            lambda x: np.exp(x - top(x)) / total(np.exp(x)),
            lambda x: np.exp(x / total(x)),
            lambda x: divided(np.exp)(power(x)),
        ],
    ),
]

# Only edges show these: they have no ways.
EDGES = [
    mistake(
        "overflows",
        "Large scores overflow: exp of them is infinity, and infinity over infinity is NaN.",
        entry,
        "Only differences count. What could you subtract from a row before exp?",
        over="one-maximum-for-all underflows renormalised-after-mask",
    ),
    mistake(
        "one-maximum-for-all",
        "One maximum was subtracted from all rows, and a row far below it becomes 0 over 0.",
        entry,
        "Whose maximum does each row need?",
        over="underflows",
    ),
    mistake(
        "underflows",
        "In a row far below zero every power became 0, and 0 over 0 is NaN.",
        entry,
        "What was subtracted from that row? After it, the largest score should be 0.",
    ),
]
