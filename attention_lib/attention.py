"""Scaled dot-product attention: softmax(q kT / sqrt(d_k)) v, one function a step.

Shapes are written (..., Lq, d_k): any leading axes, then Lq queries of d_k numbers each.
Leading axes broadcast as NumPy's do. float32 stays float32, float64 stays float64, integers
and booleans become float64, and float16 is computed in float32 and returned as float16.
Inputs are never changed. Arguments are checked by the private functions at the end.

Sources: "Vaswani" is Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762.
"""

import math
from collections.abc import Callable
from functools import wraps
from itertools import product
from operator import index
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

MOST = 2**31 - 1  # the largest size or length that is taken for meant
CACHED = 2**14  # scores in a block: heads with more take turns, so that they stay in a processor's cache

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def _quiet(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """NaN and infinity travel on without a warning."""

    @wraps(function)
    def quietly(*args: Given.args, **options: Given.kwargs) -> Returned:
        __tracebackhide__ = True  # a learner's traceback goes from their line to ours
        with np.errstate(all="ignore"):
            return function(*args, **options)

    return quietly


class Attention(NamedTuple):
    """What attention returns: `output` (..., Lq, d_v) and `weights` (..., Lq, Lk)."""

    output: NDArray[np.floating]
    weights: NDArray[np.floating]


@_quiet
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
    dtype, q, k = _real_arrays(q=q, k=k)
    _check_shapes(q, k)
    return (q @ k.mT).astype(dtype, copy=False)


@_quiet
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
    dtype, q, k = _real_arrays(q=q, k=k)
    _check_shapes(q, k)
    scores = q @ k.mT
    scores *= _scale_or_default(scale, q)
    return scores.astype(dtype, copy=False)


@_quiet
def softmax(x: ArrayLike, axis: int = -1) -> NDArray[np.floating]:
    """Shares along `axis`: exp(x) over its sum, safe for scores of any size.

    Shapes: x (...) with at least one axis -> the same shape. A score of -inf gets 0, and a
    row of nothing but -inf gets zeros.

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
    dtype, x = _real_arrays(x=x)
    axis = _axis_of(x, axis)
    return _softmax_in_place(x.copy(), axis).astype(dtype, copy=False)


@_quiet
def masked_softmax(scores: ArrayLike, mask: ArrayLike | None = None) -> NDArray[np.floating]:
    """Attention weights: softmax over the keys that each query may attend to.

    Shapes: scores (..., Lq, Lk); mask broadcasts to scores and never stretches it
    -> (..., Lq, Lk). In a boolean mask True means may attend; a floating mask is added to the
    scores. A query that may attend to nothing gets zeros.

    Raises
    ------
    ValueError
        If scores has no axis, if mask would stretch it, or if a floating mask holds +inf.
    TypeError
        If scores does not hold real numbers, or mask is neither boolean nor floating.

    References
    ----------
    Vaswani, section 3.2.3: masked out before the softmax, by setting scores to minus infinity.
    """
    dtype, scores = _real_arrays(scores=scores)
    _axis_of(scores, -1, name="scores")
    if mask is not None:
        mask = _mask_for(mask, scores.shape, scores.dtype)
    return _softmax_in_place(_hide_in_place(scores.copy(), mask)).astype(dtype, copy=False)


def causal_mask(n_queries: int, n_keys: int | None = None) -> NDArray[np.bool_]:
    """True where the key is no later than the query: nobody sees the future.

    Shapes: -> (n_queries, n_keys); n_keys is n_queries unless given. The mask is aligned at the
    top left: query 0 sees key 0 alone, however many keys there are. For new queries behind a
    cache of old keys the bottom right corner is wanted: `causal_mask(n_keys)[-n_queries:]`.

    Raises
    ------
    ValueError, TypeError
        If a size is negative or not an integer.

    References
    ----------
    Vaswani, section 3.2.3.
    """
    n_queries = _count("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else _count("n_keys", n_keys)
    return np.tri(n_queries, n_keys, dtype=bool)


@_quiet
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
    lengths = _real_array("lengths", lengths)
    if lengths.dtype == bool:
        raise TypeError("lengths must be numbers, got booleans: count the real tokens of each sequence first")
    if lengths.ndim != 1:
        raise ValueError(f"lengths must be one number a sequence, shape (B,), got shape {lengths.shape}")
    lengths = lengths.astype(np.float64)
    longest = MOST if max_length is None else _count("max_length", max_length)
    if not np.all((lengths >= 0) & (lengths <= longest) & (lengths == np.floor(lengths))):
        raise ValueError(
            f"lengths must be whole numbers from 0 to max_length, {longest}, got {lengths.tolist()}"
        )
    if max_length is None:
        longest = int(lengths.max(initial=0))
    return (np.arange(longest) < lengths[:, None])[:, None, :]


@_quiet
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
    means may attend; a floating mask is added. `is_causal` hides later keys, aligned at the top
    left: with one query it sees key 0 alone. Given both, both must allow a key. A query that
    may attend to nothing gets zero weights and a zero output. A hidden key's value is still
    multiplied by its weight of 0, so a NaN there shows.

    Raises
    ------
    ValueError
        If shapes do not agree, d_k is 0, mask would stretch the scores or holds +inf, or
        `scale` is not finite.
    TypeError
        If an array does not hold real numbers, mask is neither boolean nor floating,
        `is_causal` is not a bool or `scale` is not one real number.

    References
    ----------
    Vaswani, equation 1. Order of arguments and polarity as PyTorch's function of this name.
    """
    dtype, q, k, v, mask, scale = _attention_arguments(q, k, v, mask, is_causal, scale)
    scores = q @ k.mT
    scores *= scale
    weights = _softmax_in_place(_hide_in_place(scores, mask, is_causal))
    output = weights @ v
    return Attention(output.astype(dtype, copy=False), weights.astype(dtype, copy=False))


@_quiet
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
    """Output of attention without its table of weights, from a block of queries at a time.

    Shapes and arguments as `scaled_dot_product_attention` -> output (..., Lq, d_v). Memory
    grows with Lk instead of Lq * Lk. A causal block never reads the keys after its last query,
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
    dtype, q, k, v, mask, scale = _attention_arguments(q, k, v, mask, is_causal, scale)
    block_size = _count("block_size", block_size, least=1)
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    leading = np.broadcast_shapes(*(x.shape[:-2] for x in (q, k, v)))
    q, k, v = (np.broadcast_to(x, (*leading, *x.shape[-2:])) for x in (q, k, v))
    mask = None if mask is None else np.broadcast_to(mask, (*leading, n_queries, n_keys))
    output = np.empty((*leading, n_queries, v.shape[-1]), dtype)
    heads = np.ndindex(leading) if block_size * n_keys > CACHED else [()]  # one by one, or all
    for head, start in product(heads, range(0, n_queries, block_size)):
        rows = slice(start, start + block_size)
        keys = slice(0, start + block_size if is_causal else n_keys)
        scores = q[head][..., rows, :] @ k[head][..., keys, :].mT
        scores *= scale
        _hide_in_place(scores, None if mask is None else mask[head][..., rows, keys], is_causal, start)
        totals = _exp_in_place(scores)
        output[head][..., rows, :] = scores @ v[head][..., keys, :] / totals
    return output


def split_heads(x: ArrayLike, n_heads: int) -> NDArray[np.floating]:
    """Cuts each token's vector into n_heads pieces and groups the pieces by head.

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
    dtype, x = _real_arrays(x=x)
    n_heads = _count("n_heads", n_heads, least=1)
    if x.ndim < 2 or x.shape[-1] % n_heads:
        raise ValueError(
            f"x must be (..., L, H * d) with a last axis that n_heads = {n_heads} divides, got shape {x.shape}"
        )
    pieces = x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)  # (..., L, H, d)
    return np.array(pieces.swapaxes(-2, -3), dtype, order="C")


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
    dtype, x = _real_arrays(x=x)
    if x.ndim < 3:
        raise ValueError(f"x must be (..., H, L, d), three axes or more, got shape {x.shape}")
    *leading, heads, length, d = x.shape
    return np.array(x.swapaxes(-2, -3), dtype, order="C").reshape(*leading, length, heads * d)


