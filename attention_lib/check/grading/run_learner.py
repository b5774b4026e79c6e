"""Calling the learner's function: on copies, behind a screen, and with an eye on the clock."""

import contextlib
import inspect
import io
import linecache
import numbers
import random
import sys
import sysconfig
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

import attention_lib
from attention_lib import attention as al
from attention_lib import plain_python
from attention_lib.check.exercises import Exercise
from attention_lib.check.probes import Probe

FLOAT64 = np.dtype(float)
SLOW = (
    "Your function has been running for three seconds, and it may never end. To interrupt it, "
    "press the square (stop) above the notebook, or Ctrl+C in a terminal. "
    "Does a loop of yours ever stop?"
)


@dataclass
class Seen:
    """One probe: what went in, what came back, what should have come back."""

    exercise: Exercise
    probe: Probe
    right: tuple
    raw: object = None
    got: tuple | None = None
    dtype: np.dtype = FLOAT64
    error: BaseException | None = None
    line: str = ""  # where the error left the learner's own code
    invalid: bool = False  # NaN was made, as by infinity minus infinity, or may have been
    printed: str = ""
    changed: str = ""  # the argument that is not what it was
    library: set = field(default_factory=set)  # the library's functions that were called

    def note_invalid(self, *_):
        self.invalid = True

    @property
    def args(self):
        return self.probe.args

    @property
    def named_args(self):
        return dict(zip(self.exercise.arguments.split(), self.args, strict=False))

    @cached_property
    def ok(self):
        return self.got is not None and same(self.got, self.right, self.dtype)

    @property
    def booleans_came(self):
        return self.got is not None and self.dtype.kind == "b"

    @property
    def mask(self):
        return self.named_args.get("mask")

    @property
    def weights(self):
        """The part of the answer that has the shape of the weights, in whatever place it came."""
        fitting = (part for part in self.got[::-1] if part.shape == self.right[-1].shape)
        return next(fitting, self.got[-1])

    @property
    def hidden(self):
        """Which weights the mask forbids."""
        forbidden = False if self.mask is None else ~np.asarray(self.mask)
        return np.zeros(self.right[-1].shape, bool) | forbidden


def same(a, b, dtype=FLOAT64):
    """Equal up to the noise that another order of the same operations makes in this dtype."""
    if len(a) != len(b) or any(map(far, a, b)):
        return False
    rtol, atol = tolerance(dtype)
    with np.errstate(all="ignore"):
        return all(close(x, y, rtol, atol) for x, y in zip(a, b, strict=True))


def far(x, y):
    """Whether the first number says already that these are not the same: thousands are compared."""
    return x.size > 0 < y.size and abs(x.item(0) - y.item(0)) > 0.1 * (1 + abs(y.item(0)))


def tolerance(dtype):
    size = dtype.itemsize if dtype.kind == "f" else 8
    return {2: (1e-2, 1e-2), 4: (3e-5, 3e-6)}.get(size, (1e-6, 1e-8))


def close(x, y, rtol=1e-6, atol=1e-8):
    """np.allclose with NaN equal to NaN, and no broadcasting: faster, for this is asked a lot."""
    if x.shape != y.shape:
        return False
    near = np.abs(x - y) < atol + rtol * np.abs(y)  # and infinity is not below infinity
    return bool(near.all() or (near | (x == y) | (np.isnan(x) & np.isnan(y))).all())


def call(function, exercise, probe, right, watched=True):
    """Calls the function on copies, and leaves NumPy, screen and random numbers as they were."""
    seen, printed = Seen(exercise, probe, right), io.StringIO()
    copies = tuple(map(copied, probe.args))
    with contextlib.ExitStack() as stack:
        stack.enter_context(same_random_numbers())
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(np.errstate(all="ignore", invalid="call", call=seen.note_invalid))
        stack.enter_context(np.printoptions())
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(contextlib.redirect_stderr(printed))
        if watched:
            stack.enter_context(calls_of_the_library(seen))
        warnings.simplefilter("ignore")
        try:
            seen.raw = function(*copies)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            seen.error, seen.line = error, own_line(error)
    if seen.raw is not None and seen.raw is not ...:
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            seen.got, seen.dtype = arrays(seen.raw, len(exercise.parts))
    seen.printed = "" if printed.closed else printed.getvalue()
    for name, copy, original in zip(exercise.arguments.split(), copies, probe.args, strict=False):
        if not unchanged(copy, original):
            seen.changed = name
    return seen


