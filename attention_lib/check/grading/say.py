"""The verdict in words: nothing to judge, refused for these reasons, or right."""

import dis
import itertools

import numpy as np

from attention_lib.check.evidence import one_line
from attention_lib.check.grading import remarks
from attention_lib.check.mystery import Mystery
from attention_lib.check.verdict import MAX_PRINTED, Reason, Verdict

NUMPY = dict(vars(np))


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


def say(exercise, runs, reasons):
    """The Verdict on what came of all runs, and why it is refused if there are reasons."""
    if all(run.error is None and run.gave_nothing for run in runs):
        return nothing_returned(exercise, runs)
    return refused(exercise, reasons) if reasons else verdict_on_right_numbers(exercise, runs)


def printed_lines(runs):
    """A little of what the function printed."""
    lines = [line for run in runs for line in run.printed.splitlines() if line.strip()]
    more = ["..."] if lines[MAX_PRINTED:] else []
    return tuple([one_line(line, 80) for line in lines[:MAX_PRINTED]] + more)


# Nothing to judge


def not_started(exercise, text):
    return Verdict(exercise.name, False, "not-started", (), (("Next", text),))


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


def nothing_returned(exercise, runs):
    function, printed = runs[0].function, printed_lines(runs)
    if not printed and not does_something(function):
        text = f"Write your lines in the place of `...`, and end with `return`: {exercise.wanted}."
        return not_started(exercise, text)
    seen = "Your function ran without an error, and gave nothing back."
    if printed:
        seen = "Your function printed something, and gave nothing back."
    cause = "`return` is missing, or stands before nothing."
    ask = "What does the caller get from your function? print shows a number to people alone."
    if returns_something(function):
        cause = "What stands behind `return` is None, as the result of print, sort or append is, or `return` was not reached."
        ask = "Which `return` is reached, and what does the call behind it give back?"
    return refused(exercise, [Reason("nothing-returned", seen, cause, ask)])


def instructions(function):
    return list(dis.get_instructions(function.__code__)) if hasattr(function, "__code__") else []


def does_something(function):
    """Whether there is more in the function than a stub's `...`."""
    work = ("STORE", "CALL", "BINARY", "FOR", "COMPARE", "INPLACE", "UNARY")
    return any(i.opname.startswith(work) for i in instructions(function))


def returns_something(function):
    """Whether a `return` of the function has an expression behind it."""
    pairs = itertools.pairwise(instructions(function))
    return any(
        i.opname == "RETURN_VALUE" and (before.opname, before.argval) != ("LOAD_CONST", None)
        for before, i in pairs
    )


# Something is wrong


def refused(exercise, reasons):
    first, *more = reasons
    lines = [("Seen", first.seen), ("Perhaps", first.cause)]
    lines += [("Perhaps also", other.cause) for other in more[:2]]
    lines += [("Ask yourself", first.ask)]
    also = tuple(dict.fromkeys(other.id for other in more if other.id != first.id))
    return Verdict(exercise.name, False, first.id, also, tuple(lines))


# Every number is right


def verdict_on_right_numbers(exercise, runs):
    """Passed, unless a forbidden function of the library did the work."""
    called = set().union(*(run.library_calls for run in runs))
    if exercise.forbids and (forbidden := sorted(called & set(exercise.forbids.functions.split()))):
        return refused(exercise, [library_used(exercise, forbidden)])
    tried = runs[:-1] if exercise.real else runs
    edge_cases = ", ".join(run.probe.name for run in tried if not run.probe.ordinary)
    seen = f"{len(tried)} inputs, and every answer was right."
    lines = [("Tried", seen + (f" Among them: {edge_cases}." if edge_cases else ""))]
    if exercise.real:
        what, _, _ = exercise.real()
        lines.append(("The real model", f"your function gives {what}, {closeness_to_recorded(runs[-1])}."))
    extra = sorted(called - set(exercise.may_call.split()))
    if text := remarks.remark(exercise, runs, extra):
        lines.append(("Remark", text))
    return Verdict(exercise.name, True, None, ("library-used",) if extra else (), tuple(lines))


def library_used(exercise, functions):
    seen = f"Every number is right, and {remarks.in_code(functions)} of the library was called for it."
    return Reason("library-used", seen, exercise.forbids.cause, exercise.forbids.ask)


def closeness_to_recorded(real):
    """How close the answer is to what was recorded, in words."""
    if all(np.allclose(g, r, rtol=0, atol=1e-5) for g, r in zip(real.got, real.right, strict=True)):
        return "to 1e-5"
    return f"as closely as {real.dtype} allows"
