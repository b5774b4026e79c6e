"""From a learner's function to its verdict: `grade`.

An example: an answer to `scaled_scores` that forgets the division. `call` calls it on every probe and keeps a run of
each call: the arguments, what came back, what is right, and whether both are the same. The recipe of `scaled_scores`
takes two steps, `score` and `scale`, and the mistakes have variants of both: wrong forms of a step. `find` puts one
variant after the other in the place of its step, and calls the recipe with the arguments of the runs. With a `scale`
that does nothing it gives what came back, each time. So the mistake with this variant is found, `not-scaled`.
`reasons` makes a reason of it: what was seen in one of the wrong runs, the mistake's cause, its question. They stand
in the verdict as Seen, Perhaps and Ask yourself.

If no variant gives what came back, and no two together, the reason says what cannot be false: an error with the
learner's line, or a number that came and the one that should have come, with the arguments; and which inputs were right.

Some probes are extreme: scores of a million, rows in which all is hidden. There `find` compares the fate of each row.
"""

import dis
import itertools
import os
import sys
from dataclasses import replace

import numpy as np

from lesson.check.grading.call import call_on_every_probe
from lesson.check.grading.reasons import reasons_to_refuse
from lesson.check.grading.remarks import passed
from lesson.check.grading.surroundings import SURROUNDINGS, Interrupted, show_error
from lesson.check.mistakes import general
from lesson.check.puzzles.mystery import Mystery
from lesson.check.verdict import MAX_PRINTED, Reason, not_started, one_line, refused, show

RAISE_ERRORS = "LESSON_RAISE_ERRORS"
NUMPY = dict(vars(np))  # as it is before a cell gives one of its names another value


def grade(exercise, function):
    """Calls the function on all probes, shows the verdict and returns it."""
    return show(verdict_on(exercise, function))


def verdict_on(exercise, function):
    """The verdict, whatever is given and whatever the function does."""
    if function is None or function is ...:
        return not_started(exercise, "Nothing here yet. Give the check your function, by its name.")
    if not callable(function) or isinstance(function, (type, Mystery)):
        return refused(exercise, [not_a_function(function)])
    with SURROUNDINGS, np.errstate(all="ignore"):
        try:
            return judge(exercise, function)
        except KeyboardInterrupt:
            if sys.excepthook is sys.__excepthook__:
                sys.excepthook = show_error
            raise Interrupted from None
        except Exception:  # a learner is never shown an error of the checker; tests are
            if os.environ.get(RAISE_ERRORS) == "1":
                raise
            return refused(exercise, [fault()])


def judge(exercise, function):
    """The Verdict on a function."""
    runs = call_on_every_probe(function, exercise)
    printed = [one_line(line, 80) for run in runs for line in run.printed.splitlines() if line.strip()]
    if not all(run.error is None and (run.returned is None or run.returned is ...) for run in runs):
        found = reasons_to_refuse(exercise, runs)
        verdict = refused(exercise, found) if found else passed(exercise, runs)
    elif printed or does_something(function):
        verdict = refused(exercise, [nothing_returned(function, printed)])
    else:
        text = f"Replace `...` with your code, and return {exercise.wanted}."
        return not_started(exercise, text)
    more = ["..."] if printed[MAX_PRINTED:] else []
    return replace(verdict, printed=(*printed[:MAX_PRINTED], *more))


def not_a_function(given):
    what, texts = f"of type {type(given).__name__}", general.NO_FUNCTION
    if isinstance(given, type):
        what, texts = "a class", general.A_CLASS
    elif isinstance(given, Mystery):
        what, texts = "a mystery", general.A_MYSTERY
    elif isinstance(given, str):
        texts = general.A_TEXT
    return Reason("wrong-type", f"What was given is {what}.", *texts)


def fault():
    """The check itself failed: perhaps because a cell gave a function of NumPy another value."""
    overwritten = [name for name, value in NUMPY.items() if vars(np).get(name) is not value]
    texts = general.FAULT
    if overwritten:
        cause = f"`np.{overwritten[0]}` is no longer what it is in NumPy, but the check needs it."
        texts = cause, "Which of your lines gives it a different value? Take it out, and restart the kernel."
    return Reason("different", "The check stopped before its end.", *texts)


def instructions(function):
    return list(dis.get_instructions(function.__code__)) if hasattr(function, "__code__") else []


def does_something(function):
    """Whether there is more in the function than a stub's `...`."""
    work = ("STORE", "CALL", "BINARY", "FOR", "COMPARE", "INPLACE", "UNARY")
    return any(i.opname.startswith(work) for i in instructions(function))


def nothing_returned(function, printed):
    """Nothing came back. Whether there is something behind a `return` stands in the function's instructions."""
    seen = (
        f"Your function {'printed something' if printed else 'ran without an error'}, but returned nothing."
    )
    returns_something = any(
        i.opname == "RETURN_VALUE" and (before.opname, before.argval) != ("LOAD_CONST", None)
        for before, i in itertools.pairwise(instructions(function))
    )
    return Reason(
        "nothing-returned", seen, *(general.RETURNED_NONE if returns_something else general.PRINTED)
    )
