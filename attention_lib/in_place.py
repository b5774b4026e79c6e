"""Softmax, the mask and attention in blocks, which save memory: each overwrites the scores that it is given.

attention.py passes them arrays of its own.
"""

from itertools import product

import numpy as np

# In scores: with a larger block heads are taken one by one, so that they fit the cache.
BLOCK_OF_ALL_HEADS = 2**14


def exponentials(scores, axis=-1):
    """Writes exp(scores - their maximum) over the scores; returns the totals along `axis`, 1 where a row is empty."""
    top = scores.max(axis, keepdims=True, initial=-np.inf)  # (..., Lq, 1)
    top[top == -np.inf] = 0  # -inf - -inf would be NaN
    scores -= top
    np.exp(scores, out=scores)  # (..., Lq, Lk)
    totals = scores.sum(axis, keepdims=True)  # (..., Lq, 1)
    totals[totals == 0] = 1  # no key is left: 0 / 1 makes zeros
    return totals


def softmax(scores, axis=-1):
    """Writes the softmax along `axis` over the scores, and returns them."""
    scores /= exponentials(scores, axis)  # (..., Lq, Lk) / (..., Lq, 1)
    return scores


def hide(scores, mask, is_causal=False, first_query=0):
    """Writes -inf over the scores of hidden keys, adds a floating mask, and returns the scores.

    Row 0 of the scores belongs to the query numbered first_query.
    """
    if mask is not None and mask.dtype == bool:
        np.copyto(scores, -np.inf, where=~mask)
    elif mask is not None:
        scores += mask
    if is_causal:
        n_queries, n_keys = scores.shape[-2:]
        np.copyto(scores, -np.inf, where=~np.tri(n_queries, n_keys, first_query, dtype=bool))
    return scores


def in_blocks(q, k, v, mask, is_causal, scale, block_size):
    """The output of attention, from a block of queries at a time."""
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    leading = np.broadcast_shapes(*(x.shape[:-2] for x in (q, k, v)))
    q, k, v = (np.broadcast_to(x, (*leading, *x.shape[-2:])) for x in (q, k, v))
    mask = None if mask is None else np.broadcast_to(mask, (*leading, n_queries, n_keys))
    output = np.empty((*leading, n_queries, v.shape[-1]), q.dtype)
    heads = np.ndindex(leading) if block_size * n_keys > BLOCK_OF_ALL_HEADS else [()]  # one by one, or all
    for head, start in product(heads, range(0, n_queries, block_size)):
        rows = slice(start, start + block_size)
        keys = slice(0, start + block_size if is_causal else n_keys)
        scores = q[head][..., rows, :] @ k[head][..., keys, :].mT  # (..., block, d_k) @ (..., d_k, keys)
        scores *= scale
        hide(scores, None if mask is None else mask[head][..., rows, keys], is_causal, start)
        totals = exponentials(scores)  # (..., block, 1); scores are exponentials now
        output[head][..., rows, :] = scores @ v[head][..., keys, :] / totals  # (..., block, d_v)
    return output
