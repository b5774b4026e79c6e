"""From a learner's function to a verdict: call it on every probe, explain what is wrong, say it."""

import os
import sys
from dataclasses import replace

import numpy as np

from attention_lib.check.grading.call import call_on_every_probe
from attention_lib.check.grading.explain import explain
from attention_lib.check.grading.say import (
    fault,
    not_a_function,
    not_started,
    printed_lines,
    refused,
    say,
)
from attention_lib.check.grading.surroundings import SURROUNDINGS
from attention_lib.check.mystery import Mystery
from attention_lib.check.verdict import show

RAISE_ERRORS = "ATTENTION_LIB_RAISE_ERRORS"
INTERRUPTED = "The check was interrupted before its end, so there is no verdict."


class Interrupted(KeyboardInterrupt):
    """The learner stopped the check. One line is shown for it, and not the way through the checker."""

    def _render_traceback_(self):  # for IPython
        return [str(self)]


def show_error(kind, error, trace):
    """Python's own way to show an error, but for an interrupted check."""
    if kind is Interrupted:
        print(error, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def grade(exercise, function):
    """Calls the function on all probes, shows the verdict and returns it."""
    if function is None or function is ...:
        return show(not_started(exercise, "Nothing here yet. Give the check your function, by its name."))
    if not callable(function) or isinstance(function, (type, Mystery)):
        return show(refused(exercise, [not_a_function(function)]))
    with SURROUNDINGS, np.errstate(all="ignore"):
        try:
            verdict = judge(exercise, function)
        except KeyboardInterrupt:
            if sys.excepthook is sys.__excepthook__:
                sys.excepthook = show_error
            raise Interrupted(INTERRUPTED) from None
        except Exception:  # a learner is never shown an error of the checker; tests are
            if os.environ.get(RAISE_ERRORS) == "1":
                raise
            verdict = refused(exercise, [fault()])
    return show(verdict)


def judge(exercise, function):
    """The Verdict on a function."""
    runs = call_on_every_probe(function, exercise)
    reasons = explain(exercise, runs)
    return replace(say(exercise, runs, reasons), printed=printed_lines(runs))
