"""From a learner's function to its verdict: `verdict_on`. The words are those of check/__init__.py.

1. call.py calls the function on copies of every probe's arguments, and keeps a run of each call.
2. find.py looks for a variant that explains the wrong runs: put into the recipe in the place of its step, it gives
   what came back, each time. Two variants of different steps may do so together. Of extreme probes (scores of a
   million, rows in which all is hidden) it compares what became of each row: fine, lost, or other.
3. reasons.py collects the reasons to refuse: the mistakes found, and what no number shows, such as a changed argument,
   a mask that is not boolean, a call of the library. If no variant explains the runs, a reason says what cannot be
   false: an error, or a number that came and the one that should have come; and which inputs were right and wrong.
4. The first reason stands in the verdict as Seen, Tried, Perhaps and Ask yourself, the causes of others as Perhaps
   also. If there is none, the answer passes: remarks.py makes that verdict.

An example: an answer to `scaled_scores` forgets the division. The recipe takes two steps, `score` and `scale`. With a
`scale` that does nothing, which is a variant of the mistake `not-scaled`, it gives what came back in every run.
"""

import dis
import os
from dataclasses import replace

from lesson.check.grading.call import call_on_every_probe
from lesson.check.grading.reasons import reasons_to_refuse
from lesson.check.grading.remarks import passed
from lesson.check.grading.surroundings import Interrupted, surroundings
from lesson.check.mistakes import general
from lesson.check.puzzles.mystery import Mystery
from lesson.check.verdict import MAX_PRINTED, Reason, not_started, one_line, refused


def verdict_on(exercise, function):
    """The verdict, whatever is given and whatever the function does."""
    if function is None or function is ...:
        return not_started(exercise, "Nothing here yet. Give the check your function, by its name.")
    if not callable(function) or isinstance(function, (type, Mystery)):
        seen = f"What was given is of type {type(function).__name__}."
        return refused(exercise, [Reason("wrong-type", seen, *general.NO_FUNCTION)])
    with surroundings():
        try:
            return judge(exercise, function)
        except KeyboardInterrupt:
            raise Interrupted(general.INTERRUPTED) from None
        except Exception:  # a learner is never shown an error of the checker; tests are
            if os.environ.get("LESSON_RAISE_ERRORS") == "1":
                raise
            fault = Reason("different", "The check stopped before its end.", *general.FAULT)
            return refused(exercise, [fault])


def judge(exercise, function):
    """The Verdict on a function."""
    runs = call_on_every_probe(function, exercise)
    lines = [line for run in runs for line in run.printed.splitlines() if line.strip()]
    printed = [one_line(line, 80) for line in lines[:MAX_PRINTED]]
    silent = all(run.error is None and (run.returned is None or run.returned is ...) for run in runs)
    if silent and not printed and not does_something(function):
        verdict = not_started(exercise, f"Replace `...` with your code, and return {exercise.wanted}.")
    elif silent:
        seen = f"Your function {'printed something' if printed else 'ran without an error'}, but returned nothing."
        verdict = refused(exercise, [Reason("nothing-returned", seen, *general.GENERAL["nothing-returned"])])
    elif reasons := reasons_to_refuse(exercise, function, runs):
        verdict = refused(exercise, reasons)
    else:
        verdict = passed(exercise, function, runs)
    return replace(verdict, printed=tuple(printed))


def does_something(function):
    """Whether there is more in the function than a stub's `...`."""
    work = ("STORE", "CALL", "BINARY", "FOR", "COMPARE", "INPLACE", "UNARY")
    code = getattr(function, "__code__", None)
    return code is not None and any(i.opname.startswith(work) for i in dis.get_instructions(code))
