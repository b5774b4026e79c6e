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


def by_hand(q, k, v, weights, upstream):
    of_weights = np.einsum("...qv,...kv->...qk", upstream, v)
    row = np.sum(weights * of_weights, axis=-1, keepdims=True)
    of_scores = weights * (of_weights - row) / np.sqrt(q.shape[-1])
    of_q = np.einsum("...qk,...kd->...qd", of_scores, k)
    of_k = np.einsum("...qk,...qd->...kd", of_scores, q)
    return of_q, of_k, np.einsum("...qk,...qv->...kv", weights, upstream)


def queries_with_themselves(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s @ q, s.mT @ q, weights.mT @ upstream


def values_divided_too(*given):
    of_q, of_k, of_v = by_hand(*given)
    return of_q, of_k, of_v / np.sqrt(given[0].shape[-1])


WRONG = {
    "weights-for-their-gradient": [
        with_scores_of(lambda w, up, v, d: learning.softmax_gradient(w, w) / np.sqrt(d))
    ],
    "own-vectors-for-the-others": [queries_with_themselves],
    "gradient-turned": [lambda *given: tuple(-part for part in by_hand(*given))],
    "gradient-of-v-scaled": [values_divided_too],
    "gradient-scaled-otherwise": [
        with_scores_of(lambda w, up, v, d: learning.softmax_gradient(w, up @ v.mT) / w.shape[-1] ** 0.5)
    ],
}
RIGHT = [with_scores_of(plain)]
ALMOST_RIGHT = {
    "in the dtype of q": lambda q, *others: tuple(part.astype(q.dtype) for part in by_hand(q, *others)),
}
