"""Mistakes on the way from queries and keys to scaled scores."""

import numpy as np

from lesson.check.mistakes.dot_product import length
from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.softmax import divided_by_sum, unguarded_softmax
from lesson.check.steps import root, swap


def divided_by(divisor):
    return lambda scores, q, k: scores / divisor(q, k)


def unscaled(scores, q, k):
    return scores


def standardised(scores, axis):
    return (scores - scores.mean(axis, keepdims=True)) / scores.std(axis, keepdims=True)


CONSTANTS = (2, 3**0.5, 4, 128**0.5, 100, 5**0.5, 32**0.5, 8, 10, 512**0.5, 768**0.5, 64, 512, 384**0.5)

SCORES = [
    mistake(
        "queries-and-keys-swapped",
        "Queries and keys were exchanged: a row of the scores should belong to a query.",
        "Which of the two should determine the number of rows?",
        score=[lambda q, k: k @ swap(q), lambda q, k: k @ q.T],
    ),
    mistake(
        "last-not-filled",
        "The last key or the last query has no scores: there are zeros instead.",
        "How many keys and queries are there? Does a loop or a slice of yours end before the last?",
        adjust_scores=[
            lambda scores, q, k: np.where(np.arange(scores.shape[-1]) < scores.shape[-1] - 1, scores, 0)
        ],
    ),
    mistake(
        "axes-of-one-lost",
        "Axes of length 1 are gone, but they belong to the scores: there can be a single query, a single key or a single sentence.",
        "Which of your lines takes axes away, as squeeze does?",
        adjust_scores=[lambda scores, q, k: scores.squeeze()],
    ),
    mistake(
        "batches-paired",
        "Every matrix of queries was multiplied by every matrix of keys in the batch.",
        "Which product pairs sentence with sentence: @, or np.dot and np.inner?",
        score=[lambda q, k: np.tensordot(q, k, (-1, -1))],
    ),
    mistake(
        "values-of-all-tables",
        "Every matrix of weights was multiplied by every matrix of values in the batch.",
        "Which product pairs sentence with sentence: @, or np.dot and np.inner?",
        average=[lambda w, k, v: np.dot(w, v)],
        weigh_values=[lambda w, v: np.dot(w, v)],
    ),
    mistake(
        "summed-over-keys",
        "The products were added up over the keys, or over the queries. They belong to one pair of vectors.",
        "A score is one number for a query and a key. Which products are its parts?",
        score=[lambda q, k: (q[..., :, None, :] * k[..., None, :, :]).sum(-2)],
    ),
    mistake(
        "pairs-only",
        "Query 0 met only key 0, query 1 only key 1, and so on. Every query should meet every key.",
        "For 4 queries and 6 keys, how many scores are there?",
        score=[lambda q, k: (q * k).sum(-1), lambda q, k: q * k],
    ),
    mistake(
        "reshaped-not-transposed",
        "The keys were not transposed: their numbers are in the same order as before.",
        "Look at the first column of what you multiply by. Is it the first key?",
        score=[lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])],
    ),
    mistake(
        "not-transposed",
        "The keys were not transposed: a query met a column of the keys.",
        "Which axis of q and which axis of k hold the numbers of one vector?",
        score=[lambda q, k: q @ k],
        supersedes="reshaped-not-transposed",
    ),
    mistake(
        "queries-transposed",
        "The queries were transposed, but the keys were not.",
        "Rows of the scores belong to queries. Which of the two factors should keep its rows?",
        score=[lambda q, k: swap(q) @ k],
        supersedes="reshaped-not-transposed not-transposed",
    ),
    mistake(
        "all-axes-reversed",
        "All axes of the keys were reversed, as .T does: with more than two, sentences get mixed up with keys.",
        "Which two axes should be exchanged, counted from the end?",
        score=[
            lambda q, k: q @ k.T,
            lambda q, k: np.dot(q, k.T),
        ],
        supersedes="batches-paired",
    ),
    mistake(
        "axes-counted-from-the-front",
        "The axes that were exchanged were counted from the front. In a batch these are different axes.",
        "Which two axes should be exchanged, counted from the end?",
        score=[lambda q, k: q @ k.swapaxes(0, 1)],
        supersedes="all-axes-reversed reshaped-not-transposed not-transposed",
    ),
]

