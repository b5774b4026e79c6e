"""Exercise checks that name the mistake.

A check calls the learner's function on a few probes and compares with the library. If the numbers
are wrong, it asks: which wrong step of attention would give exactly these numbers? `MISTAKES` is the
list of wrong steps that people take. An entry replaces one or more of the right steps below, so it
works in every exercise that has these steps, alone and together with another one. Large scores, low
scores and an empty row show what ordinary numbers hide: `SPECIAL` lists those. Where no wrong step
fits exactly, `SIGNS` looks at sums and slopes. A new mistake is one entry in one of the three lists.
"""

import contextlib
import inspect
import io
import itertools
import numbers
import random
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from attention_lib import attention as al
from attention_lib import data

# The right steps, and the exercises made of them --------------------------------------------------


def swap(x):
    return np.swapaxes(x, -1, -2)


def total(x):
    return x.sum(-1, keepdims=True)


def top(x):
    return x.max(-1, keepdims=True)


def root(q):
    return q.shape[-1] ** 0.5


RIGHT = {
    "dot": lambda a, b: (a * b).sum(),
    "score": lambda q, k: q @ swap(k),
    "early": lambda scores, q: scores,
    "scale": lambda scores, q, k: scores / root(q),
    "hide": lambda scores, mask: np.where(mask, scores, -np.inf),
    "without": lambda scores: scores,
    "share": al.softmax,
    "after": lambda weights, mask, q: weights,
    "average": lambda weights, k, v: weights @ v,
    "give": lambda output, weights: (output, weights),
    "causal": lambda n: np.tri(n, dtype=bool),
    "turn": lambda mask: mask,
    "flip": lambda mask: mask,
    "real": lambda lengths, n: np.arange(n) < lengths[:, None],
    "lay": lambda real: real[:, None, :],
    "cut": al.split_heads,
    "glue": al.merge_heads,
}


def attention(s, q, k, v, mask=None):
    scores = s["scale"](s["score"](q, k), q, k)
    scores = s["without"](scores) if mask is None else s["hide"](scores, mask)
    weights = s["after"](s["share"](scores), mask, q)
    return s["give"](s["average"](weights, k, v), weights)


@dataclass(frozen=True)
class Exercise:
    arguments: str
    steps: str  # only mistakes in these can occur in it
    recipe: Callable  # steps and arguments -> answer


EXERCISES = {
    "dot_product": Exercise("a b", "dot", lambda s, a, b: s["dot"](a, b)),
    "attention_scores": Exercise("q k", "score early", lambda s, q, k: s["early"](s["score"](q, k), q)),
    "scaled_scores": Exercise("q k", "score scale", lambda s, q, k: s["scale"](s["score"](q, k), q, k)),
    "softmax": Exercise("scores", "share", lambda s, x: s["share"](x)),
    "causal_mask": Exercise("n", "causal turn flip", lambda s, n: s["flip"](s["turn"](s["causal"](n)))),
    "padding_mask": Exercise(
        "lengths max_length", "real flip lay", lambda s, x, n: s["lay"](s["flip"](s["real"](x, n)))
    ),
    "masked_softmax": Exercise(
        "scores mask",
        "hide share after",
        lambda s, x, mask: s["after"](s["share"](s["hide"](x, mask)), mask, None),
    ),
    "scaled_dot_product_attention": Exercise(
        "q k v mask", "score scale hide without share after average give", attention
    ),
    "split_heads": Exercise("x n_heads", "cut", lambda s, x, n: s["cut"](x, n)),
    "merge_heads": Exercise("x", "glue", lambda s, x: s["glue"](x)),
}
ATTENTION = "scaled_dot_product_attention"

# What is shown of a wrong answer ------------------------------------------------------------------


def show(values):
    """Numbers with at most two decimals, on any processor the same."""
    texts = ["NaN" if np.isnan(x) else f"{np.round(float(x), 2) + 0.0:.2f}" for x in np.ravel(values)]
    return " ".join(text.rstrip("0").rstrip(".") if "." in text else text for text in texts)


def first_table(x):
    return x.reshape(-1, *x.shape[-2:])[0] if x.ndim > 2 else np.atleast_2d(x)


def shape(seen):
    if len(seen.got) != len(seen.right):
        return f"What came back has shape {' and '.join(str(x.shape) for x in seen.got)}."
    got, right = seen.got[0].shape, seen.right[0].shape
    return f"The shape is {got} and should be {right}." if got != right else entry(seen)


def entry(seen):
    """The entry that is furthest off."""
    pairs = list(zip(seen.got, seen.right))
    got, right = next(((g, r) for g, r in pairs if not same((g,), (r,), seen.dtype)), pairs[0])
    if got.shape != right.shape:
        return f"The shape is {got.shape} and should be {right.shape}."
    off = np.where(np.isfinite(got), np.abs(got - right), np.inf)
    worst = np.unravel_index(np.round(off, 6).argmax(), got.shape)
    where = f"Entry {[int(i) for i in worst]}" if got.ndim else "The result"
    if show(got[worst]) == show(right[worst]):
        return f"{where} is {show(got[worst])}, which is off by {off[worst]:.0e}."
    return f"{where} is {show(got[worst])} and should be {show(right[worst])}."


def sums(seen):
    table = first_table(seen.weights)
    return f"The rows add up to {show(table.sum(-1)[:4])}, the columns to {show(table.sum(-2)[:4])}."


def forbidden(seen):
    weights, mask = first_table(seen.weights), first_table(np.broadcast_to(seen.mask, seen.weights.shape))
    row = int((~mask).sum(-1).argmax())
    leak = np.where(mask, 0, weights)
    if 0 < leak.max() < 0.005:
        row, key = np.unravel_index(leak.argmax(), leak.shape)
        return f"In row {row} the mask is {show(mask[row])}, and key {key} gets {leak.max():.0e}."
    return f"In row {row} the mask is {show(mask[row])}, and the weights are {show(weights[row])}."


def keys_seen(seen):
    got, right = (show(table.sum(-1)) for table in (seen.got[0], seen.right[0]))
    return f"The rows can see {got} keys, and should see {right}."


def first_row(seen):
    got, right = (x[0].reshape(-1, x[0].shape[-1]) for x in (seen.got, seen.right))
    row = next((i for i, (g, r) in enumerate(zip(got, right)) if not np.array_equal(g, r)), 0)
    at = [int(i) for i in np.unravel_index(row, seen.right[0].shape[:-1])]
    return (
        f"Row {at if len(at) > 1 else at[0]} should be {show(right[row])}, and here stands {show(got[row])}."
    )


