"""Checks of the arguments of `show`'s functions: errors name the argument and what it must be."""

import numpy as np

from attention_lib import arguments
from attention_lib.arguments import list_of_names, real_array


def matrix(values, queries, keys):
    """`values` as floats, if they have a row a query and a column a key."""
    values = real_array("values", values).astype(float)
    if values.shape != (len(queries), len(keys)):
        raise ValueError(
            f"values must have a row a query and a column a key: values has shape {values.shape}, "
            f"with {len(queries)} queries and {len(keys)} keys"
        )
    return values


def allowed_cells(allowed, shape):
    """`allowed` as booleans of this shape; None allows every cell."""
    allowed = real_array("allowed", True if allowed is None else allowed)
    if allowed.dtype != bool:
        raise TypeError(f"allowed must be boolean, True where a query may attend, got {allowed.dtype}")
    try:
        return np.broadcast_to(allowed, shape)
    except ValueError:
        raise ValueError(
            f"allowed must broadcast to values: allowed has shape {allowed.shape}, values {shape}"
        ) from None


def outlined_cells(outline, shape):
    """`outline`, which is one pair (row, column), several or None, as a list of pairs inside `shape`."""
    pairs = real_array("outline", () if outline is None else outline)
    if not pairs.size:
        return []
    pairs = np.atleast_2d(pairs)
    are_pairs = pairs.shape[1:] == (2,) and pairs.dtype.kind in "iu"
    if not are_pairs or not ((pairs >= 0) & (pairs < shape)).all():
        raise ValueError(
            "outline must be (row, column), or several such pairs, in integers from 0 on and within the "
            f"shape of values, {shape}: it is {outline!r}"
        )
    return [(int(row), int(column)) for row, column in pairs]


def weights_of_heads(weights):
    """`weights` as floats, if they are (layers, heads, Lq, Lk), from 0 to 1 or NaN."""
    weights = arguments.sized("weights", weights, "any layers heads Lq Lk", {})
    low, high = np.fmin.reduce(weights, axis=None), np.fmax.reduce(weights, axis=None)  # they pass over NaN
    if low < -1e-6 or high > 1 + 1e-6:
        raise ValueError(
            f"weights must be from 0 to 1, as softmax returns them: they are from {low:g} to {high:g}"
        )
    return weights


def frame(name, given):
    """`given`, if it is a DataFrame."""
    import pandas as pd

    if not isinstance(given, pd.DataFrame):
        raise TypeError(f"{name} must be a pandas DataFrame, got {type(given).__name__}")
    return given


def numbers_of_table(table):
    """The numbers of a DataFrame as floats (rows, columns), if it has both; what is missing is NaN."""
    import pandas as pd

    if not frame("table", table).size:
        raise ValueError(f"table must have at least one row and one column: it has shape {table.shape}")
    table = table.infer_objects()
    for column, dtype in zip(table.columns, table.dtypes):
        if not (pd.api.types.is_any_real_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype)):
            raise TypeError(f"table must hold real numbers: its column {column!r} holds {dtype}")
    return table.to_numpy(dtype=float, na_value=np.nan)


def names_of_axes(axes):
    """`axes` as two strings: what a row and what a column is."""
    axes = [] if isinstance(axes, str) else list_of_names("axes", axes)
    if len(axes) != 2 or not all(isinstance(axis, str) for axis in axes):
        raise ValueError(f"axes must be two names, of what a row and what a column is: it is {axes!r}")
    return axes


def finite(name, value, shape=()):
    """`value` as finite floats of this shape, to which it broadcasts."""
    numbers = real_array(name, value).astype(float)
    try:
        numbers = np.broadcast_to(numbers, shape)
    except ValueError:
        numbers = np.array(np.nan)
    if not np.isfinite(numbers).all():
        panels = f", or one for each of {shape[0]} panels" if shape else ""
        raise ValueError(f"{name} must be one finite number{panels}: it is {value!r}")
    return numbers


def check_texts(**texts):
    """Each must be a string that is not empty, or None."""
    for name, text in texts.items():
        if text is not None:
            arguments.text(name, text)
