"""What some exercises ask for beyond the right numbers.

A rule takes all runs and the mistakes that were found, and returns a Reason or None.
"""

import itertools

import numpy as np

from attention_lib.check.compare import close, same, shapes
from attention_lib.check.evidence import (
    format_numbers,
    hidden,
    lower_first,
    one_line,
    weights,
    wrong_entry,
)
from attention_lib.check.mistakes.general import GENERAL
from attention_lib.check.verdict import Reason


def reasons(exercise, runs, mistakes):
    """What the rules for this exercise say."""
    of_numbers = mask_is_boolean if exercise.booleans else keeps_the_digits
    found = []
    for rule in [is_real, forgets_earlier_calls, of_numbers, *([exercise.rule] if exercise.rule else [])]:
        if reason := rule(runs, [*mistakes, *found]):
            found.append(reason)
    return found


def is_real(runs, mistakes):
    """Complex numbers or texts in the place of real numbers or of booleans."""
    unread = [run for run in runs if run.got is None]
    if mistakes or not unread or any(run.error for run in runs):
        return None
    try:
        array = np.asarray(unread[0].returned)
    except Exception:  # an object may fail as it likes
        return None
    if array.dtype.kind == "c":
        seen = f"the dtype of the result is {array.dtype}."
        cause = "Complex numbers came back, and real ones were asked for."
        ask = "What do the real and the imaginary part of your numbers stand for? Where do both belong?"
    elif array.dtype.kind == "U" and array.size and array.ndim:
        seen = f"an entry of the result is {one_line(repr(array.item(0)), 40)}."
        cause = "The entries of the result are texts."
        ask = "Which of your lines puts a value in quotes, or makes texts of numbers?"
    else:
        return None
    return Reason("wrong-type", f"With {unread[0].probe.name}: {seen}", cause, ask)


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


def forgets_earlier_calls(runs, mistakes):
    """Something of an earlier call in each wrong result, as of a function that remembers shapes."""
    wrong = [i for i, run in enumerate(runs) if not run.ok]
    if mistakes or not wrong:
        return None
    ask = "What does your function keep from call to call, or which argument does it not use?"
    for find in (result_of_an_earlier_call, argument_of_an_earlier_call):
        found = list(itertools.takewhile(bool, (find(runs[i], runs[:i]) for i in wrong)))
        if len(found) == len(wrong):
            what, cause = found[0]
            return Reason("different", f"With {runs[wrong[0]].probe.name}: the result is {what}.", cause, ask)
    return None


def result_of_an_earlier_call(run, earlier):
    """(what the result is, why) if an earlier run with arguments of the same shapes has it too; or None."""
    alike = [other for other in earlier if other.got and run.got and shapes(run.args) == shapes(other.args)]
    for other in alike:
        if all(map(np.array_equal, run.got, other.got)):
            cause = "Your function gives back the result of an earlier call, though it was called with other numbers."
            return f"the same as with {other.probe.name}", cause
    return None


def argument_of_an_earlier_call(run, earlier):
    """(what the result is, why) if it is right with one argument of an earlier run; or None."""
    for other in earlier if run.got else []:
        for i, (name, old) in enumerate(other.named_args.items()):
            args = (*run.args[:i], old, *run.args[i + 1 :])
            result = run.exercise.result_with({}, args) if shapes(args) == shapes(run.args) else None
            if result and same(run.got, result, run.dtype):
                cause = "Your function did not use this argument as it came: it kept an earlier one, or made its own."
                return f"right for the {name} of the call with {other.probe.name}", cause
    return None


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


def turns_by_the_right_angles(runs, mistakes):
    """Vectors whose pairs keep their lengths and turn, all at one position alike, by other angles."""
    wrong = [run for run in runs if not run.ok]
    if mistakes or not wrong or not all(map(turns_its_pairs, wrong)):
        return None
    run = wrong[0]
    got, right = turns(run, run.got[0]), turns(run, run.right[0])
    table, row, pair = np.unravel_index(np.abs(got - right).argmax(), got.shape)
    angles = [np.angle(x[table, row, pair]) for x in (got, right)]
    turned, wanted = map(format_numbers, angles)
    if turned == wanted:  # both are small
        turned, wanted = (f"{angle + 0.0:.1g}" for angle in angles)
    return Reason(
        "other-angles",
        f"With {run.probe.name}: at position {run.args[1][row]}, pair {pair} turned by {turned} and should turn by "
        f"{wanted}, whole turns left out.",
        *GENERAL["other-angles"],
    )


def turns_its_pairs(run):
    if run.got is None or shapes(run.got) != shapes(run.right):
        return False
    turned = turns(run, run.got[0])
    return close(np.abs(turned), np.ones(turned.shape)) and close(turned, turned[:1].repeat(len(turned), 0))


def turns(run, result):
    """Each pair of the result over the pair that came in, as complex numbers: (tables, L, d/2)."""
    after, before = (np.split(np.asarray(x, float), 2, axis=-1) for x in (result, run.args[0]))
    turned = (after[0] + 1j * after[1]) / (before[0] + 1j * before[1])
    return turned.reshape(-1, *turned.shape[-2:])
