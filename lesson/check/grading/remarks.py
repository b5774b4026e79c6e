"""What is said of a right answer: the inputs tried, the real model, and one thing that is worth knowing."""

import dis
import inspect

import numpy as np

from lesson.check.formatting import listed
from lesson.check.grading.call import call, library_functions
from lesson.check.mistakes import general
from lesson.check.probes import Probe
from lesson.check.verdict import Verdict


def passed(exercise, function, runs):
    tried = runs[:-1] if exercise.real else runs
    extreme = ", ".join(run.probe.name for run in tried if not run.probe.ordinary)
    among = f" Among them: {extreme}." if extreme else ""
    lines = [("Tried", f"{len(tried)} inputs, and every answer was right.{among}")]
    if exercise.real:
        what, _, _ = exercise.real()
        off = max(np.abs(got - right).max() for got, right in zip(runs[-1].got, runs[-1].right, strict=True))
        lines.append(("The real model", f"your function returns {what}{', to 1e-5' if off < 1e-5 else ''}."))
    may_call = exercise.may_call.split()
    extra = [name for name in library_functions(runs) if name.partition(".")[2] not in may_call]
    if text := remark(exercise, function, runs, extra):
        lines.append(("Remark", text))
    return Verdict(exercise.name, True, None, ("library-used",) if extra else (), tuple(lines))


def remark(exercise, function, runs, extra):
    """One thing worth knowing about a right answer, or "". `extra` are functions of the library."""
    if extra:
        called = listed([f"`{name}`" for name in extra])
        return f"{called} of the library was called. Write it out yourself once."
    if exercise.booleans and not isinstance(runs[0].returned, np.ndarray):
        return general.NO_ARRAY
    if exercise.exact_zeros:
        for scores, mask, text in general.MASKED_ROWS:
            run = call(function, exercise, Probe("a row", (scores, mask)))
            if run.got and np.isin(run.got[-1], (0, 1)).all():
                return text
    if runs[0].right[0].ndim and hasattr(function, "__code__") and has_a_loop(function.__code__):
        return "the same can be done without a loop, as in the solution."
    return ""


def has_a_loop(code):
    """Whether this code, or a function in it, has a `for` or a `while`."""
    jumps = any(i.opname == "FOR_ITER" or "JUMP_BACKWARD" in i.opname for i in dis.get_instructions(code))
    return jumps or any(map(has_a_loop, filter(inspect.iscode, code.co_consts)))
