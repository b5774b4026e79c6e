"""Which numbers count as the same: equal up to the rounding of a dtype."""

import numpy as np

FLOAT64, FLOAT32 = np.dtype(float), np.dtype(np.float32)


def same(a, b, dtype=FLOAT64):
    """Equal up to the noise that another order of the same operations makes in this dtype."""
    if len(a) != len(b) or any(map(far, a, b)):
        return False
    rtol, atol = tolerance(dtype)
    with np.errstate(all="ignore"):
        return all(close(x, y, rtol, atol) for x, y in zip(a, b, strict=True))


def far(x, y):
    """Whether the first numbers differ clearly: that is quick, and thousands are compared."""
    return x.size and y.size and abs(x.item(0) - y.item(0)) > 0.1 * (1 + abs(y.item(0)))


def tolerance(dtype):
    """(rtol, atol). A sum to which 1e-6 was added is noticed in float64, and float16 gets no more than float32."""
    return (3e-5, 3e-6) if dtype.kind == "f" and dtype.itemsize <= 4 else (1e-7, 1e-9)


def close(x, y, rtol=1e-6, atol=1e-8):
    """np.allclose with NaN equal to NaN, without broadcasting, and faster."""
    if x.shape != y.shape:
        return False
    near = np.abs(x - y) < atol + rtol * np.abs(y)  # and infinity is not below infinity
    return bool(near.all() or (near | (x == y) | (np.isnan(x) & np.isnan(y))).all())


def shapes(parts):
    return [np.shape(part) for part in parts]


def same_but_for_nan(a, b, dtype):
    """Equal, with 0 in the place of NaN."""
    if any(map(far, a, b)):  # most are, and the rest takes long
        return False
    return same(*(tuple(np.where(np.isnan(part), 0, part) for part in parts) for parts in (a, b)), dtype)


def wrong_parts(run):
    """{index of a part of the answer: (what came back, what is right)} of the parts that are wrong."""
    pairs = zip(run.got, run.right, strict=False)
    return {i: (g, r) for i, (g, r) in enumerate(pairs) if not same((g,), (r,), run.dtype)}


def with_most_digits(runs):
    """The runs that are not in float32, if there are any: how numbers relate shows best in them."""
    return [run for run in runs if run.dtype != FLOAT32] or runs
