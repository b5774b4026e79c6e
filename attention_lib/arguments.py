"""Checks of the arguments of attention.py, today.py and learning.py: one function a rule, with an error that names the argument.

Most return the argument ready to compute with; all raise ValueError or TypeError. `quiet` switches
NumPy's warnings about NaN and infinity off.
"""

import math
from collections.abc import Callable, Mapping
from functools import wraps
from operator import index
from typing import ParamSpec, TypeVar

import numpy as np

LARGEST_SIZE = 2**31 - 1  # a larger length or size is refused as a slip
NUMBERS_AS_MASK = (
    "mask must be boolean, True where a query may attend, or floating, to be added to the scores; got {}. "
    "0 and 1 mean opposite things in different libraries: "
    "pass mask != 0 if 1 means may attend, mask == 0 if 1 means hidden"
)
TO_ADD_ONE = ". If 1 is to be added to some scores, add it first: masked_softmax(scores + mask)"
MATRICES_OF_HEAD = {"w_q": "d d_k", "w_k": "d d_k", "w_v": "d d_v", "w_o": "d_v classes"}
MATRICES_OF_LAYERS = {
    "embedding": "n_tokens d_model",
    **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), "n_layers d_model d_model"),
    "unembedding": "d_model n_tokens",
}

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def quiet(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """The function with NumPy's floating-point warnings switched off while it runs."""

    @wraps(function)
    def quietly(*args: Given.args, **options: Given.kwargs) -> Returned:
        __tracebackhide__ = True  # leaves this frame out of IPython's tracebacks
        with np.errstate(all="ignore"):
            return function(*args, **options)

    return quietly


def real_arrays(**named):
    """The dtype to return, then the arguments as arrays of the dtype to compute in."""
    arrays = [real_array(name, value) for name, value in named.items()]
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays))
    compute = np.float32 if dtype == np.float16 else dtype
    return dtype, *(a.astype(compute, copy=False) for a in arrays)


def real_array(name, value):
    """value as an array of real numbers or booleans."""
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


def attention_arguments(q, k, v, mask, is_causal, scale):
    """The dtype to return, then q, k, v, mask and scale, checked and ready."""
    dtype, q, k, v = real_arrays(q=q, k=k, v=v)
    check_shapes(q, k, v)
    if not isinstance(is_causal, (bool, np.bool_)):
        raise TypeError(f"is_causal must be True or False, got {type(is_causal).__name__}")
    if mask is not None:
        leading = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
        mask = mask_for(mask, (*leading, q.shape[-2], k.shape[-2]), q.dtype)
    return dtype, q, k, v, mask, scale_or_default(scale, q)


def check_shapes(q, k, v=None):
    """q, k and v must have two axes or more, agree in d_k and Lk, and broadcast in front."""
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


def check_same_shape(**named):
    """Two arrays, of one axis or more, must have one shape."""
    (first, a), (second, b) = named.items()
    if a.ndim == 0 or a.shape != b.shape:
        raise ValueError(
            f"{first} and {second} must have one shape, (..., Lq, Lk): {first} has shape {a.shape}, "
            f"{second} has shape {b.shape}"
        )


def gradient_arguments(q, k, v, weights, upstream, scale):
    """The dtype to return, then q, k, v, weights, upstream and scale, checked and ready."""
    dtype, q, k, v, weights, upstream = real_arrays(q=q, k=k, v=v, weights=weights, upstream=upstream)
    check_shapes(q, k, v)
    *leading, n_queries, _ = q.shape
    n_keys, d_v = v.shape[-2:]
    shapes = {
        "k": (*leading, n_keys, q.shape[-1]),
        "v": (*leading, n_keys, d_v),
        "weights": (*leading, n_queries, n_keys),
        "upstream": (*leading, n_queries, d_v),
    }
    for (name, shape), array in zip(shapes.items(), (k, v, weights, upstream), strict=True):
        if array.shape != shape:
            raise ValueError(
                f"{name} must have shape {shape} for q of shape {q.shape}, got shape {array.shape}"
            )
    return dtype, q, k, v, weights, upstream, scale_or_default(scale, q)


def check_axes(**given):
    """Each (array, axes), such as (q, "Lq d_k"), must fit and not be empty.

    A word is the same size wherever it stands, and a number is a size.
    """
    sizes: dict[str, int] = {}
    for name, (array, words) in given.items():
        axes = words.split()
        known = "".join(f"; {axis} is {sizes[axis]}" for axis in dict.fromkeys(axes) if axis in sizes)
        fits = array.ndim == len(axes) and array.size
        for axis, size in zip(axes, array.shape):
            fits = fits and size == (int(axis) if axis.isdigit() else sizes.setdefault(axis, size))
        if not fits:
            raise ValueError(f"{name} must have shape ({', '.join(axes)}), got shape {array.shape}{known}")


def check_is_function(name, value):
    """value must be callable."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {type(value).__name__}")


def check_is_generator(rng):
    """rng must be one of NumPy's generators."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a generator such as np.random.default_rng(0), got {type(rng).__name__}")


