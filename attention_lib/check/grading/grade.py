"""From a learner's function to a verdict."""

import dis
import os
import warnings
from dataclasses import replace

import numpy as np

import attention_lib
from attention_lib.check.grading.diagnose import diagnose
from attention_lib.check.grading.fallback import fallback
from attention_lib.check.grading.format_evidence import (
    compare_shapes,
    error_text,
    format_shapes,
    lower_first,
    one_line,
    wrong_shape,
)
from attention_lib.check.grading.run_learner import (
    notice_when_slow,
    result_changed_later,
    run_learner,
    same_random_numbers,
)
from attention_lib.check.grading.verdict import MAX_PRINTED, Reason, Verdict, show

RAISE_ERRORS = "ATTENTION_LIB_RAISE_ERRORS"


def grade(exercise, function):
    """Calls the function on all probes, shows the verdict and returns it."""
    if function is None or function is ...:
        return show(not_started(exercise, "Nothing here yet. Give the check your function, by its name."))
    if not callable(function):
        return show(refused(exercise, [not_a_function(function)]))
    with warnings.catch_warnings(), np.errstate(all="ignore"), same_random_numbers():
        warnings.simplefilter("ignore")
        verdict = result_unless_bug(try_on_probes, exercise, function) or refused(exercise, [FAULT])
    return show(verdict)


def try_on_probes(exercise, function):
    runs = []
    with notice_when_slow():
        for probe in exercise.probes:
            runs.append(run_learner(function, exercise, probe, exercise.right_answer(probe.args)))
            if runs[-1].too_large:
                break
    runs = [run for run in runs if not (run.error and run.probe.may_raise)]
    return replace(verdict_on(exercise, function, runs), printed=printed_lines(runs))


def verdict_on(exercise, function, runs):
    if all(run.error is None and run.gave_nothing for run in runs):
        return nothing_returned(exercise, function, runs)
    reasons = reasons_to_refuse(exercise, runs)
    return refused(exercise, reasons) if reasons else verdict_on_right_numbers(exercise, function, runs)


def printed_lines(runs):
    """A little of what the function printed."""
    lines = [line for run in runs for line in run.printed.splitlines() if line.strip()]
    more = ["..."] if lines[MAX_PRINTED:] else []
    return tuple([one_line(line, 80) for line in lines[:MAX_PRINTED]] + more)


# Nothing to judge


def not_started(exercise, text):
    return Verdict(exercise.name, False, "not-started", (), (("Next", text),))


def not_a_function(given):
    kind = type(given).__name__
    cause = f"The check wants a function, and was given a {kind}."
    return Reason("wrong-type", f"What was given is of type {kind}.", cause, "Is it called already?")


def nothing_returned(exercise, function, runs):
    printed = printed_lines(runs)
    if not printed and not does_something(function):
        text = f"Write your lines in the place of `...`, and end with `return`: {exercise.wanted}."
        return not_started(exercise, text)
    seen = "Your lines ran to the end, and None came back."
    if printed:
        seen = "Your function printed something, and gave nothing back."
    cause = "`return` is missing, or stands before nothing."
    ask = "What does the caller get from your function? print shows a number to people alone."
    return refused(exercise, [Reason("nothing-returned", seen, cause, ask)])


def does_something(function):
    """Whether there is more in the function than a stub's `...`."""
    code = getattr(function, "__code__", None)
    work = ("STORE", "CALL", "BINARY", "FOR", "COMPARE", "INPLACE", "UNARY")
    return code is not None and any(i.opname.startswith(work) for i in dis.get_instructions(code))


# Something is wrong


def reasons_to_refuse(exercise, runs):
    """The reasons, in the order in which they are told; none if every answer is right."""
    if runs[-1].too_large:
        return [too_large(runs[-1])]
    is_wrong = not all(run.ok for run in runs)
    findings = diagnose(exercise, runs) if is_wrong else []
    reasons = reasons_of(findings, runs) if is_wrong else []
    reasons += exercise.further_reasons(runs, reasons)
    if changed := next((run for run in runs if run.changed_argument), None):
        reasons.insert(0, input_changed(changed))
    if overwritten := next(filter(result_changed_later, runs), None):
        reasons.insert(0, result_overwritten(overwritten))
    if is_wrong and not reasons:
        reasons = [fallback(exercise, runs)]
    return reasons


def result_unless_bug(explain, *args):
    """What `explain` gives; None if it fails: a learner is never shown an error of the checker.

    Where the environment sets ATTENTION_LIB_RAISE_ERRORS=1, as the tests do, its error is raised.
    """
    try:
        return explain(*args)
    except Exception:
        if os.environ.get(RAISE_ERRORS) == "1":
            raise
        return None


FAULT = Reason(
    "different",
    "The check stopped before its end.",
    "This is a fault of the checker, and need not be one of yours. It cannot say that your answer is right.",
    "Does your function do all that the exercise asks for?",
)


