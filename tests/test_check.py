"""The exercise checks against wrong answers that they must name and right answers that they must accept.

`WRONG` and `GENERAL` hold the wrong answers by exercise and id, `RIGHT` the right ones in unusual form. They are
written as learners write them, and share nothing with the checker but the numbers it calls them with.
"""

import contextlib
import io
import itertools
import math
import operator
import random
import re
import sys
import warnings
from collections import namedtuple
from fractions import Fraction
from functools import partial, reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import attention_lib as al
from attention_lib import check, data

EXERCISES = [
    "dot_product",
    "attention_scores",
    "scaled_scores",
    "softmax",
    "causal_mask",
    "padding_mask",
    "masked_softmax",
    "scaled_dot_product_attention",
    "split_heads",
    "merge_heads",
]

# The ids that each exercise must name -------------------------------------------------------------

SCORES = """queries-and-keys-swapped reshaped-not-transposed batches-paired all-axes-reversed"""
SCALES = """not-scaled divided-by-d_k multiplied-by-sqrt-d_k scaled-by-length"""
SHARES = """normalised-over-queries normalised-over-everything keepdims-missing overflows one-maximum-for-all
    not-normalised softmax-twice divided-without-exp"""
MASKS = """polarity-inverted masked-after-softmax filled-with-zero fill-too-small zero-times-infinity plus-infinity
    empty-row mask-ignored"""
REQUIRED = {
    "dot_product": "not-summed not-multiplied cosine",
    "attention_scores": f"{SCORES} scaled-already",
    "scaled_scores": f"{SCORES} {SCALES}",  # scaled-already is what this exercise asks for
    "softmax": SHARES,
    "causal_mask": "polarity-inverted diagonal-hidden future-leaks transposed",
    "padding_mask": "polarity-inverted off-by-one queries-masked axis-missing",
    "masked_softmax": f"{SHARES} {MASKS}",
    "scaled_dot_product_attention": f"{SCORES} {SCALES} {SHARES} {MASKS}"
    " scaled-after-softmax return-order output-only keys-as-values weights-transposed",
    "split_heads": "axes-not-swapped interleaved",
    "merge_heads": "axes-not-swapped interleaved",
}
EVERYWHERE = "not-started raises wrong-type wrong-shape not-finite different"


def required(name):
    changed = [] if name == "causal_mask" else ["input-changed"]  # no array goes in there
    return REQUIRED[name].split() + EVERYWHERE.split() + changed


# What learners start from -------------------------------------------------------------------------


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def safe(x, axis=-1):
    """softmax with zeros for an empty row."""
    top = x.max(axis, keepdims=True)
    e = np.exp(x - np.where(top == -np.inf, 0, top))
    total = e.sum(axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


def heads(
    q, k, v, mask=None, *, score=None, scale=None, hide=None, share=safe, after=None, mix=None, give=None
):
    """Right attention, with some of its lines replaced."""
    s = score(q, k) if score else q @ k.mT
    s = scale(s, q, k) if scale else s / np.sqrt(q.shape[-1])
    if mask is not None:
        s = hide(s, mask) if hide else np.where(mask, s, -np.inf)
    w = share(s)
    w = after(w, mask, q) if after else w
    out = mix(w, k, v) if mix else w @ v
    return give(out, w) if give else (out, w)


def with_lines(**lines):
    def scaled_dot_product_attention(q, k, v, mask=None):
        return heads(q, k, v, mask, **lines)

    return scaled_dot_product_attention


def masking(hide=None, share=safe, after=None):
    def masked_softmax(scores, mask):
        w = share(hide(scores, mask) if hide else np.where(mask, scores, -np.inf))
        return after(w, mask) if after else w

    return masked_softmax


# The wrong answers, exercise by exercise ----------------------------------------------------------

WRONG = {}


def first_product(a, b):
    for x, y in zip(a, b):
        return x * y


def last_product(a, b):
    for x, y in zip(a, b):
        result = x * y
    return result


def cosine_by_hand(a, b):
    product = sum(x * y for x, y in zip(a, b))
    return product / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


# fmt: off
WRONG |= {
    ("dot_product", "not-summed"): [
        lambda a, b: a * b,
        lambda a, b: [x * y for x, y in zip(a, b)],
        lambda a, b: np.einsum("i,i->i", a, b),
        lambda a, b: np.outer(a, b),
        lambda a, b: a[:, None] * b,
        first_product,
        last_product,
    ],
    ("dot_product", "not-multiplied"): [
        lambda a, b: (a + b).sum(),
        lambda a, b: sum(a) + sum(b),
        lambda a, b: sum(x + y for x, y in zip(a, b)),
        lambda a, b: np.add(a, b),
        lambda a, b: a.sum() * b.sum(),
    ],
    ("dot_product", "cosine"): [
        lambda a, b: a @ b / (np.linalg.norm(a) * np.linalg.norm(b)),
        lambda a, b: np.dot(a / np.sqrt((a**2).sum()), b / np.sqrt((b**2).sum())),
        cosine_by_hand,
    ],
}
# fmt: on


def keys_by_queries(q, k):
    scores = np.zeros((*q.shape[:-2], k.shape[-2], q.shape[-2]))
    for *lead, i, j in np.ndindex(scores.shape):
        scores[(*lead, i, j)] = (k[(*lead, i)] * q[(*lead, j)]).sum()
    return scores


def reread(k):
    return k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


# Every wrong table of raw scores, and what the step afterwards makes of it.
# fmt: off
TABLES = {
    "queries-and-keys-swapped": [
        lambda q, k: k @ q.mT,
        lambda q, k: np.einsum("...id,...jd->...ji", q, k),
        lambda q, k: np.matmul(q, np.swapaxes(k, -2, -1)).swapaxes(-1, -2),
        lambda q, k: k @ q.T,
        keys_by_queries,
    ],
    "reshaped-not-transposed": [
        lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]),
        lambda q, k: np.matmul(q, np.reshape(k, k.shape[:-2] + (k.shape[-1], -1))),
        lambda q, k: np.einsum("...id,...dj->...ij", q, reread(k)),
    ],
    "batches-paired": [
        lambda q, k: np.dot(q, k.mT),
        lambda q, k: np.inner(q, k),
        lambda q, k: np.tensordot(q, k, axes=(-1, -1)),
        lambda q, k: q.dot(np.swapaxes(k, -1, -2)),
    ],
    "all-axes-reversed": [
        lambda q, k: q @ k.T,
        lambda q, k: np.matmul(q, np.transpose(k)),
        lambda q, k: np.dot(q, k.T),
    ],
}
for found, tables in TABLES.items():
    WRONG["attention_scores", found] = tables
    WRONG["scaled_scores", found] = [
        lambda q, k, table=table: table(q, k) / np.sqrt(q.shape[-1]) for table in tables
    ]
WRONG["scaled_scores", "queries-and-keys-swapped"] += [
    lambda q, k: (k / q.shape[-1] ** 0.5) @ np.swapaxes(q, -1, -2)
]
WRONG["scaled_scores", "all-axes-reversed"] += [
    lambda q, k: q * q.shape[-1] ** -0.25 @ (k * k.shape[-1] ** -0.25).T
]

WRONG |= {
    ("attention_scores", "scaled-already"): [
        lambda q, k: q @ k.mT / np.sqrt(q.shape[-1]),
        lambda q, k: (q * k.shape[-1] ** -0.5) @ np.swapaxes(k, -1, -2),
        lambda q, k: np.einsum("...id,...jd->...ij", q, k) / q.shape[-1],
    ],
    ("scaled_scores", "not-scaled"): [
        lambda q, k: q @ k.mT,
        lambda q, k: np.einsum("...id,...jd->...ij", q, k),
        lambda q, k: [[i @ j for j in k] for i in q] if q.ndim == 2 else q @ k.mT,
    ],
    ("scaled_scores", "divided-by-d_k"): [
        lambda q, k: q @ k.mT / q.shape[-1],
        lambda q, k: (q / np.sqrt(q.shape[-1])) @ (k / np.sqrt(k.shape[-1])).mT,
        lambda q, k: np.einsum("...id,...jd->...ij", q, k) * k.shape[-1] ** -1.0,
    ],
    ("scaled_scores", "multiplied-by-sqrt-d_k"): [
        lambda q, k: q @ k.mT * np.sqrt(q.shape[-1]),
        lambda q, k: math.sqrt(k.shape[-1]) * np.matmul(q, k.swapaxes(-1, -2)),
        lambda q, k: q @ k.mT * q.shape[-1],
    ],
    ("scaled_scores", "scaled-by-length"): [
        lambda q, k: q @ k.mT / np.sqrt(k.shape[-2]),
        lambda q, k: q @ k.mT / np.sqrt((q @ k.mT).shape[-1]),
        lambda q, k: np.matmul(q, k.mT) / len(q) ** 0.5,
        lambda q, k: q @ k.mT / k.shape[-2],
        lambda q, k: q @ k.mT / np.sqrt(q.shape[-2]),
    ],
}
# fmt: on


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