def pattern(seen):
    return first_row(seen) if seen.mask is None else forbidden(seen)


# The mistakes -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mistake:
    id: str
    wrong: tuple | list  # the wrong steps, in each of the ways in which people take them
    cause: str
    look: Callable  # what shows it
    ask: str  # the next step


def unguarded(x):
    powers = np.exp(x - top(x))
    return powers / total(powers)


def power(x):
    return np.exp(x - top(x))


def shared(top, sum):
    """A softmax with these axes of the maximum and of the sum (None: all), and the same with NaN made 0."""

    def share(x):
        powers = np.exp(x - x.max(top, keepdims=True))
        return powers / powers.sum(sum, keepdims=True)

    return [dict(share=share), dict(share=lambda x: np.nan_to_num(share(x)))]


def fill(value):
    return lambda x, mask: np.where(mask, x, value)


def add(value):
    return lambda x, mask: x + np.where(mask, 0.0, value)


def divide(by):
    return {"scale": lambda scores, q, k: scores / by(q, k)}


def unscaled(scores, q, k):
    return scores


def unmasked(scores, mask):
    return scores


def strike(weights, mask, q):
    return weights if mask is None else weights * mask


def finite(x):
    return np.where(np.isfinite(x), x, 0)


# The first that fits names the verdict. What changes a shape comes first: it is seen first.
# fmt: off
SHAPES = [
    Mistake("not-summed",
        [dict(dot=lambda a, b: a * b), dict(dot=lambda a, b: a[0] * b[0]), dict(dot=lambda a, b: a[-1] * b[-1]),
         dict(dot=lambda a, b: np.cumsum(a * b)), dict(dot=np.outer), dict(dot=lambda a, b: a * b / np.linalg.norm(a) / np.linalg.norm(b))],
        "The products were made, but they were not all added up.", entry,
        "How many numbers should come back for two vectors, and which products are in them?"),
    Mistake("queries-and-keys-swapped",
        [dict(score=lambda q, k: k @ swap(q)), dict(score=lambda q, k: k @ q.T)],
        "Rows and columns have changed places: a row should belong to a query.", shape,
        "Which of the two should give the number of rows?"),
    Mistake("batches-paired",
        [dict(score=lambda q, k: np.tensordot(q, k, (-1, -1))), dict(score=lambda q, k: q[:, None] @ swap(k)),
         dict(average=lambda w, k, v: np.dot(w, v)), dict(score=lambda q, k: np.tensordot(q, k, (-1, -1)), average=lambda w, k, v: np.dot(w, v))],
        "Every table of the batch was multiplied with every other one.", shape,
        "Which product pairs sentence with sentence, np.dot or @?"),
    Mistake("return-order",
        [dict(give=lambda output, weights: (weights, output))],
        "Both results are there, in the other order: the weights came first.", shape,
        "Which of the two did the exercise ask for first?"),
    Mistake("output-only",
        [dict(give=lambda output, weights: (output,)), dict(give=lambda output, weights: (weights,))],
        "One array came back, and two were asked for: the output and the weights.", shape,
        "Which of the two does the caller of your function not get to see?"),
    Mistake("queries-masked",
        [dict(lay=lambda real: real[:, :, None])],
        "The padding lies along the queries, so padded keys would still get weight.", shape,
        "In (B, Lq, Lk), which axis holds the keys?"),
    Mistake("axis-missing",
        [dict(lay=lambda real: real)],
        "The axis of the queries is missing, so sentences would be taken for queries.", shape,
        "Write (B, Lq, Lk) above your shape and line both up from the right. What does B meet?"),
]
# Two more that have a cause and no name of their own.
UNNAMED = [
    Mistake("different",
        [dict(without=lambda x: np.full(x.shape, -np.inf)), dict(without=lambda x: np.full(x.shape, -np.inf), share=unguarded),
         dict(without=lambda x: np.full(x.shape, -1e9))],
        "Where no mask was given, everything was hidden.", entry,
        "What does your line for the mask do when mask is None?"),
    Mistake("different",
        [divide(lambda q, k, c=c: c) for c in (32**0.5, 8.0, 32.0, 64.0)],
        "The same number was used for every d_k.", entry,
        "From which shape can your function read d_k?"),
]
OVERFLOWS = Mistake("overflows",
    [dict(share=lambda x, low=low: np.exp(x - low(x, -1, keepdims=True)) / total(np.exp(x - low(x, -1, keepdims=True))))
     for low in (np.min, np.mean)],
    "Large scores, or large differences, overflow: exp of them is infinity, and infinity over infinity is NaN.", entry,
    "Only differences count. What could you subtract from a row before exp?")