# The steps that work in place, on scores that are the caller's own -----------------------------


def _hide_in_place(scores, mask, is_causal=False, first_query=0):
    """scores with -inf wherever a key is hidden, and a floating mask added."""
    if mask is not None and mask.dtype == bool:
        np.copyto(scores, -np.inf, where=~mask)
    elif mask is not None:
        scores += mask
    if is_causal:
        n_queries, n_keys = scores.shape[-2:]
        np.copyto(scores, -np.inf, where=~np.tri(n_queries, n_keys, first_query, dtype=bool))
    return scores


def _exp_in_place(scores, axis=-1):
    """exp(scores - their maximum), in place; returns the totals, 1 where a row is empty."""
    top = scores.max(axis, keepdims=True, initial=-np.inf)
    top[top == -np.inf] = 0  # -inf - -inf would be NaN
    scores -= top
    np.exp(scores, out=scores)
    totals = scores.sum(axis, keepdims=True)
    totals[totals == 0] = 1
    return totals


def _softmax_in_place(scores, axis=-1):
    scores /= _exp_in_place(scores, axis)
    return scores


# Checks of arguments ---------------------------------------------------------------------------


def _real_arrays(**named):
    """The dtype to return, then the arguments as arrays of the dtype to compute in."""
    arrays = [_real_array(name, value) for name, value in named.items()]
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays))
    compute = np.float32 if dtype == np.float16 else dtype
    return dtype, *(a.astype(compute, copy=False) for a in arrays)


