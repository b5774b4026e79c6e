"""Scaled dot-product attention: softmax(q kT / sqrt(d_k)) v, one function a step.

Shapes are written (..., Lq, d_k): any leading axes, then Lq queries of d_k numbers each.
Leading axes broadcast as NumPy's do. float32 stays float32, float64 stays float64, integers
and booleans become float64, and float16 is computed in float32 and returned as float16.
Inputs are never changed. Arguments are checked in arguments.py, beside this file.

Sources: "Vaswani" is Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import arguments

# In scores: with a larger block heads are taken one by one, so that they fit the cache.
BLOCK_OF_ALL_HEADS = 2**14


class Attention(NamedTuple):
    """What attention returns: `output` (..., Lq, d_v) and `weights` (..., Lq, Lk)."""

    output: NDArray[np.floating]
    weights: NDArray[np.floating]


@arguments.quiet
def attention_scores(q: ArrayLike, k: ArrayLike) -> NDArray[np.floating]:
    """Dot product of every query with every key.

    Shapes: q (..., Lq, d_k), k (..., Lk, d_k) -> (..., Lq, Lk).

    Raises
    ------
    ValueError
        If q or k has fewer than two axes, if d_k differs or is 0, or if the leading axes do
        not broadcast.
    TypeError
        If q or k does not hold real numbers.

    References
    ----------
    Vaswani, equation 1: the product QKᵀ.
    """
    dtype, q, k = arguments.real_arrays(q=q, k=k)
    arguments.check_shapes(q, k)
    scores = q @ k.mT  # (..., Lq, d_k) @ (..., d_k, Lk) -> (..., Lq, Lk)
    return scores.astype(dtype, copy=False)


@arguments.quiet
def scaled_scores(q: ArrayLike, k: ArrayLike, scale: float | None = None) -> NDArray[np.floating]:
    """Attention scores times `scale`, which is 1/sqrt(d_k) unless given.

    Shapes: q (..., Lq, d_k), k (..., Lk, d_k) -> (..., Lq, Lk).

    Raises
    ------
    ValueError, TypeError
        As `attention_scores`, and if `scale` is not one finite real number.

    References
    ----------
    Vaswani, section 3.2.1 and footnote 4.
    """
    dtype, q, k = arguments.real_arrays(q=q, k=k)
    arguments.check_shapes(q, k)
    scores = q @ k.mT  # (..., Lq, Lk)
    scores *= arguments.scale_or_default(scale, q)  # one number; the shape stays
    return scores.astype(dtype, copy=False)


# The three functions whose names end in `in_place` overwrite scores: who calls them passes a copy.


def _exp_in_place(scores, axis=-1):
    """Writes exp(scores - their maximum) over the scores; returns the totals along `axis`, 1 where a row is empty."""
    top = scores.max(axis, keepdims=True, initial=-np.inf)  # (..., Lq, 1)
    top[top == -np.inf] = 0  # -inf - -inf would be NaN
    scores -= top
    np.exp(scores, out=scores)  # (..., Lq, Lk)
    totals = scores.sum(axis, keepdims=True)  # (..., Lq, 1)
    totals[totals == 0] = 1  # no key is left: 0 / 1 makes zeros
    return totals


def _softmax_in_place(scores, axis=-1):
    """Writes the softmax along `axis` over the scores, and returns them."""
    scores /= _exp_in_place(scores, axis)  # (..., Lq, Lk) / (..., Lq, 1)
    return scores


@arguments.quiet
def softmax(x: ArrayLike, axis: int = -1) -> NDArray[np.floating]:
    """Shares along `axis`: exp(x) over its sum, safe for finite scores of any size.

    Shapes: x (...) with at least one axis -> the same shape. A score of -inf gets 0, and a
    row of nothing but -inf gets zeros. A row that holds +inf or NaN becomes NaN.

    Raises
    ------
    ValueError
        If x has no axis, or `axis` is not one of its axes.
    TypeError
        If x does not hold real numbers, or `axis` is not an integer.

    References
    ----------
    Milakov and Gimelshein 2018, Online normalizer calculation for softmax, arXiv:1805.02867,
    section 2: the maximum is subtracted first.
    """
    dtype, x = arguments.real_arrays(x=x)
    axis = arguments.axis_of(x, axis)
    weights = _softmax_in_place(x.copy(), axis)  # the shape of x
    return weights.astype(dtype, copy=False)


def _hide_in_place(scores, mask, is_causal=False, first_query=0):
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


@arguments.quiet
def masked_softmax(scores: ArrayLike, mask: ArrayLike | None = None) -> NDArray[np.floating]:
    """Attention weights: softmax over the keys that each query may attend to.

    Shapes: scores (..., Lq, Lk); mask broadcasts to scores and never stretches it
    -> (..., Lq, Lk). In a boolean mask True means may attend, and what it hides may be NaN. A
    floating mask is added to the scores: its -inf hides a number, but not NaN or +inf, whose row
    becomes NaN. A query that may attend to nothing gets zeros.

    Raises
    ------
    ValueError
        If scores has no axis, if mask would stretch it, or if a floating mask holds +inf.
    TypeError
        If scores does not hold real numbers, or mask is neither boolean nor floating, or is floating
        and holds nothing but 0 and 1 and at least one 1: others mean by it who may attend, or who may not.

    References
    ----------
    Vaswani, section 3.2.3: masked out before the softmax, by setting scores to minus infinity.
    """
    dtype, scores = arguments.real_arrays(scores=scores)
    arguments.axis_of(scores, -1, name="scores")
    if mask is not None:
        mask = arguments.mask_for(mask, scores.shape, scores.dtype)  # (..., Lq, Lk)
    scores = _hide_in_place(scores.copy(), mask)  # -inf where a query may not attend to a key
    weights = _softmax_in_place(scores)  # (..., Lq, Lk); each row adds up to 1
    return weights.astype(dtype, copy=False)


def causal_mask(n_queries: int, n_keys: int | None = None) -> NDArray[np.bool_]:
    """True where the key is no later than the query: nobody sees the future.

    Shapes: -> (n_queries, n_keys); n_keys is n_queries unless given. The mask is aligned at the
    top left: query 0 sees key 0 alone, however many keys there are. For new queries behind a
    cache of old keys the bottom right corner is wanted: `causal_mask(n_keys)[n_keys - n_queries :]`.

    Raises
    ------
    ValueError, TypeError
        If a size is negative or not an integer.

    References
    ----------
    Vaswani, section 3.2.3.
    """
    n_queries = arguments.count("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else arguments.count("n_keys", n_keys)
    return np.tri(n_queries, n_keys, dtype=bool)  # (Lq, Lk)


@arguments.quiet
def padding_mask(lengths: ArrayLike, max_length: int | None = None) -> NDArray[np.bool_]:
    """True where the key is a real token, for sequences padded at the end.

    Shapes: lengths (B,) -> (B, 1, max_length), which broadcasts over queries; max_length is the
    longest length unless given. For scores with heads, (B, H, Lq, Lk), index it `[:, None]`.

    Raises
    ------
    ValueError
        If lengths is not one-dimensional, or a length is negative, fractional or beyond
        max_length.
    TypeError
        If lengths does not hold numbers, or max_length is not an integer.

    References
    ----------
    The polarity is that of PyTorch's `scaled_dot_product_attention`: True means may attend.
    """
    lengths, longest = arguments.lengths_and_longest(lengths, max_length)
    is_token = np.arange(longest) < lengths[:, None]  # (longest,) < (B, 1) -> (B, longest)
    return is_token[:, None, :]  # (B, 1, longest)


@arguments.quiet
def scaled_dot_product_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Attention:
    """Each query's weighted average of the values: softmax(q kT / sqrt(d_k)) v.

    Shapes: q (..., Lq, d_k), k (..., Lk, d_k), v (..., Lk, d_v), mask broadcasting to
    (..., Lq, Lk) -> output (..., Lq, d_v) and weights (..., Lq, Lk). In a boolean mask True
    means may attend; a floating mask is added, and its -inf does not hide a NaN. `is_causal` hides
    later keys, aligned at the top left: with one query it sees key 0 alone. Given both, both must
    allow a key. A query that may attend to nothing gets zero weights and a zero output. A hidden
    key's value is still multiplied by its weight of 0, so a NaN there shows.

    Raises
    ------
    ValueError
        If shapes do not agree, d_k is 0, mask would stretch the scores or holds +inf, or
        `scale` is not finite.
    TypeError
        If an array does not hold real numbers, mask is neither boolean nor floating or holds nothing
        but 0 and 1 and at least one 1, `is_causal` is not a bool or `scale` is not one real number.

    References
    ----------
    Vaswani, equation 1. Order of arguments and polarity as PyTorch's function of this name.
    """
    dtype, q, k, v, mask, scale = arguments.attention_arguments(q, k, v, mask, is_causal, scale)
    scores = q @ k.mT  # (..., Lq, d_k) @ (..., d_k, Lk) -> (..., Lq, Lk)
    scores *= scale  # 1 / sqrt(d_k) unless given
    _hide_in_place(scores, mask, is_causal)  # -inf where a query may not attend to a key
    weights = _softmax_in_place(scores)  # (..., Lq, Lk); each row adds up to 1
    output = weights @ v  # (..., Lq, Lk) @ (..., Lk, d_v) -> (..., Lq, d_v)
    return Attention(output.astype(dtype, copy=False), weights.astype(dtype, copy=False))


@arguments.quiet
def attention_in_blocks(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    block_size: int = 128,
) -> NDArray[np.floating]:
    """Output of attention without its matrix of weights, from a block of queries at a time.

    Shapes and arguments as `scaled_dot_product_attention` -> output (..., Lq, d_v). Memory
    beside the output grows with Lk instead of Lq * Lk. A causal block never reads the keys after its last query,
    so a NaN there does not show. Values are summed before the division, so those near the largest
    number of their dtype may overflow.

    Raises
    ------
    ValueError, TypeError
        As `scaled_dot_product_attention`, and if `block_size` is not a positive integer.

    References
    ----------
    The idea of Rabe and Staats 2021, Self-attention Does Not Need O(n²) Memory,
    arXiv:2112.05682, and of FlashAttention, Dao et al. 2022, arXiv:2205.14135, with one
    simplification: a block sees its whole rows, so no online softmax is needed.
    """
    dtype, q, k, v, mask, scale = arguments.attention_arguments(q, k, v, mask, is_causal, scale)
    block_size = arguments.count("block_size", block_size, least=1)
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    leading = np.broadcast_shapes(*(x.shape[:-2] for x in (q, k, v)))
    q, k, v = (np.broadcast_to(x, (*leading, *x.shape[-2:])) for x in (q, k, v))
    mask = None if mask is None else np.broadcast_to(mask, (*leading, n_queries, n_keys))
    output = np.empty((*leading, n_queries, v.shape[-1]), dtype)
    heads = np.ndindex(leading) if block_size * n_keys > BLOCK_OF_ALL_HEADS else [()]  # one by one, or all
    for head, start in product(heads, range(0, n_queries, block_size)):
        rows = slice(start, start + block_size)
        keys = slice(0, start + block_size if is_causal else n_keys)
        scores = q[head][..., rows, :] @ k[head][..., keys, :].mT  # (..., block, d_k) @ (..., d_k, keys)
        scores *= scale
        _hide_in_place(scores, None if mask is None else mask[head][..., rows, keys], is_causal, start)
        totals = _exp_in_place(scores)  # (..., block, 1); scores are exponentials now
        output[head][..., rows, :] = scores @ v[head][..., keys, :] / totals  # (..., block, d_v)
    return output


def split_heads(x: ArrayLike, n_heads: int) -> NDArray[np.floating]:
    """Cuts each token's query, key or value into n_heads pieces and groups the pieces by head.

    Shapes: x (..., L, H * d), n_heads = H -> (..., H, L, d).

    Raises
    ------
    ValueError
        If x has fewer than two axes, or n_heads does not divide its last axis.
    TypeError
        If x does not hold real numbers, or n_heads is not an integer.

    References
    ----------
    Vaswani, section 3.2.2.
    """
    dtype, x = arguments.real_arrays(x=x)
    n_heads = arguments.count("n_heads", n_heads, least=1)
    arguments.check_splits(x, n_heads)
    pieces = x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)  # (..., L, H, d)
    return np.array(pieces.swapaxes(-2, -3), dtype, order="C")  # (..., H, L, d)


def merge_heads(x: ArrayLike) -> NDArray[np.floating]:
    """Puts the heads' pieces of each token side by side again: undoes `split_heads`.

    Shapes: x (..., H, L, d) -> (..., L, H * d).

    Raises
    ------
    ValueError
        If x has fewer than three axes.
    TypeError
        If x does not hold real numbers.

    References
    ----------
    Vaswani, section 3.2.2: Concat(head_1, ..., head_h).
    """
    dtype, x = arguments.real_arrays(x=x)
    arguments.check_has_heads(x)
    *leading, heads, length, d = x.shape
    pieces = np.array(x.swapaxes(-2, -3), dtype, order="C")  # (..., L, H, d)
    return pieces.reshape(*leading, length, heads * d)  # (..., L, H * d)