VALUES = [
    Mistake("not-multiplied",
        [dict(dot=lambda a, b: (a + b).sum()), dict(dot=lambda a, b: a + b), dict(dot=lambda a, b: a.sum() * b.sum()),
         dict(dot=lambda a, b: a.sum())],
        "The numbers were not multiplied pair by pair.", entry,
        "Take [1, 2, 3] and [4, 0, -1] on paper. What happens to the first pair?"),
    Mistake("cosine",
        [dict(dot=lambda a, b: a @ b / np.linalg.norm(a) / np.linalg.norm(b))],
        "This is the cosine: the vectors' lengths were divided out.", entry,
        "What should happen to the dot product when one vector is doubled?"),
    Mistake("reshaped-not-transposed",
        [dict(score=lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]))],
        "The keys were not turned over: their numbers lie in the same order as before.", entry,
        "Look at the first column of what you multiply by. Is it the first key?"),
    Mistake("all-axes-reversed",
        [dict(score=lambda q, k: q @ k.T), dict(score=lambda q, k: np.dot(q, k.T)), dict(score=lambda q, k: (k @ q.T).T)],
        "With more than two axes, .T reverses all of them, and sentences get mixed up with keys.", shape,
        "Which two axes should change places, counted from the end?"),
    Mistake("zero-times-infinity",
        [dict(hide=lambda x, mask: x + np.where(mask, np.nan, -np.inf)), dict(hide=lambda x, mask: x + np.where(mask, -np.inf, np.nan)),
         dict(hide=lambda x, mask: x + np.where(mask, -np.inf, np.nan), share=unguarded),
         dict(hide=lambda x, mask: x + np.where(mask, np.nan, -np.inf), share=lambda x: np.nan_to_num(unguarded(x)))],
        "0 times infinity is NaN, so each row with such a product is lost.", forbidden,
        "Can you choose between two values without multiplying by the mask?"),
    Mistake("normalised-over-everything",
        [*shared(None, None), *shared(-1, None), *shared(0, None), *shared((-1, -2), (-1, -2))],
        "The whole table was divided by one sum.", sums,
        "Whose attention is shared out? Each of those has 1 to spend."),
    Mistake("normalised-over-queries",
        [way for axis in (-2, 0, 1) for top in (axis, -1) for way in shared(top, axis)],
        "The shares add up to 1 over the queries, and should add up to 1 over the keys.", sums,
        "Which axis runs over the keys?"),
    Mistake("keepdims-missing",
        [dict(share=lambda x: power(x) / power(x).sum(-1)), dict(share=lambda x: np.exp(x) / np.exp(x).sum(-1)),
         dict(share=lambda x: power(x) / power(x).sum(1)), dict(share=lambda x: np.exp(x) / np.exp(x).sum(1)),
         dict(share=lambda x: power(x) / swap(total(power(x)))), dict(share=lambda x: np.exp(x) / swap(total(np.exp(x)))),
         dict(share=lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1)),
         dict(share=lambda x: power(x) / power(x).sum(-1)[:, None]),
         dict(share=lambda x: np.exp(x - x.max(-1)[:, None]) / np.exp(x - x.max(-1)[:, None]).sum(-1)[:, None]),
         dict(share=lambda x: np.exp(x - x.max(-1)) / total(np.exp(x - x.max(-1))))],
        "Each column met the sum or the maximum of a row: an axis was lost on the way.", sums,
        "What is the shape of your sums, and how does NumPy line it up with the table?"),
    Mistake("scaled-after-softmax",
        [dict(scale=unscaled, after=lambda w, mask, q: w / root(q)), dict(after=lambda w, mask, q: w / root(q)),
         dict(scale=unscaled, average=lambda w, k, v: w @ v / root(k))],
        "The division by the square root of d_k came after the softmax.", sums,
        "Which numbers are too large without scaling, the scores or the shares?"),
    Mistake("masked-after-softmax",
        [dict(hide=unmasked, after=strike)],
        "The mask came after the softmax, when the hidden keys had taken their share already.", forbidden,
        "Add up that row. Who has the rest?"),
    Mistake("polarity-inverted",
        [dict(hide=lambda x, mask: np.where(mask, -np.inf, x)), dict(hide=lambda x, mask: np.where(mask, -np.inf, x), share=unguarded),
         dict(hide=lambda x, mask: np.where(mask, -1e9, x)), dict(hide=lambda x, mask: x + np.where(mask, -1e9, 0)),
         dict(hide=unmasked, after=lambda w, mask, q: w if mask is None else w * ~mask),
         *(dict(hide=lambda x, mask, v=v: np.where(mask, v, x)) for v in (0.0, 1e-9, -1e4, -1e5)), dict(flip=np.logical_not)],
        "The mask is upside down. True means: may attend.", pattern,
        "Say aloud what your code does where the mask is True."),
    Mistake("plus-infinity",
        [dict(hide=fill(np.inf)), dict(hide=fill(np.inf), share=lambda x: np.nan_to_num(unguarded(x))), dict(hide=fill(np.inf), share=unguarded),
         dict(hide=fill(np.inf), share=lambda x: np.exp(x) / total(np.exp(x))), dict(hide=fill(1e9)), dict(hide=add(1e9))],
        "Hidden scores were made very large, and should be very low.", forbidden,
        "Which share does the largest score of a row get?"),
    Mistake("mask-ignored",
        [dict(hide=unmasked)],
        "The mask changed nothing: these are the weights without it.", forbidden,
        "Follow the mask through your lines. Where does it change a score?"),
    Mistake("fill-too-small",
        [dict(hide=lambda x, mask: x + mask)],
        "True and False were added as 1 and 0, so hidden scores stayed as they were.", forbidden,
        "What must a hidden score become, so that exp of it is 0?"),
    Mistake("filled-with-zero",
        [dict(hide=fill(0.0)), dict(hide=fill(1e-9)), dict(hide=fill(-1e-9))],
        "Hidden scores became 0, and 0 is a score like any other.", forbidden,
        "What is exp(0)? Which score would give a share of 0?"),
    Mistake("fill-too-small",
        [dict(hide=way(-x)) for way in (fill, add) for x in (1.0, 2.0, 5.0, 8.0, 9.0, 10.0, 15.0)],
        "The value for hidden scores is not low enough, and hidden keys get a share.", forbidden,
        "Which number is lower than every score?"),
    Mistake("scaled-already",
        [dict(early=lambda scores, q: scores / root(q)), dict(early=lambda scores, q: scores / q.shape[-1])],
        "These scores are divided already. Scaling is the step after this one.", entry,
        "Multiply one query and one key by hand, and compare."),
    Mistake("not-scaled",
        [dict(scale=unscaled)],
        "The scores were not divided by the square root of d_k.", entry,
        "Where in your lines does d_k occur?"),
    Mistake("divided-by-d_k",
        [divide(lambda q, k: q.shape[-1])],
        "The scores were divided by d_k itself, or twice by its square root.", entry,
        "By how much do dot products of d_k random numbers spread?"),
    Mistake("multiplied-by-sqrt-d_k",
        [divide(lambda q, k: 1 / root(q)), divide(lambda q, k: 1 / q.shape[-1])],
        "The scores were multiplied: they became larger, and should become smaller.", entry,
        "Should scaled scores spread more than raw ones, or less?"),
    Mistake("scaled-by-length",
        [divide(lambda q, k, x=x, axis=axis, p=p: (q, k)[x].shape[axis] ** p) for x in (1, 0) for axis in (-2, 0, 1) for p in (0.5, 1)],
        "The scores were divided by a number of tokens or sentences. d_k was meant.", entry,
        "Which axis of q counts the numbers in one query?"),
    Mistake("divided-without-exp",
        [dict(share=lambda x: x / x.sum(0)), dict(share=lambda x: x / x.sum()), dict(share=lambda x: x / total(x)), dict(share=lambda x: (x - top(x)) / total(x - top(x))),
         *(dict(share=lambda x, f=f, g=g: f(g(x)) / total(f(g(x)))) for g in (np.asarray, finite)
           for f in (np.asarray, np.abs, np.square, lambda x: np.maximum(x, 0), lambda x: x - x.min(-1, keepdims=True)))],
        "The scores themselves were divided. A score may be negative, and a share may not.", entry,
        "What makes every score positive and keeps their order?"),
    Mistake("not-normalised",
        [dict(share=power), dict(share=np.exp), dict(share=lambda x: np.exp(x - x.max())), dict(hide=unmasked, share=power, after=strike)],
        "The powers were not divided by their sum.", sums,
        "What should a row of shares add up to?"),
    Mistake("softmax-twice",
        [dict(share=lambda x: unguarded(al.softmax(x))), dict(share=lambda x: unguarded(unguarded(x))),
         dict(share=lambda x: unguarded(np.where(np.isneginf(x), -np.inf, al.softmax(x))))],
        "Softmax was applied twice, which makes the shares far too equal.", entry,
        "What went into the second softmax: scores, or shares?"),
    Mistake("keys-as-values",
        [dict(average=lambda w, k, v: w @ k)],
        "The keys were averaged. The values were not used.", shape,
        "What does a word hand over, its key or its value?"),
    Mistake("weights-transposed",
        [dict(average=lambda w, k, v: swap(w) @ v), dict(give=lambda output, weights: (output, swap(weights)))],
        "The weights were turned over: their rows belong to keys.", entry,
        "A row of weights belongs to a query. To what should a row of the output belong?"),
    Mistake("diagonal-hidden",
        [dict(causal=lambda n, k=k: np.tri(n, k=k, dtype=bool)) for k in (-1,)],
        "A token cannot see itself.", keys_seen,
        "Does the key at the query's own position lie in the future?"),
    Mistake("future-leaks",
        [dict(causal=lambda n: np.tri(n, k=1, dtype=bool)), dict(causal=lambda n: np.ones((n, n), bool), turn=swap, flip=np.asarray)],
        "A query can see keys that come after it.", keys_seen,
        "How many keys may the first query see?"),
    Mistake("transposed",
        [dict(turn=swap)],
        "The triangle lies on the wrong side: queries see the future and not the past.", keys_seen,
        "Rows are queries. How many keys may the last row see?"),
    Mistake("off-by-one",
        [dict(real=lambda lengths, n: np.arange(n) <= lengths[:, None]), dict(real=lambda lengths, n: np.arange(n) < lengths[:, None] - 1),
         dict(real=lambda lengths, n: (np.arange(n) > 0) & (np.arange(n) <= lengths[:, None]))],
        "The border between tokens and padding is off by one.", first_row,
        "Positions start at 0. Which is the last real position of a sentence of length 6?"),
    Mistake("axes-not-swapped",
        [dict(cut=lambda x, n: x.reshape(*x.shape[:-2], n, x.shape[-2], -1)), dict(cut=lambda x, n: x.reshape(*x.shape[:-1], n, -1)),
         dict(glue=lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1)), dict(glue=lambda x: x.reshape(*x.shape[:-2], -1))],
        "Heads and tokens did not change places, so rows hold numbers of the wrong tokens.", first_row,
        "Numbers read 100 t + f for token t and feature f. Which of them belong in that row?"),
    Mistake("interleaved",
        [dict(cut=lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3)),
         dict(glue=lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1))],
        "The features were dealt to the heads in turns. A head's features should lie side by side.", first_row,
        "Numbers read 100 t + f for token t and feature f. Which features should head 0 hold?"),
]
MISTAKES = SHAPES + VALUES + UNNAMED + [OVERFLOWS]


