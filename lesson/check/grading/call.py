"""Calls the learner's function on copies of every probe's arguments. A Run holds what came of one call."""

import contextlib
import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lesson.check.compare import FLOAT64, same
from lesson.check.grading.read import read_result
from lesson.check.grading.surroundings import printing_to
from lesson.check.grading.watch import learners_line, notice_when_slow, watch_calls


@dataclass
class Run:
    """One call of the learner's function: what went in, what came back, what should have come back."""

    function: object
    exercise: object
    probe: object
    right: tuple  # of float arrays
    returned: object = None
    error: BaseException | None = None
    error_line: str = ""  # the learner's line that raised it
    made_nan: bool = False  # NumPy reported an invalid operation
    printed: str = ""
    changed_argument: str = ""
    library_calls: set = field(default_factory=set)  # names of the library's functions
    # what read_result notes
    got: tuple | None = None  # what was returned, as float arrays; None if it cannot be read as numbers
    dtype: np.dtype = FLOAT64  # float32 if the arguments or the result have no more digits than that
    loses_digits: bool = False  # the result has no more digits than float32, and the arguments have
    too_large: str = ""  # the shapes of a result that is too large to be compared

    def note_invalid(self, *_):
        self.made_nan = True

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


def call_on_every_probe(function, exercise):
    """A Run for each probe, up to a result that is too large; without those whose error is no fault.

    Where all are right, the last one is the real model's, if the exercise has recorded numbers.
    """
    runs = []
    with notice_when_slow():
        for probe in exercise.probes:
            runs.append(call(function, exercise, probe, exercise.right_answer(probe.args)))
            if runs[-1].too_large:
                break
        runs = [run for run in runs if not (run.error and run.probe.may_raise)]
        if exercise.real and all(run.ok for run in runs):
            _, probe, recorded = exercise.real()
            runs.append(call(function, exercise, probe, recorded))
    return runs


def call(function, exercise, probe, right, watched=True):
    """Calls the function on copies, and leaves NumPy's settings and the screen as they were."""
    run, printed = Run(function, exercise, probe, right), io.StringIO()
    copies = tuple(map(copied, probe.args))
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(np.errstate(all="ignore", invalid="call", call=run.note_invalid))
        stack.enter_context(np.printoptions())
        stack.enter_context(printing_to(printed))
        if watched:
            stack.enter_context(watch_calls(run))
        warnings.simplefilter("ignore")
        try:
            run.returned = function(*copies)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            run.error, run.error_line = error, learners_line(error)
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