# Wrong ways from scores to shares. They come back with a mask and inside attention.
# fmt: off
SOFTMAXES = {
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
        lambda x: np.exp(x) / np.exp(x).sum(axis=(-2, -1), keepdims=True) if x.ndim > 1 else np.exp(x) / sum(np.exp(x)),
    ],
    "keepdims-missing": [
        lambda x: np.exp(x) / np.exp(x).sum(-1),
        lambda x: np.einsum("...ij,...j->...ij", np.exp(x), 1 / np.exp(x).sum(-1)),
        lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1),
        lambda x: np.exp(x) / np.exp(x).sum(axis=1) if x.ndim > 1 else softmax(x),
        lost_axis,
    ],
    "overflows": [
        lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True),
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
        lambda x: np.exp(x - x.max(-1, keepdims=True)),
        lambda x: np.e**x,
        unshared,
    ],
    "softmax-twice": [
        lambda x: softmax(softmax(x)),
        lambda x: reduce(lambda y, _: safe(y), range(2), x),
        twice_in_a_loop,
    ],
    "divided-without-exp": [
        lambda x: x / x.sum(-1, keepdims=True),
        lambda x: np.divide(x, np.einsum("...j->...", x)[..., None]),
        lambda x: np.abs(x) / np.abs(x).sum(-1, keepdims=True),
        lambda x: (x - x.min(-1, keepdims=True)) / (x - x.min(-1, keepdims=True)).sum(-1, keepdims=True),
    ],
}
# fmt: on
for found, shares in SOFTMAXES.items():
    WRONG["softmax", found] = shares


def shifted(shift):
    """A softmax that subtracts something else than the row's maximum: it overflows where a row spreads far."""

    def share(x):
        e = np.exp(x - shift(x))
        return e / e.sum(-1, keepdims=True)

    return share


WRONG["softmax", "overflows"] = WRONG["softmax", "overflows"] + [
    shifted(lambda x: x[..., :1]),
    shifted(lambda x: x.min(-1, keepdims=True)),
    shifted(lambda x: x.mean(-1, keepdims=True)),
    shifted(lambda x: np.where(np.isneginf(x), np.inf, x).min(-1, keepdims=True)),
]


def cut_at_the_diagonal(n):
    mask = np.zeros((n, n), bool)
    for i in range(n):
        mask[i, :i] = True
    return mask


# fmt: off
WRONG |= {
    ("causal_mask", "polarity-inverted"): [
        lambda n: ~np.tri(n, dtype=bool),
        lambda n: np.triu(np.ones((n, n)), k=1) == 1,
        lambda n: np.arange(n)[:, None] < np.arange(n),
        lambda n: [[j > i for j in range(n)] for i in range(n)],
    ],
    ("causal_mask", "diagonal-hidden"): [
        lambda n: np.tri(n, k=-1, dtype=bool),
        lambda n: np.arange(n)[:, None] > np.arange(n),
        cut_at_the_diagonal,
    ],
    ("causal_mask", "future-leaks"): [
        lambda n: np.tril(np.ones((n, n), bool), k=1),
        lambda n: np.arange(n) <= np.arange(n)[:, None] + 1,
        lambda n: [[j <= i + 1 for j in range(n)] for i in range(n)],
        lambda n: np.ones((n, n), dtype=bool),
    ],
    ("causal_mask", "transposed"): [
        lambda n: np.triu(np.ones((n, n), bool)),
        lambda n: np.tri(n, dtype=bool).T,
        lambda n: np.arange(n)[:, None] <= np.arange(n)[None, :],
    ],
    ("padding_mask", "polarity-inverted"): [
        lambda lengths, n: (np.arange(n) >= lengths[:, None])[:, None, :],
        lambda lengths, n: ~(np.arange(n) < lengths[:, None, None]),
        lambda lengths, n: [[[j >= length for j in range(n)]] for length in lengths],
    ],
    ("padding_mask", "off-by-one"): [
        lambda lengths, n: (np.arange(n) <= lengths[:, None])[:, None, :],
        lambda lengths, n: np.arange(1, n + 1) < lengths[:, None, None],
        lambda lengths, n: [[[j < length - 1 for j in range(n)]] for length in lengths],
    ],
    ("padding_mask", "queries-masked"): [
        lambda lengths, n: (np.arange(n) < lengths[:, None])[:, :, None],
        lambda lengths, n: np.expand_dims(np.arange(n) < lengths[:, None], axis=-1),
        lambda lengths, n: np.arange(n)[:, None] < lengths[:, None, None],
        lambda lengths, n: (np.arange(n) < lengths[:, None, None]).transpose(0, 2, 1),
    ],
    ("padding_mask", "axis-missing"): [
        lambda lengths, n: np.arange(n) < lengths[:, None],
        lambda lengths, n: [[j < length for j in range(n)] for length in lengths],
        lambda lengths, n: np.less.outer(np.arange(n), lengths).T,
    ],
}
# fmt: on


def masked_row_by_row(hidden):
    """A masked softmax in loops, where a hidden score becomes `hidden`."""

    def masked_softmax(scores, mask):
        mask = np.broadcast_to(mask, scores.shape)
        result = np.zeros(scores.shape)
        for place in np.ndindex(scores.shape[:-1]):
            row = np.array([s if allowed else hidden for s, allowed in zip(scores[place], mask[place])])
            result[place] = safe(row)
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


def put(hidden):
    """Hides in place, on a copy."""

    def hide(s, mask):
        s = s.copy()
        s[np.broadcast_to(~mask, s.shape)] = hidden
        return s

    return hide


def inverted_in_loops(scores, mask):
    return masked_row_by_row(-np.inf)(scores, ~mask)


def multiplied_bias(scores, mask):
    scores += (1.0 - mask) * -np.inf
    return softmax(scores)


# Wrong ways to hide a score before the softmax, and to treat the weights after it.
# fmt: off
HIDES = {
    "polarity-inverted": [
        lambda s, mask: np.where(mask, -np.inf, s),
        lambda s, mask: np.where(~mask, s, -1e9),
        lambda s, mask: s + mask * -1e9,
        lambda s, mask: put(-np.inf)(s, ~mask),
    ],
    "filled-with-zero": [
        lambda s, mask: s * mask,
        lambda s, mask: np.where(mask, s, 1e-9),
        put(0),
    ],
    "fill-too-small": [
        lambda s, mask: np.where(mask, s, -10),
        lambda s, mask: np.where(mask, s, -1e5),
        lambda s, mask: s + ~mask * -10.0,
        lambda s, mask: s - 40 * ~mask,
        lambda s, mask: np.where(mask, s, -20.0),
        put(-100.0),
        put(-3.0),
    ],
    "zero-times-infinity": [
        lambda s, mask: s + (1 - mask) * -np.inf,
        lambda s, mask: s - ~mask * np.inf,
        lambda s, mask: mask * s + np.multiply(~mask, -np.inf),
    ],
    "plus-infinity": [
        lambda s, mask: np.where(mask, s, np.inf),
        lambda s, mask: np.where(mask, s, 1e9),
        put(float("inf")),
    ],
    "mask-ignored": [
        lambda s, mask: s,
        lambda s, mask: np.where(True, s, -np.inf),
        lambda s, mask: s + np.where(mask, 0, 0),
    ],
}
for found, hides in HIDES.items():
    WRONG["masked_softmax", found] = [masking(hide) for hide in hides]
WRONG["masked_softmax", "polarity-inverted"] += [
    inverted_in_loops,
    lambda scores, mask: softmax(scores) * ~mask,
]
WRONG["masked_softmax", "zero-times-infinity"] += [
    lambda scores, mask: softmax(scores + (1 - mask.astype(float)) * -np.inf),
]
WRONG["masked_softmax", "plus-infinity"] += [
    lambda scores, mask: softmax(np.where(mask, scores, np.inf)),
]
WRONG["masked_softmax", "filled-with-zero"] += [masked_row_by_row(0.0)]
WRONG["masked_softmax", "fill-too-small"] += [masked_row_by_row(-50.0)]
WRONG["masked_softmax", "mask-ignored"] += [lambda scores, mask: al.softmax(scores)]
WRONG |= {
    ("masked_softmax", "masked-after-softmax"): [
        lambda scores, mask: softmax(scores) * mask,
        lambda scores, mask: np.where(mask, softmax(scores), 0),
        lambda scores, mask: put(0)(al.softmax(scores), mask),
    ],
    ("masked_softmax", "empty-row"): [
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)),
        lambda scores, mask: softmax(scores + ~mask * -1e9),
        lambda scores, mask: softmax(np.where(mask, scores, np.finfo(float).min)),
        plain_python_with_mask,
        plain_sum_of_nothing,
    ],
}
for found, shares in SOFTMAXES.items():
    WRONG["masked_softmax", found] = [
        # softmax itself is right in the empty row, so that the wrong share is all that is wrong
        lambda scores, mask, share=share: zeros_for_empty_rows(share(np.where(mask, scores, -np.inf)), mask)
        for share in shares
    ]
# fmt: on


