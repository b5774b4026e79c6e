"""Checks of arguments: one function a rule, with an error that names the argument.

Most return the argument ready to compute with; all raise ValueError or TypeError. `quiet` switches
NumPy's warnings about NaN and infinity off.
"""

import math
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from operator import index
from typing import Any, ParamSpec, TypeVar

import numpy as np

MOST_DECIMALS = 15  # which is all that a float has
LARGEST_SIZE = 2**31 - 1  # a larger length or size is refused as a slip
LARGEST_NUMBER = 1e100  # in a drawing: products and sums of smaller ones are finite
NUMBERS_AS_MASK = (
    "mask must be boolean, True where a query may attend, or floating, to be added to the scores; got {}. "
    "0 and 1 mean opposite things in different libraries: "
    "pass mask != 0 if 1 means may attend, mask == 0 if 1 means hidden"
)
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


def checked_by(check: Callable[..., Any]) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """A decorator: the function gets its arguments from `check`, and its result the dtype that `check` says.

    `check` takes the function's arguments and returns that dtype and a dictionary of them.
    """

    def decorate(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
        check.__qualname__ = function.__name__  # Python names it if an argument is missing

        @wraps(function)
        def check_and_call(*args: Given.args, **options: Given.kwargs) -> Returned:
            __tracebackhide__ = True
            with np.errstate(all="ignore"):
                dtype, ready = check(*args, **options)
                result: Any = function(**ready)
                if isinstance(result, tuple):
                    return type(result)(*(part.astype(dtype, copy=False) for part in result))
                return result.astype(dtype, copy=False)

        return check_and_call

    return decorate


# What `checked_by` takes: for each function of attention.py, the dtype of its result and its arguments, checked.


def of_scores(q, k):
    dtype, q, k = real_arrays(q=q, k=k)
    check_shapes(q, k)
    return dtype, {"q": q, "k": k}


def of_scaled_scores(q, k, scale=None):
    dtype, ready = of_scores(q, k)
    return dtype, ready | {"scale": scale_or_default(scale, ready["q"])}


def of_softmax(x, axis=-1):
    dtype, x = real_arrays(x=x)
    return dtype, {"x": x, "axis": axis_of(x, axis)}


def of_masked_softmax(scores, mask=None):
    dtype, scores = real_arrays(scores=scores)
    axis_of(scores, -1, name="scores")
    mask = None if mask is None else mask_for(mask, scores.shape, scores.dtype)  # (..., Lq, Lk)
    return dtype, {"scores": scores, "mask": mask}


def of_attention(q, k, v, mask=None, *, is_causal=False, scale=None):
    dtype, q, k, v = real_arrays(q=q, k=k, v=v)
    check_shapes(q, k, v)
    flag("is_causal", is_causal)
    if mask is not None:
        leading = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
        mask = mask_for(mask, (*leading, q.shape[-2], k.shape[-2]), q.dtype)
    ready = {"q": q, "k": k, "v": v, "mask": mask}
    return dtype, ready | {"is_causal": is_causal, "scale": scale_or_default(scale, q)}


def of_blocks(q, k, v, mask=None, *, is_causal=False, scale=None, block_size=128):
    dtype, ready = of_attention(q, k, v, mask, is_causal=is_causal, scale=scale)
    return dtype, ready | {"block_size": count("block_size", block_size, least=1)}


# One function a rule.


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
    check_leading(named, [array.shape[:-2] for array in named.values()])


def check_leading(named, leading):
    """The leading axes of the named arrays must broadcast."""
    try:
        np.broadcast_shapes(*leading)
    except ValueError:
        shapes = ", ".join(f"{name} has shape {array.shape}" for name, array in named.items())
        raise ValueError(f"the leading axes of {' and '.join(named)} must broadcast: {shapes}") from None


def gradient_arguments(q, k, v, weights, upstream, scale):
    """The dtype to return, then q, k, v, weights, upstream and scale, checked and ready."""
    dtype, *arrays = real_arrays(q=q, k=k, v=v, weights=weights, upstream=upstream)
    check_shapes(*arrays[:3])
    check_axes(
        *arrays, q="... Lq d_k", k="... Lk d_k", v="... Lk d_v", weights="... Lq Lk", upstream="... Lq d_v"
    )
    return dtype, *arrays, scale_or_default(scale, arrays[0])


def checked(**rules: Any) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """A decorator: a function's arguments, and what it gets for those that have a rule.

    A rule is a function of the argument's name and its value, or the name of one in this file, such as "count", or
    what `sized` takes, such as "Lq d_k". A word is the same size in all arguments.
    """

    def decorate(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
        parameters = signature(function)

        @wraps(function)
        def check_and_call(*args: Given.args, **options: Given.kwargs) -> Returned:
            __tracebackhide__ = True
            given, sizes = parameters.bind(*args, **options), {}
            for name, rule in rules.items():
                value, rule = given.arguments.get(name), globals().get(rule, rule)
                if name in given.arguments and value is not parameters.parameters[name].default:
                    by_axes = isinstance(rule, str)
                    given.arguments[name] = sized(name, value, rule, sizes) if by_axes else rule(name, value)
            return function(*given.args, **given.kwargs)

        return check_and_call

    return decorate


def sized(name, value, rule, sizes):
    """value, if it fits the rule and the sizes known so far.

    "Lq d_k" are finite numbers of that shape, "any Lq d_k" also NaN and infinity, "B L < classes" whole numbers from 0
    to below the size `classes`, or below a number, and "Lq names" is a list of names.
    """
    axes, _, limit = rule.partition(" < ")
    axes = axes.split()
    if axes[-1] == "names":
        array = np.array(list(map(str, list_of_names(name, value))))
        check_shape(name, array, axes[:-1], sizes)
        return array.tolist()
    if limit:
        array = indices(name, value, *((int(limit), "") if limit.isdigit() else sizes[limit]))
    else:
        array = real_array(name, value).astype(float)
    if axes[0] == "any":
        del axes[0]
    elif not (abs(array) < LARGEST_NUMBER).all():
        raise ValueError(f"{name} must be finite numbers below {LARGEST_NUMBER:g} in size, got others")
    check_shape(name, array, axes, sizes)
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def check_axes(*arrays, **axes):
    """Each array must have the axes that stand in its place, with one size for a word; "..." are any axes in front."""
    sizes: dict[str, tuple[Any, str]] = {}
    for array, (name, words) in zip(arrays, axes.items(), strict=True):
        check_shape(name, array, words.split(), sizes)


def check_shape(name, array, axes, sizes):
    """The array must have these axes: a number is a size, and a word the size that is known.

    `sizes` has for each word its size and whose it is; new ones are added.
    """
    known = [(axis, *sizes[axis]) for axis in dict.fromkeys(axes) if axis in sizes]
    ahead = array.ndim - len(axes) + 1
    shape = (array.shape[:ahead], *array.shape[ahead:]) if axes[0] == "..." and ahead >= 0 else array.shape
    fits = len(shape) == len(axes)
    for axis, size in zip(axes, shape):
        fits = fits and size == (int(axis) if axis.isdigit() else sizes.setdefault(axis, (size, name))[0])
    if not fits:
        where = "".join(f"; {axis} is {size} as in {whose}" for axis, size, whose in known)
        raise ValueError(f"{name} must have shape ({', '.join(axes)}), got shape {array.shape}{where}")


def list_of_names(name, given, of="names"):
    """`given` as a list: of tokens, for example. What pandas could not take as a label is refused."""
    try:
        names = [item.item() if isinstance(item, np.generic) else item for item in given]
        set(names)  # an array or a list is no label
        return names
    except TypeError:
        raise TypeError(f"{name} must be a list of {of}, got {type(given).__name__}: {given!r}") from None


def kind(fits, words):
    """A rule: the value, if `fits` is true of it; the error says in words what it must be."""

    def rule(name, value):
        if not fits(value):
            raise TypeError(f"{name} must be {words}, got {type(value).__name__}")
        return value

    return rule


string = kind(lambda x: isinstance(x, str), "one string")
flag = kind(lambda x: isinstance(x, (bool, np.bool_)), "True or False")
function = kind(callable, "a function")
dictionary = kind(lambda x: isinstance(x, Mapping), "a dict")
generator = kind(lambda x: isinstance(x, np.random.Generator), "a generator such as np.random.default_rng(0)")


def text(name, value):
    """value, if it is a string that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a string that is not empty, got {value!r}")
    return value


def parts(name, value, wanted):
    """What the function `name` returned, if it is a tuple or a list of as many parts as the wanted words."""
    names = wanted.split()
    if not isinstance(value, (tuple, list)) or len(value) != len(names):
        got = f"{len(value)} things" if isinstance(value, (tuple, list)) else type(value).__name__
        shape = f" of shape {value.shape}" if isinstance(value, np.ndarray) else ""
        raise TypeError(f"{name} must return {' and '.join(names)}, got {got}{shape}")
    return value


def part(name, what, value, shape):
    """A part of what the function `name` returned, as an array of this shape."""
    array = real_array(f"{what} returned by {name}", value)
    if array.shape != shape:
        raise ValueError(f"{name} must return {what} of shape {shape}, got shape {array.shape}")
    return array


def matrices_of(matrices, axes):
    """Copies of the matrices in float64, if they have the names and the axes that `axes` tells."""
    if set(dictionary("matrices", matrices)) != set(axes):
        raise ValueError(
            f"matrices must have the names {', '.join(axes)}, got {', '.join(map(str, matrices))}"
        )
    sizes: dict[str, tuple[int, str]] = {}
    copies = {name: sized(f'matrices["{name}"]', matrices[name], f"any {axes[name]}", sizes) for name in axes}
    return copies, sizes


def head_arguments(matrices, askers, tokens, targets, *, of=""):
    """The matrices, askers and tokens as float64, and targets as integers below the number of classes.

    `of` tells in errors where the batch comes from.
    """
    matrices, sizes = matrices_of(matrices, MATRICES_OF_HEAD)
    askers = sized(f"askers{of}", askers, "any B Lq d", sizes)
    tokens = sized(f"tokens{of}", tokens, "any B Lk d", sizes)
    targets = sized(f"targets{of}", targets, "B Lq < classes", sizes)
    return matrices, askers, tokens, targets


def layers_arguments(matrices, tokens, targets, n_heads):
    """The matrices as float64, tokens and targets as integers (B, L) in the vocabulary, and n_heads as an int."""
    matrices, sizes = matrices_of(matrices, MATRICES_OF_LAYERS)
    n_heads, d_model = count("n_heads", n_heads, least=1), sizes["d_model"][0]
    if d_model % (2 * n_heads):
        raise ValueError(
            f"n_heads must divide d_model = {d_model} of matrices into even parts, got {n_heads}"
        )
    tokens = sized("tokens", tokens, "B L < n_tokens", sizes)
    targets = sized("targets", targets, "B L < n_tokens", sizes)
    return matrices, tokens, targets, n_heads


def indices(name, value, n, of):
    """value as an array of integers from 0 to n - 1; `of` is what has this size, or empty."""
    array = real_array(name, value)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must hold integers, got dtype {array.dtype}")
    if array.size and not 0 <= array.min() <= array.max() < n:
        known = f", as in {of}" if of else ""
        raise ValueError(f"{name} must be from 0 to {n - 1}{known}, got {array.min()} to {array.max()}")
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
        pieces = np.nditer(mask, flags=["buffered", "external_loop", "zerosize_ok"])  # a mask may be large
        if largest == 1 and all(((piece == 0) | (piece == 1)).all() for piece in pieces):
            got = f"{mask.dtype} that holds nothing but 0 and 1, and at least one 1"
            to_add = "If 1 is to be added to some scores, add it first: masked_softmax(scores + mask)"
            raise TypeError(f"{NUMBERS_AS_MASK.format(got)}. {to_add}")
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask must broadcast to the scores without stretching them: mask has shape {mask.shape}, scores have shape {shape}"
        ) from None


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


def to_split(x, n_heads):
    """The dtype to return, x (..., L, H * d) and n_heads = H, checked and ready."""
    dtype, x = real_arrays(x=x)
    n_heads = count("n_heads", n_heads, least=1)
    if x.ndim < 2 or x.shape[-1] % n_heads:
        raise ValueError(
            f"x must be (..., L, H * d) with a last axis that n_heads = {n_heads} divides, got shape {x.shape}"
        )
    return dtype, x, n_heads


def check_pairs(x, pairs):
    """x must be (..., L, d) with an even d, and pairs one of the two layouts."""
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x must be (..., L, d) with an even d, to make pairs of, got shape {x.shape}")
    if not isinstance(pairs, str) or pairs not in ("halves", "neighbours"):
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


def check_sides(**named):
    """Outputs must be (..., Lq, d_v) and log sums (..., Lq), with leading axes that broadcast."""
    sizes: dict[str, tuple[Any, str]] = {}
    leading = []
    for name, array in named.items():
        axes = ["Lq", "d_v"] if name.startswith("output") else ["Lq"]
        leading.append(array.shape[: -len(axes)])
        check_shape(name, array, ["...", *axes], sizes)
        del sizes["..."]  # these may differ
    check_leading(named, leading)


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


def count(name, value, least=0, most=LARGEST_SIZE):
    """value as an int from `least` to `most`."""
    number = integer(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, got {number}")
    return number


def size(name, value):
    """value as an int from 1."""
    return count(name, value, least=1)
