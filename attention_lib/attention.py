"""Scaled dot-product attention: softmax(q kT / sqrt(d_k)) v, one function a step.

Shapes are written (..., Lq, d_k): any leading axes, then Lq queries of d_k numbers each.
Leading axes broadcast as NumPy's do. float32 stays float32, float64 stays float64, integers
and booleans become float64, and float16 is computed in float32 and returned as float16.
Inputs are never changed. What stands above each function with an @ checks its arguments and gives it arrays that it
may compute with (arguments.py). Softmax and the mask overwrite the scores, to save memory (in_place.py).

Sources: "Vaswani" is Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import arguments, in_place


class Attention(NamedTuple):
    """What attention returns: `output` (..., Lq, d_v) and `weights` (..., Lq, Lk)."""

    output: NDArray[np.floating]
    weights: NDArray[np.floating]


@arguments.checked_by(arguments.of_scores)
def attention_scores(q: ArrayLike, k: ArrayLike) -> NDArray[np.floating]:
    """Dot product of every query with every key.

    Shapes: q (..., Lq, d_k), k (..., Lk, d_k) -> (..., Lq, Lk).

    Raises ValueError if q or k has fewer than two axes, if d_k differs or is 0, or if the leading axes do not
    broadcast; TypeError if q or k does not hold real numbers.

    Source: Vaswani, equation 1: the product QKᵀ.
    """
    return q @ k.mT  # (..., Lq, d_k) @ (..., d_k, Lk) -> (..., Lq, Lk)


@arguments.checked_by(arguments.of_scaled_scores)
def scaled_scores(q: ArrayLike, k: ArrayLike, scale: float | None = None) -> NDArray[np.floating]:
    """Attention scores times `scale`, which is 1/sqrt(d_k) unless given.

    Shapes: q (..., Lq, d_k), k (..., Lk, d_k) -> (..., Lq, Lk).

    Raises ValueError or TypeError as `attention_scores`, and if `scale` is not one finite real number.

    Source: Vaswani, section 3.2.1 and footnote 4.
    """
    scores = q @ k.mT  # (..., Lq, Lk)
    scores *= scale  # one number; the shape stays
    return scores


@arguments.checked_by(arguments.of_softmax)
def softmax(x: ArrayLike, axis: int = -1) -> NDArray[np.floating]:
    """Shares along `axis`: exp(x) over its sum, safe for finite scores of any size.

    Shapes: x (...) with at least one axis -> the same shape. A score of -inf gets 0, and a
    row of nothing but -inf gets zeros. A row that holds +inf or NaN becomes NaN.

    Raises ValueError if x has no axis, or `axis` is not one of its axes; TypeError if x does not hold real
    numbers, or `axis` is not an integer.

    Source: Milakov and Gimelshein 2018, Online normalizer calculation for softmax, arXiv:1805.02867, section 2:
    the maximum is subtracted first.
    """
    return in_place.softmax(x.copy(), axis)  # the shape of x


@arguments.checked_by(arguments.of_masked_softmax)
def masked_softmax(scores: ArrayLike, mask: ArrayLike | None = None) -> NDArray[np.floating]:
    """Attention weights: softmax over the keys that each query may attend to.

    Shapes: scores (..., Lq, Lk); mask broadcasts to scores and never stretches it
    -> (..., Lq, Lk). In a boolean mask True means may attend, and what it hides may be NaN. A
    floating mask is added to the scores: its -inf hides a number, but not NaN or +inf, whose row
    becomes NaN. A query that may attend to nothing gets zeros.

    Raises ValueError if scores has no axis, if mask would stretch it, or if a floating mask holds +inf;
    TypeError if scores does not hold real numbers, or mask is neither boolean nor floating, or is floating and
    holds nothing but 0 and 1 and at least one 1: others mean by it who may attend, or who may not.

    Source: Vaswani, section 3.2.3: masked out before the softmax, by setting scores to minus infinity.
    """
    scores = in_place.hide(scores.copy(), mask)  # -inf where a query may not attend to a key
    return in_place.softmax(scores)  # (..., Lq, Lk); each row adds up to 1


def causal_mask(n_queries: int, n_keys: int | None = None) -> NDArray[np.bool_]:
    """True where the key is no later than the query: nobody sees the future.

    Shapes: -> (n_queries, n_keys); n_keys is n_queries unless given. The mask is aligned at the
    top left: query 0 sees key 0 alone, however many keys there are. For new queries behind a
    cache of old keys the bottom right corner is wanted: `causal_mask(n_keys)[n_keys - n_queries :]`.

    Raises ValueError or TypeError if a size is negative or not an integer.

    Source: Vaswani, section 3.2.3.
    """
    n_queries = arguments.count("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else arguments.count("n_keys", n_keys)
    return np.tri(n_queries, n_keys, dtype=bool)  # (Lq, Lk)


@arguments.quiet
def padding_mask(lengths: ArrayLike, max_length: int | None = None) -> NDArray[np.bool_]:
    """True where the key is a real token, for sequences padded at the end.

    Shapes: lengths (B,) -> (B, 1, max_length), which broadcasts over queries; max_length is the
    longest length unless given. For scores with heads, (B, H, Lq, Lk), index it `[:, None]`.

    Raises ValueError if lengths is not one-dimensional, or a length is negative, fractional or beyond
    max_length; TypeError if lengths does not hold numbers, or max_length is not an integer.

    Source: the polarity is that of PyTorch's `scaled_dot_product_attention`: True means may attend.
    """
    lengths, longest = arguments.lengths_and_longest(lengths, max_length)
    is_token = np.arange(longest) < lengths[:, None]  # (longest,) < (B, 1) -> (B, longest)
    return is_token[:, None, :]  # (B, 1, longest)


@arguments.checked_by(arguments.of_attention)
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

    Raises ValueError if shapes do not agree, d_k is 0, mask would stretch the scores or holds +inf, or `scale`
    is not finite; TypeError if an array does not hold real numbers, mask is neither boolean nor floating or
    holds nothing but 0 and 1 and at least one 1, `is_causal` is not a bool or `scale` is not one real number.

    Source: Vaswani, equation 1. Order of arguments and polarity as PyTorch's function of this name.
    """
    scores = q @ k.mT  # (..., Lq, d_k) @ (..., d_k, Lk) -> (..., Lq, Lk)
    scores *= scale  # 1 / sqrt(d_k) unless given
    scores = in_place.hide(scores, mask, is_causal)  # -inf where a query may not attend to a key
    weights = in_place.softmax(scores)  # (..., Lq, Lk); each row adds up to 1
    return Attention(weights @ v, weights)  # (..., Lq, Lk) @ (..., Lk, d_v) -> (..., Lq, d_v)


