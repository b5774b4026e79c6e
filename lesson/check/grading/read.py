"""Reads what a call gave back: as arrays of numbers, and how precise they are."""

import contextlib
import inspect
import numbers
from collections.abc import Mapping

import numpy as np

from lesson.check.compare import FLOAT32, same

MANY_NUMBERS = 300_000  # so many more than were asked for are not looked at


def read_result(run):
    """Notes what came back as float arrays, and how precise it is. A result that holds no numbers is left alone."""
    if run.gave_nothing:
        return
    with contextlib.suppress(Exception), np.errstate(all="ignore"):  # an object may fail as it likes
        arrays = arrays_of(run)
        if sum(a.size for a in arrays) > MANY_NUMBERS + 10 * sum(right.size for right in run.right):
            run.too_large = " and ".join(str(a.shape) for a in arrays)
            return
        cut = any(is_single(a) and not is_single(right) for a, right in zip(arrays, run.right, strict=False))
        given_single = any(np.asarray(a).dtype == FLOAT32 for a in flat(run.args))
        run.loses_digits = cut and not given_single
        returned_single = any(a.dtype.kind == "f" and a.dtype.itemsize <= 4 for a in arrays)
        run.dtype = FLOAT32 if cut or given_single or returned_single else arrays[0].dtype
        run.got = tuple(a.astype(float) for a in arrays)
        if run.exercise.float32_inside and not same(run.got, run.right, run.dtype):
            run.loses_digits = run.dtype != FLOAT32 and same(run.got, run.right, FLOAT32)
            run.dtype = FLOAT32 if run.loses_digits else run.dtype


def arrays_of(run):
    """The parts of what was returned as arrays, or a ValueError."""
    result, parts = run.returned, len(run.exercise.parts)
    in_parts = parts > 1 and isinstance(result, (tuple, list)) and len(result) in (1, parts)
    return [array_of_numbers(part) for part in (result if in_parts else (result,))]


def flat(args):
    """The arguments, with all entries of a dict among them."""
    return [x for a in args for x in (a.values() if isinstance(a, Mapping) else [a])]


def array_of_numbers(part):
    if np.ma.is_masked(part) or inspect.isgenerator(part):
        raise ValueError
    array = np.asarray(part)
    if array.dtype == object and all(isinstance(x, (numbers.Real, np.bool_)) for x in array.flat):
        array = array.astype(float)
    if array.dtype.kind not in "fiub":
        raise ValueError
    return array


def is_single(array):
    """Whether float32 holds these numbers exactly, in whatever dtype they came. Whole numbers do not tell."""
    if array.dtype.kind != "f" or np.array_equal(array, np.round(array), equal_nan=True):
        return False
    return np.array_equal(array, array.astype(np.float32), equal_nan=True)


def result_changed_later(run):
    """Whether what was returned holds other numbers by now, or none."""
    if run.got is None:
        return False
    with contextlib.suppress(Exception):
        pairs = zip(arrays_of(run), run.got, strict=True)
        return not all(np.array_equal(now.astype(float), then, equal_nan=True) for now, then in pairs)
    return True
