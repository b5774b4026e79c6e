"""Scaled dot-product attention with lists and the math module alone, to be read aloud.

A matrix is a list of rows. `allowed` is a matrix of True and False: may this query attend to
this key? The formulas come first; below them stands what their arguments must be, which NumPy checks.
`attention_lib.attention` does the same, faster.
"""

import math
from functools import wraps
from types import FunctionType

from attention_lib import arguments


def dot(a, b):
    """The sum of the products, pair by pair."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def scores(queries, keys):
    """Every query with every key, divided by the square root of their dimension."""
    return [[dot(q, k) / math.sqrt(len(k)) for k in keys] for q in queries]


def softmax(row):
    """Weights of one row, never negative, adding up to 1; zeros where every score is minus infinity."""
    top = max(row, default=-math.inf)
    if top == -math.inf:
        return [0.0 for _ in row]
    exponentials = [math.exp(x - top) for x in row]
    total = sum(exponentials)
    return [e / total for e in exponentials]


def mask(matrix, allowed):
    """The scores, with minus infinity wherever a query may not look."""
    return [
        [x if may else -math.inf for x, may in zip(row, may_row, strict=True)]
        for row, may_row in zip(matrix, allowed, strict=True)
    ]


def weighted_average(weights, values):
    """One row: each column of the values, weighted and summed."""
    columns = zip(*values, strict=True)
    return [dot(weights, column) for column in columns]


def attention(queries, keys, values):
    """The outputs and the weights, nothing hidden."""
    weights = [softmax(row) for row in scores(queries, keys)]
    return [weighted_average(row, values) for row in weights], weights


def masked_attention(queries, keys, values, allowed):
    """The outputs and the weights, where `allowed` says who may look where."""
    weights = [softmax(row) for row in mask(scores(queries, keys), allowed)]
    return [weighted_average(row, values) for row in weights], weights


# What the arguments must be: an axis has one length wherever its name stands.

SHAPES = {
    "dot": {"a": "n", "b": "n"},
    "scores": {"queries": "Lq d_k", "keys": "Lk d_k"},
    "softmax": {"row": "n"},
    "mask": {"matrix": "Lq Lk", "allowed": "Lq Lk"},
    "weighted_average": {"weights": "Lk", "values": "Lk d_v"},
    "attention": {"queries": "Lq d_k", "keys": "Lk d_k", "values": "Lk d_v"},
    "masked_attention": {"queries": "Lq d_k", "keys": "Lk d_k", "values": "Lk d_v", "allowed": "Lq Lk"},
}


def _checked(function, shapes):
    """The function, which then raises ValueError or TypeError if an argument is not as SHAPES says."""

    @wraps(function)  # so that help() and inspect show the formula
    def check_and_call(*given, **named):
        values = dict(zip(shapes, given)) | named
        sizes: dict[str, tuple[int, str]] = {}
        for name in filter(values.__contains__, shapes):
            array = arguments.real_array(name, values[name])
            if array.size and (array.dtype == bool) != (name == "allowed"):
                wanted = "True and False" if name == "allowed" else "numbers"
                raise TypeError(f"{name} must hold {wanted}, got dtype {array.dtype}")
            arguments.check_shape(name, array, shapes[name].split(), sizes)
            if 0 in sizes.get("d_k", ()):
                raise ValueError(f"{name} must have d_k of at least 1, got shape {array.shape}")
        return function(*given, **named)

    return check_and_call


# Copies of the formulas that call one another: so a call from outside is checked, once, and theirs are not.
_formulas = globals().copy()
for _name, _shapes in SHAPES.items():
    _formulas[_name] = FunctionType(_formulas[_name].__code__, _formulas)  # the formula, in this namespace
    globals()[_name] = _checked(_formulas[_name], _shapes)