def parts(name, value, wanted):
    """value, if it is a tuple or a list of as many parts as the wanted ones, which are named in the error."""
    names = wanted.split()
    if not isinstance(value, (tuple, list)) or len(value) != len(names):
        got = f"{len(value)} things" if isinstance(value, (tuple, list)) else type(value).__name__
        shape = f" of shape {value.shape}" if isinstance(value, np.ndarray) else ""
        raise TypeError(f"{name} must return {', '.join(names)}, got {got}{shape}")
    return value


def matrices_of(matrices, axes):
    """Copies of the matrices in float64, if they have the names and the axes that `axes` tells."""
    if not isinstance(matrices, Mapping):
        raise TypeError(f"matrices must be a dict of arrays, got {type(matrices).__name__}")
    if set(matrices) != set(axes):
        raise ValueError(
            f"matrices must have the names {', '.join(axes)}, got {', '.join(map(str, matrices))}"
        )
    labels = {name: f'matrices["{name}"]' for name in axes}
    copies = {name: real_array(labels[name], matrix).astype(np.float64) for name, matrix in matrices.items()}
    check_axes(**{labels[name]: (copies[name], axes[name]) for name in axes})
    return copies


def head_arguments(matrices, askers, tokens, targets, *, of=""):
    """The matrices, askers and tokens as float64, and targets as integers below the number of classes.

    `of` tells in errors where the batch comes from.
    """
    matrices = matrices_of(matrices, MATRICES_OF_HEAD)
    d, n_classes = len(matrices["w_q"]), matrices["w_o"].shape[1]
    names = [name + of for name in ("askers", "tokens", "targets")]
    askers, tokens = (real_array(*named).astype(np.float64) for named in zip(names, (askers, tokens)))
    targets = indices(names[2], targets, n_classes)
    axes = (askers, f"B Lq {d}"), (tokens, f"B Lk {d}"), (targets, "B Lq")
    check_axes(**dict(zip(names, axes)))
    return matrices, askers, tokens, targets


def gradients_of(q, k, v, returned):
    """What the caller's function `gradients` returned, as three arrays of the shapes of q, k and v."""
    arrays = [
        real_array(f"the part for {name} that gradients returns", part)
        for name, part in zip("qkv", parts("gradients", returned, "of_q of_k of_v"))
    ]
    for name, array, of in zip("qkv", arrays, (q, k, v)):
        if array.shape != of.shape:
            raise ValueError(f"gradients must return shape {of.shape} for {name}, got shape {array.shape}")
    return arrays


def layers_sizes(n_tokens, d_model, n_layers, rng):
    """The three sizes as integers from 1; d_model even, and rng a generator."""
    sizes = {"n_tokens": n_tokens, "d_model": d_model, "n_layers": n_layers}
    n_tokens, d_model, n_layers = (count(name, size, least=1) for name, size in sizes.items())
    if d_model % 2:
        raise ValueError(f"d_model must be even, to make pairs of, got {d_model}")
    check_is_generator(rng)
    return n_tokens, d_model, n_layers


def layers_arguments(matrices, tokens, targets, n_heads):
    """The matrices as float64, tokens and targets as integers (B, L) in the vocabulary, and n_heads as an int."""
    matrices = matrices_of(matrices, MATRICES_OF_LAYERS)
    n_tokens, d_model = matrices["embedding"].shape
    n_heads = count("n_heads", n_heads, least=1)
    if d_model % (2 * n_heads):
        raise ValueError(f"n_heads must divide d_model = {d_model} into even parts, got {n_heads}")
    tokens, targets = (indices(*named, n_tokens) for named in (("tokens", tokens), ("targets", targets)))
    check_axes(tokens=(tokens, "B L"), targets=(targets, "B L"))
    return matrices, tokens, targets, n_heads


def indices(name, value, n):
    """value as an array of integers from 0 to n - 1."""
    array = real_array(name, value)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must hold integers, got dtype {array.dtype}")
    if array.size and not 0 <= array.min() <= array.max() < n:
        raise ValueError(f"{name} must be from 0 to {n - 1}, got {array.min()} to {array.max()}")
    return array.astype(np.intp)


def mask_for(mask, shape, dtype):
    """mask as a view of that shape: boolean, or floating and safe to add to that dtype."""
    mask = real_array("mask", mask)
    if mask.dtype.kind in "iu":
        raise TypeError(NUMBERS_AS_MASK.format(mask.dtype))
    if mask.dtype.kind == "f":
        largest = np.fmax.reduce(mask, axis=None, initial=-np.inf)  # fmax passes over NaN
        if largest > np.finfo(dtype).max:
            raise ValueError(
                f"mask must not hold +inf (in {dtype}): added to a score it leaves no weights to give"
            )
        if largest == 1 and is_zeros_and_ones(mask):
            got = f"{mask.dtype} that holds nothing but 0 and 1, and at least one 1"
            raise TypeError(NUMBERS_AS_MASK.format(got) + TO_ADD_ONE)
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask must broadcast to the scores without stretching them: mask has shape {mask.shape}, scores have shape {shape}"
        ) from None


