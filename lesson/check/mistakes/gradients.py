"""Mistakes in the five steps backwards."""

from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import RIGHT, root, swap


def subtract(mean):
    """Softmax backwards with another mean, a function of weights and upstream."""
    return lambda w, a: w * (a - mean(w, a))


GRADIENTS = [
    mistake(
        "mean-forgotten",
        "Each weight was treated as if the others did not depend on its score: the row's mean was not subtracted.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[lambda w, a: w * a, lambda w, a: w * (1 - w) * a, lambda w, a: w * (1 - w)],
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
        "What was subtracted does not multiply each key's number by its weight.",
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
        "The mean was taken down a column, over the queries.",
        "Which weights add up to 1, those of a row or those of a column?",
        softmax_backwards=[
            subtract(lambda w, a: (w * a).sum(axis=-2, keepdims=True)),
            subtract(lambda w, a: (w * a).sum(axis=0)),
        ],
    ),
    mistake(
        "mean-over-everything",
        "All rows were taken as one, with one mean for the whole matrix. Each row has its own.",
        "What does a row of your gradient add up to, and what should it?",
        softmax_backwards=[
            subtract(lambda w, a: (w * a).sum()),
            subtract(lambda w, a: (w * a).mean()),
            subtract(lambda w, a: a.mean()),
            subtract(lambda w, a: (w * a).sum(axis=tuple(range(w.ndim))[-2:], keepdims=True)),
        ],
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
        "The sign is reversed: it is the mean minus the gradient.",
        "If the loss grows with only one weight, should the gradient of its score be positive or negative?",
        softmax_backwards=[lambda w, a: w * ((w * a).sum(axis=-1, keepdims=True) - a)],
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
            lambda of_q, of_k, of_v: (of_v, of_q, of_k),
            lambda of_q, of_k, of_v: (of_v, of_k, of_q),
            lambda of_q, of_k, of_v: (of_q, of_v, of_k),
            lambda of_q, of_k, of_v: (of_k, of_q, of_v),
            lambda of_q, of_k, of_v: (of_k, of_v, of_q),
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
        values_backwards=[
            lambda w, upstream: w @ upstream,
            lambda w, upstream: w.reshape(swap(w).shape) @ upstream,
        ],
        keys_backwards=[lambda s, q, k: s @ q, lambda s, q, k: s.reshape(swap(s).shape) @ q],
    ),
]