def too_large(run):
    comparison = compare_shapes(run.too_large, format_shapes(run.right))
    return Reason(
        "wrong-shape",
        f"With {run.probe.name}: {lower_first(comparison)}",
        "An axis is far longer than was asked for, or there are far more of them.",
        "Write down the shape after each of your lines. Where does it grow?",
    )


def result_overwritten(run):
    return Reason(
        "different",
        f"With {run.probe.name}: after later calls, the result of this call held other numbers.",
        "Your function gives back the same array or list each time, and each call changes it.",
        "Where is the thing made that you return: in the function, or outside of it?",
    )


def reasons_of(findings, runs):
    reasons = [reason_of(finding) for finding in findings]
    if reasons and (stopped := next((run for run in runs if run.error and run.probe.ordinary), None)):
        reasons[0] = replace(reasons[0], seen=f"{where_it_stopped(stopped)} {reasons[0].seen}")
    return reasons


def reason_of(finding):
    mistake, run = finding.mistake, finding.run
    if run.got is None:
        shown = f"your function stopped with `{error_text(run.error)}`"
    else:
        shown = lower_first(mistake.shows(run) or wrong_shape(run))
    return Reason(mistake.id, f"With {run.probe.name}: {shown}", mistake.cause, mistake.ask)


def where_it_stopped(run):
    line = f" in your line `{one_line(run.error_line, 100)}`" if run.error_line else ""
    error = type(run.error).__name__
    article = "an" if error[0] in "AEIOU" else "a"
    return f"With {run.probe.name} it stopped with {article} {error}{line}."


def input_changed(run):
    name = run.changed_argument
    return Reason(
        "input-changed",
        f"With {run.probe.name}: after the call, {name} was not as before.",
        f"Your function changes its argument {name}.",
        "Which line changes something that it was given?",
    )


def refused(exercise, reasons):
    first, *more = reasons
    lines = [("Seen", first.seen), ("Perhaps", first.cause)]
    lines += [("Perhaps also", other.cause) for other in more[:2]]
    lines += [("Ask yourself", first.ask)]
    also = tuple(dict.fromkeys(other.id for other in more if other.id != first.id))
    return Verdict(exercise.name, False, first.id, also, tuple(lines))


# Every number is right


def verdict_on_right_numbers(exercise, function, runs):
    """Passed, unless a forbidden function of the library did the work or the real model shows a wrong number."""
    called = set().union(*(run.library_calls for run in runs))
    if exercise.forbids and (forbidden := sorted(called & set(exercise.forbids.functions.split()))):
        return refused(exercise, [library_used(exercise, forbidden)])
    edges = ", ".join(run.probe.name for run in runs if not run.probe.ordinary)
    tried = f"{len(runs)} inputs, and every answer was right."
    lines = [("Tried", tried + (f" Among them: {edges}." if edges else ""))]
    if exercise.real:
        what, probe, recorded = exercise.real()
        with notice_when_slow():
            real = run_learner(function, exercise, probe, recorded, watched=False)
        if not (closeness := closeness_to_recorded(real)):
            return refused(exercise, [fallback(exercise, [*runs, real])])
        lines.append(("The real model", f"your function gives {what}, {closeness}."))
    extra = sorted(called - set(exercise.may_call.split()))
    if text := remark(exercise, function, runs, extra):
        lines.append(("Remark", text))
    return Verdict(exercise.name, True, None, ("library-used",) if extra else (), tuple(lines))


def remark(exercise, function, runs, extra):
    """One thing worth knowing about a right answer, or ""."""
    if any(run.loses_digits for run in runs):
        return "your results have the 7 digits of float32, where the input has the 16 of float64."
    if extra:
        return f"{in_code(extra)} of the library did the work. Once, write it out yourself."
    if any(map(gave_lists, runs)):
        return "lists came back. `np.array` makes an array of them, which the next steps can work with."
    return result_unless_bug(exercise.shorter_or_safer, function)


def gave_lists(run):
    parts = run.returned if len(run.exercise.parts) > 1 else [run.returned]
    return any(isinstance(part, (list, tuple)) for part in parts)


def in_code(functions):
    return " and ".join(
        f"`{'al' if name in attention_lib.__all__ else 'today'}.{name}`" for name in functions
    )


def library_used(exercise, functions):
    seen = f"Every number is right, and {in_code(functions)} of the library was called for it."
    return Reason("library-used", seen, exercise.forbids.cause, exercise.forbids.ask)


def closeness_to_recorded(real):
    """How close the answer is to what was recorded, in words; "" if it is not."""
    if real.got is None or format_shapes(real.got) != format_shapes(real.right):
        return ""
    if all(np.allclose(g, r, rtol=0, atol=1e-5) for g, r in zip(real.got, real.right, strict=True)):
        return "to 1e-5"
    return f"as closely as {real.dtype} allows" if real.ok else ""
