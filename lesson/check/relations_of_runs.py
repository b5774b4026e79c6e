"""How all wrong results together relate to the right ones, where no mistake was found.

Each function takes all runs and returns a Reason or None.
"""

import itertools

import numpy as np

from lesson.check.compare import close, same, shapes
from lesson.check.mistakes.general import GENERAL
from lesson.check.seen import format_numbers, lower_first, wrong_entry
from lesson.check.verdict import Reason


def left_from_an_earlier_call(runs):
    """Something of an earlier call in each wrong result, as of a function that remembers shapes."""
    wrong = [i for i, run in enumerate(runs) if not run.ok]
    ask = "Does your function keep something from call to call, or not use an argument?"
    for find in (result_of_an_earlier_call, arguments_of_an_earlier_call):
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
            cause = "The result is the same as that of an earlier call, though other numbers went in."
            return f"the same as with {other.probe.name}", cause
    return None


def arguments_of_an_earlier_call(run, earlier):
    """(what the result is, why) if it is right with one argument of an earlier run, or with two; or None."""
    names = [*run.named_args]
    for other, number in itertools.product(earlier if run.got else [], (1, 2)):
        for kept in itertools.combinations(range(min(len(run.args), len(other.args))), number):
            args = tuple(other.args[i] if i in kept else run.args[i] for i in range(len(names)))
            result = run.exercise.result_with({}, args) if shapes(args) == shapes(run.args) else None
            if result and same(run.got, result, run.dtype):
                cause = "This argument did not count as it came: an earlier one was kept, or another stands in its place."
                if number == 2:
                    cause = "These two did not count as they came: earlier ones were kept, or what was made of them."
                of = " and the ".join(names[i] for i in kept)
                return f"right for the {of} of the call with {other.probe.name}", cause
    return None


def rounded_to_float16(runs):
    """Ordinary answers that are right but for rounding to float16."""
    wrong = [run for run in runs if not run.ok and run.probe.ordinary]
    if not wrong or not all(map(is_right_in_half_precision, wrong)):
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


def turned_by_other_angles(runs):
    """Vectors whose pairs keep their lengths and turn, all at one position alike, by other angles."""
    wrong = [run for run in runs if not run.ok]
    if not all(map(turns_its_pairs, wrong)):
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
