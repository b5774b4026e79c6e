"""Calls the learner's function on copies of every probe's arguments. A Run holds what came of one call."""

import contextlib
import io
import numbers
import sys
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from lesson.check.compare import FLOAT32, FLOAT64, equal, precision_of, same
from lesson.check.exercises import LIBRARY
from lesson.check.grading.surroundings import notice_when_slow, surroundings
from lesson.check.probes import Probe


@dataclass
class Run:
    """One call of the learner's function: what went in, what came back, what should have come back."""

    exercise: object
    probe: object
    right: tuple  # of float arrays
    returned: object = None
    error: BaseException | None = None
    printed: str = ""
    changed_argument: str = ""
    library_calls: set = field(default_factory=set)
    got: tuple | None = None  # what was returned, as float arrays; None if it cannot be read as numbers
    ok: bool = False  # whether that is right
    dtype: np.dtype = FLOAT64  # float32 if the arguments or the result have no more digits than that

    @property
    def named_args(self):
        return dict(zip(self.exercise.arguments.split(), self.probe.args, strict=False))

    def result_or_right(self, variant):
        """What the recipe gives with this variant; what is right if it does not work on these arguments."""
        return self.exercise.result_with(variant, self.probe.args) or self.right

    def note_call(self, frame, event, _):
        if event == "call" and (called := LIBRARY.get((frame.f_code.co_filename, frame.f_code.co_name))):
            self.library_calls.add(called)


def call_on_every_probe(function, exercise):
    """A Run for each probe. Where all are right, the last is the real model's."""
    with notice_when_slow():
        runs = [call(function, exercise, probe) for probe in exercise.probes]
        runs = [run for run in runs if not (run.error and run.probe.may_raise)]  # that error is no fault
        if exercise.real and all(run.ok for run in runs):
            _, args, recorded = exercise.real()
            runs.append(call(function, exercise, Probe("the real model", args, ordinary=False), recorded))
    return runs


def call(function, exercise, probe, recorded=None):
    """A Run of the function on copies of the arguments; warnings and the screen stay as they were."""
    watches = sys.getprofile() is None  # or else a profiler or a coverage tool is at work
    printed, copies = io.StringIO(), deepcopy(probe.args)
    run = Run(exercise, probe, recorded or exercise.right_answer(probe.args))
    with surroundings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        if watches:
            sys.setprofile(run.note_call)
        try:
            run.returned = function(*copies)
        except (Exception, SystemExit) as error:
            run.error = error
        finally:
            if watches:
                sys.setprofile(None)
    with contextlib.suppress(Exception):  # an object may fail as it likes
        read(run)
    run.printed = printed.getvalue()
    pairs = zip(run.named_args.items(), copies, strict=False)
    changed = [name for (name, original), copy in pairs if not equal(copy, original)]
    run.changed_argument = next(iter(changed), "")
    return run


def read(run):
    """Notes what came back as float arrays, and how precise it is."""
    arrays = arrays_of(run)
    run.got = tuple(a.astype(float) for a in arrays)
    few_digits = precision_of([*run.probe.args, *arrays]) == FLOAT32 or any(map(is_single, arrays))
    float32 = run.exercise.float32_inside or few_digits
    run.dtype = FLOAT32 if float32 and arrays[0].dtype.kind == "f" else arrays[0].dtype
    run.ok = same(run.got, run.right, run.dtype)


def arrays_of(run):
    """The parts of what was returned as arrays, or a ValueError."""
    parts, result = len(run.exercise.parts), run.exercise.unpacked(run.returned)
    in_parts = parts > 1 and isinstance(result, (tuple, list)) and len(result) in (1, parts)
    return [array_of_numbers(part) for part in (result if in_parts else (result,))]


def array_of_numbers(part):
    array = np.asarray(part)
    if array.dtype == object and all(isinstance(x, (numbers.Real, np.bool_)) for x in array.flat):
        array = array.astype(float)
    if np.ma.is_masked(part) or array.dtype.kind not in "fiub":
        raise ValueError
    return array


def is_single(array):
    """Whether float32 holds these fractions exactly, in whatever dtype they came. Whole numbers do not tell."""
    held = np.array_equal(array, array.astype(np.float32), equal_nan=True)
    return held and not np.array_equal(array, np.round(array), equal_nan=True)


def library_functions(runs):
    """The names of the library's functions that were called."""
    return sorted(set().union(*(run.library_calls for run in runs)))


def changed_later(run):
    """Whether what was returned holds other numbers by now, or none."""
    if run.got is None or run.changed_argument:  # a changed argument is told as that
        return False
    with contextlib.suppress(Exception):
        pairs = zip(arrays_of(run), run.got, strict=True)
        return not all(np.array_equal(now.astype(float), then, equal_nan=True) for now, then in pairs)
    return True