# What ordinary numbers do not show: the probe that does, and the sign. wrong[0] says whether the row
# with large scores, or without a key, is wrong, wrong[1] the other row; leak: a hidden key got weight.
SPECIAL = [
    (("large scores",), lambda wrong, leak: wrong[0], OVERFLOWS),
    (("large scores",), lambda wrong, leak: wrong[1] and not wrong[0], Mistake("one-maximum-for-all", (),
        "One maximum was subtracted from all rows, and a row far below it becomes 0 over 0.", entry,
        "Whose maximum does each row need?")),
    (("an allowed score of -50", "scores around -200000"), lambda wrong, leak: leak, Mistake("fill-too-small", (),
        "The value for hidden scores is not low enough: here the allowed scores lie below it.", forbidden,
        "Which number is lower than every score?")),
    (("an empty row",), lambda wrong, leak: wrong[0], Mistake("empty-row", (),
        "A query that may see nothing should get zeros.", forbidden,
        "What are the maximum and the sum of a row in which everything is hidden?")),
]
# fmt: on


# Plain Python stops where NumPy gives infinity or NaN: which row is wrong then.
STOPS = {
    "large scores": {OverflowError: (True, False), ZeroDivisionError: (False, True)},
    "an empty row": {ArithmeticError: (True, False), ValueError: (True, False)},
}


def scaled(seen):
    """The scores that should have gone into the softmax."""
    return seen.args[0] if seen.name == "masked_softmax" else al.scaled_scores(*seen.args[:2])


def filled(seen, hidden):
    """The score that hidden keys seem to have had, judged by their weights."""
    allowed = np.where(hidden, np.nan, np.log(seen.weights) - scaled(seen))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (np.log(seen.weights) - np.nanmean(allowed, -1, keepdims=True))[hidden]


def slope(seen, hidden):
    """The scale that was used: log weights against raw scores, both centred, over allowed keys."""
    if seen.name != ATTENTION:
        return np.nan
    used, raw = ~hidden & (seen.weights > 0), seen.args[0] @ swap(seen.args[1])
    x, y = np.where(used, raw, np.nan), np.where(used, np.log(np.where(used, seen.weights, 1)), np.nan)
    x, y = (z - np.nanmean(z, -1, keepdims=True) for z in (x, y))
    factor = np.nansum(x * y) / np.nansum(x * x)
    return factor if np.allclose(y[used], factor * x[used], atol=1e-6) else np.nan


def power_of_d_k(p):
    return lambda s, hidden: np.isclose(slope(s, hidden), s.args[0].shape[-1] ** p)


