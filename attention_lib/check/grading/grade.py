"""From a learner's function to a verdict."""

import dis
from dataclasses import replace

import numpy as np

from attention_lib.check.exercises import EXERCISES
from attention_lib.check.grading.diagnose import find
from attention_lib.check.grading.error_hints import clean, lower_first, message_of
from attention_lib.check.grading.fallback import Reason, reason
from attention_lib.check.grading.format_evidence import shapes_of
from attention_lib.check.grading.run_learner import call, patience
from attention_lib.check.grading.verdict import MOST_PRINTED, Verdict, tell


def judge(name, function):
    """Calls the function on all probes, and says what was seen."""
    exercise = EXERCISES[name]
    if function is None or function is ...:
        text = "Nothing here yet. Give the check your function, by its name."
        return not_started(exercise, text)
    if not callable(function):
        kind = type(function).__name__
        cause = f"The check wants a function, and was given a {kind}."
        given = Reason(
            "wrong-type", f"What was given is of type {kind}.", cause, "Is it called already?"
        )
        return refuse(exercise, [given])
    with patience():
        runs = [call(function, exercise, p, exercise.answer(p.args)) for p in exercise.probes]
    runs = [s for s in runs if not (s.error and s.probe.may_stop)]
    printed = own_words(runs)
    if all(s.error is None and (s.raw is None or s.raw is ...) for s in runs):
        return nothing_came_back(exercise, function, printed)
    reasons = reasons_to_refuse(exercise, runs)
    if reasons:
        return refuse(exercise, reasons, printed)
    return praise(exercise, function, runs, printed)


def own_words(runs):
    """A little of what the function printed."""
    lines = [line for s in runs for line in s.printed.splitlines() if line.strip()]
    more = ["..."] if lines[MOST_PRINTED:] else []
    return tuple([clean(line, 80) for line in lines[:MOST_PRINTED]] + more)


def not_started(exercise, text, printed=()):
    lines = (("Next", text),)
    return tell(Verdict(exercise.name, False, "not-started", (), lines, printed))


def nothing_came_back(exercise, function, printed):
    if not printed and not does_something(function):
        text = f"Write your lines in the place of `...`, and end with `return`: {exercise.wanted}."
        return not_started(exercise, text, printed)
    seen = "Your lines ran to the end, and None came back."
    if printed:
        seen = "Your function printed something, and gave nothing back."
    cause = "`return` is missing, or stands before nothing."
    ask = "What does the caller get from your function? print shows a number to people alone."
    return refuse(exercise, [Reason("nothing-returned", seen, cause, ask)], printed)


def does_something(function):
    """Whether there is more in the function than a stub's `...`."""
    code = getattr(function, "__code__", None)
    work = ("STORE", "CALL", "BINARY", "FOR", "COMPARE", "INPLACE", "UNARY")
    return code is not None and any(i.opname.startswith(work) for i in dis.get_instructions(code))


def reasons_to_refuse(exercise, runs):
    """The reasons, the likeliest first; none if every answer is right."""
    try:
        found = find(exercise, runs)
    except Exception:  # an answer stranger than anybody foresaw still gets a verdict
        found = []
    reasons = [reason_of(f) for f in found]
    if reasons and (stopped := next((s for s in runs if s.error and s.probe.ordinary), None)):
        reasons[0] = replace(reasons[0], seen=f"{reasons[0].seen} {where_it_stopped(stopped)}")
    if changed := next((s for s in runs if s.changed), None):
        first = 1 if found and found[0].mistake.shape_tells else 0
        reasons.insert(first, input_changed(changed))
    if numbers := mask_of_numbers(exercise, runs, found):
        reasons.append(numbers)
    if not reasons and not all(s.ok for s in runs):
        reasons = [reason(exercise, runs)]
    if not reasons and exercise.exact_zeros:
        leaks = [s for s in runs if (s.weights[s.hidden] != 0).any()]
        reasons = [not_quite_hidden(exercise, s) for s in leaks[:1]]
    return reasons


def reason_of(finding):
    mistake, seen = finding.mistake, finding.seen
    if seen.got is None:
        shown = f"your function stopped with `{message_of(seen.error)}`"
    else:
        shown = lower_first(mistake.shows(seen))
    return Reason(mistake.id, f"With {seen.probe.what}: {shown}", mistake.cause, mistake.ask)


