"""The check of the arrays that a drawing is given."""

import numpy as np


def arrays(**given):
    """The arrays of numbers that are given, each as a pair of array and shape, if they have these shapes.

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
