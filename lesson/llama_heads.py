"""Looks at the heads of the model of llama.py, and takes heads away."""

import numpy as np

import attention_lib as al
from attention_lib import today
from attention_lib.arguments import checked
from lesson import llama
from lesson.smollm import checks


def weights_of(model, ids):
    """The weights of all heads when the model reads L ids: (30, 9, L, L)."""
    layers = []

    def attend(q, k, v, past):
        output, (k, v) = llama.attend(q, k, v, past)  # keys come back rotated
        q = today.rotate(q, base=100_000)  # (9, L, 64)
        scores = al.scaled_scores(q, today.repeat_heads(k, 3))  # (9, L, L)
        layers.append(al.masked_softmax(scores, al.causal_mask(len(ids))))
        return output, (k, v)

    llama.read(model, ids, attend=attend)
    return np.array(layers)


@checked(model=checks.model)
def without(model, heads):
    """The model with output 0 from heads, which are pairs (layer, head); the given model stays as it was."""
    layers = list(model.layers)
    for layer, head in checks.heads(heads, len(layers)):
        o_proj = layers[layer].o_proj.copy()
        o_proj[64 * head : 64 * (head + 1)] = 0  # (64, 576)
        layers[layer] = layers[layer]._replace(o_proj=o_proj)
    return model._replace(layers=layers)