SCALES = [
    mistake(
        "scaled-already",
        "These scores are already divided. Scaling is the step after this one.",
        "Multiply one query and one key by hand. Which number do you get?",
        adjust_scores=[
            lambda scores, q, k: scores / root(q),
            lambda scores, q, k: scores / q.shape[-1],
        ],
    ),
    mistake(
        "dot-product-scaled",
        "The sum is already divided, by the square root of the vectors' dimension. Scaling comes later.",
        "Which number do you get for [1, 2] and [3, 4] on paper?",
        dot=[lambda a, b: a @ b / root(a)],
    ),
    mistake(
        "shared-already",
        "These are already weights. Softmax is a later step.",
        "Which step does the exercise end with?",
        adjust_scores=[
            lambda scores, q, k: divided_by_sum(np.exp)(scores),
            lambda scores, q, k: divided_by_sum(np.exp)(scores / root(q)),
        ],
        scale=[
            lambda scores, q, k: divided_by_sum(np.exp)(scores / root(q)),
            lambda scores, q, k: unguarded_softmax(scores),
        ],
    ),
    mistake(
        "not-scaled",
        "The scores were not divided by the square root of d_k.",
        "Where in your lines does d_k occur?",
        scale=[unscaled],
        supersedes="root-subtracted",
    ),
    mistake(
        "divided-by-d_k",
        "The scores were divided by d_k itself, or twice by its square root.",
        "What is the standard deviation of a dot product of d_k random numbers?",
        scale=[divided_by(lambda q, k: q.shape[-1])],
        supersedes="scaled-by-length scaled-by-axis-one",
    ),
    mistake(
        "divided-by-half-d_k",
        "The divisor is half of d_k, which is what `d_k ** 1 / 2` gives: the power comes before the division.",
        "What does Python make of 16 ** 1 / 2? Where do brackets belong?",
        scale=[divided_by(lambda q, k: q.shape[-1] / 2)],
    ),
    mistake(
        "divided-by-twice-d_k",
        "The divisor is twice d_k, as with `/ d_k ** 1 / 2`: that divides by d_k first, and then by 2.",
        "What does Python make of 8 / 16 ** 1 / 2? Where do brackets belong?",
        scale=[divided_by(lambda q, k: q.shape[-1] * 2)],
    ),
    mistake(
        "root-of-scores",
        "The square root of the scores was taken. Only d_k belongs under it.",
        "What is the square root of a negative score? What is under your square root?",
        scale=[lambda scores, q, k: np.sqrt(scores / q.shape[-1])],
    ),
    mistake(
        "multiplied-by-sqrt-d_k",
        "The scores were multiplied: they became larger, but should become smaller.",
        "Should scaled scores spread more than raw ones, or less?",
        scale=[divided_by(lambda q, k: 1 / root(q)), divided_by(lambda q, k: 1 / q.shape[-1])],
    ),
    mistake(
        "scaled-by-length",
        "The scores were divided by a number of tokens or sentences, or by its square root. They need only the square root of d_k.",
        "Which axis of q counts the numbers in one query?",
        scale=[
            divided_by(lambda q, k: k.shape[-2] ** 0.5),
            divided_by(lambda q, k: k.shape[-2]),
            divided_by(lambda q, k: len(q) ** 0.5),
            divided_by(lambda q, k: q.shape[-2] ** 0.5),
        ],
    ),
    mistake(
        "scaled-by-axis-one",
        "In a single matrix, axis 1 runs along a vector. In a batch it counts tokens or heads.",
        "Which axis of q holds one query, counted from the end?",
        scale=[divided_by(lambda q, k: k.shape[1] ** 0.5), divided_by(lambda q, k: q.shape[1] ** 0.5)],
    ),
    mistake(
        "scaled-by-another-root",
        "The scores were divided by something made of d_k that is not its square root.",
        "What is your divisor for d_k = 16? The square root of 16 is 4.",
        scale=[
            *(divided_by(lambda q, k, p=p: q.shape[-1] ** p) for p in (0.25, 1 / 3, 2)),
            divided_by(lambda q, k: np.log(q.shape[-1])),
            divided_by(lambda q, k: (2 * q.shape[-1]) ** 0.5),
            divided_by(lambda q, k: q.shape[-1] // 2),
        ],
    ),
    mistake(
        "added-to-the-root",
        "A small number was added to d_k or to its square root, so the scores are a little too small.",
        "What is your divisor for d_k = 16? Can it be 0, so that something has to be added?",
        scale=[divided_by(lambda q, k: (q.shape[-1] + 1e-6) ** 0.5), divided_by(lambda q, k: root(q) + 1e-6)],
    ),
    mistake(
        "root-subtracted",
        "The square root of d_k was subtracted from the scores. They should be divided by it.",
        "Which operation makes large scores smaller in the same proportion as small ones?",
        scale=[lambda scores, q, k: scores - root(q)],
    ),
    mistake(
        "scaled-by-size",
        "The divisor is made of the size of the whole array.",
        "What is your divisor for q of shape (4, 5)? It should be the square root of 5.",
        scale=[divided_by(lambda q, k: q.size**0.5), divided_by(lambda q, k: q.size)],
    ),
    mistake(
        "standardised",
        "The scores were divided by their own standard deviation, which no step asks for.",
        "Does the divisor change when one key changes? Should it?",
        scale=[
            lambda scores, q, k: scores / scores.std(),
            lambda scores, q, k: standardised(scores, None),
            lambda scores, q, k: scores / scores.std(-1, keepdims=True),
            lambda scores, q, k: standardised(scores, -1),
        ],
        adjust_scores=[lambda scores, q, k: standardised(scores, -1)],
    ),
    mistake(
        "scaled-by-vector-length",
        "The divisor is made of the lengths of the vectors, as for a cosine, or of all vectors together.",
        "Should the scores of a query change when it is made twice as long?",
        scale=[
            lambda scores, q, k: scores / length(q) / swap(length(k)),
            lambda scores, q, k: scores / np.linalg.norm(q) / np.linalg.norm(k),
            lambda scores, q, k: scores / swap(length(k)) ** 0.5,
        ],
    ),
    mistake(
        "scaled-by-a-constant",
        "The same number was used for every d_k.",
        "From which shape can your function read d_k?",
        scale=[divided_by(lambda q, k, c=c: c) for c in CONSTANTS],
    ),
]