# The signs in the weights of a mistake that no wrong step explains exactly, the likelier first. The
# second entry says whether only tables with hidden keys can tell.
# fmt: off
SIGNS = [
    ("normalised-over-everything", False,
     lambda s, hidden: np.isclose(s.weights.sum(), 1) or np.allclose(s.weights.sum((-1, -2)), 1)),
    ("normalised-over-queries", False, lambda s, hidden: np.allclose(s.weights.sum(-2), 1)),
    ("polarity-inverted", True, lambda s, hidden: s.weights[hidden].any() and not s.weights[~hidden & hidden.any(-1, keepdims=True)].any()),
    ("scaled-after-softmax", False, lambda s, hidden: s.name == ATTENTION and np.allclose(s.weights.sum(-1), 1 / root(s.args[0]))),
    ("masked-after-softmax", True, lambda s, hidden: not s.weights[hidden].any() and (s.weights.sum(-1) < 0.999).any()),
    ("filled-with-zero", True, lambda s, hidden: np.allclose(filled(s, hidden), 0, atol=0.3)),
    ("fill-too-small", True, lambda s, hidden: s.weights[hidden].any() and (filled(s, hidden) < -0.3).all()),
    ("not-scaled", False, power_of_d_k(0)),
    ("divided-by-d_k", False, power_of_d_k(-1)),
    ("multiplied-by-sqrt-d_k", False, power_of_d_k(0.5)),
    ("not-normalised", False, lambda s, hidden: (s.weights >= 0).all() and not np.isclose(s.weights.sum(-1), 1, atol=0.01).any()),
]
# fmt: on

# The probes ---------------------------------------------------------------------------------------


def draw(seed, *shape):
    return np.round(np.random.default_rng(seed).normal(0, 1.2, shape), 2)


def qkv(*leading, lq=4, lk=6, d_k=5, d_v=7):
    return draw(1, *leading, lq, d_k), draw(2, *leading, lk, d_k), draw(3, *leading, lk, d_v)


def yes_no(*rows):
    return np.array([[c == "1" for c in row] for row in rows])


CUBE = {"lq": 4, "lk": 4, "d_k": 4, "d_v": 4}
MASK = yes_no("111111", "101101", "010010", "110110")
SQUARE_MASK = yes_no("1111", "1011", "0110", "1101")
LARGE = np.array([[-2000.0, 999, 998, 1000, -1900], [0.0, -1, -2, -4, 3]])  # no shift but the maximum helps
LARGE_MASK = yes_no("11110", "11110")
LOW = np.array([[-50.0, -52, 3, 7, -51, 1], [1, 2, 0, -1, 3, 1]])
LOW_MASK = yes_no("110010", "101111")
EMPTY = np.array([[1.0, 3, 2, 0], [2.0, 1, 0, 3]])
EMPTY_MASK = yes_no("0000", "1101")


def with_scores(scores, mask=None):
    """q, k, v and mask of d_k = 4 with exactly these two rows of scaled scores."""
    shift = scores[:, :1]
    rows = 2 * (scores - shift)  # 2 is the square root of d_k
    q = np.c_[shift, np.eye(2), np.zeros(2)]
    k = np.c_[np.full(scores.shape[1], 2.0), rows.T, np.zeros(scores.shape[1])]
    return (q, k, draw(4, scores.shape[1], 3)) + (() if mask is None else (mask,))


@cache
def probes(name):
    """{what the probe tries: its arguments}."""
    batch, cube = qkv(3, 2), qkv(4, **CUBE)
    sentences = MASK[[1, 3, 0]][:, None, None]  # (3, 1, 1, 6)
    if name == "dot_product":
        pairs = {
            "three numbers": ([1, 2, 3], [4, 0, -1]),
            "four numbers": ([0.5, -1.5, 2, 1], [2, 1, -1, 3]),
            "one number": ([3], [-2]),
            "a right angle": ([1, 2], [2, -1]),
        }
        return {what: (np.array(a, float), np.array(b, float)) for what, (a, b) in pairs.items()}
    if name in ("attention_scores", "scaled_scores"):
        found = {"unequal sizes": qkv(), "as many queries as keys": qkv(lq=6, d_k=3), "a batch": qkv(3)}
        return {
            what: x[:2]
            for what, x in (found | {"sentences and heads": batch, "sizes all equal": cube}).items()
        }
    if name == "softmax":
        hidden = np.array([[1.0, -np.inf, 0.5], [0.2, 2.0, -np.inf], [0.0, 0.3, 0.1], [1.0, 1.5, -np.inf]])
        found = {"unequal sizes": draw(5, 4, 6), "a square table": draw(6, 5, 5), "one row": draw(7, 6)}
        found |= {"a batch": draw(8, 3, 4, 6), "sizes all equal": draw(9, 4, 4, 4), "a score of -inf": hidden}
        return {what: (x,) for what, x in (found | {"large scores": LARGE}).items()}
    if name == "causal_mask":
        return {"5 tokens": (5,), "8 tokens": (8,), "one token": (1,)}
    if name == "padding_mask":
        return {
            "three sentences": (np.array([6, 2, 4]), 7),
            "a full sentence": (np.array([3, 5]), 5),
            "an empty sentence": (np.array([4, 0, 1, 2]), 6),
        }
    if name == "masked_softmax":
        return {
            "unequal sizes": (draw(5, 4, 6), MASK),
            "a square table": (draw(6, 4, 4), SQUARE_MASK),
            "a mask for each sentence": (draw(7, 3, 2, 4, 6), sentences),
            "sizes all equal": (draw(9, 4, 4, 4), SQUARE_MASK),
            "large scores": (LARGE, LARGE_MASK),
            "an allowed score of -50": (LOW, LOW_MASK),
            "scores around -200000": (LOW - 200_000, LOW_MASK),
            "an empty row": (EMPTY, EMPTY_MASK),
        }
    if name == ATTENTION:
        return {
            "unequal sizes": qkv(),
            "as many queries as keys": qkv(lq=6, d_k=3, d_v=4),
            "a mask": (*qkv(), MASK),
            "a mask on a square table": (*qkv(**CUBE), SQUARE_MASK),
            "sentences and heads": batch,
            "a mask for each sentence": (*batch, sentences),
            "sizes all equal": cube,
            "large scores": with_scores(LARGE),
            "an allowed score of -50": with_scores(LOW, LOW_MASK),
            "scores around -200000": with_scores(LOW - 200_000, LOW_MASK),
            "an empty row": with_scores(EMPTY, EMPTY_MASK),
        }
    stamped = 100.0 * np.arange(4)[:, None] + np.arange(6)
    found = {"two heads": (stamped, 2), "three heads": (stamped, 3), "one head": (stamped, 1)}
    found["a batch"] = (1000.0 * np.arange(3)[:, None, None] + 100 * np.arange(5)[:, None] + np.arange(8), 4)
    return (
        found if name == "split_heads" else {what: (al.split_heads(*args),) for what, args in found.items()}
    )


