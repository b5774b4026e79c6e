"""One thing worth knowing about a right answer: what came back, what did the work, or a shorter or safer way."""

import dis
import inspect

import numpy as np

from lesson.check.grading.call import call
from lesson.check.grading.watch import LIBRARY_NAMES
from lesson.check.probes import Probe

ALL_ROWS = "with axis=-1 and keepdims=True, `max` and `sum` take all rows at once."
WITHOUT_A_LOOP = {
    "attention_scores": "`q @ np.swapaxes(k, -1, -2)` makes all products at once.",
    "scaled_scores": "`q @ np.swapaxes(k, -1, -2)` makes all products at once.",
    "softmax": ALL_ROWS,
    "causal_mask": "`np.arange(n)[:, None] >= np.arange(n)` compares all positions at once.",
    "padding_mask": "`np.arange(max_length) < np.asarray(lengths)[:, None, None]` compares all at once.",
    "masked_softmax": f"{ALL_ROWS} Hidden scores are -inf before that, and a row of them alone needs a guard.",
    "split_heads": "a reshape and one swap of axes do all heads at once.",
    "merge_heads": "one swap of axes and a reshape do all heads at once.",
}
MASK = np.array([[True, False, True]])
BELOW_ANY_FILL = np.array([[-1e12, -1e30, -1e12]])  # of which the mask hides the second
WITH_NAN = np.array([[np.nan, 1.0, 2.0]])


def remark(exercise, runs, extra):
    """One thing worth knowing about a right answer, or "". `extra` are functions of the library."""
    if any(run.loses_digits for run in runs):
        return "your results have the 7 digits of float32, where the input has the 16 of float64."
    if extra:
        return f"{in_code(extra)} of the library did the work. Once, write it out yourself."
    if kinds := sorted({kind for run in runs for kind in odd_kinds(run)}):
        return f"what came back is {kinds[0]}. The next steps may need a plain array, as np.array makes it."
    return shorter_or_safer(exercise, runs[0].function)


def odd_kinds(run):
    """What came back that is no plain array, and no number."""
    parts = run.returned if len(run.exercise.parts) > 1 else [run.returned]
    for part in parts:
        if np.ndim(part) and type(part) is not np.ndarray:
            yield f"of type {type(part).__name__}"
        elif np.ndim(part) and part.dtype == object:
            yield "of dtype object"


def in_code(functions):
    return " and ".join(f"`{LIBRARY_NAMES[name]}.{name}`" for name in functions)


def shorter_or_safer(exercise, function):
    """A shorter or safer way to say what this right answer says, or ""."""
    if "mask" in exercise.arguments.split():
        shown = weights_of(exercise, function, BELOW_ANY_FILL, MASK)
        if shown in ([0, 1, 0], [0, 0, 0]):
            return (
                "what is hidden is replaced by a number such as -1e9. Where the allowed scores are lower still, "
                "their weights are lost. -np.inf is lower than every number."
            )
        if weights_of(exercise, function, WITH_NAN, MASK | True) == [0, 0, 0]:
            return (
                "a NaN among the scores comes out as 0, so nobody sees that something went wrong before. "
                "Guards for empty rows alone would let it through."
            )
    if exercise.name in WITHOUT_A_LOOP and has_a_loop(getattr(function, "__code__", None)):
        return f"the same without a loop: {WITHOUT_A_LOOP[exercise.name]}"
    return ""


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
