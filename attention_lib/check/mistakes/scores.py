"""Mistakes on the way from two vectors to a table of scores."""

import numpy as np

from attention_lib.check.evidence import entry, shape
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.signs import slope_is
from attention_lib.check.steps import root, swap


def length(x):
    return np.linalg.norm(x, axis=-1, keepdims=True)


def divide(by):
    return lambda scores, q, k: scores / by(q, k)


def unscaled(scores, q, k):
    return scores


def spread(scores, axis):
    return scores.std(axis, keepdims=True)


DOTS = [
    mistake(
        "not-summed",
        "The products were made, but they were not all added up.",
        entry,
        "How many numbers should come back for two vectors, and which products are in them?",
        dot=[
            lambda a, b: a * b,
            lambda a, b: a[0] * b[0],
            lambda a, b: a[-1] * b[-1],
            lambda a, b: np.cumsum(a * b),
            np.outer,
            lambda a, b: a * b / length(a) / length(b),
            lambda a, b: (a * b)[:-1].sum(),
            lambda a, b: (a * b)[1:].sum(),
            lambda a, b: (a * b).max(),
        ],
        over="not-multiplied cosine",
    ),
    mistake(
        "not-summed",
        "The products were averaged: their sum was divided by how many there are.",
        entry,
        "Should the result grow when the vectors get more numbers?",
        dot=[lambda a, b: (a * b).mean()],
    ),
    mistake(
        "not-summed",
        "The products were multiplied with each other, and should be added up.",
        entry,
        "Take [1, 2] and [3, 4] on paper. What happens to the 3 and the 8?",
        dot=[lambda a, b: (a * b).prod()],
    ),
    mistake(
        "not-multiplied",
        "The numbers were not multiplied pair by pair.",
        entry,
        "Take [1, 2, 3] and [4, 0, -1] on paper. What happens to the first pair?",
        dot=[
            lambda a, b: (a + b).sum(),
            lambda a, b: a + b,
            lambda a, b: a.sum() * b.sum(),
            lambda a, b: a.sum(),
            lambda a, b: (a - b).sum(),
            lambda a, b: (a + b).prod(),
            lambda a, b: (a**b).sum(),
            lambda a, b: (a / b).sum(),
        ],
    ),
    mistake(
        "not-multiplied",
        "This is a distance: the differences were squared.",
        entry,
        "Which is larger for two equal vectors, their distance or their dot product?",
        dot=[
            lambda a, b: np.linalg.norm(a - b),
            lambda a, b: ((a - b) ** 2).sum(),
            lambda a, b: np.abs(a - b).sum(),
        ],
    ),
    mistake(
        "cosine",
        "This is the cosine: the vectors' lengths were divided out.",
        entry,
        "What should happen to the dot product when one vector is doubled?",
        dot=[
            lambda a, b: a @ b / np.linalg.norm(a) / np.linalg.norm(b),
            lambda a, b: a @ b / np.linalg.norm(a),
            lambda a, b: a @ b / np.linalg.norm(b),
            lambda a, b: a @ b / (a @ a) / (b @ b),
        ],
        score=[lambda q, k: q / length(q) @ swap(k / length(k))],
    ),
    mistake(
        "one-vector-twice",
        "One vector was multiplied with itself, and the other one was not used.",
        entry,
        "Which of the two arguments does each of your products take its factors from?",
        dot=[lambda a, b: a @ a, lambda a, b: b @ b],
        score=[lambda q, k: q @ swap(q), lambda q, k: k @ swap(k)],
        over="queries-and-keys-swapped",
    ),
    mistake(
        "sign-lost",
        "Minus signs were lost: a product or a sum was made positive.",
        entry,
        "What does a negative dot product say about two vectors?",
        dot=[lambda a, b: abs(a @ b), lambda a, b: np.abs(a * b).sum()],
        early=[lambda scores, q, k: np.abs(scores), lambda scores, q, k: np.maximum(scores, 0)],
    ),
    mistake(
        "rounded",
        "The right numbers were rounded on the way.",
        entry,
        "Which of your lines makes whole or short numbers? Round when you print.",
        dot=[
            lambda a, b: np.trunc(a @ b),
            lambda a, b: np.trunc(a).astype(float) @ np.trunc(b),
            *(lambda a, b, n=n: np.round(a @ b, n) for n in range(4)),
        ],
        early=[
            lambda scores, q, k: np.trunc(scores),
            *(lambda scores, q, k, n=n: np.round(scores, n) for n in range(5)),
        ],
    ),
]

