"""Answers to `attention_gradients` as learners write them."""

import numpy as np

import attention_lib as al
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


def exchanged(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s.mT @ q, s @ k, weights.mT @ upstream


def queries_with_themselves(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s @ q, s.mT @ q, weights.mT @ upstream


def weights_as_they_are(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s @ k, s.mT @ q, weights @ upstream


def divided_for_q_alone(q, k, v, weights, upstream):
    s = learning.softmax_gradient(weights, upstream @ v.mT)
    return s @ k / np.sqrt(q.shape[-1]), s.mT @ q, weights.mT @ upstream


def divided_for_k_alone(q, k, v, weights, upstream):
    of_q, of_k, of_v = divided_for_q_alone(q, k, v, weights, upstream)
    return of_q * np.sqrt(q.shape[-1]), of_k / np.sqrt(q.shape[-1]), of_v


def keys_with_themselves(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s @ k, s.mT @ k, weights.mT @ upstream


def as_they_came(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return weights.mT @ upstream, s @ k, s.mT @ q


def of_tables(q, k, v, weights, upstream):
    s = plain(weights, upstream, v, q.shape[-1])
    return s @ k, s.T @ q, weights.T @ upstream


WRONG = {
    "weights-for-their-gradient": [
        with_scores_of(lambda w, up, v, d: learning.softmax_gradient(w, w) / np.sqrt(d))
    ],
    "gradient-not-scaled": [with_scores_of(lambda w, up, v, d: learning.softmax_gradient(w, up @ v.mT))],
    "one-gradient-not-scaled": [divided_for_k_alone],
    "gradients-in-another-order": [as_they_came, exchanged],
    "own-vectors-for-the-others": [queries_with_themselves, keys_with_themselves],
    "rows-for-columns": [
        weights_as_they_are,
    ],
}
RIGHT = [with_scores_of(plain)]
ALMOST_RIGHT = {
    "no leading axes": of_tables,
    "weights computed again, without their mask": lambda q, k, v, weights, upstream: by_hand(
        q, k, v, al.softmax(al.scaled_scores(q, k)), upstream
    ),
}
