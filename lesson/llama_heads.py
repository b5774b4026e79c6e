"""Looks at the heads of the model of llama.py, and takes heads away."""

import numpy as np

import attention_lib as al
from attention_lib import arguments, today
from attention_lib.arguments import checked
from lesson import llama
from lesson.smollm import checks


def queries_and_keys(model, ids):
    """Rotated queries and keys of all heads when the model reads L ids, keys repeated: (30, 9, L, 64) twice."""
    found = []

    def attend(q, k, v, past):
        output, past = llama.attend(q, k, v, past)  # keys come back rotated
        found.append((today.rotate(q, base=100_000), today.repeat_heads(past[0], 3)))
        return output, past

    llama.read(model, ids, attend=attend)
    q, k = zip(*found)
    return np.array(q), np.array(k)


def weights_of(model, ids):
    """The weights of all heads when the model reads L ids: (30, 9, L, L)."""
    scores = al.scaled_scores(*queries_and_keys(model, ids))
    return al.masked_softmax(scores, al.causal_mask(len(ids)))


@checked(model=checks.model)
def without(model, heads):
    """The model with output 0 from heads, which are pairs (layer, head); the given model stays as it was."""
    layers = list(model.layers)
    for layer, head in checks.heads(heads, len(layers)):
        o_proj = layers[layer].o_proj.copy()
        o_proj[64 * head : 64 * (head + 1)] = 0  # (64, 576)
        layers[layer] = layers[layer]._replace(o_proj=o_proj)
    return model._replace(layers=layers)


def induction_score(weights):
    """The mean weight that a token, when n tokens come twice, gives to what followed it: (..., 2n, 2n) -> (...)."""
    weights = arguments.real_array("weights", weights)
    n_queries, n_keys = weights.shape[-2:] if weights.ndim > 1 else (0, 0)
    if n_queries != n_keys or n_keys % 2 or not n_keys:
        raise ValueError(f"weights must be (..., 2n, 2n) with n of 1 or more, got shape {weights.shape}")
    return np.diagonal(weights[..., n_keys // 2 :, :], 1, -2, -1).mean(axis=-1)


def nucleus(logits, p):
    """Logits (n,), with -inf for all but the fewest most probable tokens that have at least p together.

    Source: Holtzman et al. 2019, arXiv:1904.09751, section 3.1.
    """
    logits = arguments.real_array("logits", logits)
    if logits.ndim != 1 or not logits.size:
        raise ValueError(f"logits must be (n,), got shape {logits.shape}")
    p = arguments.positive("p", p)
    if p > 1:
        raise ValueError(f"p must be at most 1, got {p}")
    order = np.argsort(-logits)  # the most probable first
    chances = al.softmax(logits)[order]
    kept = order[chances.cumsum() - chances < p]
    return np.where(np.isin(np.arange(len(logits)), kept), logits, -np.inf)
