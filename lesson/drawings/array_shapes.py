"""Checks of what a drawing is given: shapes of arrays and numbers of names must fit."""

import numpy as np


def checked_arrays(**given):
    """The arrays as floats. Each argument is (array, shape); raises ValueError if one does not fit.

    A shape names its axes: "Lq d_k". A digit is a size; a word is the same size wherever it stands.
    """
    sizes, checked = {}, []
    for name, (value, shape) in given.items():
        array, axes = np.asarray(value, dtype=float), shape.split()
        fits = array.ndim == len(axes) and array.size and np.isfinite(array).all()
        for axis, size in zip(axes, array.shape):
            fits = fits and size == (int(axis) if axis.isdigit() else sizes.setdefault(axis, size))
        if not fits:
            known = "".join(f"; {axis} is {sizes[axis]}" for axis in axes if axis in sizes)
            raise ValueError(
                f"{name} must be finite numbers ({', '.join(axes)}), got shape {array.shape}{known}"
            )
        checked.append(array)
    return checked


def check_length(name, items, length):
    """Raises ValueError if there are more or fewer items, such as names of tokens."""
    if len(items) != length:
        raise ValueError(f"{name} must be {length}, got {len(items)}")