def written_out(q, k, v, mask=None, *, table, power=0.5, share=safe):
    """Right attention again in another hand: mask before scale, einsum for the average."""
    scores = table(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = share(np.divide(scores, q.shape[-1] ** power))
    return [np.einsum("...ij,...jd->...id", weights, v), weights]


def without_scale(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    weights = safe(scores)
    return weights @ v, weights


def scaled_at_the_end(q, k, v, mask=None):
    scores = q @ k.mT if mask is None else np.where(mask, q @ k.mT, -np.inf)
    weights = safe(scores)
    weights /= math.sqrt(k.shape[-1])
    return np.matmul(weights, v), weights


def masked_at_the_end(q, k, v, mask=None):
    weights = softmax(q @ k.mT / np.sqrt(q.shape[-1]))
    if mask is not None:
        weights *= mask
    return weights @ v, weights


def inverted(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)


def no_mask(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v)


def keys_twice(q, k, v, mask=None):
    weights = al.scaled_dot_product_attention(q, k, v, mask).weights
    return np.einsum("...ij,...jd->...id", weights, k), weights


def turned_weights(q, k, v, mask=None):
    weights = al.scaled_dot_product_attention(q, k, v, mask).weights
    return np.einsum("...ji,...jd->...id", weights, v), weights


def only_output(q, k, v, mask=None):
    output, weights = al.scaled_dot_product_attention(q, k, v, mask)
    return output


def only_weights(q, k, v, mask=None):
    output, weights = al.scaled_dot_product_attention(q, k, v, mask)
    return weights


def other_order(q, k, v, mask=None):
    return list(al.scaled_dot_product_attention(q, k, v, mask))[::-1]


# fmt: off
for found, tables in TABLES.items():
    WRONG["scaled_dot_product_attention", found] = [
        with_lines(score=tables[0], share=softmax),
        *[partial(written_out, table=table) for table in tables[1:]],
    ]
for found, shares in SOFTMAXES.items():
    WRONG["scaled_dot_product_attention", found] = [
        with_lines(share=lambda x, share=share: np.where(x.max(-1, keepdims=True) == -np.inf, 0, share(x)))
        for share in shares
    ]
for found, hides in HIDES.items():
    WRONG["scaled_dot_product_attention", found] = [with_lines(hide=hide) for hide in hides]
ATTENTION = "scaled_dot_product_attention"
WRONG[ATTENTION, "polarity-inverted"] += [
    inverted,
    with_lines(hide=lambda s, mask: s, share=softmax, after=lambda w, mask, q: w if mask is None else w * ~mask),
]
WRONG[ATTENTION, "mask-ignored"] += [no_mask]
WRONG[ATTENTION, "zero-times-infinity"] += [with_lines(hide=lambda s, mask: s + (1 - mask) * -np.inf, share=softmax)]
WRONG[ATTENTION, "plus-infinity"] += [with_lines(hide=put(np.inf), share=softmax)]
WRONG |= {
    (ATTENTION, "not-scaled"): [
        with_lines(scale=lambda s, q, k: s),
        without_scale,
        partial(written_out, table=lambda q, k: q @ k.mT, power=0),
    ],
    (ATTENTION, "divided-by-d_k"): [
        with_lines(scale=lambda s, q, k: s / q.shape[-1]),
        with_lines(score=lambda q, k: al.scaled_scores(q, k)),
        partial(written_out, table=lambda q, k: q @ np.swapaxes(k, -2, -1), power=1),
    ],
    (ATTENTION, "multiplied-by-sqrt-d_k"): [
        with_lines(scale=lambda s, q, k: s * np.sqrt(q.shape[-1])),
        partial(written_out, table=lambda q, k: q @ np.swapaxes(k, -2, -1), power=-0.5),
        with_lines(scale=lambda s, q, k: s / (1 / math.sqrt(k.shape[-1]))),
    ],
    (ATTENTION, "scaled-by-length"): [
        with_lines(scale=lambda s, q, k: s / np.sqrt(k.shape[-2])),
        with_lines(scale=lambda s, q, k: s / s.shape[-1] ** 0.5),
        with_lines(scale=lambda s, q, k: s / np.sqrt(len(q))),
        with_lines(scale=lambda s, q, k: s / k.shape[-2]),
    ],
    (ATTENTION, "scaled-after-softmax"): [
        with_lines(scale=lambda s, q, k: s, after=lambda w, mask, q: w / np.sqrt(q.shape[-1])),
        with_lines(after=lambda w, mask, q: w * q.shape[-1] ** -0.5),
        with_lines(scale=lambda s, q, k: s, mix=lambda w, k, v: w @ v / np.sqrt(k.shape[-1])),
        scaled_at_the_end,
    ],
    (ATTENTION, "masked-after-softmax"): [
        masked_at_the_end,
        with_lines(hide=lambda s, mask: s, after=lambda w, mask, q: w if mask is None else np.where(mask, w, 0)),
        with_lines(hide=lambda s, mask: s, after=lambda w, mask, q: w if mask is None else put(0)(w, mask)),
    ],
    (ATTENTION, "empty-row"): [
        with_lines(share=softmax),
        with_lines(hide=lambda s, mask: np.where(mask, s, -1e9)),
        with_lines(hide=lambda s, mask: s + ~mask * -1e9),
        with_lines(hide=put(np.finfo(float).min)),
    ],
    (ATTENTION, "return-order"): [
        with_lines(give=lambda out, w: (w, out)),
        other_order,
    ],
    (ATTENTION, "output-only"): [
        with_lines(give=lambda out, w: out),
        only_output,
        only_weights,
        with_lines(give=lambda out, w: (out,)),
    ],
    (ATTENTION, "keys-as-values"): [
        with_lines(mix=lambda w, k, v: w @ k),
        keys_twice,
    ],
    (ATTENTION, "weights-transposed"): [
        with_lines(mix=lambda w, k, v: w.mT @ v),
        with_lines(mix=lambda w, k, v: (v.mT @ w).mT),
        turned_weights,
    ],
}
# fmt: on


def heads_in_loops(x, n):
    d = x.shape[-1] // n
    result = np.zeros((*x.shape[:-2], n, x.shape[-2], d))
    for h in range(n):
        result[..., h, :, :] = x[..., h::n]
    return result


def tokens_in_a_row(x):
    *lead, h, length, d = x.shape
    return np.array([t.ravel().reshape(length, h * d) for t in x.reshape(-1, h, length, d)]).reshape(
        *lead, length, h * d
    )


# fmt: off
WRONG |= {
    ("split_heads", "axes-not-swapped"): [
        lambda x, n: x.reshape(*x.shape[:-2], n, x.shape[-2], x.shape[-1] // n),
        lambda x, n: np.reshape(x, x.shape[:-1] + (n, -1)),
        lambda x, n: np.stack([part.reshape(n, len(part), -1) for part in x]) if x.ndim == 3 else x.reshape(n, len(x), -1),
    ],
    ("split_heads", "interleaved"): [
        lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3),
        lambda x, n: np.stack([x[..., h::n] for h in range(n)], axis=-3),
        heads_in_loops,
    ],
    ("merge_heads", "axes-not-swapped"): [
        lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.reshape(x, (*x.shape[:-2], -1)),
        tokens_in_a_row,
    ],
    ("merge_heads", "interleaved"): [
        lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.einsum("...hld->...ldh", x).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1]),
        lambda x: np.stack([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1).reshape(*x.shape[:-3], x.shape[-2], -1),
    ],
}
# fmt: on


def scale_in_place(q, k):
    q /= np.sqrt(q.shape[-1])
    return q @ k.mT


def powers_in_place(scores):
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


def hide_in_place(scores, mask):
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return safe(scores)


def mask_flipped_in_place(scores, mask):
    np.logical_not(mask, out=mask)
    return safe(np.where(mask, -np.inf, scores))


def scale_q_in_place(q, k, v, mask=None):
    q *= q.shape[-1] ** -0.5
    return heads(q, k, v, mask, scale=lambda s, q, k: s)


def sort_in_place(a, b):
    result = a @ b
    a.sort()
    b.sort()
    return result


def multiplied_in_place(a, b):
    a *= b
    return a.sum()


def lengths_in_place(lengths, n):
    lengths -= 1
    return np.arange(n) <= lengths[:, None, None]


def clipped_in_place(lengths, n):
    mask = np.arange(n) < lengths[:, None, None]
    lengths[:] = n
    return mask


def emptied(function):
    def empty_after(x, *more):
        result = np.array(function(x, *more))
        x[...] = 0
        return result

    return empty_after


def shifted(function):
    def shift_in_place(x, *more):
        x += 1
        return function(x - 1, *more)

    return shift_in_place


# fmt: off
WRONG |= {
    ("dot_product", "input-changed"): [multiplied_in_place, sort_in_place],
    ("attention_scores", "input-changed"): [
        lambda q, k: operator.imul(q, 2) @ k.mT / 2,
        lambda q, k: -q @ operator.imul(k, -1).mT,
    ],
    ("scaled_scores", "input-changed"): [scale_in_place, lambda q, k: q @ operator.itruediv(k, k.shape[-1] ** 0.5).mT],
    ("softmax", "input-changed"): [powers_in_place, lambda x: softmax(operator.isub(x, x.max(-1, keepdims=True)))],
    ("padding_mask", "input-changed"): [lengths_in_place, clipped_in_place],
    ("masked_softmax", "input-changed"): [hide_in_place, mask_flipped_in_place],
    ("scaled_dot_product_attention", "input-changed"): [
        scale_q_in_place,
        with_lines(scale=lambda s, q, k: (s / np.sqrt(q.shape[-1]), k.fill(0))[0]),
        with_lines(mix=lambda w, k, v: (w @ v, operator.imul(v, 2))[0]),
    ],
    ("split_heads", "input-changed"): [emptied(al.split_heads), shifted(al.split_heads)],
    ("merge_heads", "input-changed"): [emptied(al.merge_heads), shifted(al.merge_heads)],
    # Wrong in ways that have no name of their own.
    ("dot_product", "different"): [lambda a, b: a @ b + 1, lambda a, b: np.abs(a * b).sum()],
    ("attention_scores", "different"): [lambda q, k: q @ k.mT + 1, lambda q, k: np.abs(q @ k.mT)],
    ("scaled_scores", "different"): [
        lambda q, k: q @ k.mT / np.sqrt(q.shape[-1] + 1),
        lambda q, k: np.round(q @ k.mT / np.sqrt(q.shape[-1]), 1),
    ],
    ("softmax", "different"): [lambda x: 2.0**x / (2.0**x).sum(-1, keepdims=True), lambda x: np.round(softmax(x), 2)],
    ("causal_mask", "different"): [
        lambda n: np.tri(n, dtype=bool)[::-1],
        lambda n: np.arange(n)[:, None] % 2 == np.arange(n) % 2,
    ],
    ("padding_mask", "different"): [
        lambda lengths, n: np.ones((len(lengths), 1, n), bool),
        lambda lengths, n: (np.arange(n) < lengths[:, None, None])[::-1],
    ],
    ("masked_softmax", "different"): [
        masking(share=lambda x: np.round(safe(x), 2)),
        masking(share=lambda x: safe(0.7 * x)),
    ],
    ("scaled_dot_product_attention", "different"): [
        with_lines(scale=lambda s, q, k: 0.7 * s),
        with_lines(mix=lambda w, k, v: w @ v + 0.1),
    ],
    ("split_heads", "different"): [
        lambda x, n: al.split_heads(x, n)[..., ::-1],
        lambda x, n: al.split_heads(x, n) + 1,
    ],
    ("merge_heads", "different"): [lambda x: al.merge_heads(x)[..., ::-1], lambda x: 2 * al.merge_heads(x)],
}
# fmt: on

# The general wrong answers, made from the right ones of every exercise -----------------------------


def dot_product(a, b):
    return float(a @ b)


LIBRARY = {name: getattr(al, name, dot_product) for name in EXERCISES}


def mapped(change):
    """Makes a wrong function of a right one: every array that it returns is changed."""

    def of(name):
        right = LIBRARY[name]

        def wrong(*args):
            result = right(*args)
            return tuple(map(change, result)) if isinstance(result, tuple) else change(result)

        return wrong

    return of


def always(value):
    return lambda name: lambda *args: value


def stopped_by(error):
    def of(name):
        def stops(*args):
            raise error

        return stops

    return of


def nothing(*args):
    pass


def one_nan(x):
    x = np.array(x, float)
    x.flat[-1] = np.nan
    return x


def one_infinity(x):
    x = np.array(x, float)
    x.flat[0] = np.inf
    return x


def as_objects(x):
    return np.array(["x", None], dtype=object)


GENERAL = {
    "not-started": [always(None), always(...), lambda name: None, lambda name: ..., lambda name: nothing],
    "raises": [
        stopped_by(ValueError("no")),
        stopped_by(ZeroDivisionError()),
        lambda name: lambda *args: args[0] @ undefined,  # noqa: F821
        lambda name: lambda: 1,
        lambda name: lambda a, b, c, d, e: 1,
    ],
    "wrong-type": [
        always("text"),
        always({"output": 1}),
        always({1.0, 2.0}),
        mapped(lambda x: (y for y in np.ravel(x))),
        mapped(as_objects),
        mapped(lambda x: np.asarray(x) + 1j),
        mapped(np.ma.array),
        mapped(lambda x: [[1.0], [2.0, 3.0]]),
        always(LIBRARY),
        lambda name: 3.5,
        lambda name: "text",
    ],
    "wrong-shape": [
        mapped(lambda x: np.asarray(x)[None, None]),
        mapped(lambda x: np.concatenate([np.ravel(x), np.ravel(x), np.ravel(x)])),
    ],
    "not-finite": [mapped(one_nan), mapped(one_infinity)],
}
for name, (found, makers) in itertools.product(EXERCISES, GENERAL.items()):
    WRONG[name, found] = [make(name) for make in makers]


def judged(name, function):
    """The verdict on a function, printed into nowhere."""
    with contextlib.redirect_stdout(io.StringIO()):
        return getattr(check, name)(function)


CASES = [
    pytest.param(name, found, function, id=f"{name}-{found}-{i}")
    for (name, found), functions in WRONG.items()
    for i, function in enumerate(functions)
]


@pytest.mark.parametrize("name, found, function", CASES)
def test_wrong_answer_is_named(name, found, function):
    verdict = judged(name, function)
    assert (verdict.passed, verdict.mistake) == (False, found), verdict.message
    assert found not in verdict.also and len(set(verdict.also)) == len(verdict.also)


def softmax_of_empty(x):
    top = x.max(-1, keepdims=True)
    e = np.exp(x - np.where(top == -np.inf, 0, top))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def forgets_that_mask_may_be_none(fill):
    def attention(q, k, v, mask=None):
        weights = softmax_of_empty(np.where(mask, q @ k.mT / q.shape[-1] ** 0.5, fill))
        return weights @ v, weights

    return attention


@pytest.mark.parametrize(
    "dtype, closeness", [(np.float64, "to 1e-5."), (np.float16, "as closely as float16 allows.")]
)
def test_closeness_to_the_real_model_is_the_one_that_was_met(dtype, closeness):
    def attention(q, k, v, mask=None):
        return tuple(part.astype(dtype) for part in al.scaled_dot_product_attention(q, k, v, mask))

    verdict = judged(ATTENTION, attention)
    assert verdict.passed and verdict.message.endswith(f"all 72 heads, {closeness}")


@pytest.mark.parametrize(
    "name, function, mistake, cause",
    [
        (
            ATTENTION,
            forgets_that_mask_may_be_none(-np.inf),
            "different",
            "no mask was given, everything was hidden",
        ),
        (
            ATTENTION,
            forgets_that_mask_may_be_none(-1e9),
            "different",
            "no mask was given, everything was hidden",
        ),
        (
            "scaled_scores",
            lambda q, k: q @ k.mT / np.sqrt(32),
            "different",
            "The same number was used for every d_k",
        ),
        ("scaled_scores", lambda q, k: q @ k.mT / 8, "different", "The same number was used for every d_k"),
        ("masked_softmax", lambda x, mask: softmax_of_empty(x + mask), "fill-too-small", "added as 1 and 0"),
    ],
)
def test_cause_without_a_name_of_its_own_is_said(name, function, mistake, cause):
    verdict = judged(name, function)
    assert verdict.mistake == mistake and cause in verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_table_has_two_wrong_answers_for_each_id(name):
    few = [found for found in required(name) if len(WRONG.get((name, found), [])) < 2]
    unasked = {found for exercise, found in WRONG if exercise == name} - set(required(name))
    assert not few and not unasked


def test_required_ids_are_those_that_the_checker_lists():
    listed = {m.id for m in check.MISTAKES} | {m.id for _, _, m in check.SPECIAL}
    listed -= {"different"}  # a cause without a name of its own, said in words
    assert set(" ".join(REQUIRED.values()).split()) == listed
    assert list(check.EXERCISES) == EXERCISES


# Right answers in unusual form --------------------------------------------------------------------


def dot_by_index(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def scores_in_loops(q, k):
    if q.ndim > 2:
        return np.stack([scores_in_loops(x, y) for x, y in zip(q, k)])
    return [[sum(x * y for x, y in zip(row, key)) for key in k] for row in q]


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


def mask_by_appending(n):
    rows = []
    for i in range(n):
        rows.append([True] * (i + 1) + [False] * (n - i - 1))
    return tuple(map(tuple, rows))


def mask_filled(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for i, length in enumerate(lengths):
        mask[i, 0, : int(length)] = True
    return mask


def renormalised(scores, mask):
    weights = np.exp(scores - np.where(mask, scores, -np.inf).max(-1, keepdims=True, initial=-1e30)) * mask
    total = weights.sum(-1, keepdims=True)
    return np.divide(weights, total, out=np.zeros(weights.shape), where=total > 0)


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


Pair = namedtuple("Pair", "output weights")


def online_attention(q, k, v, mask=None):
    """Output and weights gathered from blocks of two keys."""
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top, total, output = -np.inf, 0.0, 0.0
    for start in range(0, k.shape[-2], 2):
        block = scores[..., start : start + 2]
        new = np.maximum(top, block.max(-1, keepdims=True))
        shift = np.where(new == -np.inf, 0, new)
        powers, old = np.exp(block - shift), np.exp(top - shift)
        total = old * total + powers.sum(-1, keepdims=True)
        output = old * output + powers @ v[..., start : start + 2, :]
        top = new
    safe_total = np.where(total == 0, 1, total)
    return output / safe_total, np.exp(scores - np.where(top == -np.inf, 0, top)) / safe_total


def sentence_by_sentence(q, k, v, mask=None):
    if q.ndim == 2:
        return al.scaled_dot_product_attention(q, k, v, mask)
    mask = None if mask is None else np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))
    parts = [sentence_by_sentence(q[i], k[i], v[i], None if mask is None else mask[i]) for i in range(len(q))]
    return np.stack([part[0] for part in parts]), np.stack([part[1] for part in parts])


def chatty(q, k, v, mask=None):
    print("q", q.shape, "k", k.shape, file=sys.stderr)
    return al.scaled_dot_product_attention(q, k, v, mask)


def low_fill_handled(q, k, v, mask=None):
    weights = softmax(
        q @ k.mT / np.sqrt(q.shape[-1]) if mask is None else put(-1e9)(al.scaled_scores(q, k), mask)
    )
    weights = weights if mask is None else weights * np.any(mask, -1, keepdims=True)
    return weights @ v, weights


def in_float32(function):
    def single(*args):
        small = (a.astype(np.float32) if getattr(a, "dtype", None) == float else a for a in args)
        return function(*small)

    return single


# fmt: off
RIGHT = {
    "dot_product": [
        lambda a, b: sum(x * y for x, y in zip(a, b)),
        lambda a, b: np.einsum("i,i", a, b),
        lambda a, b: np.asarray(a @ b),  # 0-d
        lambda a, b: int(a @ b) if float(a @ b).is_integer() else a @ b,
        lambda a, b: Fraction(float(a @ b)),
        lambda a, b: reduce(operator.add, map(operator.mul, a, b)),
        lambda a, b: np.linalg.norm(a) * np.linalg.norm(b) * (a @ b / np.linalg.norm(a) / np.linalg.norm(b)),
        lambda a, b: (((a + b) ** 2).sum() - ((a - b) ** 2).sum()) / 4,
        dot_by_index,
        np.vdot,
    ],
    "attention_scores": [
        scores_in_loops,
        lambda q, k: np.einsum("...id,...jd->...ij", q, k),
        lambda q, k: (k @ q.mT).mT,
        lambda q, k: (q[..., :, None, :] * k[..., None, :, :]).sum(-1),
        lambda q, k: np.matmul(q, np.moveaxis(k, -1, -2)).tolist(),
        in_float32(al.attention_scores),
    ],
    "scaled_scores": [
        lambda q, k: (q / np.sqrt(q.shape[-1])) @ k.mT,
        lambda q, k: (q * q.shape[-1] ** -0.25) @ (k * k.shape[-1] ** -0.25).mT,
        lambda q, k: np.einsum("...id,...jd->...ij", q, k / math.sqrt(k.shape[-1])),
        in_float32(al.scaled_scores),
    ],
    "softmax": [
        online_softmax,
        softmax_in_plain_python,
        softmax_in_place_on_a_copy,
        softmax_of_the_transposed,
        softmax_in_logs,
        lambda x: 1 / np.exp(x[..., None, :] - x[..., :, None]).sum(-1) if np.isfinite(x).all() else softmax(x),
        in_float32(softmax),
        lambda x: softmax(x.astype(np.float16)),
    ],
    "causal_mask": [
        mask_by_appending,
        lambda n: np.arange(n)[:, None] >= np.arange(n),
        lambda n: np.triu(np.ones((n, n), bool)).T,
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), k=1),
        lambda n: np.cumsum(np.eye(n), axis=0) == 1 if n > 1 else np.array([[True]]),
        lambda n: np.greater_equal.outer(range(n), range(n)),
        lambda n: np.array([[j <= i for j in range(n)] for i in range(n)], dtype=object),
    ],
    "padding_mask": [
        mask_filled,
        lambda lengths, n: [[[j < length for j in range(n)]] for length in lengths],
        lambda lengths, n: ~(np.arange(n)[None, None] >= lengths.reshape(-1, 1, 1)),
        lambda lengths, n: np.stack([np.arange(n) < length for length in lengths])[:, np.newaxis],
    ],
    "masked_softmax": [
        renormalised,
        low_fill_then_zero,
        added_mask,
        nan_to_zero,
        only_the_allowed,
        masking(share=online_softmax),
        masked_row_by_row(-np.inf),
        in_float32(masking()),
        lambda scores, mask: np.ma.masked_invalid(safe(np.where(mask, scores, -np.inf))).filled(0),
    ],
    "scaled_dot_product_attention": [
        online_attention,
        sentence_by_sentence,
        chatty,
        low_fill_handled,
        in_float32(al.scaled_dot_product_attention),
        partial(written_out, table=lambda q, k: q @ k.mT),
        with_lines(score=lambda q, k: al.scaled_scores(q, k), scale=lambda s, q, k: s),
        with_lines(score=lambda q, k: q * q.shape[-1] ** -0.25 @ (k * q.shape[-1] ** -0.25).mT, scale=lambda s, q, k: s),
        with_lines(give=Pair),
        with_lines(give=lambda out, w: [out.tolist(), w.tolist()]),
        with_lines(mix=lambda w, k, v: (w[..., None] * v[..., None, :, :]).sum(-2)),
        with_lines(mix=lambda w, k, v: (v.mT @ w.mT).mT),
        lambda *args, **more: al.scaled_dot_product_attention(*args, **more),
    ],
    "split_heads": [
        lambda x, n: np.stack(np.split(x, n, axis=-1), axis=-3),
        lambda x, n: np.einsum("...lhd->...hld", x.reshape(*x.shape[:-1], n, -1)),
        lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], n, -1), -2, -3).tolist(),
        lambda x, n: np.array_split(x, n, axis=-1) if x.ndim == 2 else np.array([np.split(y, n, -1) for y in x]),
    ],
    "merge_heads": [
        lambda x: np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1),
        lambda x: np.block([x[..., h, :, :] for h in range(x.shape[-3])]),
        lambda x: np.einsum("...hld->...lhd", x).reshape(*x.shape[:-3], x.shape[-2], -1),
    ],
}
# fmt: on
RIGHT_CASES = [
    pytest.param(name, function, id=f"{name}-{i}")
    for name in EXERCISES
    for i, function in enumerate([LIBRARY[name], *RIGHT[name]])
]