def copied(argument):
    if isinstance(argument, Mapping):
        return {key: np.copy(value) for key, value in argument.items()}
    return np.copy(argument) if np.ndim(argument) else argument


def unchanged(copy, original):
    if isinstance(original, Mapping):
        return copy.keys() == original.keys() and all(
            np.array_equal(copy[key], value) for key, value in original.items()
        )
    return np.array_equal(copy, original)


def arrays(result, parts):
    """The result as float arrays, and the least precise of their dtypes, or a ValueError."""
    lists = (tuple, list) if parts == 2 else ()
    unpack = isinstance(result, lists) and len(result) == 2
    unpack = unpack or (parts == 2 and isinstance(result, tuple) and len(result) == 1)
    made = [numbers_of(part) for part in (result if unpack else (result,))]
    dtype = min((a.dtype for a in made), key=lambda d: d.itemsize if d.kind == "f" else 8)
    if dtype.itemsize > 4 and any(map(computed_in_float32, made)):
        dtype = np.dtype(np.float32)  # whatever it came back in
    return tuple(a.astype(float) for a in made), dtype


def numbers_of(part):
    if isinstance(part, np.ma.MaskedArray) or inspect.isgenerator(part):
        raise ValueError
    array = np.asarray(part)
    if array.dtype == object and all(isinstance(x, (numbers.Real, np.bool_)) for x in array.flat):
        booleans = all(isinstance(x, (bool, np.bool_)) for x in array.flat)
        array = array.astype(bool if booleans else float)
    if array.dtype.kind not in "fiub":
        raise ValueError
    return array


def computed_in_float32(array):
    if not array.size or array.dtype.kind != "f":
        return False
    return np.array_equal(array, array.astype(np.float32), equal_nan=True)


@contextlib.contextmanager
def same_random_numbers():
    numpy_state, python_state = np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        np.random.set_state(numpy_state)
        random.setstate(python_state)


SILENCERS = {np.errstate.__enter__.__code__, np.seterr.__code__}


def speaks_of_nan(code):
    return "nan" in map(str, (*code.co_names, *code.co_consts))


@contextlib.contextmanager
def calls_of_the_library(seen):
    """Notes calls of the library's own functions, and of what silences NumPy."""
    earlier, files = sys.getprofile(), (al.__file__, plain_python.__file__)

    def note(frame, event, _):
        code = frame.f_code
        public = code.co_name in attention_lib.__all__
        if event == "call" and public and code.co_filename in files:
            seen.library.add(code.co_name)
        if event == "call" and code in SILENCERS and not speaks_of_nan(frame.f_back.f_code):
            seen.invalid = True  # it may be: from here on nothing is heard of it

    if earlier is not None:  # somebody is measuring: leave that alone
        yield
        return
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


@contextlib.contextmanager
def patience(seconds=3.0):
    """Says after some seconds that the function may never end, and how to interrupt it.

    A thread says it, and not a signal: Windows has no alarm, and a front end may not run this in
    the main thread. Where there are no threads (Python in a browser), nothing is said.
    """
    clock = threading.Timer(seconds, print, (SLOW,), {"file": sys.stdout, "flush": True})
    clock.daemon = True
    with contextlib.suppress(RuntimeError):
        clock.start()
    try:
        yield
    finally:
        clock.cancel()


PACKAGE = Path(__file__).resolve().parents[1]
NOT_THEIRS = [
    str(PACKAGE),
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
]


def own_line(error):
    """The last line of the learner's own code on the way to the error, or ""."""
    found, trace = "", error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith((*NOT_THEIRS, "<__array_function__")):
            found = linecache.getline(code.co_filename, trace.tb_lineno).strip() or found
        trace = trace.tb_next
    return found
