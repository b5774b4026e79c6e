"""SmolLM2-135M, a Llama that goes on with a text, on an attention function of the reader's.

A layer has 9 heads of queries, and 3 of keys and values that three of these share. Comments give the shape of a line's
result, for L tokens. Names are those of Llama in Transformers. Source: Touvron et al. 2023, arXiv:2302.13971.
"""

import numpy as np

import attention_lib as al
from attention_lib import today
from attention_lib.arguments import checked, quiet
from lesson.smollm import checks, installed, load, ready

__all__ = ["attend", "generate", "installed", "load", "read", "ready"]


def rms_norm(x, weight):
    size = np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)  # (L, 1)
    return x / size * weight  # (L, 576) / (L, 1) * (576,) -> (L, 576)


def mlp(x, layer):
    gate = x @ layer.gate_proj  # (L, 576) @ (576, 1536) -> (L, 1536)
    gate = gate / (1 + np.exp(-gate))  # (L, 1536), the function SiLU
    return (gate * (x @ layer.up_proj)) @ layer.down_proj  # (L, 1536) @ (1536, 576) -> (L, 576)


@checks.of_attend
def attend(q, k, v, past):
    """Attention of L tokens behind n others: q (9, L, 64), k and v (3, L, 64) -> output (9, L, 64) and the new past.

    past is None, or the keys so far, rotated, and their values: (3, n, 64) each.
    """
    n = 0 if past is None else past[0].shape[1]
    positions = np.arange(n, n + q.shape[1])  # (L,)
    q = today.rotate(q, positions, base=100_000)  # (9, L, 64)
    k = today.rotate(k, positions, base=100_000)  # (3, L, 64)
    if past is not None:
        k = np.concatenate([past[0], k], axis=1)  # (3, n + L, 64)
        v = np.concatenate([past[1], v], axis=1)  # (3, n + L, 64)
    mask = al.causal_mask(n + q.shape[1])[n:]  # (L, n + L), the last L rows
    output, _ = al.scaled_dot_product_attention(q, today.repeat_heads(k, 3), today.repeat_heads(v, 3), mask)
    return output, (k, v)


def self_attn(x, layer, past, attend):
    q = al.split_heads(x @ layer.q_proj, 9)  # (L, 576) @ (576, 576) -> (9, L, 64)
    k = al.split_heads(x @ layer.k_proj, 3)  # (L, 576) @ (576, 192) -> (3, L, 64)
    v = al.split_heads(x @ layer.v_proj, 3)  # (L, 576) @ (576, 192) -> (3, L, 64)
    output, past = checks.returned(attend(q, k, v, past), q)  # (9, L, 64)
    output = al.merge_heads(output.astype(x.dtype))  # (L, 576), float32 again if attend gave float64
    return output @ layer.o_proj, past  # (L, 576) @ (576, 576) -> (L, 576)


@quiet
@checked(model=checks.model, ids=f"L < {checks.VOCABULARY}", cache=checks.cache, attend="function")
def read(model, ids, cache=None, attend=attend):
    """Logits (L, 49152) for what follows each of L ids. A cache, {} at first, keeps the past for later calls."""
    cache = {} if cache is None else cache
    x = model.embed_tokens[ids]  # (L, 576)
    for i, layer in enumerate(model.layers):
        output, cache[i] = self_attn(rms_norm(x, layer.input_layernorm), layer, cache.get(i), attend)
        x = x + output  # (L, 576)
        x = x + mlp(rms_norm(x, layer.post_attention_layernorm), layer)  # (L, 576)
    return rms_norm(x, model.norm) @ model.lm_head  # (L, 576) @ (576, 49152) -> (L, 49152)


@checked(n="count", choose="function")
def generate(model, ids, n, choose, attend=attend):
    """At most n ids that follow, each chosen by `choose` from logits (49152,); the id that ends a text is the last."""
    cache, new = {}, []
    for _ in range(n):
        logits = read(model, new[-1:] or ids, cache, attend)[-1]  # (49152,)
        new.append(checks.token(choose(logits)))
        if new[-1] == model.eos_token_id:
            break
    return new
