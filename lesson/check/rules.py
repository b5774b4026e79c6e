"""What some exercises ask for beyond the right numbers.

A rule takes all runs and the mistakes that were found, and returns a Reason or None.
"""

import numpy as np

from lesson.check.mistakes.general import GENERAL
from lesson.check.seen import hidden, weights
from lesson.check.verdict import Reason


def mask_is_boolean(runs, mistakes):
    """A mask of other numbers than True and False, if the numbers look like a mask."""
    of_numbers = [run for run in runs if run.got and run.got[0].size and not run.gave_booleans]
    if not of_numbers:
        return None
    no_error = all(run.error is None for run in runs)
    two_values = no_error and all(np.unique(run.got[0]).size <= 2 for run in of_numbers)
    if not (mistakes or two_values):
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
        cause = "A mask with numbers below 0 is one to be added. Here a mask holds True and False."
    return Reason(
        "wrong-type",
        f"With {run.probe.name}: the dtype is {dtype}, and should be bool.",
        cause,
        "Which comparison gives True and False? Which dtype does your array have?",
    )


def hidden_keys_get_exactly_zero(runs, mistakes):
    """Weights too small to be seen among the other numbers, and not the 0 that was asked for."""
    if not all(run.ok for run in runs):
        return None
    run = next((run for run in runs if (weights(run)[hidden(run)] != 0).any()), None)
    if run is None:
        return None
    return Reason(
        "hidden-not-zero",
        f"With {run.probe.name}: hidden keys get up to {weights(run)[hidden(run)].max():.0e}.",
        *GENERAL["hidden-not-zero"],
    )