# Calling the learner's function -------------------------------------------------------------------


@dataclass
class Seen:
    """One probe: what went in, what came back, what should have come back."""

    name: str
    probe: str
    args: tuple
    right: tuple
    raw: object = None
    got: tuple | None = None
    dtype: np.dtype = np.dtype(float)
    error: BaseException | None = None
    printed: str = ""
    changed: str = ""

    @property
    def ok(self):
        return self.got is not None and same(self.got, self.right, self.dtype)

    @property
    def weights(self):
        """The part of the answer that has the shape of the weights, in whatever place it came."""
        return next((part for part in self.got[::-1] if part.shape == self.right[-1].shape), self.got[-1])

    @property
    def mask(self):
        has_mask = self.name == "masked_softmax" or (self.name == ATTENTION and len(self.args) == 4)
        return self.args[-1] if has_mask else None

    @property
    def called_with(self):
        names = EXERCISES[self.name].arguments.split()
        sizes = [f"{n} {np.shape(a)}" if np.ndim(a) else f"{n} = {a}" for n, a in zip(names, self.args)]
        return f"It was called with {', '.join(sizes)}."


def arrays(result, pair):
    """The result as float arrays, and the least precise of their dtypes; ValueError if it is no number."""
    unpack = pair and (
        isinstance(result, tuple)
        and len(result) == 1
        or isinstance(result, (tuple, list))
        and len(result) == 2
    )
    parts = tuple(result) if unpack else (result,)
    made = []
    for part in parts:
        if isinstance(part, np.ma.MaskedArray) or inspect.isgenerator(part):
            raise ValueError
        array = np.asarray(part)
        if array.dtype == object and all(isinstance(x, (numbers.Real, np.bool_)) for x in array.flat):
            array = array.astype(bool if all(isinstance(x, (bool, np.bool_)) for x in array.flat) else float)
        if array.dtype.kind not in "fiub":
            raise ValueError
        made.append(array)
    dtype = min((a.dtype for a in made), key=lambda d: d.itemsize if d.kind == "f" else 8)
    with np.errstate(all="ignore"):
        if dtype.itemsize > 4 and any(
            np.array_equal(a, a.astype(np.float32), equal_nan=True)
            for a in made
            if a.size and a.dtype.kind == "f"
        ):
            dtype = np.dtype(np.float32)  # computed in float32, whatever it came back in
    return tuple(a.astype(float) for a in made), dtype


def call(function, name, probe, args, right):
    """Calls the learner's function on copies, and leaves NumPy's state and the screen as they were."""
    seen, printed = Seen(name, probe, args, right), io.StringIO()
    state, own_state = np.random.get_state(), random.getstate()
    copies = tuple(np.copy(a) if np.ndim(a) else a for a in args)
    with contextlib.ExitStack() as stack:
        guards = (warnings.catch_warnings(), np.errstate(all="ignore"), np.printoptions())
        screens = (contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed))
        for guard in guards + screens:
            stack.enter_context(guard)
        warnings.simplefilter("ignore")
        try:
            seen.raw = function(*copies)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            seen.error = error
        if seen.raw is not None and seen.raw is not ...:
            with contextlib.suppress(Exception):
                seen.got, seen.dtype = arrays(seen.raw, name == ATTENTION)
    np.random.set_state(state)
    random.setstate(own_state)
    seen.printed = "" if printed.closed else printed.getvalue()
    for argument, copy, original in zip(EXERCISES[name].arguments.split(), copies, args):
        if not np.array_equal(copy, original):
            seen.changed = argument
    return seen


# Finding the cause --------------------------------------------------------------------------------


def same(a, b, dtype=np.dtype(float)):
    """Equal up to the noise that another order of the same operations makes in this dtype."""
    rtol, atol = {2: (1e-2, 1e-2), 4: (3e-5, 3e-6)}.get(
        dtype.itemsize if dtype.kind == "f" else 8, (1e-6, 1e-8)
    )
    return [x.shape for x in a] == [x.shape for x in b] and all(
        np.allclose(x, y, rtol, atol, equal_nan=True) for x, y in zip(a, b)
    )