def not_quite_hidden(exercise, seen):
    """Too little to be seen among the other numbers, and not the 0 that was asked for."""
    return Reason(
        exercise.exact_zeros,
        f"With {seen.probe.what}: hidden keys get up to {seen.weights[seen.hidden].max():.0e}.",
        "The value for hidden scores is low, and exp of it is still more than 0.",
        "Of which number is exp exactly 0, whatever the other scores are?",
    )


def where_it_stopped(seen):
    line = f" in your line `{clean(seen.line, 100)}`" if seen.line else ""
    return f"With {seen.probe.what} it stopped{line}."


def input_changed(seen):
    return Reason(
        "input-changed",
        f"With {seen.probe.what}: after the call, {seen.changed} held other numbers than before.",
        f"Your function changes its argument {seen.changed}.",
        "Which line writes into an array that it was given?",
    )


def mask_of_numbers(exercise, runs, found):
    """A mask that is not boolean, if its numbers look like one."""
    numbers = [s for s in runs if s.got is not None and not s.booleans_came]
    if not exercise.booleans or not numbers:
        return None
    whole = all(s.error is None for s in runs)
    two_values = whole and all(np.unique(s.got[0]).size <= 2 for s in numbers)
    if not (found or all(s.ok for s in runs) or two_values):
        return None
    dtype = np.asarray(numbers[0].raw).dtype
    cause = (
        "A mask of numbers means opposite things in different libraries. Here it is True and False."
    )
    if (numbers[0].got[0] < 0).any():
        cause = "This mask is one to be added to the scores. Here a mask is True and False."
    return Reason(
        "wrong-type",
        f"With {numbers[0].probe.what}: the dtype is {dtype}, and should be bool.",
        cause,
        "Which comparison gives True and False? Which dtype has the array that you fill?",
    )


def refuse(exercise, reasons, printed=()):
    first, *more = reasons
    lines = [("Seen", first.seen), ("Perhaps", first.cause)]
    lines += [("Perhaps also", other.cause) for other in more[:2]]
    lines += [("Ask yourself", first.ask)]
    also = tuple(dict.fromkeys(other.id for other in more if other.id != first.id))
    return tell(Verdict(exercise.name, False, first.id, also, tuple(lines), printed))


def praise(exercise, function, runs, printed):
    """All probes passed. What is left: the library's own functions, and the real model."""
    called = set().union(*(s.library for s in runs))
    if forbidden := sorted(called & set(exercise.forbids.split())):
        return refuse(exercise, [library_used(forbidden)], printed)
    edges = ", ".join(s.probe.what for s in runs if not s.probe.ordinary)
    tried = f"{len(runs)} inputs, and every answer was right."
    lines = [("Tried", tried + (f" Among them: {edges}." if edges else ""))]
    if exercise.real:
        what, probe, recorded = exercise.real()
        with patience():
            real = call(function, exercise, probe, recorded, watched=False)
        if not (closeness := closeness_to_model(real)):
            return refuse(exercise, [reason(exercise, [*runs, real])], printed)
        lines.append(("The real model", f"your function gives {what}, {closeness}."))
    if extra := sorted(called - set(exercise.may_call.split())):
        text = f"{names(extra)} of the library did the work. Once, write it out yourself."
        lines.append(("Remark", text))
    return tell(Verdict(exercise.name, True, None, (), tuple(lines), printed))


def names(functions):
    return " and ".join(f"`al.{name}`" for name in functions)


def library_used(functions):
    return Reason(
        "library-used",
        f"Every number is right, and {names(functions)} of the library was called for it.",
        "The softmax in your answer is the library's. This exercise asks for your own.",
        "Which lines of your softmax have to change, so that an empty row survives?",
    )


def closeness_to_model(real):
    """How close the answer is to what was recorded, in words; "" if it is not."""
    if real.got is None or shapes_of(real.got) != shapes_of(real.right):
        return ""
    if all(np.allclose(g, r, rtol=0, atol=1e-5) for g, r in zip(real.got, real.right, strict=True)):
        return "to 1e-5"
    return f"as closely as {real.dtype} allows" if real.ok else ""
