"""How numbers, shapes, arguments and names of probes are written in a sentence, the same on any machine."""

from collections.abc import Mapping

import numpy as np

from lesson.check.compare import flat

MAX_WHOLE = 40  # arguments with more numbers in all are shown by their shapes


def format_numbers(values):
    """Numbers with at most two decimals, on any processor the same."""
    return " ".join(map(format_number, np.ravel(values)))


def format_number(x):
    if np.isnan(x):
        return "NaN"
    if 1e15 < abs(x) < np.inf:
        return f"{x:.0e}"
    return f"{np.round(float(x), 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def format_shapes(parts):
    return " and ".join(str(part.shape) for part in parts)


def size_of(args):
    """How many numbers these arguments hold in all."""
    return sum(map(np.size, flat(args)))


def format_arguments(run):
    """The arguments by name: their numbers if they are few, and otherwise their shapes."""
    whole = size_of(run.args) <= MAX_WHOLE
    return ", ".join(format_argument(name, value, whole) for name, value in run.named_args.items())


def format_argument(name, value, whole):
    if isinstance(value, Mapping):
        shown = [format_argument(key, value[key], whole) for key in value]
        return f"{name} {{{', '.join(shown)}}}" if whole else f"{name} {{{', '.join(shown[:2])} and so on}}"
    if not np.ndim(value):
        return f"{name} = {value}"
    return f"{name} = {format_nested(value)}" if whole else f"{name} {np.shape(value)}"


def format_nested(value):
    """An array as a list in lists, ready to be pasted."""
    if np.ndim(value):
        return f"[{', '.join(map(format_nested, value))}]"
    return format_numbers(value) if isinstance(value, (float, np.floating)) else str(value)


def names_of(runs, most=3):
    """`unequal sizes, a batch and 5 others`: the names of their probes."""
    names = [run.probe.name for run in runs]
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} others"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
