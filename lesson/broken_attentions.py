"""Attention functions with one mistake each, for notebook 6: what does a mistake do to the whole model?

They take q, k, v and a boolean mask, and return the output and the weights, as `model.embed` asks for.
"""

import numpy as np

import attention_lib as al
from attention_lib.arguments import of_attention


def _with(scores=al.scaled_scores, weights=al.masked_softmax, values=lambda k, v: v):
    """Attention made of three functions, of which a mistake replaces one."""

    def attention(q, k, v, mask):
        _, given = of_attention(q, k, v, mask)
        q, k, v, mask = (given[name] for name in ("q", "k", "v", "mask"))
        if mask is None or mask.dtype != bool:
            raise TypeError("mask must be boolean, True where a token is real")
        w = weights(scores(q, k), mask)
        return w @ values(k, v), w

    return attention


def _softmax_over_everything(scores, mask):
    top = scores.max(axis=(-2, -1), keepdims=True, initial=-np.inf)
    exponentials = np.where(mask, np.exp(scores - top), 0)
    return exponentials / exponentials.sum(axis=(-2, -1), keepdims=True)


def _equal_weights(scores, mask):
    even = mask / mask.sum(axis=-1, keepdims=True)
    return np.broadcast_to(even, scores.shape).astype(scores.dtype)


BROKEN = {
    "no attention at all": _with(weights=lambda s, m: np.zeros_like(s)),
    "no mistake": _with(),
    "masked after softmax": _with(weights=lambda s, m: al.softmax(s) * m),
    "hidden scores set to 0": _with(weights=lambda s, m: al.softmax(np.where(m, s, 0))),
    "no padding mask": _with(weights=lambda s, m: al.softmax(s)),
    "not scaled": _with(al.attention_scores),
    "a causal mask too": _with(weights=lambda s, m: al.masked_softmax(s, m & al.causal_mask(*s.shape[-2:]))),
    "multiplied by sqrt(d_k)": _with(lambda q, k: al.attention_scores(q, k) * q.shape[-1] ** 0.5),
    "softmax over everything": _with(weights=_softmax_over_everything),
    "divided by d_k": _with(lambda q, k: al.attention_scores(q, k) / q.shape[-1]),
    "softmax over queries": _with(weights=lambda s, m: al.softmax(np.where(m, s, -np.inf), axis=-2)),
    "all weights equal": _with(weights=_equal_weights),
    "keys reshaped": _with(lambda q, k: q @ k.reshape(k.mT.shape) / q.shape[-1] ** 0.5),
    "mask upside down": _with(weights=lambda s, m: al.masked_softmax(s, ~m)),
    "keys averaged, not values": _with(values=lambda k, v: k),
}
