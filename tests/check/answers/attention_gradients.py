"""Answers to `attention_gradients` as learners write them."""

import numpy as np

from attention_lib import learning


def with_scores_of(of_scores):
    """The answer that gets the scores' gradient from this function of weights, upstream, v and d_k."""

    def answer(q, k, v, weights, upstream):
        s = of_scores(weights, upstream, v, q.shape[-1])
        return s @ k, s.mT @ q, weights.mT @ upstream

    return answer


def plain(weights, upstream, v, d_k):
    return learning.softmax_gradient(weights, upstream @ v.mT) / d_k**0.5


right = with_scores_of(plain)


def queries_with_themselves(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s @ q, s.mT @ q, weights.mT @ upstream


def values_divided_too(*given):
    of_q, of_k, of_v = right(*given)
    return of_q, of_k, of_v / np.sqrt(given[0].shape[-1])


WRONG = {
    "weights-for-their-gradient": [
        with_scores_of(lambda w, up, v, d: learning.softmax_gradient(w, w) / np.sqrt(d))
    ],
    "own-vectors-for-the-others": [queries_with_themselves],
    "gradient-turned": [lambda *given: tuple(-part for part in right(*given))],
    "gradient-of-v-scaled": [values_divided_too],
}
RIGHT = [right]
ALMOST_RIGHT = {
    "in the dtype of q": lambda q, *others: tuple(part.astype(q.dtype) for part in right(q, *others)),
}