def _real_array(name, value):
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, whose hidden entries would be read; fill them and hide keys with mask"
        )
    try:
        array = np.asarray(value)
    except Exception as error:
        raise ValueError(f"{name} does not make an array: {error}") from error
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold real numbers, got {type(value).__name__} of dtype {array.dtype}")
    return array


def _attention_arguments(q, k, v, mask, is_causal, scale):
    """The dtype to return, then q, k, v, mask and scale, checked and ready."""
    dtype, q, k, v = _real_arrays(q=q, k=k, v=v)
    _check_shapes(q, k, v)
    if not isinstance(is_causal, (bool, np.bool_)):
        raise TypeError(f"is_causal must be True or False, got {type(is_causal).__name__}")
    if mask is not None:
        leading = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
        mask = _mask_for(mask, (*leading, q.shape[-2], k.shape[-2]), q.dtype)
    return dtype, q, k, v, mask, _scale_or_default(scale, q)


def _check_shapes(q, k, v=None):
    named = {"q": q, "k": k} if v is None else {"q": q, "k": k, "v": v}
    for name, array in named.items():
        if array.ndim < 2:
            raise ValueError(f"{name} must have at least two axes, (..., length, d), got shape {array.shape}")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q and k must agree in d_k, their last axis: q has shape {q.shape}, k has shape {k.shape}"
        )
    if q.shape[-1] == 0:
        raise ValueError(f"q and k must have d_k of at least 1: q has shape {q.shape}, k has shape {k.shape}")
    if v is not None and k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"k and v must agree in Lk, one value a key: k has shape {k.shape}, v has shape {v.shape}"
        )
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in named.values()))
    except ValueError:
        shapes = ", ".join(f"{name} has shape {array.shape}" for name, array in named.items())
        raise ValueError(f"the leading axes of {' and '.join(named)} must broadcast: {shapes}") from None


def _mask_for(mask, shape, dtype):
    """mask as a view of that shape: boolean, or floating and safe to add to that dtype."""
    mask = _real_array("mask", mask)
    if mask.dtype.kind in "iu":
        raise TypeError(
            f"mask must be boolean, True where a query may attend, or floating, to be added; got {mask.dtype}. "
            "0 and 1 mean opposite things in different libraries: "
            "pass mask != 0 if 1 means may attend, mask == 0 if 1 means hidden"
        )
    # fmax passes over NaN
    if mask.dtype.kind == "f" and np.fmax.reduce(mask, axis=None, initial=-np.inf) > np.finfo(dtype).max:
        raise ValueError(
            f"mask must not hold +inf (in {dtype}): added to a score it leaves no shares to give"
        )
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask must broadcast to the scores without stretching them: mask has shape {mask.shape}, scores have shape {shape}"
        ) from None


def _scale_or_default(scale, q):
    if scale is None:
        return 1 / math.sqrt(q.shape[-1])
    try:
        number = _real_array("scale", float(scale) if type(scale) is int else scale)
    except OverflowError:
        raise ValueError("scale must be finite, got an integer too large for a float") from None
    if number.ndim or number.dtype == bool:
        raise TypeError(f"scale must be one real number, got {type(scale).__name__} of shape {number.shape}")
    if not abs(float(number)) <= np.finfo(q.dtype).max:
        raise ValueError(f"scale must be finite in {q.dtype}, got {scale}")
    return float(number)


def _axis_of(x, axis, name="x"):
    axis = _integer("axis", axis)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis {axis} is not an axis of {name}, which has shape {x.shape}")
    return axis


def _integer(name, value):
    try:
        if not isinstance(value, (bool, np.bool_)):
            return index(value)
    except TypeError:
        pass
    raise TypeError(f"{name} must be one integer, got {type(value).__name__}")


def _count(name, value, least=0):
    number = _integer(name, value)
    if not least <= number <= MOST:
        raise ValueError(f"{name} must be from {least} to {MOST}, got {number}")
    return number
