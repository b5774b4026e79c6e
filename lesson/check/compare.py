"""Which numbers count as the same: equal up to the rounding of a dtype. And the fate of a row: fine, lost or other."""

from collections.abc import Mapping

import numpy as np

FLOAT64, FLOAT32 = np.dtype(float), np.dtype(np.float32)
FINE, LOST, OTHER = range(3)  # the fate of a row; lost is one of NaN, infinity or nothing but zeros


def same(a, b, dtype=FLOAT64):
    """Equal up to the noise that another order of the same operations makes in this dtype."""
    single = dtype.kind == "f" and dtype.itemsize <= 4  # float16 gets no more noise than float32
    rtol, atol = (3e-5, 3e-6) if single else (1e-7, 1e-9)  # notices a sum to which 1e-6 was added
    return len(a) == len(b) and all(close(x, y, rtol, atol) for x, y in zip(a, b, strict=True))


def close(x, y, rtol=1e-6, atol=1e-8):
    """Whether all numbers are near, NaN near NaN, without broadcasting. NumPy's warnings must be off, as in verdict_on."""
    if x.shape != y.shape:
        return False
    near = np.abs(x - y) < atol + rtol * np.abs(y)
    # For equal infinities x - y is NaN: x == y finds them.
    return bool(near.all() or (near | (x == y) | (np.isnan(x) & np.isnan(y))).all())


def shapes(parts):
    return [np.shape(part) for part in parts]


def flat(args):
    """The arguments, with all entries of a dict among them."""
    return [x for a in args for x in (a.values() if isinstance(a, Mapping) else [a])]


def precision_of(args):
    """float32 if one of the arguments has no more digits."""
    return FLOAT32 if any(np.asarray(a).dtype == FLOAT32 for a in flat(args)) else FLOAT64


def fates(parts, right_parts):
    """The fate of each row of the last part, beside the right one; a single OTHER if the shape is not the same."""
    got, right = np.atleast_1d(parts[-1]), np.atleast_1d(right_parts[-1])
    if got.shape != right.shape:
        return np.array([OTHER])
    lost = ~np.isfinite(got).all(-1) | (got == 0).all(-1)
    near = np.isclose(got, right, 1e-4, 1e-5, equal_nan=True).all(-1)
    return np.select([near, lost], [FINE, LOST], OTHER).ravel()


def equal(one, other):
    """Whether two arguments hold the same numbers; nothing else is compared."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    return np.array_equal(one, other)
