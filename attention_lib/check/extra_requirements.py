"""What some exercises ask for beyond the right numbers.

A rule takes all runs and the reasons found so far, and returns one more Reason or None.
"""

import numpy as np

from attention_lib.check.grading.verdict import Reason
from attention_lib.check.weights import hidden, weights


def mask_is_boolean(runs, reasons):
    """A mask of other numbers than True and False, if the numbers look like a mask."""
    of_numbers = [run for run in runs if run.got is not None and not run.gave_booleans]
    if not of_numbers:
        return None
    no_error = all(run.error is None for run in runs)
    two_values = no_error and all(np.unique(run.got[0]).size <= 2 for run in of_numbers)
    if not (reasons or two_values or all(run.ok for run in runs)):
        return None
    run = of_numbers[0]
    cause = "A mask of numbers means opposite things in different libraries. Here it is True and False."
    if (run.got[0] < 0).any():
        cause = "This mask is one to be added to the scores. Here a mask is True and False."
    return Reason(
        "wrong-type",
        f"With {run.probe.name}: the dtype is {np.asarray(run.returned).dtype}, and should be bool.",
        cause,
        "Which comparison gives True and False? Which dtype has the array that you fill?",
    )


def hidden_keys_get_exactly_zero(runs, reasons):
    """Weights too small to be seen among the other numbers, and not the 0 that was asked for."""
    if reasons or not all(run.ok for run in runs):
        return None
    run = next((run for run in runs if (weights(run)[hidden(run)] != 0).any()), None)
    if run is None:
        return None
    return Reason(
        "fill-too-small",
        f"With {run.probe.name}: hidden keys get up to {weights(run)[hidden(run)].max():.0e}.",
        "The value for hidden scores is low, and exp of it is still more than 0.",
        "Of which number is exp exactly 0, whatever the other scores are?",
    )


def name_of_mask_entry(index):
    if len(index) == 3:
        return f"Key {index[2]} of sentence {index[0]}"
    return f"Query {index[0]}, key {index[1]}" if len(index) == 2 else f"Key {index[0]}"
