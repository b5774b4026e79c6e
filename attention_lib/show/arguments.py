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


def outlined_cells(outline, shape):
    """`outline`, which is one pair (row, column), several or None, as a list of pairs inside `shape`."""
    if outline is None or np.size(outline) == 0:
        return []
    pairs = np.atleast_2d(np.asarray(outline))
    if pairs.shape[1:] != (2,) or pairs.dtype.kind not in "iu":
        raise ValueError(
            f"outline must be (row, column), or several such pairs, in integers: it is {outline!r}"
        )
    if (pairs < 0).any() or (pairs >= shape).any():
        raise ValueError(
            f"outline must be (row, column) of values, counted from 0 within {shape}: it is {outline!r}"
        )
    return [(int(row), int(column)) for row, column in pairs]
