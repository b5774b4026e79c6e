"""What is said of a right answer: the inputs tried, the real model, and one thing that is worth knowing."""

import dis
import inspect

import numpy as np

from lesson.check.grading.call import call
from lesson.check.probes import Probe
from lesson.check.verdict import Verdict

MASK = np.array([[True, False, True]])
BELOW_ANY_FILL = np.array([[-1e12, -1e30, -1e12]])  # of which the mask hides the second
WITH_NAN = np.array([[np.nan, 1.0, 2.0]])


def passed(exercise, runs):
    tried = runs[:-1] if exercise.real else runs
    extreme = ", ".join(run.probe.name for run in tried if not run.probe.ordinary)
    seen = f"{len(tried)} inputs, and every answer was right."
    lines = [("Tried", seen + (f" Among them: {extreme}." if extreme else ""))]
    if exercise.real:
        what, _, _ = exercise.real()
        recorded = zip(runs[-1].got, runs[-1].right, strict=True)
        is_close = all(np.allclose(g, r, rtol=0, atol=1e-5) for g, r in recorded)
        closeness = "to 1e-5" if is_close else f"as closely as {runs[-1].dtype} allows"
        lines.append(("The real model", f"your function returns {what}, {closeness}."))
    called = sorted(set().union(*(run.library_calls for run in runs)))
    extra = [name for name in called if name.partition(".")[2] not in exercise.may_call.split()]
    if text := remark(exercise, runs, extra):
        lines.append(("Remark", text))
    return Verdict(exercise.name, True, None, ("library-used",) if extra else (), tuple(lines))


def remark(exercise, runs, extra):
    """One thing worth knowing about a right answer, or "". `extra` are functions of the library."""
    if any(run.loses_digits for run in runs):
        return "your results have the 7 digits of float32, where the input has the 16 of float64."
    if extra:
        return f"{' and '.join(f'`{name}`' for name in extra)} of the library did the work. Write it out yourself once."
    if kinds := sorted({kind for run in runs for kind in odd_kinds(run)}):
        return f"what came back is {kinds[0]}. The next steps might need a plain array, as np.array makes it."
    function = runs[0].function
    if "mask" in exercise.arguments.split():
        if weights_of(exercise, function, BELOW_ANY_FILL, MASK) in ([0, 1, 0], [0, 0, 0]):
            return (
                "what is hidden is replaced by a number such as -1e9. Where the allowed scores are lower still, "
                "their weights are lost. -np.inf is lower than every number."
            )
        if weights_of(exercise, function, WITH_NAN, MASK | True) == [0, 0, 0]:
            return (
                "a NaN among the scores comes out as 0, so nobody notices that something went wrong before. "
                "A guard only for fully masked rows would let it through."
            )
    if exercise.without_a_loop and has_a_loop(getattr(function, "__code__", None)):
        return f"the same without a loop: {exercise.without_a_loop}"
    return ""


def odd_kinds(run):
    """What came back that is no plain array, and no number."""
    for part in run.returned if len(run.exercise.parts) > 1 else [run.returned]:
        if np.ndim(part) and type(part) is not np.ndarray:
            yield f"of type {type(part).__name__}"
        elif np.ndim(part) and part.dtype == object:
            yield "of dtype object"


def weights_of(exercise, function, scores, mask):
    """The weights that the answer gives a row of scores; None if it gives no such row."""
    args = (scores, mask)
    if "q" in exercise.arguments.split():  # d_k is 1, so that the keys are the scores
        args = np.ones((1, 1)), scores.T, np.eye(3), mask
    run = call(function, exercise, Probe("a row", args), (), watched=False)
    return run.got[-1].ravel().tolist() if run.got else None


def has_a_loop(code):
    """Whether this code, or a function in it, has a `for` or a `while`."""
    if code is None:
        return False
    jumps = any(i.opname == "FOR_ITER" or "JUMP_BACKWARD" in i.opname for i in dis.get_instructions(code))
    return jumps or any(map(has_a_loop, filter(inspect.iscode, code.co_consts)))