@pytest.mark.parametrize("name, function", RIGHT_CASES)
def test_right_answer_passes(name, function):
    verdict = judged(name, function)
    assert (verdict.passed, verdict.mistake, verdict.also) == (True, None, ()), verdict.message
    assert verdict.message.startswith(f"Right. {len(check.probes(name))} probes passed: ")
    assert all(probe in verdict.message for probe in check.probes(name))


def test_right_attention_ends_with_the_real_model():
    verdict = judged("scaled_dot_product_attention", al.scaled_dot_product_attention)
    assert verdict.message.splitlines()[1:] == [
        "And the real model: your function gives the weights and outputs of all 72 heads, to 1e-5."
    ]


def test_right_on_the_probes_and_wrong_on_the_real_model():
    def only_small(q, k, v, mask=None):
        output, weights = al.scaled_dot_product_attention(q, k, v, mask)
        return (output + 1, weights) if q.shape[-1] == 32 else (output, weights)

    verdict = judged("scaled_dot_product_attention", only_small)
    assert (verdict.passed, verdict.mistake) == (False, "different")
    assert "the real model" in verdict.message


# Two mistakes at once -----------------------------------------------------------------------------

# Steps that are independent of each other, and one wrong form of each id in them.
STEPS = {
    "score": {found: tables[0] for found, tables in TABLES.items()},
    "scale": {
        "not-scaled": lambda s, q, k: s,
        "divided-by-d_k": lambda s, q, k: s / q.shape[-1],
        "multiplied-by-sqrt-d_k": lambda s, q, k: s * q.shape[-1] ** 0.5,
        "scaled-by-length": lambda s, q, k: s / np.sqrt(k.shape[-2]),
    },
    "hide": {found: hides[0] for found, hides in HIDES.items()},
    "share": {found: shares[0] for found, shares in SOFTMAXES.items()} | {"empty-row": softmax},
    "after": {"scaled-after-softmax": lambda w, mask, q: w / np.sqrt(q.shape[-1])},
    "mix": {"keys-as-values": lambda w, k, v: w @ k, "weights-transposed": lambda w, k, v: w.mT @ v},
    "give": {"return-order": lambda out, w: (w, out), "output-only": lambda out, w: out},
    "real": {
        "polarity-inverted": lambda lengths, n: np.arange(n) >= lengths[:, None],
        "off-by-one": lambda lengths, n: np.arange(n) <= lengths[:, None],
    },
    "lay": {"queries-masked": lambda real: real[:, :, None], "axis-missing": lambda real: real},
}