def answer(name, args, steps=None):
    """What the recipe gives with these wrong steps in place of the right ones; None if they fail."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = EXERCISES[name].recipe(RIGHT | (steps or {}), *args)
        except (ValueError, IndexError, AttributeError):
            return None
    return tuple(np.asarray(r, float) for r in (result if isinstance(result, tuple) else (result,)))


def explains(steps, ordinary):
    """Would these wrong steps give what was seen on every probe, and something wrong on one?"""
    telling = False
    for seen in ordinary:
        twin = answer(seen.name, seen.args, steps)
        if not (seen.ok if twin is None else same(seen.got, twin, seen.dtype)):
            return False
        telling = telling or (twin is not None and not same(twin, seen.right))
    return telling


def by_steps(name, ordinary):
    """The mistakes whose wrong steps explain everything, one alone or two together, and those steps."""
    here = set(EXERCISES[name].steps.split())
    elsewhere = {"scaled-after-softmax"} if "scale" not in here else set()
    ways = [(m, steps) for m in MISTAKES for steps in m.wrong if set(steps) <= here and m.id not in elsewhere]
    alone = [(m, steps) for m, steps in ways if explains(steps, ordinary)]
    if alone:
        return list({m.id: (m, steps) for m, steps in alone[::-1]}.values())[::-1], alone[0][1]
    for (one, first), (other, second) in itertools.combinations(ways, 2):
        if one.id != other.id and not set(first) & set(second) and explains(first | second, ordinary):
            return [(one, first), (other, second)], first | second
    return [], {}


def by_shapes(name, ordinary):
    """The mistake that gives answers of exactly these shapes, whatever the numbers are."""
    here = set(EXERCISES[name].steps.split())

    def sizes(parts):
        return [p.shape for p in parts]

    ways = [(m, steps) for m in SHAPES for steps in m.wrong if m.id != "not-summed" and set(steps) <= here]
    for mistake, steps in ways:
        twins = [(s, answer(s.name, s.args, steps)) for s in ordinary]
        if all(twin is not None and sizes(twin) == sizes(s.got) for s, twin in twins):
            odd = next((s for s, twin in twins if sizes(twin) != sizes(s.right)), None)
            if odd:
                return [(mistake, odd)]
    return []


def by_signs(name, ordinary):
    """The mistake that sums and slopes of the weights speak for."""
    tables = [s for s in ordinary if not s.ok and s.weights.ndim > 1 and s.weights.shape == s.right[-1].shape]
    if "share" not in EXERCISES[name].steps or not all(np.isfinite(s.weights).all() for s in tables):
        return []
    pairs = [(s, np.zeros(s.weights.shape, bool) | (False if s.mask is None else ~s.mask)) for s in tables]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for id, needs_mask, sign in SIGNS:
            telling = [(s, hidden) for s, hidden in pairs if hidden.any() or not needs_mask]
            if telling and all(sign(s, hidden) for s, hidden in telling):
                named = [m for m in MISTAKES if m.id == id]
                return [(named[-1], telling[0][0])]  # the last of a name is the most general
    return []


def by_special_probes(seen_there, steps):
    """The mistakes that only large scores, low scores or an empty row show, beyond what `steps` explain."""
    found = {}
    for seen in seen_there:
        if seen.got is None:
            wrong = next(
                (rows for kind, rows in STOPS.get(seen.probe, {}).items() if isinstance(seen.error, kind)),
                None,
            )
            for probes_that_show, sign, mistake in SPECIAL if wrong else ():
                if seen.probe in probes_that_show and sign(wrong, False):
                    found.setdefault(mistake.id, (mistake, seen))
            continue
        twin = answer(seen.name, seen.args, steps)
        twin = None if twin is None else Seen(seen.name, seen.probe, seen.args, seen.right, got=twin).weights
        if twin is None or not seen.weights.shape == twin.shape == seen.right[-1].shape:
            continue
        near = [
            np.isclose(seen.weights, x, 1e-4, 1e-5, equal_nan=True).all(-1) for x in (twin, seen.right[-1])
        ]
        wrong = ~near[0] & ~near[1]
        leak = wrong.any() and seen.mask is not None and (seen.weights[~seen.mask] > 1e-6).any()
        for probes_that_show, sign, mistake in SPECIAL:
            if seen.probe in probes_that_show and sign(wrong, leak):
                found.setdefault(mistake.id, (mistake, seen))
    return list(found.values())


def diagnose(name, runs):
    """(mistake, where it was seen) for every mistake found, the likeliest first."""
    special = {probe for names, _, _ in SPECIAL for probe in names}
    ordinary = [s for s in runs if s.got is not None and s.probe not in special]
    bad = [s for s in ordinary if not s.ok]
    mistakes, steps = by_steps(name, ordinary) if bad else ([], {})
    found = [(m, seen_by(m, ways, bad)) for m, ways in mistakes]
    if bad and not found:
        return by_shapes(name, ordinary) or by_signs(name, ordinary)
    if ordinary and all(s.got is not None for s in runs if s.probe not in special):
        known = {m.id for m, _ in mistakes}
        extra = by_special_probes([s for s in runs if s.probe in special], steps)
        found += [(m, s) for m, s in extra if m.id not in known]
    return found


def seen_by(mistake, steps, bad):
    """The wrong answer that shows this mistake best: one that it changes, with a mask if the mask is the matter."""
    twins = ((s, answer(s.name, s.args, steps)) for s in bad)
    bad = [s for s, twin in twins if twin is not None and not same(twin, s.right)] or bad
    if mistake.look in (forbidden, pattern):
        return next((s for s in bad if s.mask is not None), bad[0])
    return bad[0]


# The verdict --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What a check found: passed, the id of the mistake or None, ids that fit too, and the message."""

    passed: bool
    mistake: str | None
    also: tuple[str, ...]
    message: str

    def _ipython_display_(self):
        """Shows nothing: the message was printed, and should stand in the cell once."""


def tell(passed, mistake, *lines, also=(), printed=""):
    """Prints the verdict, then a little of what the learner's function printed itself."""
    message = "\n".join(line for line in lines if line)
    print(message)
    own = [clean(line, 80) for line in printed.splitlines() if line.strip()]
    if own:
        print("", "Your function printed:", *own[:3], *(["..."] if own[3:] else []), sep="\n")
    return Verdict(passed, mistake, tuple(also), message)