@arguments.checked_by(arguments.of_blocks)
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

    Raises ValueError or TypeError as `scaled_dot_product_attention`, and if `block_size` is not a positive
    integer.

    Source: the idea of Rabe and Staats 2021, Self-attention Does Not Need O(n²) Memory, arXiv:2112.05682, and
    of FlashAttention, Dao et al. 2022, arXiv:2205.14135, with one simplification: a block sees its whole rows,
    so no online softmax is needed.
    """
    return in_place.in_blocks(q, k, v, mask, is_causal, scale, block_size)


def split_heads(x: ArrayLike, n_heads: int) -> NDArray[np.floating]:
    """Cuts each token's query, key or value into n_heads pieces and groups the pieces by head.

    Shapes: x (..., L, H * d), n_heads = H -> (..., H, L, d).

    Raises ValueError if x has fewer than two axes, or n_heads does not divide its last axis; TypeError if x
    does not hold real numbers, or n_heads is not an integer.

    Source: Vaswani, section 3.2.2.
    """
    dtype, x, n_heads = arguments.to_split(x, n_heads)
    pieces = x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)  # (..., L, H, d)
    return np.array(pieces.swapaxes(-2, -3), dtype, order="C")  # (..., H, L, d)


def merge_heads(x: ArrayLike) -> NDArray[np.floating]:
    """Puts the heads' pieces of each token side by side again: undoes `split_heads`.

    Shapes: x (..., H, L, d) -> (..., L, H * d).

    Raises ValueError if x has fewer than three axes; TypeError if x does not hold real numbers.

    Source: Vaswani, section 3.2.2: Concat(head_1, ..., head_h).
    """
    dtype, x = arguments.real_arrays(x=x)
    arguments.check_axes(x, x="... H L d")
    *leading, heads, length, d = x.shape
    pieces = np.array(x.swapaxes(-2, -3), dtype, order="C")  # (..., L, H, d)
    return pieces.reshape(*leading, length, heads * d)  # (..., L, H * d)
