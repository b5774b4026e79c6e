"""Mistakes in the roles of queries, keys and values, in the average and in what is returned."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.scores import unscaled
from lesson.check.mistakes.shown import row_and_column_sums
from lesson.check.steps import root, softmax, swap

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
        weigh_values=[lambda w, v: swap(w) @ v, lambda w, v: np.einsum("...ji,...jd->...id", w, v)],
    ),
    mistake(
        "roles-exchanged",
        "One of queries, keys and values is in the place of another.",
        "Which two of q, k and v make the scores, and which one is averaged?",
        assign_roles=[lambda q, k, v: (q, v, k), lambda q, k, v: (v, k, q)],
        supersedes="keys-as-values",
    ),
    mistake(
        "scaled-by-d_v",
        "The scores were divided by the square root of d_v, the dimension of a value. d_k was meant.",
        "Which vectors make the scores? What is their dimension called?",
        assign_roles=[lambda q, k, v: (q * root(q) / root(v), k, v)],
    ),
    mistake(
        "averaged-otherwise",
        "The weights are right, but the output is not the average of the values weighted by them.",
        "Write the shapes (Lq, Lk) and (Lk, d_v) side by side. Which product gives (Lq, d_v)?",
        average=[
            lambda w, k, v: w @ v / v.shape[-2],
            lambda w, k, v: w @ v / root(k),
            lambda w, k, v: np.broadcast_to(v.mean(-2, keepdims=True), (*w.shape[:-1], v.shape[-1])),
            lambda w, k, v: w * v,
            lambda w, k, v: v @ w,
        ],
    ),
    mistake(
        "weights-not-used",
        "All values have the same weight. The weights that came in were not used.",
        "In which line do `weights` and `values` meet?",
        weigh_values=[
            lambda w, v: np.broadcast_to(v.mean(-2, keepdims=True), (*w.shape[:-1], v.shape[-1])),
            lambda w, v: v.mean(-2),
        ],
    ),
    mistake(
        "divided-once-more",
        "The weighted sum was divided once more. The weights of a row add up to 1, so the sum is the average already.",
        "With weights of 1/2 and 1/2 and the values 4 and 8, what comes out?",
        weigh_values=[lambda w, v: w @ v / v.shape[-2], lambda w, v: w @ v / len(v)],
    ),
    mistake(
        "largest-weight-alone",
        "Only the value with the largest weight came back. All values take part, each by its weight.",
        "With weights of 0.6 and 0.4 and the values 10 and 0, what should come out?",
        weigh_values=[
            lambda w, v: np.take_along_axis(v, w.argmax(-1)[..., None], -2),
            lambda w, v: v[w.argmax(-1)],
        ],
    ),
    mistake(
        "softmax-once-more",
        "Softmax was taken of the weights. They are weights already.",
        "What does a row of `weights` add up to when it comes in?",
        weigh_values=[lambda w, v: softmax(w) @ v],
    ),
    mistake(
        "weighted-not-added",
        "The values are weighted, but they were not added up over the keys.",
        "Which axis of (Lq, Lk, d_v) has to go?",
        weigh_values=[
            lambda w, v: w[..., None] * v[..., None, :, :],
            lambda w, v: (w[..., None] * v[..., None, :, :]).sum(-3),
        ],
    ),
    mistake(
        "values-transposed",
        "The values were transposed. Each row of `values` is the value of one key, as it should be.",
        "Write the shapes (Lq, Lk) and (Lk, d_v) side by side. Which product gives (Lq, d_v)?",
        weigh_values=[lambda w, v: w @ swap(v)],
    ),
    mistake(
        "multiplied-entry-by-entry",
        "Weights and values were multiplied entry by entry, or in the wrong order. One weight belongs to a whole value.",
        "Write the shapes (Lq, Lk) and (Lk, d_v) side by side. Which product gives (Lq, d_v)?",
        weigh_values=[lambda w, v: w * v, lambda w, v: v @ w],
    ),
]