def clean(text, most=160):
    """One line, not too long, without memory addresses."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", " ".join(text.split()))
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= most else text[:most] + " ..."


def message_of(error):
    try:
        return clean(f"{type(error).__name__}: {error}")
    except Exception:
        return type(error).__name__


def unnamed(name, runs):
    """Id, cause, evidence and next step where no mistake was found."""
    for s in runs:
        if s.error is not None:
            cause = f"Your function stopped with {message_of(s.error)}"
            shapes = isinstance(s.error, (ValueError, IndexError)) and "truth value" not in cause
            ask = (
                "Write down the shapes that meet in the line that stopped."
                if shapes
                else "Which name or value in your code does this sentence speak of?"
            )
            return "raises", cause, s.called_with, ask
    for s in runs:
        if s.got is None:
            wanted = {
                "dot_product": "one number",
                "causal_mask": "an array of True and False",
                "padding_mask": "an array of True and False",
                ATTENTION: "two arrays of numbers, the output and the weights",
            }
            what = "nothing" if s.raw is None else f"of type {type(s.raw).__name__}"
            if type(s.raw) in (tuple, list):
                what = f"a {type(s.raw).__name__} of {len(s.raw)}"
            cause = (
                f"What came back is {what}. The exercise asks for {wanted.get(name, 'an array of numbers')}."
            )
            return "wrong-type", cause, s.called_with, "What does your last line return?"
    for s in runs:
        got, right = ([x.shape for x in xs] for xs in (s.got, s.right))
        if got != right:
            cause = (
                f"The shape is {' and '.join(map(str, got))}, and should be {' and '.join(map(str, right))}."
            )
            return "wrong-shape", cause, s.called_with, "Write down the shape after each of your lines."
    s = next(s for s in runs if not s.ok)
    if not all(np.isfinite(x).all() for x in s.got):
        cause = "Your answer holds NaN or infinity."
        return "not-finite", cause, where(s, entry(s)), "Which of your lines makes the first one?"
    cause = "The numbers are wrong, in a way that this check has no name for."
    return "different", cause, where(s, entry(s)), "Compute that entry by hand, step by step, and compare."


def where(seen, evidence):
    return f"Seen with {seen.probe}. {evidence}"


def look(mistake, seen):
    """What shows the mistake; an error, if that is all that came back."""
    if seen.got is None:
        return f"Your function stopped with {message_of(seen.error)}"
    if mistake.look in (sums, forbidden, pattern) and seen.weights.shape != seen.right[-1].shape:
        return shape(seen)
    return mistake.look(seen)


def judge(name, function):
    """Calls the function on all probes, and says what was seen."""
    if function is None or function is ...:
        return tell(False, "not-started", "Nothing here yet. Give the check your function, by its name.")
    if not callable(function):
        return tell(
            False,
            "wrong-type",
            f"Not yet. The check wants a function, and was given a {type(function).__name__}.",
        )
    runs = [call(function, name, probe, args, answer(name, args)) for probe, args in probes(name).items()]
    printed = "".join(s.printed for s in runs)
    if all(s.error is None and (s.raw is None or s.raw is ...) for s in runs):
        text = "Nothing came back yet. If you have written it, is `return` missing?"
        return tell(False, "not-started", text, printed=printed)
    changed = next((s for s in runs if s.changed), None)
    no_booleans = next(
        (s for s in runs if name.endswith("_mask") and s.got is not None and s.dtype.kind != "b"), None
    )
    if all(s.ok for s in runs) and not changed and not no_booleans:
        return praise(name, function, runs, printed)

    try:
        found = [(m.id, m.cause, where(s, look(m, s)), m.ask) for m, s in diagnose(name, runs)]
    except Exception:  # an answer stranger than this file foresaw still gets a verdict
        found = []
    if changed:
        cause = f"Your function changes its argument {changed.changed}."
        evidence = where(changed, "After the call it held other numbers than before.")
        first = int(bool(found) and found[0][0] in [m.id for m in SHAPES])
        found.insert(
            first, ("input-changed", cause, evidence, "Which line writes into an array that it was given?")
        )
    if no_booleans and (
        found
        or all(s.ok for s in runs)
        or np.unique(no_booleans.got[0]).size == 2
        and all(s.error is None for s in runs)
    ):
        cause = (
            "A mask of numbers means opposite things in different libraries. A mask here is True and False."
        )
        evidence = where(
            no_booleans, f"Its dtype is {np.asarray(no_booleans.raw).dtype}, and should be bool."
        )
        found.append(("wrong-type", cause, evidence, "Which comparison gives True and False?"))
    if not found:
        found = [unnamed(name, runs)]
    (id, cause, evidence, ask), *more = found
    others = [f"And perhaps: {cause}" for _, cause, _, _ in more[:2]]
    return tell(
        False,
        id,
        f"Not yet. {cause}",
        evidence,
        *others,
        ask,
        also=[other[0] for other in more],
        printed=printed,
    )


def praise(name, function, runs, printed):
    """All probes passed; attention goes on to the real model."""
    text = f"Right. {len(runs)} probes passed: {', '.join(s.probe for s in runs)}."
    if name != ATTENTION:
        return tell(True, None, text, printed=printed)
    cat = data.load("cat_sentence")
    real = call(
        function, name, "the real model", tuple(cat[x] for x in "qkv"), (cat["context"], cat["weights"])
    )
    if real.got is not None and [g.shape for g in real.got] == [r.shape for r in real.right]:
        model = "And the real model: your function gives the weights and outputs of all 72 heads,"
        if all(np.allclose(g, r, rtol=0, atol=1e-5) for g, r in zip(real.got, real.right)):
            return tell(True, None, text, f"{model} to 1e-5.", printed=printed)
        if real.ok:
            return tell(True, None, text, f"{model} as closely as {real.dtype} allows.", printed=printed)
    id, cause, evidence, ask = unnamed(name, [real])
    return tell(
        False,
        id,
        "Not yet. The probes passed, but the real model did not.",
        cause,
        evidence,
        ask,
        printed=printed,
    )


# The checks ---------------------------------------------------------------------------------------


def checker(name):
    def check(function: Callable) -> Verdict:
        return judge(name, function)

    check.__name__ = check.__qualname__ = name
    arguments = EXERCISES[name].arguments.replace(" ", ", ")
    check.__doc__ = (
        f"Tries a learner's `{name}({arguments})`, prints what was seen, and returns the `Verdict`."
    )
    return check


dot_product = checker("dot_product")
attention_scores = checker("attention_scores")
scaled_scores = checker("scaled_scores")
softmax = checker("softmax")
causal_mask = checker("causal_mask")
padding_mask = checker("padding_mask")
masked_softmax = checker("masked_softmax")
scaled_dot_product_attention = checker("scaled_dot_product_attention")
split_heads = checker("split_heads")
merge_heads = checker("merge_heads")


def linking_head(layer: int, head: int) -> Verdict:
    """Judges which head of the cat sentence links "her" to "cat"; prints and returns the `Verdict`."""
    if layer is None or layer is ... or head is None or head is ...:
        return tell(False, "not-started", "Nothing here yet. Write a layer and a head, both counted from 0.")
    weights = data.load("cat_sentence")["weights"]
    whole = all(isinstance(x, numbers.Integral) and not isinstance(x, bool) for x in (layer, head))
    if not whole or not (0 <= layer < 6 and 0 <= head < 12):
        return tell(
            False, "wrong-type", "Not yet. A layer is a whole number from 0 to 5, a head one from 0 to 11."
        )
    others = [1, 2, 3, 5, 6, 7, 9]  # the words without "cat" and "her", and the full stop
    her, rest = weights[:, :, 8, 4], weights[:, :, others, 4].mean(-1)  # (6, 12) each
    selectivity = her - rest
    place = int(layer), int(head)
    seen = (
        f"In layer {layer}, head {head}, her gives cat {show(her[place])}, "
        f"and the other words give it {show(rest[place])} on average."
    )
    score = f"The selectivity is {selectivity[place]:.2f}."
    if place == (1, 3):
        second = f"The next head has {np.sort(selectivity, axis=None)[-2]:.2f}."
        return tell(
            True, None, f"Right. {seen}", f"{score} {second}", "Now say in one sentence what it does."
        )
    named = {
        (5, 11): (
            "largest-weight",
            "The largest weight is not the answer: this head looks at cat, almost whoever asks.",
        ),
        (2, 4): (
            "counted-from-one",
            "This is the second best, or the best one counted from 1. Count from 0.",
        ),
        (3, 1): (
            "layer-and-head-swapped",
            "This may be the right pair in the wrong order: the layer comes first.",
        ),
    }
    id, cause = named.get(place, ("different", "Another head is more selective."))
    return tell(False, id, f"Not yet. {cause}", seen, score)
