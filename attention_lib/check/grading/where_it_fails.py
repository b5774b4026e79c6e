"""Where an answer goes wrong, if it is right everywhere else: that often points to the cause."""

import numpy as np

COUNTS = ("no", "one", "two", "three", "four", "five")


def where_it_fails(exercise, runs):
    """(where it goes wrong, a question), if it is right on other ordinary probes; or None."""
    edges = [run for run in runs if not run.probe.ordinary]
    runs = [run for run in runs if run.probe.ordinary]
    right, wrong = [run for run in runs if run.ok], [run for run in runs if not run.ok]
    if not wrong:
        return on_one_probe([run for run in edges if not run.ok])
    if not right:
        return None
    shared = [trait for trait in exercise.probe_traits if all(map(trait.holds, wrong))]
    return (
        with_more_axes(right, wrong)
        or with_a_trait(shared, lambda trait: not any(map(trait.holds, right)), "")
        or with_longer_axes(right, wrong)
        or on_one_probe(wrong)
        or with_a_trait(
            shared, lambda trait: not all(map(trait.holds, right)), ", though not in every such case"
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