def built(name, **lines):
    """An exercise with some lines replaced."""
    if name == "masked_softmax":
        return masking(**lines)
    if name == "scaled_dot_product_attention":
        return with_lines(**lines)
    if name == "padding_mask":
        real = lines.get("real", lambda lengths, n: np.arange(n) < lengths[:, None])
        lay = lines.get("lay", lambda real: real[:, None])
        return lambda lengths, n: lay(real(lengths, n))
    score, scale = (
        lines.get("score", lambda q, k: q @ k.mT),
        lines.get("scale", lambda s, q, k: s / q.shape[-1] ** 0.5),
    )
    return lambda q, k: scale(score(q, k), q, k)


LINES = {
    "scaled_scores": ["score", "scale"],
    "padding_mask": ["real", "lay"],
    "masked_softmax": ["hide", "share"],
    "scaled_dot_product_attention": ["score", "scale", "hide", "share", "after", "mix", "give"],
}
COMBINED = [
    pytest.param(name, {one: STEPS[one][a], other: STEPS[other][b]}, {a, b}, id=f"{name}-{a}-{b}")
    for name, lines in LINES.items()
    for one, other in itertools.combinations(lines, 2)
    for a, b in itertools.product(STEPS[one], STEPS[other])
]
PAIRS = [
    case for i, case in enumerate(COMBINED) if i % 3 == 0 or case.values[0] != "scaled_dot_product_attention"
]
# Here the NaN of one mistake wipes out what would show the other.
ERASED = [
    {"plus-infinity", "normalised-over-everything"},
    {"plus-infinity", "one-maximum-for-all"},
    {"polarity-inverted", "divided-without-exp"},
]


