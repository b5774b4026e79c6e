"""Mistakes in the five steps backwards, and in the step that a matrix makes against its gradient."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import RIGHT, root, swap


def subtract(mean):
    """Softmax backwards with another mean, a function of weights and upstream."""
    return lambda w, a: w * (a - mean(w, a))


REVERSED = {
    "values_backwards": [lambda w, upstream: w.T @ upstream],
    "average_backwards": [lambda upstream, v, w: upstream @ v.T],
    "keys_backwards": [lambda s, q, k: s.T @ q],
}

GRADIENTS = [
    mistake(
        "mean-forgotten",
        "The row's mean was not subtracted from the gradient.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[lambda w, a: w * a],
    ),
    mistake(
        "own-weight-alone",
        "Each score moves the other weights of its row, too. Only its own weight was counted.",
        "By how much does raising the first score move the second weight?",
        softmax_backwards=[lambda w, a: w * (1 - w) * a, lambda w, a: w * (1 - w)],
    ),
    mistake(
        "mean-added",
        "The row's mean was added to the gradient, but should be subtracted.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[lambda w, a: w * (a + (w * a).sum(axis=-1, keepdims=True))],
    ),
    mistake(
        "mean-in-a-column",
        "The mean of one row met the numbers of a different row: an axis was lost, or is in the wrong position.",
        "What is the shape of your means, and how does NumPy line it up with the weights?",
        softmax_backwards=[
            lambda w, a: w * (a - (w * a).sum(axis=-1)),
            lambda w, a: w * a - w * (w * a).sum(axis=-1),
        ],
    ),
    mistake(
        "difference-alone",
        "The gradient is the difference of weights and upstream, which is the gradient of a different loss.",
        "Where does the row's mean come in, and what multiplies the difference from it?",
        softmax_backwards=[lambda w, a: w - a, lambda w, a: a - w],
    ),
    mistake(
        "gradient-of-the-logarithm",
        "This is the way back through the logarithm of the softmax.",
        "Whose gradient is upstream: that of the weights, or that of their logarithms?",
        softmax_backwards=[lambda w, a: a - w * a.sum(axis=-1, keepdims=True)],
    ),
    mistake(
        "mean-not-weighted",
        "What was subtracted is a sum or a mean without the weights.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[
            subtract(lambda w, a: a.mean(axis=-1, keepdims=True)),
            subtract(lambda w, a: a.sum(axis=-1, keepdims=True)),
        ],
    ),
    mistake(
        "mean-divided-again",
        "The weighted sum was divided by the number of keys. The weights add up to 1, so it is the mean already.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[subtract(lambda w, a: (w * a).mean(axis=-1, keepdims=True))],
    ),
    mistake(
        "mean-over-queries",
        "The mean was taken over the queries, or over an axis before them.",
        "Which weights add up to 1, those of a row or those of a column? Which axis is that, counted from the end?",
        softmax_backwards=[
            subtract(lambda w, a: (w * a).sum(axis=-2, keepdims=True)),
            subtract(lambda w, a: (w * a).sum(axis=0)),
            subtract(lambda w, a: (w * a).sum(axis=1, keepdims=True)),
        ],
    ),
    mistake(
        "mean-over-everything",
        "All rows were taken as one, with one mean for the whole matrix. Each row has its own.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[subtract(lambda w, a: (w * a).sum())],
    ),
    mistake(
        "mean-not-multiplied",
        "The mean was subtracted as it is. The weight multiplies the whole difference, the mean too.",
        "Where are the brackets in: weight times (gradient minus mean)?",
        softmax_backwards=[lambda w, a: w * a - (w * a).sum(axis=-1, keepdims=True)],
    ),
    mistake(
        "weight-forgotten",
        "The difference from the mean was not multiplied by the weight.",
        "What should the gradient be for a key of weight 0?",
        softmax_backwards=[lambda w, a: a - (w * a).sum(axis=-1, keepdims=True)],
    ),
    mistake(
        "mean-alone",
        "Only the row's mean is there: each key's own gradient is missing.",
        "If the loss grows with only one weight, should the gradient of its score be positive or negative?",
        softmax_backwards=[lambda w, a: -w * (w * a).sum(axis=-1, keepdims=True)],
    ),
    mistake(
        "gradient-turned",
        "The sign of the gradient is reversed.",
        "If the loss grows with only one weight, should the gradient of its score be positive or negative?",
        softmax_backwards=[lambda w, a: w * ((w * a).sum(axis=-1, keepdims=True) - a)],
        order_gradients=[lambda of_q, of_k, of_v: (-of_q, -of_k, -of_v)],
    ),
    mistake(
        "softmax-left-out",
        "The gradient of the weights was taken for the gradient of the scores.",
        "Which step lies between scores and weights?",
        softmax_backwards=[lambda w, a: a],
    ),
    mistake(
        "weights-and-gradient-exchanged",
        "The weights and their gradient were exchanged.",
        "Which of the two adds up to 1 in a row, and which of them multiplies the difference?",
        softmax_backwards=[lambda w, a: a * (w - (w * a).sum(axis=-1, keepdims=True))],
    ),
    mistake(
        "shared-again",
        "Softmax was applied to the weights, which have been through a softmax already.",
        "What do the rows of weights add up to as they come in?",
        softmax_backwards=[lambda w, a: RIGHT["softmax_backwards"](RIGHT["softmax"](w), a)],
    ),
    mistake(
        "weights-for-their-gradient",
        "The weights are used where their gradient belongs.",
        "If one weight grows a little, by what is its growth multiplied on the way to the output?",
        average_backwards=[lambda upstream, v, w: w],
        softmax_backwards=[lambda w, a: w * (w - (w * w).sum(axis=-1, keepdims=True))],
    ),
    mistake(
        "gradient-not-scaled",
        "The scores were divided by the square root of d_k, but their gradient was not.",
        "If q · k grows by 1, by how much does the score grow?",
        scale_backwards=[lambda s, q: s],
    ),
    mistake(
        "gradient-scaled-otherwise",
        "The gradient of the scores has to be divided by the square root of d_k once, as the scores were.",
        "If q · k grows by 1, by how much does the score grow?",
        scale_backwards=[lambda s, q: s * root(q), lambda s, q: s / q.shape[-1]],
    ),
    mistake(
        "gradient-of-v-scaled",
        "The gradient of v was divided by the square root of d_k. Only the scores were divided by it.",
        "Which of the three ways back, to q, to k and to v, goes through the scores?",
        order_gradients=[lambda of_q, of_k, of_v: (of_q, of_k, of_v / root(of_k))],
    ),
    mistake(
        "one-gradient-not-scaled",
        "Of the gradients of q and of k, one was divided by the square root of d_k, but the other was not.",
        "On which way back, to q and to k, does the division of the scores lie?",
        queries_backwards=[lambda s, q, k: s @ k * root(k)],
        keys_backwards=[lambda s, q, k: swap(s) @ q * root(q)],
    ),
    mistake(
        "gradients-in-another-order",
        "The three gradients did not come back in the order q, k, v.",
        "Which of your three belongs to the first argument?",
        order_gradients=[
            lambda of_q, of_k, of_v: (of_v, of_k, of_q),
            lambda of_q, of_k, of_v: (of_q, of_v, of_k),
            lambda of_q, of_k, of_v: (of_k, of_q, of_v),
        ],
    ),
    mistake(
        "own-vectors-for-the-others",
        "What came back for q was made with q, or for k with k: each needs the other one.",
        "The score is q · k. If q moves a little, by what is its move multiplied?",
        queries_backwards=[lambda s, q, k: s @ q],
        keys_backwards=[lambda s, q, k: swap(s) @ k],
    ),
    mistake(
        "rows-for-columns",
        "A matrix of queries by keys was not transposed: the gradient of a key or a value comes from a column of it.",
        "Which queries looked at key 0: are their weights in a row or in a column?",
        values_backwards=[lambda w, upstream: w @ upstream],
        keys_backwards=[lambda s, q, k: s @ q, lambda s, q, k: s.reshape(swap(s).shape) @ q],
    ),
    mistake(
        "all-axes-of-a-batch-reversed",
        "All axes of a matrix were reversed, as .T does: with more than two, sentences get mixed up with tokens.",
        "Which two axes should be exchanged, counted from the end?",
        **REVERSED,
        together=[{step: forms[0] for step, forms in REVERSED.items()}],
    ),
    mistake(
        "gradient-added",
        "The gradient was added. It points to where the loss grows.",
        "A positive slope: does the loss shrink if this entry grows, or if it gets smaller?",
        descend=[lambda m, g, rate: m + rate * g, lambda m, g, rate: m + g],
    ),
    mistake(
        "rate-forgotten",
        "The whole gradient was subtracted: the learning rate makes no difference to the result.",
        "How far should an entry move whose slope is 2, at a learning rate of 0.1?",
        descend=[lambda m, g, rate: m - g],
    ),
    mistake(
        "divided-by-rate",
        "The gradient was divided by the learning rate, so that a smaller rate makes a larger step.",
        "How far should an entry move whose slope is 2, at a learning rate of 0.1?",
        descend=[lambda m, g, rate: m - g / rate],
    ),
    mistake(
        "matrix-left-out",
        "The gradient or the step came back alone. The matrix from which the step is taken is missing.",
        "If the gradient is 0, what should come back?",
        descend=[lambda m, g, rate: g, lambda m, g, rate: rate * g, lambda m, g, rate: -rate * g],
    ),
    mistake(
        "not-moved",
        "The matrix came back as it was given: no step was taken.",
        "Which line computes the new matrix, and is it what you return?",
        descend=[lambda m, g, rate: m],
    ),
    mistake(
        "matrix-subtracted",
        "The matrix was subtracted from the step, and not the step from the matrix.",
        "If the gradient is 0, what should come back?",
        descend=[lambda m, g, rate: rate * g - m, lambda m, g, rate: g - m],
    ),
    mistake(
        "rate-times-matrix",
        "The learning rate multiplies the matrix too. It belongs to the gradient alone.",
        "If the gradient is 0, what should come back?",
        descend=[lambda m, g, rate: rate * (m - g)],
    ),
    mistake(
        "matrix-times-gradient",
        "The matrix and the gradient were multiplied, entry by entry.",
        "How far should an entry move that is 0 itself, and whose slope is 2?",
        descend=[lambda m, g, rate: m - rate * g * m],
    ),
    mistake(
        "rate-alone",
        "The size of each slope makes no difference to the step: at most its sign is left.",
        "Of two entries with the slopes 1 and 10, which one should move farther?",
        descend=[lambda m, g, rate: m - rate, lambda m, g, rate: m - rate * np.sign(g)],
    ),
    mistake(
        "gradient-normalised",
        "The gradient was divided by its own length or its own largest slope: its size was lost.",
        "If the gradient is twice as large, how much farther should the matrix move?",
        descend=[
            lambda m, g, rate: m - rate * g / np.linalg.norm(g),
            lambda m, g, rate: m - rate * g / np.abs(g).max(),
        ],
    ),
    mistake(
        "gradient-clipped",
        "Large slopes were cut to a limit.",
        "Of two entries with the slopes 1 and 10, how much farther should one move than the other?",
        descend=[lambda m, g, rate: m - rate * np.clip(g, -1, 1)],
    ),
    mistake(
        "gradient-averaged",
        "The slopes were averaged, or divided by a number of rows or entries. Each entry moves by its own slope.",
        "How many slopes are there for one entry of the matrix?",
        descend=[
            lambda m, g, rate: m - rate * g.mean(),
            lambda m, g, rate: m - rate * g / g.size,
            lambda m, g, rate: m - rate * g / len(g),
        ],
    ),
    mistake(
        "gradient-summed",
        "The slopes were added up, and every entry moved by their sum. Each entry moves by its own slope.",
        "How many slopes are there for one entry of the matrix?",
        descend=[lambda m, g, rate: m - rate * g.sum()],
    ),
]
