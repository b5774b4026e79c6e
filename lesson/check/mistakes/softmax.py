"""Mistakes on the way from scores to weights: the softmax."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.shown import row_and_column_sums
from lesson.check.steps import root, softmax


def maximum_of_row(x):
    return x.max(-1, keepdims=True)


def sum_of_row(x):
    return x.sum(-1, keepdims=True)


def powers(x):
    return np.exp(x - maximum_of_row(x))


def unguarded_softmax(x):
    """Right, except for a fully masked row, which becomes NaN."""
    return powers(x) / sum_of_row(powers(x))


def over_axes(axis_of_maximum, axis_of_sum):
    """A softmax with other axes."""

    def wrong_softmax(x):
        e = np.exp(x - x.max(axis_of_maximum, keepdims=True))
        return e / e.sum(axis_of_sum, keepdims=True)

    return wrong_softmax


def lowered_by(shift):
    """A softmax that lowers its scores by something else than a row's maximum."""
    return lambda x: np.exp(x - shift(x)) / sum_of_row(np.exp(x - shift(x)))


def guarded_below(shift):
    """The same, with zeros for a row whose exponentials are all 0, and nothing subtracted where all is hidden."""

    def shares(x):
        top = shift(x)
        e = np.exp(x - np.where(np.isneginf(top), 0, top))
        return e / np.where(sum_of_row(e) > 0, sum_of_row(e), 1)

    return shares


def divided_by_sum(f):
    """Something else than exponentials, divided by the sum of its row."""
    return lambda x: f(x) / sum_of_row(f(x))


