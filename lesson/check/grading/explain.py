"""Why an answer is refused: the reasons, in the order in which they are told."""

import dis
import itertools
from dataclasses import replace

from lesson.check.grading.describe import describe
from lesson.check.grading.match import find_mistakes
from lesson.check.grading.read import result_changed_later
from lesson.check.grading.remarks import in_code
from lesson.check.grading.watch import called_functions
from lesson.check.seen import (
    compare_shapes,
    error_text,
    format_shapes,
    in_line,
    lower_first,
    wrong_shape,
)
from lesson.check.verdict import Reason


def explain(exercise, runs):
    """The reasons to refuse an answer, the first one first; none if it passes.

    If nothing came back, or far too much, that is told alone. A result that changes later, or an argument that the
    function changes, makes other numbers wrong: it is told first. Then the mistakes, then what is asked beyond the
    numbers. If there is none of these, what can be said at all of wrong numbers, and which function of the library made
    right ones that was not to be called.
    """
    if gave_nothing(runs):
        return [nothing_returned(runs)]
    if runs[-1].too_large:
        return [too_large(runs[-1])]
    is_wrong = not all(run.ok for run in runs)
    mistakes = told_with_errors(list(map(reason_of, find_mistakes(exercise, runs))), runs) if is_wrong else []
    beyond_numbers = exercise.rule and exercise.rule(runs, mistakes)
    reasons = [result_overwritten(runs), input_changed(runs), *mistakes, beyond_numbers]
    if not any(reasons):
        reasons = [describe(runs) if is_wrong else library_used(exercise, runs)]
    return list(filter(None, reasons))


def too_large(run):
    comparison = compare_shapes(run.too_large, format_shapes(run.right))
    return Reason(
        "wrong-shape",
        f"With {run.probe.name}: {lower_first(comparison)}",
        "The result is far larger than what was asked for.",
        "Write down the shape after each of your lines. Where does it grow?",
    )


def result_overwritten(runs):
    run = next(filter(result_changed_later, runs), None)
    return run and Reason(
        "different",
        f"With {run.probe.name}: after later calls, the result of this call held other numbers.",
        "A later call changed what this call had given back: both share an array or a list.",
        "Where is the thing made that you return: in the function, or outside of it?",
    )


def input_changed(runs):
    run = next((run for run in runs if run.changed_argument), None)
    return run and Reason(
        "input-changed",
        f"With {run.probe.name}: after the call, {run.changed_argument} was not as before.",
        f"Your function changes its argument {run.changed_argument}.",
        "Which line changes something that it was given?",
    )


def reason_of(finding):
    mistake, run = finding.mistake, finding.run
    if run.got is None:
        shown = f"your function stopped with `{error_text(run.error)}`"
    else:
        shown = lower_first(mistake.shows(run) or wrong_shape(run))
    return Reason(mistake.id, f"With {run.probe.name}: {shown}", mistake.cause, mistake.ask)


def told_with_errors(reasons, runs):
    """The reasons; the first one also says where the function stopped, if it did."""
    stopped = next((run for run in runs if run.error and run.probe.ordinary), None)
    if not reasons or stopped is None:
        return reasons
    first, *others = reasons
    return [replace(first, seen=f"{where_it_stopped(stopped)} {first.seen}"), *others]


def where_it_stopped(run):
    error = type(run.error).__name__
    article = "an" if error[0] in "AEIOU" else "a"
    return f"With {run.probe.name} it stopped with {article} {error}{in_line(run)}."


def library_used(exercise, runs):
    """The Reason if a function of the library was called that is forbidden in this exercise; or None."""
    if exercise.forbids is None:
        return None
    forbidden = sorted(called_functions(runs) & set(exercise.forbids.functions.split()))
    if not forbidden:
        return None
    seen = f"Every number is right, and {in_code(forbidden)} of the library was called for it."
    return Reason("library-used", seen, exercise.forbids.cause, exercise.forbids.ask)


# Where nothing came back


def is_a_stub(runs):
    """Whether nothing came back, and nothing else was done."""
    return gave_nothing(runs) and not printed(runs) and not does_something(runs[0].function)


def gave_nothing(runs):
    return all(run.error is None and run.gave_nothing for run in runs)


def printed(runs):
    return any(run.printed.strip() for run in runs)


def nothing_returned(runs):
    seen = "Your function ran without an error, and gave nothing back."
    if printed(runs):
        seen = "Your function printed something, and gave nothing back."
    cause = "`return` is missing, or stands before nothing."
    ask = "What does the caller get from your function? print shows a number to people alone."
    if returns_something(runs[0].function):
        cause = "What stands behind `return` is None, as the result of print, sort or append is, or `return` was not reached."
        ask = "Which `return` is reached, and what does the call behind it give back?"
    return Reason("nothing-returned", seen, cause, ask)


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
