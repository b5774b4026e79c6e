"""Checks of the arguments of `show`'s functions."""

import numpy as np


def matrix(values, queries, keys):
    """`values` as floats, if they have a row a query and a column a key."""
    values = np.asarray(values, dtype=float)
    if values.shape != (len(queries), len(keys)):
        raise ValueError(
            f"values must have a row a query and a column a key: values has shape {values.shape}, "
            f"with {len(queries)} queries and {len(keys)} keys"
        )
    return values


def allowed_cells(allowed, shape):
    """`allowed` as booleans of this shape; None allows every cell."""
    try:
        return np.broadcast_to(np.asarray(True if allowed is None else allowed, dtype=bool), shape)
    except ValueError:
        raise ValueError(
            f"allowed must broadcast to values: allowed has shape {np.shape(allowed)}, values {shape}"
        ) from None


def index_pairs(given, shape, *, name, meaning, owner):
    """`given`, which is one pair of indices, several or None, as a list of pairs inside `shape`."""
    if given is None or np.size(given) == 0:
        return []
    pairs = np.atleast_2d(np.asarray(given))
    if pairs.shape[1:] != (2,) or pairs.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {meaning}, or several such pairs, in integers: it is {given!r}")
    if (pairs < 0).any() or (pairs >= shape).any():
        raise ValueError(
            f"{name} must be {meaning} of {owner}, counted from 0 within {shape}: it is {given!r}"
        )
    return [(int(row), int(column)) for row, column in pairs]