NORMALISED = [
    mistake(
        "normalised-over-everything",
        "The whole matrix was divided by one sum.",
        "What should the weights of each query add up to?",
        shows=row_and_column_sums,
        softmax=[over_axes(None, None), over_axes(-1, None)],
    ),
    mistake(
        "normalised-over-queries",
        "The weights add up to 1 over the queries, or a different axis in front, but should add up to 1 over the keys.",
        "Which axis runs over the keys?",
        shows=row_and_column_sums,
        softmax=[
            lambda x: softmax(x, axis=-2),
            lambda x: softmax(x, axis=0),
            over_axes(-2, -2),
            over_axes(0, 0),
            over_axes(-1, -2),
            over_axes(-1, 0),
            over_axes(None, -2),
            over_axes(None, 0),
            over_axes(-3, -3),
        ],
    ),
    mistake(
        "normalised-over-axis-one",
        "Axis 1 holds the keys of a single matrix. In a batch it holds the queries or the heads.",
        "Which axis holds the keys, counted from the end?",
        shows=row_and_column_sums,
        softmax=[over_axes(1, 1), lambda x: softmax(x, axis=1)],
        supersedes="normalised-over-everything",
    ),
    mistake(
        "keepdims-missing",
        "Each column met the sum or the maximum of a row: an axis was lost, or is in the wrong position.",
        "What is the shape of your sums, and how does NumPy line it up with the scores?",
        shows=row_and_column_sums,
        softmax=[
            lambda x: powers(x) / powers(x).sum(-1),
            lambda x: np.exp(x) / np.exp(x).sum(-1),
            lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1),
            lambda x: divided_by_sum(np.exp)(x - x.max(-1)),
            lambda x: powers(x) / powers(x).sum(-1)[:, None],
        ],
        supersedes="normalised-over-everything normalised-over-queries normalised-over-axis-one",
    ),
    mistake(
        "maximum-over-queries",
        "The sums run over the keys, but the maximum ran over a different axis.",
        "Which scores does one softmax compare? Whose maximum has to be subtracted from them?",
        softmax=[over_axes(-2, -1), over_axes(0, -1), over_axes(1, -1)],
    ),
    mistake(
        "not-normalised",
        "The exponentials were not divided by their sum.",
        "What should a row of weights add up to?",
        shows=row_and_column_sums,
        softmax=[powers, np.exp, lambda x: np.exp(x - x.max())],
    ),
    mistake(
        "divided-by-another-sum",
        "The exponentials were divided, but not by their sum.",
        "What should a row of weights add up to? Which divisor makes it so?",
        shows=row_and_column_sums,
        softmax=[
            lambda x: powers(x) / np.linalg.norm(powers(x), axis=-1, keepdims=True),
            lambda x: np.exp(x) / sum_of_row(x),
            lambda x: powers(x) / x.shape[-1],
        ],
    ),
    mistake(
        "divided-by-the-mean",
        "The exponentials were divided by their mean, so the weights of a row add up to its length.",
        "What should a row of weights add up to? Is that what your divisor makes of it?",
        shows=row_and_column_sums,
        softmax=[lambda x: powers(x) / powers(x).mean(-1, keepdims=True)],
    ),
    mistake(
        "added-to-the-sum",
        "Something was added to the sum, so the weights of a row add up to less than 1.",
        "Is a number added to your sum? With the maximum subtracted, can the sum be 0 without it?",
        shows=row_and_column_sums,
        softmax=[
            lambda x, small=small: powers(x) / (sum_of_row(powers(x)) + small)
            for small in (1.0, 1e-2, 1e-3, 1e-4, 1e-5)
        ]
        + [lambda x, f=f: f(x) / (sum_of_row(f(x)) + 1e-6) for f in (powers, np.exp)],
    ),
    mistake(
        "lost-beside-epsilon",
        "One maximum was subtracted from all rows, and in a row far below it the small number added to the sum matters.",
        "Whose maximum does each row need? With it, can the sum of the exponentials be 0?",
        shows=row_and_column_sums,
        softmax=[
            lambda x, small=small: np.exp(x - x.max()) / (sum_of_row(np.exp(x - x.max())) + small)
            for small in (1e-6, 1e-8, 1e-9, 1e-10, 1e-12)
        ],
    ),
    mistake(
        "scaled-in-softmax",
        "Before exp, the scores were divided by the square root of a row's length. Softmax takes them as they are.",
        "Does softmax need to know how many scores are in a row?",
        softmax=[lambda x: softmax(x / root(x))],
        supersedes="scaled-by-length",
    ),
    mistake(
        "softmax-missing",
        "The scores themselves came back as weights, without a softmax.",
        "Which of your lines makes every score positive, and the sum of a row 1?",
        softmax=[lambda x: x],
        supersedes="masked-after-softmax",
    ),
    mistake(
        "softmax-twice",
        "Softmax was applied twice, which makes the weights far too equal.",
        "What went into the second softmax: scores, or weights?",
        softmax=[
            lambda x: unguarded_softmax(unguarded_softmax(x)),
            lambda x: unguarded_softmax(np.where(np.isneginf(x), -np.inf, softmax(x))),
        ],
        apply_mask=[lambda x, mask: np.where(mask, softmax(x), -np.inf)],
        together=[{"scale": lambda scores, q, k: softmax(scores / root(q)), "softmax": softmax}],
        supersedes="shared-already",
    ),
]

