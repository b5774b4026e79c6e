"""Where an answer goes wrong, if it is right everywhere else: that often points to the cause."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_lib.check.evidence import mask_of


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
        "The mask lines up with the table from the right. Which line of yours needs both alike?",
        lambda run: mask_of(run) is not None and np.shape(mask_of(run)) != run.right[-1].shape,
    ),
    Trait(
        "with a mask",
        "Follow the mask through your lines. Where does it meet the table?",
        lambda run: mask_of(run) is not None,
    ),
    Trait(
        "with more than one table in front",
        "What do your lines do with the axes in front of the last two?",
        lambda run: max(np.prod(np.shape(a)[:-2], dtype=int) for a in run.args) > 1,
    ),
    Trait(
        "with more than one head",
        "Which numbers belong to the second head, and where do your lines take them from?",
        lambda run: run.named_args.get("n_heads", 1) > 1,
    ),
    Trait(
        "with whole numbers",
        "Can the array that you write into hold a fraction? Which dtype does it have?",
        has_whole_numbers,
    ),
    Trait(
        "where an axis has length 1",
        "Which of your lines takes away an axis of length 1, or treats it in another way?",
        has_an_axis_of_length_1,
    ),
]
COUNTS = ("no", "one", "two", "three", "four", "five")


def where_it_fails(runs):
    """(where it goes wrong, a question), if it is right on other ordinary probes; or None."""
    edge_cases = [run for run in runs if not run.probe.ordinary]
    runs = [run for run in runs if run.probe.ordinary]
    right, wrong = [run for run in runs if run.ok], [run for run in runs if not run.ok]
    if not wrong:
        return on_one_probe([run for run in edge_cases if not run.ok])
    if not right:
        return None
    if right == runs[:1] and len(wrong) > 1:
        return "after its first call", "Does it keep anything from one call to the next?"
    shared = [trait for trait in TRAITS if all(map(trait.holds, wrong))]
    return (
        with_more_axes(right, wrong)
        or with_a_trait(shared, lambda trait: not any(map(trait.holds, right)), "")
        or with_longer_axes(right, wrong)
        or on_one_probe(wrong)
        or with_a_trait(
            shared,
            lambda trait: not all(map(trait.holds, right)),
            ", though not in every such case",
        )
    )


def with_more_axes(right, wrong):
    most = max(map(most_axes, right))
    if len(right) < 2 or min(map(most_axes, wrong)) <= most:  # one right answer sets no limit
        return None
    where = f"with more than {COUNTS[most]} {'axis' if most == 1 else 'axes'}"
    return (
        where,
        "Which of your lines fits one number of axes alone? Counted from the end, -1 is always the last axis.",
    )


def with_longer_axes(right, wrong):
    name = right[0].exercise.arguments.split()[0]
    for axis, length in {"an axis": longest_axis, f"the last axis of {name}": last_axis}.items():
        most, least = max(map(length, right)), min(map(length, wrong))
        if len(right) > 1 and 2 < most < least:
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


def with_a_trait(traits, tells_apart, how_often):
    """The first of these traits that tells wrong from right runs."""
    trait = next(filter(tells_apart, traits), None)
    return trait and (f"{trait.where}{how_often}", trait.ask)


def on_one_probe(wrong):
    return (f"with {wrong[0].probe.name}", "What is different about that input?") if len(wrong) == 1 else None
