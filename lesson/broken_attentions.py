"""Attention functions with one mistake each, for notebook 6: what does a mistake do to the whole model?

They take q, k, v and a boolean mask, and return the output and the weights, as `model.embed` asks for.
"""

import numpy as np

import attention_lib as al


def made_of(scores=al.scaled_scores, weights=al.masked_softmax, values=lambda k, v: v):
    """Attention made of three functions, of which a mistake replaces one."""

    def attention(q, k, v, mask):
        w = weights(scores(q, k), mask)
        return w @ values(k, v), w

    return attention


def no_attention(q, k, v, mask):
    return np.zeros_like(v), np.zeros_like(al.scaled_scores(q, k))


def hidden(scores, mask):
    return np.where(mask, scores, -np.inf)


def softmax_over_everything(scores, mask):
    exponentials = np.exp(hidden(scores, mask) - scores.max(axis=(-2, -1), keepdims=True))
    return exponentials / exponentials.sum(axis=(-2, -1), keepdims=True)


def scores_of_reshaped_keys(q, k):
    return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / q.shape[-1] ** 0.5


def equal_weights(scores, mask):
    even = mask / mask.sum(axis=-1, keepdims=True)
    return np.broadcast_to(even, scores.shape).astype(scores.dtype)


BROKEN = {
    "no attention at all": no_attention,
    "no mistake": made_of(),
    "masked after softmax": made_of(weights=lambda s, m: al.softmax(s) * m),
    "hidden scores set to 0": made_of(weights=lambda s, m: al.softmax(np.where(m, s, 0))),
    "no padding mask": made_of(weights=lambda s, m: al.softmax(s)),
    "not scaled": made_of(al.attention_scores),
    "a causal mask too": made_of(weights=lambda s, m: al.masked_softmax(s, m & al.causal_mask(s.shape[-1]))),
    "multiplied by sqrt(d_k)": made_of(lambda q, k: al.attention_scores(q, k) * q.shape[-1] ** 0.5),
    "softmax over everything": made_of(weights=softmax_over_everything),
    "divided by d_k": made_of(lambda q, k: al.attention_scores(q, k) / q.shape[-1]),
    "softmax over queries": made_of(weights=lambda s, m: al.softmax(hidden(s, m), axis=-2)),
    "all weights equal": made_of(weights=equal_weights),
    "keys reshaped": made_of(scores_of_reshaped_keys),
    "mask upside down": made_of(weights=lambda s, m: al.masked_softmax(s, ~m)),
    "keys averaged, not values": made_of(values=lambda k, v: k),
}
