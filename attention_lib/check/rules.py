"""What some exercises ask for beyond the right numbers.

A rule takes all runs and the mistakes that were found, and returns a Reason or None.
"""

import numpy as np

from attention_lib.check.evidence import hidden, lower_first, weights, wrong_entry
from attention_lib.check.grading.compare import close, shapes
from attention_lib.check.grading.verdict import Reason
from attention_lib.check.mistakes.general import GENERAL


def reasons(exercise, runs, mistakes):
    """What the rules for this exercise say."""
    of_numbers = mask_is_boolean if exercise.booleans else keeps_the_digits
    rules = [looks_at_all_numbers, of_numbers, *([exercise.rule] if exercise.rule else [])]
    return [reason for rule in rules if (reason := rule(runs, mistakes))]


def keeps_the_digits(runs, mistakes):
    """Ordinary answers that are right but for rounding to float16."""
    wrong = [run for run in runs if not run.ok and run.probe.ordinary]
    if mistakes or not wrong or not all(map(is_right_in_half_precision, wrong)):
        return None
    return Reason(
        "float16",
        f"With {wrong[0].probe.name}: {lower_first(wrong_entry(wrong[0]))}",
        *GENERAL["float16"],
    )


def is_right_in_half_precision(run):
    if run.got is None or shapes(run.got) != shapes(run.right):
        return False
    return all(got_in_half_precision(*pair) for pair in zip(run.got, run.right, strict=True))


def got_in_half_precision(got, right):
    near = np.where(np.isinf(got) & (np.abs(right) > np.finfo(np.float16).max), right, got)
    return np.array_equal(got, got.astype(np.float16)) and close(near, right, 5e-2, 5e-2)


def looks_at_all_numbers(runs, mistakes):
    """The result of an earlier call in the place of each wrong one, as of a function that remembers shapes."""
    wrong = [i for i, run in enumerate(runs) if not run.ok]
    if mistakes or not wrong:
        return None
    earlier = [call_with_the_same_result(runs[i], runs[:i]) for i in wrong]
    if not all(earlier):
        return None
    return Reason(
        "different",
        f"With {runs[wrong[0]].probe.name}: the result is the same as with {earlier[0].probe.name}.",
        "Your function gives back the result of an earlier call, though it was called with other numbers.",
        "What does your function keep from call to call, or which argument does it not use?",
    )


def call_with_the_same_result(run, earlier):
    """An earlier run with arguments of the same shapes, if there is one; or None."""
    alike = [other for other in earlier if other.got and run.got and shapes(run.args) == shapes(other.args)]
    return next((other for other in alike if all(map(np.array_equal, run.got, other.got))), None)


def mask_is_boolean(runs, mistakes):
    """A mask of other numbers than True and False, if the numbers look like a mask."""
    of_numbers = [run for run in runs if run.got and run.got[0].size and not run.gave_booleans]
    if not of_numbers:
        return None
    no_error = all(run.error is None for run in runs)
    two_values = no_error and all(np.unique(run.got[0]).size <= 2 for run in of_numbers)
    if not (mistakes or two_values or all(run.ok for run in runs)):
        return None
    run = of_numbers[0]
    dtype = np.asarray(run.returned).dtype
    cause = "A mask of numbers means opposite things in different libraries. Here it is True and False."
    if dtype.kind == "O":
        cause = "An array of dtype object may hold anything, so other functions refuse it as a mask."
    if np.isin(run.got[0], (-1, -2)).all():
        cause = (
            "`~` makes -1 and -2 of 0 and 1. It turns True and False around in an array of booleans alone."
        )
    elif (run.got[0] < 0).any():
        cause = "This mask is one to be added to the scores. Here a mask holds True and False."
    return Reason(
        "wrong-type",
        f"With {run.probe.name}: the dtype is {dtype}, and should be bool.",
        cause,
        "Which comparison gives True and False? Which dtype does your array have?",
    )


def hidden_keys_get_exactly_zero(runs, mistakes):
    """Weights too small to be seen among the other numbers, and not the 0 that was asked for."""
    if mistakes or not all(run.ok for run in runs):
        return None
    run = next((run for run in runs if (weights(run)[hidden(run)] != 0).any()), None)
    if run is None:
        return None
    return Reason(
        "hidden-not-zero",
        f"With {run.probe.name}: hidden keys get up to {weights(run)[hidden(run)].max():.0e}.",
        *GENERAL["hidden-not-zero"],
    )
