"""Calls the learner's function on copies of a probe's arguments, and records its result, error and prints.

It also has the comparison of results: `same`, up to the rounding of a dtype.
"""

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
from attention_lib import arguments, attention, plain_python, today

FLOAT64, FLOAT32 = np.dtype(float), np.dtype(np.float32)
MANY_NUMBERS = 300_000  # so many more than were asked for are not looked at
SLOW = (
    "Your function has been running for three seconds, and it may never end. To interrupt it, "
    "press the square (stop) above the notebook, or Ctrl+C in a terminal. "
    "Does a loop of yours ever stop?"
)


@dataclass
class Run:
    """One call of the learner's function: what went in, what came back, what should have come back."""

    exercise: object
    probe: object
    right: tuple  # of float arrays
    returned: object = None
    got: tuple | None = None  # what was returned, as float arrays; None if it cannot be read as numbers
    dtype: np.dtype = FLOAT64  # float32 if the arguments or the result have no more digits than that
    loses_digits: bool = False  # the result has no more digits than float32, and the arguments have
    too_large: str = ""  # the shapes of a result that is too large to be compared
    error: BaseException | None = None
    error_line: str = ""  # the learner's line that raised it
    may_have_made_nan: bool = False  # an invalid operation was seen, or NumPy was told not to report any
    printed: str = ""
    changed_argument: str = ""
    library_calls: set = field(default_factory=set)  # names of the library's functions

    def note_invalid(self, *_):
        self.may_have_made_nan = True

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
    def gave_booleans(self):
        return self.got is not None and self.dtype.kind == "b"

    @property
    def gave_nothing(self):
        return self.returned is None or self.returned is ...


def same(a, b, dtype=FLOAT64):
    """Equal up to the noise that another order of the same operations makes in this dtype."""
    if len(a) != len(b) or any(map(far, a, b)):
        return False
    rtol, atol = tolerance(dtype)
    with np.errstate(all="ignore"):
        return all(close(x, y, rtol, atol) for x, y in zip(a, b, strict=True))


def with_most_digits(runs):
    """The runs that are not in float32, if there are any: how numbers relate shows best in them."""
    return [run for run in runs if run.dtype != FLOAT32] or runs


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


def run_learner(function, exercise, probe, right, watched=True):
    """Calls the function on copies, and leaves NumPy's settings and the screen as they were."""
    run, printed = Run(exercise, probe, right), io.StringIO()
    copies = tuple(map(copied, probe.args))
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(np.errstate(all="ignore", invalid="call", call=run.note_invalid))
        stack.enter_context(np.printoptions())
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(contextlib.redirect_stderr(printed))
        if watched:
            stack.enter_context(watch_calls(run))
        warnings.simplefilter("ignore")
        try:
            run.returned = function(*copies)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            run.error, run.error_line = error, learners_line(error)
    if not run.gave_nothing:
        with contextlib.suppress(Exception), np.errstate(all="ignore"):  # an object may fail as it likes
            read_result(run)
    run.printed = "" if printed.closed else printed.getvalue()
    for name, copy, original in zip(exercise.arguments.split(), copies, probe.args, strict=False):
        if not unchanged(copy, original):
            run.changed_argument = name
    return run


def copied(argument):
    if isinstance(argument, Mapping):
        return {key: np.copy(value) for key, value in argument.items()}
    if isinstance(argument, list):
        return list(argument)
    return np.copy(argument) if np.ndim(argument) else argument


def unchanged(copy, original):
    if isinstance(original, Mapping):
        return copy.keys() == original.keys() and all(
            np.array_equal(copy[key], value) for key, value in original.items()
        )
    return np.array_equal(copy, original)


def read_result(run):
    """Notes the result as float arrays, and how precise it is. Raises a ValueError if it holds no numbers."""
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


@contextlib.contextmanager
def same_random_numbers():
    numpy_state, python_state = np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        np.random.set_state(numpy_state)
        random.setstate(python_state)


LIBRARY_FILES = (attention.__file__, plain_python.__file__, today.__file__)
LIBRARY_NAMES = (*attention_lib.__all__, "rotate", "repeat_heads", "merge")
SILENCERS = {np.errstate.__enter__.__code__, np.seterr.__code__}


def may_make_nan(code):
    """Whether code that silences NumPy may be making a NaN.

    The library silences it for other reasons, and where code names `nan` it is intended.
    """
    names_nan = "nan" in map(str, (*code.co_names, *code.co_consts))
    return not names_nan and code.co_filename != arguments.__file__


@contextlib.contextmanager
def watch_calls(run):
    """Notes on the run which public functions of the library are called, and whether NumPy is silenced."""

    def note(frame, event, _):
        code = frame.f_code
        if event != "call":
            return
        if code.co_name in LIBRARY_NAMES and code.co_filename in LIBRARY_FILES:
            run.library_calls.add(code.co_name)
        if code in SILENCERS and may_make_nan(frame.f_back.f_code):
            run.may_have_made_nan = True  # from here on NumPy reports no invalid operation

    if sys.getprofile() is not None:  # a profiler or a coverage tool is at work: leave it alone
        yield
        return
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


@contextlib.contextmanager
def notice_when_slow(seconds=3.0):
    """Prints after some seconds that the function may never end, and how to interrupt it.

    A thread prints it, and not a signal: Windows has no alarm, and a front end may not run this in
    the main thread. Where there are no threads (Python in a browser), nothing is printed.
    """
    timer = threading.Timer(seconds, print, (SLOW,), {"file": sys.stdout, "flush": True})
    timer.daemon = True
    with contextlib.suppress(RuntimeError):
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


NOT_THE_LEARNERS = [
    str(Path(attention_lib.__file__).resolve().parent),
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
]


def learners_line(error):
    """The last line of the learner's own code on the way to the error, or ""."""
    line, trace = "", error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith((*NOT_THE_LEARNERS, "<__array_function__")):
            found = linecache.getline(code.co_filename, trace.tb_lineno).strip()
            if not found.startswith("def "):  # an endless call may stop before the first line
                line = found or line
        trace = trace.tb_next
    return line
