"""Where an answer goes wrong, if it is right everywhere else: that often points to the cause."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lesson.check.seen import mask_of


@dataclass(frozen=True)
class Trait:
    """What only some probes have."""

    where: str  # finishes the sentence "Of the inputs tried, your function is wrong only ..."
    ask: str
    holds: Callable  # of a run


def may_have_a_mask_of(run):
    return "mask" in run.exercise.arguments.split()


def has_whole_numbers(run):
    whole = any(np.asarray(a).dtype.kind == "i" and np.ndim(a) for a in run.args)
    return whole and not run.exercise.booleans


def number_of_tables(x):
    """How many tables, of the last two axes, this array holds."""
    return np.prod(np.shape(x)[:-2], dtype=int)


def has_minus_infinity(run):
    return any(np.isneginf(a).any() for a in run.args if isinstance(a, np.ndarray))


def has_an_axis_of_length_1(run):
    return any(1 in part.shape for part in (*map(np.asarray, run.args), *run.right))


TRAITS = [
    Trait(
        "without a mask",
        "What does your function do when no mask is given?",
        lambda run: may_have_a_mask_of(run) and mask_of(run) is None,
    ),
    Trait(
        "with a mask that is smaller than the table",
        "The mask lines up with the table from the right. Does a line of yours need both alike?",
        lambda run: mask_of(run) is not None and np.shape(mask_of(run)) != run.right[-1].shape,
    ),
    Trait(
        "with a mask",
        "Follow the mask through your lines. Where does it meet the table?",
        lambda run: mask_of(run) is not None,
    ),
    Trait(
        "with a batch of more than one",
        "What do your lines do with the axes in front, and what becomes of the second table?",
        lambda run: min(number_of_tables(run.args[0]), number_of_tables(run.right[0])) > 1,
    ),
    Trait(
        "with more than one head",
        "Which numbers belong to the second head, and where do your lines take them from?",
        lambda run: run.named_args.get("n_heads", 1) > 1,
    ),
    Trait(
        "with whole numbers",
        "Can your arrays hold a fraction there? Which dtype do they have? Or does it matter that some numbers are equal?",
        has_whole_numbers,
    ),
    Trait(
        "with -inf among the numbers",
        "What becomes of -inf in each of your lines?",
        has_minus_infinity,
    ),
    Trait(
        "where an axis has length 1",
        "What do your lines make of an axis of length 1? Is it taken away, or treated in another way?",
        has_an_axis_of_length_1,
    ),
]
COUNTS = ("no", "one", "two", "three", "four", "five")


def where_it_fails(runs):
    """(where it goes wrong, a question), if it is right on other ordinary probes; or None."""
    ordinary = [run for run in runs if run.probe.ordinary]
    right, wrong = [run for run in ordinary if run.ok], [run for run in runs if not run.ok]
    if not right:
        return None
    if right == ordinary[:1] and len(ordinary) > 2:
        where = f"with other inputs than the first, {right[0].probe.name}"
        return (
            where,
            "Is a number of that input in your lines? Or is anything kept from one call to the next?",
        )
    shared = [trait for trait in TRAITS if all(map(trait.holds, wrong))]
    return (
        on_one_probe(wrong)
        if right == ordinary
        else with_more_axes(right, wrong)
        or with_a_trait(shared, right)
        or with_longer_axes(right, wrong)
        or on_one_probe(wrong)
        or with_some_of_a_trait(shared, wrong, ordinary)
    )


def with_more_axes(right, wrong):
    most = max(map(most_axes, right))
    if min(map(most_axes, wrong)) <= most:
        return None
    where = f"with more than {COUNTS[most]} {'axis' if most == 1 else 'axes'}"
    return (
        where,
        "Does a line of yours fit one number of axes alone, or one table? Counted from the end, -1 is always the last axis.",
    )


def with_longer_axes(right, wrong):
    name = right[0].exercise.arguments.split()[0]
    for axis, length in {"an axis": longest_axis, f"the last axis of {name}": last_axis}.items():
        most, least = max(map(length, right)), min(map(length, wrong))
        if len(right) > 1 and most < least:
            where = f"where {axis} is longer than {most} (the next length tried is {least})"
            return where, "Does a number in your lines stand for a length?"
    return None


def most_axes(run):
    return max(np.ndim(a) for a in run.args)


def last_axis(run):
    """The length of the first argument's last axis."""
    return max(np.shape(run.args[0])[-1:], default=0)


def longest_axis(run):
    """The longest axis of what goes in or should come back."""
    return max((n for a in (*run.args, *run.right) for n in np.shape(a)), default=0)


def with_a_trait(shared, right):
    """The first trait of all wrong runs that no right one has."""
    trait = next((trait for trait in shared if not any(map(trait.holds, right))), None)
    return trait and (trait.where, trait.ask)


def with_some_of_a_trait(shared, wrong, runs):
    """The traits of all wrong runs that so many runs, drawn by chance, would share less than once in five times.

    Right runs have them too.
    """
    having = {trait: {i for i, run in enumerate(runs) if trait.holds(run)} for trait in shared}
    all_draws = math.comb(len(runs), len(wrong))
    rare = [trait for trait in shared if math.comb(len(having[trait]), len(wrong)) < 0.2 * all_draws]
    rare = [trait for trait in rare if not any(having[other] < having[trait] for other in rare)]
    if not rare:
        return None
    where = " and ".join(trait.where for trait in rare)
    ask = rare[0].ask if len(rare) == 1 else "Which of these matters? What do your lines do there?"
    return f"{where}, though not in every such case", ask


def on_one_probe(wrong):
    return (f"with {wrong[0].probe.name}", "What is different about that input?") if len(wrong) == 1 else None
