"""Mistakes in the roles of queries, keys and values, in the average and in what is returned."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.scores import unscaled
from lesson.check.mistakes.shown import row_and_column_sums
from lesson.check.steps import root, swap

ATTENTION = [
    mistake(
        "return-order",
        "Both results are there, but in the wrong order.",
        "Which of the two did the exercise ask for first?",
        order_results=[lambda first, second: (second, first)],
    ),
    mistake(
        "output-only",
        "One array came back, but two were asked for.",
        "Which of the two does your function not return?",
        order_results=[lambda first, second: (first,), lambda first, second: (second,)],
    ),
    mistake(
        "scores-returned",
        "The second result is the scores, but the weights were asked for.",
        "Which of your names holds numbers that add up to 1 in a row?",
        return_both=[lambda output, weights, scores: (output, scores)],
    ),
    mistake(
        "scaled-after-softmax",
        "The division by the square root of d_k came after the softmax.",
        "Which numbers are too large without scaling, the scores or the weights?",
        shows=row_and_column_sums,
        scale_weights=[lambda w, q: w / root(q)],
        together=[
            {"scale": unscaled, "scale_weights": lambda w, q: w / root(q)},
            {"scale": unscaled, "average": lambda w, k, v: w @ v / root(k)},
        ],
        supersedes="averaged-otherwise",
    ),
    mistake(
        "keys-as-values",
        "The keys were averaged. The values were not used.",
        "What does a token pass on, its key or its value?",
        average=[lambda w, k, v: w @ k],
    ),
    mistake(
        "weights-transposed",
        "The weights were transposed, for the output or in what came back: their rows belong to keys.",
        "A row of weights belongs to a query. To what should a row of the output belong?",
        average=[lambda w, k, v: swap(w) @ v, lambda w, k, v: np.einsum("...ji,...jd->...id", w, v)],
        return_both=[lambda output, weights, scores: (output, swap(weights))],
    ),
    mistake(
        "roles-exchanged",
        "One of queries, keys and values is in the place of another.",
        "Which two of q, k and v make the scores, and which one is averaged?",
        assign_roles=[
            lambda q, k, v: (q, v, k),
            lambda q, k, v: (v, k, q),
            lambda q, k, v: (q, k, q),
        ],
        supersedes="keys-as-values",
    ),
    mistake(
        "scaled-by-d_v",
        "The scores were divided by d_v, the dimension of a value, or by its square root. d_k was meant.",
        "Which vectors make the scores? What is their dimension called?",
        assign_roles=[
            lambda q, k, v: (q * root(q) / root(v), k, v),
            lambda q, k, v: (q * root(q) / v.shape[-1], k, v),
        ],
    ),
    mistake(
        "averaged-otherwise",
        "The weights are right, but the output is not the average of the values weighted by them.",
        "Write the shapes (Lq, Lk) and (Lk, d_v) side by side. Which product gives (Lq, d_v)?",
        average=[
            lambda w, k, v: w @ v / v.shape[-2],
            lambda w, k, v: w @ v / root(v),
            lambda w, k, v: w @ v / root(k),
            lambda w, k, v: np.broadcast_to(v.mean(-2, keepdims=True), (*w.shape[:-1], v.shape[-1])),
            lambda w, k, v: w * v,
            lambda w, k, v: v @ w,
        ],
    ),
]