SCORES = [
    mistake(
        "queries-and-keys-swapped",
        "Rows and columns have changed places: a row should belong to a query.",
        shape,
        "Which of the two should give the number of rows?",
        shape_tells=True,
        score=[lambda q, k: k @ swap(q), lambda q, k: k @ q.T],
    ),
    mistake(
        "batches-paired",
        "Every table of the batch was multiplied with every other one.",
        shape,
        "Which product pairs sentence with sentence, np.dot or @?",
        shape_tells=True,
        score=[
            lambda q, k: np.tensordot(q, k, (-1, -1)),
            lambda q, k: q[:, None] @ swap(k),
        ],
        average=[lambda w, k, v: np.dot(w, v)],
        together=[
            {
                "score": lambda q, k: np.tensordot(q, k, (-1, -1)),
                "average": lambda w, k, v: np.dot(w, v),
            }
        ],
    ),
    mistake(
        "pairs-only",
        "Query 0 met key 0 alone, query 1 key 1, and so on. Every query should meet every key.",
        shape,
        "For 4 queries and 6 keys, how many scores are there?",
        shape_tells=True,
        score=[lambda q, k: (q * k).sum(-1), lambda q, k: q * k],
    ),
    mistake(
        "reshaped-not-transposed",
        "The keys were not turned over: their numbers lie in the same order as before.",
        entry,
        "Look at the first column of what you multiply by. Is it the first key?",
        score=[lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])],
    ),
    mistake(
        "not-transposed",
        "The keys were not turned over: a query met a column of the keys.",
        entry,
        "Which axis of q and which axis of k hold the numbers of one vector?",
        score=[
            lambda q, k: q @ k,
            lambda q, k: k @ q,
            lambda q, k: swap(q) @ k,
        ],
        over="reshaped-not-transposed",
    ),
    mistake(
        "all-axes-reversed",
        "With more than two axes, .T reverses all of them, and sentences get mixed up with keys.",
        shape,
        "Which two axes should change places, counted from the end?",
        score=[
            lambda q, k: q @ k.T,
            lambda q, k: np.dot(q, k.T),
            lambda q, k: (k @ q.T).T,
        ],
        over="batches-paired",
    ),
    mistake(
        "axes-counted-from-the-front",
        "The two axes that changed places were counted from the front, and sit elsewhere in a batch.",
        shape,
        "Which two axes should change places, counted from the end?",
        score=[
            lambda q, k: q @ k.swapaxes(0, 1),
            lambda q, k: q @ k.swapaxes(1, 2),
        ],
        over="all-axes-reversed reshaped-not-transposed not-transposed",
    ),
]

SCALES = [
    mistake(
        "scaled-already",
        "These scores are divided already. Scaling is the step after this one.",
        entry,
        "Multiply one query and one key by hand, and compare.",
        early=[
            lambda scores, q, k: scores / root(q),
            lambda scores, q, k: scores / q.shape[-1],
        ],
    ),
    mistake(
        "shared-already",
        "These are shares already. Softmax is a later step.",
        entry,
        "Which step does the exercise end with?",
        early=[lambda scores, q, k: np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)],
        together=[
            {
                "scale": lambda scores, q, k: (
                    np.exp(scores / root(q)) / np.exp(scores / root(q)).sum(-1, keepdims=True)
                )
            }
        ],
    ),
    mistake(
        "not-scaled",
        "The scores were not divided by the square root of d_k.",
        entry,
        "Where in your lines does d_k occur?",
        scale=[unscaled],
        sign=slope_is(0),
    ),
    mistake(
        "divided-by-d_k",
        "The scores were divided by d_k itself, or twice by its square root.",
        entry,
        "By how much do dot products of d_k random numbers spread?",
        scale=[divide(lambda q, k: q.shape[-1])],
        sign=slope_is(-1),
        over="scaled-by-length",
    ),
    mistake(
        "multiplied-by-sqrt-d_k",
        "The scores were multiplied: they became larger, and should become smaller.",
        entry,
        "Should scaled scores spread more than raw ones, or less?",
        scale=[divide(lambda q, k: 1 / root(q)), divide(lambda q, k: 1 / q.shape[-1])],
        sign=slope_is(0.5),
    ),
    mistake(
        "scaled-by-length",
        "The scores were divided by a number of tokens or sentences. d_k was meant.",
        entry,
        "Which axis of q counts the numbers in one query?",
        scale=[
            divide(lambda q, k, x=x, axis=axis, p=p: (q, k)[x].shape[axis] ** p)
            for x in (1, 0)
            for axis in (-2, 0, 1)
            for p in (0.5, 1)
        ],
    ),
    mistake(
        "scaled-by-another-root",
        "The scores were divided by another power of d_k than its square root.",
        entry,
        "What is your divisor for d_k = 16? The square root of 16 is 4.",
        scale=[divide(lambda q, k, p=p: q.shape[-1] ** p) for p in (0.25, 2)],
    ),
    mistake(
        "scaled-by-size",
        "The scores were divided by the size of the whole array, or by its number of axes.",
        entry,
        "Print your divisor for q of shape (4, 5). It should be the root of 5.",
        scale=[
            divide(lambda q, k: q.size**0.5),
            divide(lambda q, k: q.size),
            divide(lambda q, k: q.ndim**0.5),
        ],
    ),
    mistake(
        "standardised",
        "The scores were divided by their own spread, and should be divided by the root of d_k.",
        entry,
        "Does the divisor change when one key changes? Should it?",
        scale=[
            way
            for axis in (None, -1)
            for way in (
                lambda scores, q, k, axis=axis: scores / spread(scores, axis),
                lambda scores, q, k, axis=axis: (
                    (scores - scores.mean(axis, keepdims=True)) / spread(scores, axis)
                ),
            )
        ],
        early=[lambda scores, q, k: (scores - scores.mean(-1, keepdims=True)) / spread(scores, -1)],
        share=[
            way
            for axis in (None, -1)
            for way in (lambda x, axis=axis: (x - x.mean(axis, keepdims=True)) / spread(x, axis),)
        ],
    ),
    mistake(
        "scaled-by-vector-length",
        "The scores were divided by the lengths of the vectors: these are cosines.",
        entry,
        "Should a query that is twice as long get other scores?",
        scale=[
            lambda scores, q, k: scores / length(q) / swap(length(k)),
            lambda scores, q, k: scores / np.linalg.norm(q) / np.linalg.norm(k),
        ],
    ),
    mistake(
        "different",
        "The same number was used for every d_k.",
        entry,
        "From which shape can your function read d_k?",
        scale=[divide(lambda q, k, c=c: c) for c in (32**0.5, 8.0, 5**0.5)],
    ),
]
