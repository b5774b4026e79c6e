"""Mistakes in the dot product of two vectors, and those that are the same for a matrix of them."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import root, swap


def length(x):
    return np.linalg.norm(x, axis=-1, keepdims=True)


def divide_by_whole(cut):
    return lambda scores, q, k: scores / cut(root(q))


DOT_PRODUCT = [
    mistake(
        "not-summed",
        "The products of the pairs were not all added up.",
        "How many numbers should come back for two vectors, and which products are in them?",
        dot=[
            lambda a, b: a * b,
            lambda a, b: a[0] * b[0],
            lambda a, b: a[-1] * b[-1],
            np.outer,
            lambda a, b: (a * b)[:-1].sum(),
            lambda a, b: (a * b)[1:].sum(),
        ],
        score=[lambda q, k: q[..., :-1] @ swap(k[..., :-1])],
        supersedes="not-multiplied lengths-multiplied distance cosine one-length-divided-out",
    ),
    mistake(
        "sums-on-the-way",
        "These are the sums on the way, pair after pair: the last of them is the dot product.",
        "How many numbers should come back for two vectors? Which function adds up without keeping what is on the way?",
        dot=[lambda a, b: np.cumsum(a * b)],
    ),
    mistake(
        "products-averaged",
        "The products were averaged: their sum was divided by how many there are.",
        "Should the result grow when the vectors get more numbers?",
        dot=[lambda a, b: (a * b).mean()],
    ),
    mistake(
        "products-multiplied",
        "The products were multiplied with each other, but should be added up.",
        "Take [1, 2] and [3, 4] on paper. What happens to the 3 and the 8?",
        dot=[lambda a, b: (a * b).prod()],
    ),
    mistake(
        "products-counted-once",
        "Products that are equal were counted only once.",
        "Does one of your names hold a set or a dict? Take [2, 2] and [3, 3] on paper.",
        dot=[lambda a, b: np.unique(a * b).sum()],
    ),
    mistake(
        "products-side-by-side",
        "The products of a query and a key are side by side, but should be added up.",
        "How many numbers should one query and one key make together?",
        score=[lambda q, k: q[..., :, None, :] * k[..., None, :, :]],
    ),
    mistake(
        "lengths-multiplied",
        "This is the product of the vectors' lengths. Their directions were lost.",
        "What is the dot product of [1, 0] and [0, 1]? What does your code return?",
        dot=[lambda a, b: np.linalg.norm(a) * np.linalg.norm(b)],
    ),
    mistake(
        "not-multiplied",
        "The result is computed from something different from the products of the pairs.",
        "Take [1, 2, 3] and [4, 0, -1] on paper. Which three products are to be added up?",
        dot=[
            lambda a, b: (a + b).sum(),
            lambda a, b: a + b,
            lambda a, b: a.sum() * b.sum(),
            lambda a, b: (a * b[::-1]).sum(),
        ],
        score=[lambda q, k: (q[..., :, None, :] + k[..., None, :, :]).sum(-1)],
    ),
    mistake(
        "distance",
        "This is a distance: it is computed from the differences of the numbers, pair by pair.",
        "Which is larger for two equal vectors, their distance or their dot product?",
        dot=[lambda a, b: np.linalg.norm(a - b), lambda a, b: ((a - b) ** 2).sum()],
        score=[
            lambda q, k: -((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(-1),
            lambda q, k: length(q[..., :, None, :] - k[..., None, :, :])[..., 0],
        ],
    ),
    mistake(
        "cosine",
        "This is the cosine: the vectors' lengths were divided out.",
        "What should happen to the dot product when one vector is doubled?",
        choose_vectors=[lambda a, b: (a / length(a), b / length(b))],
        score=[lambda q, k: q / length(q) @ swap(k / length(k))],
    ),
    mistake(
        "one-length-divided-out",
        "The length of one of the two vectors was divided out.",
        "What should happen to the dot product when one vector is doubled?",
        choose_vectors=[lambda a, b: (a / length(a), b), lambda a, b: (a, b / length(b))],
        score=[lambda q, k: q / length(q) @ swap(k), lambda q, k: q @ swap(k / length(k))],
    ),
    mistake(
        "one-vector-twice",
        "One vector was multiplied by itself, and the other one was not used.",
        "Which of the two arguments does each of your products take its factors from?",
        choose_vectors=[lambda a, b: (a, a), lambda a, b: (b, b)],
    ),
    mistake(
        "queries-with-queries",
        "Queries were multiplied by queries, or keys by keys.",
        "Where does each of the two factors of your scores come from?",
        score=[lambda q, k: q @ swap(q), lambda q, k: k @ swap(k)],
        supersedes="queries-and-keys-swapped",
    ),
    mistake(
        "sign-lost",
        "Minus signs were lost: negative numbers were made positive, or 0.",
        "What does a negative dot product show about two vectors?",
        dot=[lambda a, b: abs(a @ b), lambda a, b: np.abs(a * b).sum()],
        adjust_scores=[lambda scores, q, k: np.abs(scores), lambda scores, q, k: np.maximum(scores, 0)],
    ),
    mistake(
        "rounded",
        "Numbers were rounded on the way, or cut to whole ones.",
        "Which of your lines rounds, or cuts digits off?",
        dot=[
            lambda a, b: np.trunc(a @ b),
            lambda a, b: np.round(a @ b, 2),
            lambda a, b: np.trunc(a * b).sum(),
        ],
        scale=[lambda scores, q, k: np.floor(scores / root(q))],
        adjust_scores=[lambda scores, q, k: np.trunc(scores), lambda scores, q, k: np.round(scores, 2)],
    ),
    mistake(
        "root-rounded",
        "The square root of d_k was rounded to a whole number.",
        "What is your divisor for d_k = 5? The square root of 5 is 2.236.",
        scale=[divide_by_whole(np.floor), divide_by_whole(np.ceil), divide_by_whole(np.round)],
    ),
]
