"""From a learner's function to a verdict: call it on every probe, explain what is wrong, say it."""

import os
import sys

import numpy as np

from lesson.check.grading.call import call_on_every_probe
from lesson.check.grading.explain import explain, is_a_stub
from lesson.check.grading.say import not_started, refused, say
from lesson.check.grading.surroundings import SURROUNDINGS
from lesson.check.puzzles.mystery import Mystery
from lesson.check.verdict import Reason, show

RAISE_ERRORS = "LESSON_RAISE_ERRORS"
NUMPY = dict(vars(np))  # as it is before a cell gives one of its names another value
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
    if is_a_stub(runs):
        text = f"Write your lines in the place of `...`, and end with `return`: {exercise.wanted}."
        return not_started(exercise, text)
    return say(exercise, runs, explain(exercise, runs))


def not_a_function(given):
    seen, ask = f"What was given is of type {type(given).__name__}.", "Is it called already?"
    if isinstance(given, str):
        ask = "What does it mean without the quotes?"
    if isinstance(given, type):
        seen, ask = "What was given is a class.", "Which function should be called on each input?"
    cause = "The check wants the function itself."
    if isinstance(given, Mystery):
        seen, cause = "What was given is a mystery.", "The check would tell you which mistake is inside."
        ask = "On which input do its four causes give different numbers?"
    return Reason("wrong-type", seen, cause, ask)


def fault():
    """The check itself failed: perhaps because a cell gave a function of NumPy another value."""
    seen = "The check stopped before its end."
    overwritten = [name for name, value in NUMPY.items() if vars(np).get(name) is not value]
    if overwritten:
        cause = f"`np.{overwritten[0]}` is no longer what it is in NumPy, and the check needs it."
        ask = "Which of your lines gives it another value? Take it out, and restart the kernel."
    else:
        cause = "This is a fault of the checker, and need not be one of yours. It cannot say that your answer is right."
        ask = "Does your function do all that the exercise asks for?"
    return Reason("different", seen, cause, ask)
