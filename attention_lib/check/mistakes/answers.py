"""Mistakes in the roles, the average, what is given back, and the heads."""

import numpy as np

from attention_lib.check.grading.format_evidence import entry, first_row, shape, sums
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.mistakes.scores import unscaled
from attention_lib.check.mistakes.signs import rows_add_up_to_one_over_root
from attention_lib.check.steps import root, swap

ATTENTION = [
    mistake(
        "return-order",
        "Both results are there, in the other order: the weights came first.",
        shape,
        "Which of the two did the exercise ask for first?",
        shape_tells=True,
        give=[lambda output, weights, scores: (weights, output)],
    ),
    mistake(
        "output-only",
        "One array came back, and two were asked for: the output and the weights.",
        shape,
        "Which of the two does the caller of your function not get to see?",
        shape_tells=True,
        give=[
            lambda output, weights, scores: (output,),
            lambda output, weights, scores: (weights,),
        ],
    ),
    mistake(
        "scores-returned",
        "The second result is the scores. The weights were asked for: the shares.",
        entry,
        "Which of your names holds numbers that add up to 1 in a row?",
        give=[lambda output, weights, scores: (output, scores)],
    ),
    mistake(
        "scaled-after-softmax",
        "The division by the square root of d_k came after the softmax.",
        sums,
        "Which numbers are too large without scaling, the scores or the shares?",
        late=[lambda w, q: w / root(q)],
        together=[
            {"scale": unscaled, "late": lambda w, q: w / root(q)},
            {"scale": unscaled, "average": lambda w, k, v: w @ v / root(k)},
        ],
        sign=rows_add_up_to_one_over_root,
    ),
    mistake(
        "keys-as-values",
        "The keys were averaged. The values were not used.",
        shape,
        "What does a word hand over, its key or its value?",
        average=[lambda w, k, v: w @ k],
    ),
    mistake(
        "weights-transposed",
        "The weights were turned over: their rows belong to keys.",
        entry,
        "A row of weights belongs to a query. To what should a row of the output belong?",
        average=[lambda w, k, v: swap(w) @ v],
        give=[lambda output, weights, scores: (output, swap(weights))],
    ),
    mistake(
        "roles-exchanged",
        "Queries, keys and values were exchanged.",
        entry,
        "Which two of q, k and v make the scores, and which one is averaged?",
        roles=[
            lambda q, k, v: (q, v, k),
            lambda q, k, v: (v, k, q),
            lambda q, k, v: (q, k, q),
        ],
        over="keys-as-values",
    ),
    mistake(
        "scaled-by-d_v",
        "The scores were divided by d_v, the length of a value, or its root. d_k was meant.",
        entry,
        "Which vectors make the scores? What is their length called?",
        roles=[
            lambda q, k, v: (q * root(q) / root(v), k, v),
            lambda q, k, v: (q * root(q) / v.shape[-1], k, v),
        ],
    ),
    mistake(
        "averaged-otherwise",
        "The weights are right. The output is not their average of the values.",
        entry,
        "Write the shapes (Lq, Lk) and (Lk, d_v) side by side. Which product gives (Lq, d_v)?",
        average=[
            lambda w, k, v: w @ v / v.shape[-2],
            lambda w, k, v: w @ v / root(v),
            lambda w, k, v: np.broadcast_to(
                v.mean(-2, keepdims=True), (*w.shape[:-1], v.shape[-1])
            ),
            lambda w, k, v: w * v,
            lambda w, k, v: v @ w,
        ],
    ),
]

HEADS = [
    mistake(
        "axes-not-swapped",
        "Heads and tokens did not change places, so rows hold numbers of the wrong tokens.",
        first_row,
        "Numbers read 100 t + f for token t and feature f. Which of them belong in that row?",
        cut=[
            lambda x, n: x.reshape(*x.shape[:-2], n, x.shape[-2], -1),
        ],
        place=[lambda heads: heads.swapaxes(-2, -3)],
        glue=[
            lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1),
            lambda x: x.reshape(*x.shape[:-2], -1),
        ],
        over="merged-wrong-axes",
    ),
    mistake(
        "interleaved",
        "The features were dealt to the heads in turns. A head's features should lie side by side.",
        first_row,
        "Numbers read 100 t + f for token t and feature f. Which features should head 0 hold?",
        cut=[lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3)],
        glue=[lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)],
        over="merged-wrong-axes",
    ),
    mistake(
        "merged-wrong-axes",
        "Other axes than heads and tokens changed places before the reshape.",
        first_row,
        "Numbers read 100 t + f. Which token should all numbers of a row come from?",
        glue=[
            lambda x: swap(x).reshape(*x.shape[:-3], x.shape[-2], -1),
            lambda x: x.swapaxes(-1, -3).reshape(*x.shape[:-3], x.shape[-2], -1),
            lambda x: x.swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1),
            lambda x: x.swapaxes(1, 2).reshape(*x.shape[:-3], x.shape[-2], -1),
            lambda x: x.T.reshape(*x.shape[:-3], x.shape[-2], -1),
        ],
    ),
    mistake(
        "merged-wrong-axes",
        "The first axis was taken for the heads. In a batch it holds the sentences.",
        shape,
        "Which axis holds the heads, counted from the end?",
        glue=[lambda x: np.concatenate(list(x), -1)],
    ),
    mistake(
        "heads-mixed",
        "The heads were added up or averaged, and should lie side by side.",
        shape,
        "How many numbers does a token have when 3 heads hold 2 each?",
        shape_tells=True,
        glue=[lambda x: x.sum(-3), lambda x: x.mean(-3), lambda x: x[..., 0, :, :]],
    ),
    mistake(
        "heads-in-front",
        "The heads stand in front of the sentences, and should stand right before the tokens.",
        shape,
        "The result is (..., H, L, d). What do the dots stand for?",
        cut=[
            lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(0, 1),
            lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(1, 2),
        ],
        place=[lambda heads: np.moveaxis(heads, -3, 0)],
        over="axes-not-swapped",
    ),
    mistake(
        "tokens-cut",
        "The tokens were dealt to the heads. Each head should see all tokens, and a part of each.",
        first_row,
        "Which axis is to be cut: that of the tokens, or that of the features?",
        cut=[
            lambda x, n: np.stack(np.split(x, n, axis=-2), axis=-3),
            lambda x, n: np.stack(np.split(x, n, axis=0)),
        ],
    ),
    mistake(
        "sizes-exchanged",
        "The number of heads and the size of a head have changed places.",
        shape,
        "x has 6 features for 2 heads. How long is the last axis of the result?",
        cut=[
            lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -2, -3),
        ],
        place=[swap],
        over="interleaved",
    ),
]
