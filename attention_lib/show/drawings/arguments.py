"""The check of the arrays that a drawing is given: their shapes must fit."""

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
            fits = fits and size == sizes.setdefault(axis, int(axis) if axis.isdigit() else size)
        if not fits:
            known = "".join(f"; {axis} is {sizes[axis]}" for axis in axes if axis in sizes)
            raise ValueError(
                f"{name} must be finite numbers ({', '.join(axes)}), got shape {array.shape}{known}"
            )
        checked.append(array)
    return checked
