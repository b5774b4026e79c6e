"""The verdict in words: nothing to judge, refused for these reasons, or passed."""

from dataclasses import replace

import numpy as np

from lesson.check.grading import remarks
from lesson.check.grading.watch import called_functions
from lesson.check.seen import one_line
from lesson.check.verdict import MAX_PRINTED, Verdict


def say(exercise, runs, reasons):
    """The Verdict on what came of all runs: refused if there are reasons, and passed if not."""
    verdict = refused(exercise, reasons) if reasons else passed(exercise, runs)
    return replace(verdict, printed=printed_lines(runs))


def printed_lines(runs):
    """A little of what the function printed."""
    lines = [line for run in runs for line in run.printed.splitlines() if line.strip()]
    more = ["..."] if lines[MAX_PRINTED:] else []
    return tuple([one_line(line, 80) for line in lines[:MAX_PRINTED]] + more)


# Nothing to judge


def not_started(exercise, text):
    return Verdict(exercise.name, False, "not-started", (), (("Next", text),))


# Something is wrong


def refused(exercise, reasons):
    first, *more = reasons
    lines = [("Seen", first.seen), ("Perhaps", first.cause)]
    lines += [("Perhaps also", other.cause) for other in more[:2]]
    lines += [("Ask yourself", first.ask)]
    also = tuple(dict.fromkeys(other.id for other in more if other.id != first.id))
    return Verdict(exercise.name, False, first.id, also, tuple(lines))


# Every number is right


def passed(exercise, runs):
    tried = runs[:-1] if exercise.real else runs
    edge_cases = ", ".join(run.probe.name for run in tried if not run.probe.ordinary)
    seen = f"{len(tried)} inputs, and every answer was right."
    lines = [("Tried", seen + (f" Among them: {edge_cases}." if edge_cases else ""))]
    if exercise.real:
        what, _, _ = exercise.real()
        lines.append(("The real model", f"your function gives {what}, {closeness_to_recorded(runs[-1])}."))
    extra = sorted(called_functions(runs) - set(exercise.may_call.split()))
    if text := remarks.remark(exercise, runs, extra):
        lines.append(("Remark", text))
    return Verdict(exercise.name, True, None, ("library-used",) if extra else (), tuple(lines))


def closeness_to_recorded(real):
    """How close the answer is to what was recorded, in words."""
    if all(np.allclose(g, r, rtol=0, atol=1e-5) for g, r in zip(real.got, real.right, strict=True)):
        return "to 1e-5"
    return f"as closely as {real.dtype} allows"