@pytest.mark.parametrize("name, lines, two", PAIRS)
def test_two_mistakes_are_not_passed_and_one_of_them_is_named(name, lines, two):
    verdict = judged(name, built(name, **lines))
    assert not verdict.passed
    assert two in ERASED or two & {verdict.mistake, *verdict.also}, verdict.message


# Named by what shows, with something else wrong that has no name -----------------------------------

# fmt: off
STRANGE = [
    ("softmax", "normalised-over-everything", lambda x: np.exp(0.7 * x) / np.exp(0.7 * x).sum()),
    ("softmax", "normalised-over-queries", lambda x: softmax(0.7 * x, axis=-2 if x.ndim > 1 else -1)),
    ("softmax", "not-normalised", lambda x: 1.3 * np.exp(x)),
    ("masked_softmax", "masked-after-softmax", lambda scores, mask: softmax(0.7 * scores) * mask),
    ("masked_softmax", "polarity-inverted", lambda scores, mask: safe(np.where(mask, -np.inf, 0.7 * scores))),
    ("masked_softmax", "filled-with-zero", lambda scores, mask: softmax(np.where(mask, scores, 0.05))),
    ("masked_softmax", "fill-too-small", lambda scores, mask: softmax(np.where(mask, scores, -3.3))),
    (ATTENTION, "not-scaled", with_lines(scale=lambda s, q, k: s, mix=lambda w, k, v: w @ v + 1)),
    (ATTENTION, "divided-by-d_k", with_lines(scale=lambda s, q, k: s / q.shape[-1], mix=lambda w, k, v: w @ v + 1)),
    (ATTENTION, "multiplied-by-sqrt-d_k",
        with_lines(scale=lambda s, q, k: s * q.shape[-1] ** 0.5, mix=lambda w, k, v: w @ v + 1)),
    (ATTENTION, "scaled-after-softmax",
        with_lines(scale=lambda s, q, k: 0.7 * s, after=lambda w, mask, q: w / np.sqrt(q.shape[-1]))),
]
# fmt: on


@pytest.mark.parametrize(
    "name, found, function", STRANGE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_mistake_beside_an_unnamed_one_is_named_by_its_signs(name, found, function):
    verdict = judged(name, function)
    assert (verdict.passed, verdict.mistake) == (False, found), verdict.message


# Each probe is needed -----------------------------------------------------------------------------


def without(*probes):
    return lambda all_probes: {probe: args for probe, args in all_probes.items() if probe not in probes}


def only(*probes):
    return lambda all_probes: {probe: all_probes[probe] for probe in probes}


def small(probe):
    """The probe, with scores that overflow nowhere."""
    return lambda all_probes: all_probes | {probe: (all_probes[probe][0] / 100, *all_probes[probe][1:])}


def all_full(all_probes):
    return {"full sentences": (np.array([5, 5]), 5)}


# exercise, what is done to its probes, a wrong answer whose id is lost with them
BREAKS = [
    ("softmax", without("large scores"), "overflows"),
    ("softmax", without("large scores"), "one-maximum-for-all"),
    ("softmax", small("large scores"), "overflows"),
    ("masked_softmax", without("large scores"), "overflows"),
    ("masked_softmax", without("large scores"), "one-maximum-for-all"),
    ("scaled_dot_product_attention", without("large scores"), "overflows"),
    ("scaled_dot_product_attention", without("large scores"), "one-maximum-for-all"),
    ("masked_softmax", without("an empty row"), "empty-row"),
    ("scaled_dot_product_attention", without("an empty row"), "empty-row"),
    ("masked_softmax", without("an allowed score of -50", "scores around -200000"), "fill-too-small"),
    (
        "scaled_dot_product_attention",
        without("an allowed score of -50", "scores around -200000"),
        "fill-too-small",
    ),
    ("softmax", without("a square table", "sizes all equal"), "keepdims-missing"),
    ("masked_softmax", without("a square table", "sizes all equal"), "keepdims-missing"),
    ("attention_scores", without("a batch", "sentences and heads", "sizes all equal"), "batches-paired"),
    ("attention_scores", without("a batch", "sentences and heads", "sizes all equal"), "all-axes-reversed"),
    ("attention_scores", without("sizes all equal"), "all-axes-reversed"),
    ("scaled_scores", only("sizes all equal"), "scaled-by-length"),
    (
        "softmax",
        without("unequal sizes", "a square table", "a batch", "sizes all equal", "a score of -inf"),
        "normalised-over-queries",
    ),
    ("causal_mask", only("one token"), "future-leaks"),
    ("scaled_dot_product_attention", only("sizes all equal", "a mask on a square table"), "scaled-by-length"),
    ("padding_mask", all_full, "off-by-one"),
    ("split_heads", only("one head"), "interleaved"),
    ("split_heads", only("one head"), "axes-not-swapped"),
    ("merge_heads", only("one head"), "interleaved"),
    ("dot_product", only("a right angle"), "cosine"),
    ("dot_product", only("one number"), "not-summed"),
]


@pytest.mark.parametrize("name, change, found", BREAKS)
def test_probe_is_needed(name, change, found, monkeypatch):
    """With the probes named for all wrong answers; without them some wrong answer is named otherwise, or passed."""
    functions = WRONG[name, found]
    assert all(judged(name, function).mistake == found for function in functions)
    whole = check.probes
    monkeypatch.setattr(check, "probes", lambda exercise: change(whole(exercise)))
    assert any(judged(name, function).mistake != found for function in functions)


def test_probes_confuse_no_sizes():
    """Where attention is not square on purpose, no two sizes are equal, and each has more than one row."""
    for probe in ("unequal sizes", "sentences and heads"):
        q, k, v = check.probes("scaled_dot_product_attention")[probe]
        sizes = [*q.shape, k.shape[-2], v.shape[-1]]
        assert len(set(sizes)) == len(sizes) and min(sizes) > 1


# How a check behaves ------------------------------------------------------------------------------


def printed_by(name, function):
    """What the check printed, and its verdict."""
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = getattr(check, name)(function)
    return screen.getvalue(), verdict


@pytest.mark.parametrize("name, found, function", CASES[::9])
def test_message_is_printed_once_and_the_same_again(name, found, function):
    first, verdict = printed_by(name, function)
    again, second = printed_by(name, function)
    assert (first, verdict) == (again, second)
    assert first == verdict.message + "\n"
    assert "0x" not in first and all(len(line) < 300 for line in first.splitlines())
    assert 1 <= len(verdict.message.splitlines()) <= 6


def test_errors_and_objects_show_no_memory_address():
    class Thing:
        __qualname__ = "Thing"

    def stops(a, b):
        raise ValueError(f"cannot use {Thing()}")

    first, _ = printed_by("dot_product", stops)
    again, _ = printed_by("dot_product", stops)
    assert first == again and "Thing object at 0x...>" in first
    assert "0x" not in printed_by("dot_product", lambda a, b: Thing())[0]
    assert "0x" not in printed_by("dot_product", Thing())[0]
    assert "Thing object at 0x...>" in printed_by("dot_product", lambda a, b: print(Thing()))[0]


@pytest.mark.parametrize("sort", [True, False])
def test_prints_of_the_function_do_not_bury_the_verdict(sort):
    def talks(scores):
        for i in range(1000):
            print(f"{i}: {'scores ' * 1000}", file=None if sort else sys.stderr)
        return softmax(scores) if sort else scores

    screen, verdict = printed_by("softmax", talks)
    assert verdict.passed is sort
    assert screen.startswith(verdict.message + "\n")
    rest = screen[len(verdict.message) :].strip().splitlines()
    assert 1 <= len(rest) <= 6 and all(len(line) <= 100 for line in rest)
    assert rest[1].startswith("0: scores")


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """An IPython shell that leaves nothing behind."""
    config = Config()
    config.HistoryManager.enabled = False
    return InteractiveShell(config=config, ipython_dir=str(tmp_path_factory.mktemp("ipython")))


@pytest.mark.parametrize(
    "call",
    [
        "check.softmax(lambda scores: scores)",
        "check.softmax(al.softmax)",
        "check.softmax(...)",
        "check.linking_head(1, 3)",
        "check.linking_head(5, 11)",
    ],
)
def test_last_line_of_a_cell_shows_the_verdict_once(shell, call, capsys):
    shell.run_cell("import attention_lib as al; from attention_lib import check")
    capsys.readouterr()
    result = shell.run_cell(call)
    result.raise_error()
    out, err = capsys.readouterr()
    assert out.count(result.result.message) == 1 and not err
    # This shell writes its prompt even where nothing follows it.
    assert re.sub(r"Out\[\d+\]: $", "", out) == result.result.message + "\n"


def test_verdict_is_shown_by_nothing_but_its_message(capsys):
    _, verdict = printed_by("softmax", al.softmax)
    assert verdict._ipython_display_() is None
    assert capsys.readouterr() == ("", "")
    with pytest.raises(AttributeError):
        verdict.passed = False
    assert verdict == check.Verdict(True, None, (), verdict.message)


ARRAYS_IN = [name for name in EXERCISES if name != "causal_mask"]


@pytest.mark.parametrize("name", ARRAYS_IN)
def test_arguments_are_copies(name):
    """A function that ruins its arguments is called with the same numbers as any other, now and later."""
    before = [[np.copy(a) for a in args] for args in check.probes(name).values()]
    received = []

    def ruins(*args):
        received.append([np.copy(a) for a in args])
        result = LIBRARY[name](*args)
        for a in args:
            if isinstance(a, np.ndarray):
                assert a.flags.writeable and a.flags.owndata
                a[...] = 0
        return result

    assert judged(name, ruins).mistake == "input-changed"
    for args in (received, check.probes(name).values()):
        assert all(
            np.array_equal(a, b)
            for old, new in zip(before, args, strict=True)
            for a, b in zip(old, new, strict=True)
        )
    assert judged(name, LIBRARY[name]).passed


def test_input_changed_says_which_argument_and_comes_before_other_causes():
    def changes_k(q, k, v, mask=None):
        scores = q @ k.mT
        k += 1
        return heads(q, k, v, mask, score=lambda q, k: scores, scale=lambda s, q, k: s)

    verdict = judged("scaled_dot_product_attention", changes_k)
    assert (verdict.mistake, verdict.also) == ("input-changed", ("not-scaled",))
    assert "Your function changes its argument k." in verdict.message


def test_numpy_and_warnings_are_left_as_they_were():
    def meddles(scores):
        np.seterr(all="raise")
        np.set_printoptions(precision=1, suppress=True)
        np.random.seed(1)
        random.seed(1)
        warnings.simplefilter("error")
        warnings.warn("now", stacklevel=1)
        print("to the screen")
        print("to the other screen", file=sys.stderr)
        return softmax(scores) * np.random.rand()

    def state():
        kind, keys, *rest = np.random.get_state()
        return [
            np.geterr(), np.get_printoptions(), (kind, keys.tolist(), rest), list(warnings.filters),
            warnings.showwarning, sys.stdout, sys.stderr,
        ]  # fmt: skip

    with np.errstate(over="ignore", divide="warn"), contextlib.redirect_stdout(io.StringIO()):
        before = state()
        check.softmax(meddles)
        check.softmax(al.softmax)
        assert state() == before
        random.seed(0)
        python = random.getstate()
        check.softmax(lambda scores: scores)
        assert random.getstate() == python


def test_a_check_warns_of_nothing(recwarn):
    judged("softmax", lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True))
    judged("masked_softmax", masking(share=softmax))
    judged("scaled_dot_product_attention", with_lines(share=lambda x: x / 0))
    assert not recwarn.list