def is_zeros_and_ones(array):
    """Whether no other number is in the array, which is read in pieces: a mask may be large."""
    pieces = np.nditer(array, flags=["buffered", "external_loop"])
    return all(((piece == 0) | (piece == 1)).all() for piece in pieces)


def scale_or_default(scale, q):
    """scale as a float, 1/sqrt(d_k) if it is None."""
    return 1 / math.sqrt(q.shape[-1]) if scale is None else finite("scale", scale, q.dtype)


def finite(name, value, dtype=np.float64):
    """value as a float that is finite in this dtype."""
    try:
        # NumPy makes an object of a very large int
        number = real_array(name, float(value) if type(value) is int else value)
    except OverflowError:
        raise ValueError(f"{name} must be finite, got an integer too large for a float") from None
    if number.ndim or number.dtype == bool:
        raise TypeError(f"{name} must be one real number, got {type(value).__name__} of shape {number.shape}")
    if not abs(float(number)) <= np.finfo(dtype).max:
        raise ValueError(f"{name} must be finite in {np.dtype(dtype)}, got {value}")
    return float(number)


def positive(name, value):
    """value as a finite float above 0."""
    number = finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be positive, got {value}")
    return number


def lengths_and_longest(lengths, max_length):
    """lengths as floats of shape (B,), whole and not negative, and the length of the padded axis."""
    lengths = real_array("lengths", lengths)
    if lengths.dtype == bool:
        raise TypeError("lengths must be numbers, got booleans: count the real tokens of each sequence first")
    if lengths.ndim != 1:
        raise ValueError(f"lengths must be one number a sequence, shape (B,), got shape {lengths.shape}")
    lengths = lengths.astype(np.float64)
    longest = LARGEST_SIZE if max_length is None else count("max_length", max_length)
    if not np.all((lengths >= 0) & (lengths <= longest) & (lengths == np.floor(lengths))):
        raise ValueError(
            f"lengths must be whole numbers from 0 to max_length, {longest}, got {lengths.tolist()}"
        )
    if max_length is None:
        longest = int(lengths.max(initial=0))
    return lengths, longest


def check_splits(x, n_heads):
    """x must be (..., L, H * d) for H heads."""
    if x.ndim < 2 or x.shape[-1] % n_heads:
        raise ValueError(
            f"x must be (..., L, H * d) with a last axis that n_heads = {n_heads} divides, got shape {x.shape}"
        )


def check_has_heads(x):
    """x must be (..., H, L, d)."""
    if x.ndim < 3:
        raise ValueError(f"x must be (..., H, L, d), three axes or more, got shape {x.shape}")


def check_pairs(x, pairs):
    """x must be (..., L, d) with an even d, and pairs one of the two layouts."""
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x must be (..., L, d) with an even d, to make pairs of, got shape {x.shape}")
    if pairs not in ("halves", "neighbours"):
        raise ValueError(f'pairs must be "halves" or "neighbours", got {pairs!r}')


def positions_of(x, positions):
    """positions as a view of shape (..., L), one for each vector of x."""
    positions = np.arange(x.shape[-2]) if positions is None else real_array("positions", positions)
    try:
        return np.broadcast_to(positions.astype(np.float64), x.shape[:-1])
    except ValueError:
        raise ValueError(
            "positions must be (L,) or broadcast to (..., L): "
            f"positions has shape {positions.shape}, x has shape {x.shape}"
        ) from None


def check_sides(output_a, log_sum_a, output_b, log_sum_b):
    """Outputs must be (..., Lq, d_v) and log sums (..., Lq), with leading axes that broadcast."""
    rows = [output_a.shape[:-1], log_sum_a.shape, output_b.shape[:-1], log_sum_b.shape]
    same_lq = () not in rows and len({row[-1] for row in rows}) == 1
    try:
        np.broadcast_shapes(*rows)
        if same_lq and output_a.shape[-1] == output_b.shape[-1]:
            return
    except ValueError:
        pass
    raise ValueError(
        "outputs must be (..., Lq, d_v) and log sums (..., Lq), with the same Lq and d_v and leading axes "
        f"that broadcast: output_a has shape {output_a.shape}, log_sum_a has shape {log_sum_a.shape}, "
        f"output_b has shape {output_b.shape}, log_sum_b has shape {log_sum_b.shape}"
    )


def axis_of(x, axis, name="x"):
    """axis as an integer that is an axis of x."""
    axis = integer("axis", axis)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis {axis} is not an axis of {name}, which has shape {x.shape}")
    return axis


def integer(name, value):
    """value as an int; a float or a boolean is refused."""
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass
    raise TypeError(f"{name} must be one integer, got {type(value).__name__}")


def count(name, value, least=0):
    """value as an int from `least` to LARGEST_SIZE."""
    number = integer(name, value)
    if not least <= number <= LARGEST_SIZE:
        raise ValueError(f"{name} must be from {least} to {LARGEST_SIZE}, got {number}")
    return number