POWERS = [
    mistake(
        "divided-without-exp",
        "The scores were divided, but exp was not taken. A score can be negative, but a weight cannot.",
        "What makes every score positive and keeps their order?",
        softmax=[
            *map(divided_by_sum, (np.asarray, np.abs, np.square, lambda x: np.maximum(x, 0))),
            divided_by_sum(lambda x: x - x.min(-1, keepdims=True)),
            lambda x: x / x.sum(),
        ],
    ),
    mistake(
        "sigmoid-not-softmax",
        "This is the sigmoid, or tanh, of each score by itself. Softmax takes exponentials, and distributes 1 over the keys.",
        "Should a key's weight fall when the score of a different key rises? Which curve is exp, and what is its sum for?",
        shows=row_and_column_sums,
        softmax=[lambda x: 1 / (1 + np.exp(-x)), divided_by_sum(lambda x: 1 / (1 + np.exp(-x))), np.tanh],
        supersedes="not-normalised divided-by-another-sum added-to-the-sum",
    ),
    mistake(
        "sign-turned",
        "The order is reversed: the lowest score got the largest weight.",
        "Which of exp(2) and exp(-2) is larger, and which of them should a score of 2 get?",
        softmax=[
            lambda x: unguarded_softmax(np.where(np.isinf(x), x, -x)),
            lambda x: divided_by_sum(np.exp)(maximum_of_row(x) - x),
            lambda x: divided_by_sum(np.exp)(-x),
        ],
    ),
    mistake(
        "sign-of-scores-lost",
        "Minus signs were lost: negative scores were taken as positive, or as 0.",
        "Which weight should a score of -3 get if the other score is 3?",
        softmax=[lambda x: unguarded_softmax(np.abs(x)), lambda x: unguarded_softmax(np.maximum(x, 0))],
    ),
    mistake(
        "other-base",
        "Exponentials were taken to a base different from e.",
        "What is your exponential of the score 1? exp(1) is 2.718.",
        softmax=[divided_by_sum(lambda x, b=b: b ** (x - maximum_of_row(x))) for b in (2.0, 10.0)],
    ),
    mistake(
        "winner-takes-all",
        "All the weight of a row went to its largest score. Softmax gives each key some weight.",
        "Two scores differ by 0.1. By how much should their weights differ?",
        softmax=[lambda x: (x == maximum_of_row(x)) * 1.0, lambda x: np.eye(x.shape[-1])[x.argmax(-1)]],
    ),
    mistake(
        "logarithm-of-shares",
        "These are the logarithms of the weights.",
        "Can a weight be negative? Which last step is missing, or too many?",
        softmax=[lambda x: np.log(unguarded_softmax(x))],
    ),
    mistake(
        "scores-ignored",
        "All keys of a row got the same weight, whatever their scores.",
        "Where do the scores enter your weights?",
        softmax=[
            lambda x: np.isfinite(x) / np.maximum(sum_of_row(np.isfinite(x)), 1),
            lambda x: np.full(x.shape, 1 / x.shape[-1]),
        ],
        supersedes="averaged-otherwise",
    ),
    mistake(
        "exp-of-a-part",
        "Exponentials were taken of something different from the lowered scores: perhaps brackets are missing.",
        "What is in the brackets of each exp? Which part should be subtracted first, and which divided last?",
        softmax=[
            lambda x: np.exp(x) / sum_of_row(np.exp(x - maximum_of_row(x))),
            lambda x: np.exp(x - maximum_of_row(x)) / sum_of_row(np.exp(x)),
        ],
    ),
]

# Last of all: where a mask hides keys, these give NaN as other mistakes do.
LOWERED = [
    mistake(
        "lowered-otherwise",
        "The scores were lowered by something different from their row's maximum: where the largest is then far from 0, "
        "the row is lost.",
        "After your subtraction, the largest score of every row should be 0. Is it?",
        softmax=[
            lowered_by(lambda x: x.min(-1, keepdims=True)),
            lowered_by(lambda x: x[..., :1]),
            lowered_by(lambda x: x.mean(-1, keepdims=True)),
        ],
        supersedes="overflows one-maximum-for-all underflows renormalised-after-mask",
    ),
]

# Most of these show on extreme probes alone; Exercise.extreme_variants finds out which. Here the order alone counts.
SHOWN_BY_EXTREMES = [
    mistake(
        "overflows",
        "Large scores overflow or vanish: exp of 1000 is infinity, exp of -1000 is 0, and their row is lost.",
        "Only differences count. What should be subtracted from a row before exp?",
        softmax=[
            guarded_below(lambda x: 0),
            guarded_below(lambda x: np.where(np.isinf(x), 0, np.abs(x)).max(-1, keepdims=True)),
        ],
        supersedes="one-maximum-for-all underflows renormalised-after-mask lost-beside-epsilon",
    ),
    mistake(
        "one-maximum-for-all",
        "One number was subtracted from all rows, such as the maximum of all, and in a row far below it every exponential becomes 0.",
        "Whose maximum does each row need?",
        softmax=[
            guarded_below(lambda x: x.max()),
            guarded_below(lambda x: x.max((-1, -2), keepdims=True)),
        ],
        supersedes="underflows lost-beside-epsilon",
    ),
    mistake(
        "underflows",
        "In a row far below zero every exponential became 0, and so did their sum.",
        "Is something subtracted from that row before exp? After that, its largest score should be 0.",
        softmax=[guarded_below(lambda x: np.maximum(maximum_of_row(x), 0))],
    ),
]