@pytest.mark.parametrize("name", EXERCISES)
def test_interrupting_passes_through_and_leaving_does_not(name):
    screen = sys.stdout
    with pytest.raises(KeyboardInterrupt):
        judged(name, stopped_by(KeyboardInterrupt())(name))
    assert sys.stdout is screen
    for error in (SystemExit("bye"), RecursionError("deep"), MemoryError(), StopIteration()):
        assert judged(name, stopped_by(error)(name)).mistake == "raises"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_diagnosis_that_fails_still_ends_in_a_verdict(name, monkeypatch):
    def fails(*args):
        raise RuntimeError("not foreseen")

    monkeypatch.setattr(check, "diagnose", fails)
    assert judged(name, WRONG[name, "different"][0]).mistake == "different"
    assert judged(name, LIBRARY[name]).passed


def test_wrong_number_of_arguments_says_what_it_was_called_with():
    verdict = judged("scaled_dot_product_attention", lambda q: q)
    assert verdict.mistake == "raises"
    assert (
        "TypeError" in verdict.message and "takes 1 positional argument but 3 were given" in verdict.message
    )
    assert "It was called with q (4, 5), k (6, 5), v (6, 7)." in verdict.message
    assert "It was called with n = 5." in judged("causal_mask", lambda: 1).message


def test_error_that_cannot_be_told_is_told_by_its_type():
    class Mute(ValueError):
        def __str__(self):
            raise RuntimeError

    verdict = judged("dot_product", stopped_by(Mute())("dot_product"))
    assert verdict.mistake == "raises" and "Mute" in verdict.message


# fmt: off
NUMBER_MASKS = [
    ("causal_mask", lambda n: np.tri(n)),
    ("causal_mask", lambda n: np.tril(np.ones((n, n), int))),
    ("causal_mask", lambda n: [[int(j <= i) for j in range(n)] for i in range(n)]),
    ("padding_mask", lambda lengths, n: al.padding_mask(lengths, n).astype(int)),
    ("padding_mask", lambda lengths, n: al.padding_mask(lengths, n) * 1.0),
]
# fmt: on


@pytest.mark.parametrize("name, function", NUMBER_MASKS)
def test_mask_of_numbers_is_wrong_type_with_the_reason(name, function):
    verdict = judged(name, function)
    assert (verdict.passed, verdict.mistake, verdict.also) == (False, "wrong-type", ())
    assert "opposite things in different libraries" in verdict.message and "should be bool" in verdict.message


def test_mask_of_numbers_that_is_also_wrong_is_named_by_the_mistake():
    verdict = judged("causal_mask", lambda n: np.triu(np.ones((n, n))))
    assert (verdict.mistake, verdict.also) == ("transposed", ("wrong-type",))


NO_FUNCTIONS = [
    None,
    ...,
    0,
    3.5,
    "softmax",
    [al.softmax],
    np.ones(3),
    int,
    dict,
    Pair,
    object(),
    NotImplemented,
]


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("given", NO_FUNCTIONS, ids=lambda given: type(given).__name__)
def test_anything_may_be_given_to_a_check(name, given):
    verdict = judged(name, given)
    assert not verdict.passed
    if given is None or given is ...:
        assert verdict.mistake == "not-started"
    else:
        assert verdict.mistake in {"wrong-type", "raises", "wrong-shape", "different"}, verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_check_explains_itself(name):
    function = getattr(check, name)
    assert function.__name__ == name and f"`{name}(" in function.__doc__ and "`Verdict`" in function.__doc__


@pytest.mark.parametrize("name", EXERCISES)
def test_every_message_of_a_wrong_answer_has_a_next_step(name):
    """Not yet, with one question or task at the end; and no blame and no code in it."""
    for found in required(name):
        message = judged(name, WRONG[name, found][0]).message
        if found == "not-started":
            assert "return" in message or "Nothing" in message
        else:
            assert message.startswith("Not yet. ") and message.splitlines()[-1].endswith((".", "?"))
        assert not any(
            word in message.lower() for word in ("stupid", "obviously", "simply", "just ", "np.where(")
        )


# Garbage ------------------------------------------------------------------------------------------

moderately = settings(derandomize=True, deadline=None, max_examples=30, database=None)


class Unwilling:
    """Says that it is an array and then fails."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array today")


class Strange:
    """Fails whatever it is asked."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError

    def __len__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError

    def __bool__(self):
        raise RuntimeError


def dangling():
    """A list that holds itself."""
    held = []
    held.append(held)
    return held


DTYPES = st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u2", "?", "c16", "U3", "S2", "M8[s]", "m8[D]"])
ARRAYS = DTYPES.flatmap(
    lambda dtype: arrays(dtype, array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.fractions(),
    st.decimals(),
    st.just(...),
    st.just(NotImplemented),
    st.builds(object),
    st.builds(Unwilling),
    st.builds(dangling),
    st.just(np.ma.masked),
    st.just(np.float64),
    st.builds(lambda: (x for x in "abc")),
    st.builds(lambda: iter([1.0, 2.0])),
)
GARBAGE = st.recursive(
    SCALARS | ARRAYS,
    lambda inside: st.one_of(
        st.lists(inside, max_size=3),
        st.tuples(inside),
        st.tuples(inside, inside),
        st.dictionaries(st.text(max_size=2), inside, max_size=2),
    ),
    max_leaves=6,
)


def is_right(name, made):
    """Whether every answer that was given is the right one, in the shape and kind that is asked for."""
    for args, answer in made:
        right = LIBRARY[name](*args)
        right, answer = (x if isinstance(x, tuple) else (x,) for x in (right, answer))
        try:
            if len(right) != len(answer):
                return False
            for r, a in zip(right, answer):
                if np.shape(r) != np.shape(a) or not np.allclose(r, np.asarray(a, float), 1e-2, 1e-2):
                    return False
        except Exception:
            return False
    return True


@pytest.mark.parametrize("name", EXERCISES)
@moderately
@given(draws=st.data())
def test_garbage_neither_stops_a_check_nor_passes(name, draws):
    """One kind of garbage for all probes, or another for each."""
    made = []
    one = draws.draw(GARBAGE) if draws.draw(st.booleans()) else None

    def garbage(*args):
        answer = draws.draw(GARBAGE) if one is None else one
        made.append((args, answer))
        return answer

    verdict = judged(name, garbage)
    assert verdict.passed == (verdict.mistake is None)
    assert not verdict.passed or is_right(name, made)
    assert verdict.message


@pytest.mark.parametrize("name", EXERCISES)
@settings(moderately, max_examples=12)
@given(draws=st.data())
def test_arrays_of_the_right_shape_neither_stop_a_check_nor_pass(name, draws):
    """Numbers from anywhere, NaN and infinity among them, in the shape that is asked for or in one like it."""
    made = []
    dtype = draws.draw(st.sampled_from(["f2", "f4", "f8", "i8", "?"]))
    turn = draws.draw(st.sampled_from([lambda x: x, lambda x: x.T, lambda x: x[..., :-1], lambda x: x[None]]))
    elements = st.sampled_from(
        [0.0, 1.0, 0.5, -1.0, 1e4, np.nan, np.inf, -np.inf] if "f" in dtype else [0, 1]
    )

    def numbers(*args):
        right = LIBRARY[name](*args)
        drawn = [
            turn(draws.draw(arrays(dtype, np.shape(x) or (1,), elements=elements, fill=elements)))
            for x in (right if isinstance(right, tuple) else (right,))
        ]
        answer = tuple(drawn) if isinstance(right, tuple) else drawn[0]
        made.append((args, answer))
        return answer

    verdict = judged(name, numbers)
    assert verdict.passed == (verdict.mistake is None)
    assert not verdict.passed or is_right(name, made)


@pytest.mark.parametrize("name", EXERCISES)
def test_objects_that_fail_neither_stop_a_check_nor_pass(name):
    objects = np.full(2, None)
    objects[0] = Strange()
    for answer in (Strange(), [Strange()], (Strange(), Strange()), objects, Unwilling()):
        verdict = judged(name, lambda *args, answer=answer: answer)
        assert verdict.mistake == "wrong-type"
    assert not judged(name, Strange()).passed


@moderately
@given(given=GARBAGE, other=GARBAGE)
def test_garbage_given_in_place_of_a_function_or_a_head(given, other):
    for name in EXERCISES:
        assert not judged(name, given).passed
    with contextlib.redirect_stdout(io.StringIO()):
        verdict = check.linking_head(given, other)
    assert verdict.passed == (isinstance(given, int) and (given, other) == (1, 3))
    assert verdict.mistake in {None, "not-started", "wrong-type", "different", *NAMED_HEADS.values()}


# The head that links "her" to "cat" ---------------------------------------------------------------

NAMED_HEADS = {(5, 11): "largest-weight", (2, 4): "counted-from-one", (3, 1): "layer-and-head-swapped"}


def head(layer, number):
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = check.linking_head(layer, number)
    assert screen.getvalue() == verdict.message + "\n"
    return verdict


def test_linking_head_knows_each_of_the_72_heads():
    for layer, number in np.ndindex(6, 12):
        verdict = head(layer, number)
        found = None if (layer, number) == (1, 3) else NAMED_HEADS.get((layer, number), "different")
        assert (verdict.passed, verdict.mistake, verdict.also) == (found is None, found, ())
        assert f"In layer {layer}, head {number}, her gives cat " in verdict.message


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.int32])
def test_linking_head_takes_whole_numbers_of_any_kind(kind):
    assert head(kind(1), kind(3)).passed
    assert head(kind(5), kind(11)) == head(5, 11)


@pytest.mark.parametrize("layer, number", [(..., ...), (None, 3), (1, None), (1, ...), (..., 3)])
def test_linking_head_not_started(layer, number):
    assert head(layer, number).mistake == "not-started"


@pytest.mark.parametrize(
    "layer, number",
    [
        ("1", "3"), (1.0, 3.0), (1, 3.5), (6, 0), (0, 12), (-1, 3), (1, -9), (True, 3), (1, np.nan), (10**30, 0),
        (np.array(1.0), 3), (np.array([1, 3]), 3), ([1, 3], 3), ((1, 3), None.__class__), (1 + 0j, 3),
    ],
)  # fmt: skip
def test_linking_head_wants_whole_numbers_in_range(layer, number):
    assert head(layer, number).mistake == "wrong-type"


def test_linking_head_takes_an_object_that_fails_for_no_number():
    assert head(Strange(), 3).mistake == head(1, Strange()).mistake == "wrong-type"


def test_linking_head_shows_the_recorded_numbers():
    weights = data.load("cat_sentence")["weights"]
    others = [1, 2, 3, 5, 6, 7, 9]
    for layer, number in [(1, 3), (5, 11), (0, 0)]:
        her, rest = weights[layer, number, 8, 4], weights[layer, number, others, 4].mean()
        lines = head(layer, number).message.splitlines()
        assert f"her gives cat {her:.2f}" in head(layer, number).message
        assert any(line.startswith(f"The selectivity is {her - rest:.2f}.") for line in lines)


# The exact words ----------------------------------------------------------------------------------


def test_message_of_columns_that_sum_to_one():
    def over_the_queries(x):
        return softmax(x, axis=-2 if x.ndim > 1 else -1)

    scores = check.probes("softmax")["unequal sizes"][0]
    rows, columns = over_the_queries(scores).sum(-1), over_the_queries(scores).sum(-2)
    seen = ", ".join(["rows add up to " + short(rows), "the columns to " + short(columns[:4])])
    assert judged("softmax", over_the_queries).message.splitlines() == [
        "Not yet. The shares add up to 1 over the queries, and should add up to 1 over the keys.",
        f"Seen with unequal sizes. The {seen}.",
        "Which axis runs over the keys?",
    ]
    assert short(rows) == "1.65 1.82 1.56 0.98" and short(columns[:4]) == "1 1 1 1"


def test_message_of_scores_without_scale():
    q, k = check.probes("scaled_scores")["unequal sizes"]
    off = np.abs(q @ k.mT - q @ k.mT / np.sqrt(5))
    i, j = map(int, np.unravel_index(off.argmax(), off.shape))
    got, right = (q @ k.mT)[i, j], (q @ k.mT)[i, j] / np.sqrt(5)
    assert judged("scaled_scores", lambda q, k: q @ k.mT).message.splitlines() == [
        "Not yet. The scores were not divided by the square root of d_k.",
        f"Seen with unequal sizes. Entry [{i}, {j}] is {short([got])} and should be {short([right])}.",
        "Where in your lines does d_k occur?",
    ]


def test_message_of_a_mask_after_the_softmax():
    scores, mask = check.probes("masked_softmax")["unequal sizes"]
    row = int((~mask).sum(-1).argmax())
    weights = (softmax(scores) * mask)[row]
    verdict = judged("masked_softmax", lambda scores, mask: softmax(scores) * mask)
    assert verdict.message.splitlines()[:2] == [
        "Not yet. The mask came after the softmax, when the hidden keys had taken their share already.",
        f"Seen with unequal sizes. In row {row} the mask is {short(mask[row])}, and the weights are {short(weights)}.",
    ]
    assert verdict.message.endswith("\nAdd up that row. Who has the rest?")


def test_message_of_an_unknown_error_and_of_an_unnamed_number():
    assert judged("dot_product", lambda a, b: a @ b[:1]).message.splitlines()[1:] == [
        "It was called with a (3,), b (3,).",
        "Write down the shapes that meet in the line that stopped.",
    ]
    assert judged("dot_product", lambda a, b: a @ b + 1).message.splitlines() == [
        "Not yet. The numbers are wrong, in a way that this check has no name for.",
        "Seen with three numbers. The result is 2 and should be 1.",
        "Compute that entry by hand, step by step, and compare.",
    ]


def short(values):
    """Two decimals, without zeros at the end."""
    return " ".join(f"{np.round(float(x), 2):g}" for x in values)
