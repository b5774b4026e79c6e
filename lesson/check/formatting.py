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
    return f"{np.round(float(x), 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def format_shapes(parts):
    return " and ".join(str(part.shape) for part in parts)


def size_of(args):
    """How many numbers these arguments hold in all."""
    return sum(map(np.size, flat(args)))


def format_arguments(run):
    """The arguments by name: their numbers if they are few, and otherwise their shapes."""
    whole = size_of(run.named_args.values()) <= MAX_WHOLE
    return ", ".join(format_argument(name, value, whole) for name, value in run.named_args.items())


def format_argument(name, value, whole):
    if isinstance(value, Mapping):
        entries = [format_argument(key, value[key], whole) for key in value]
        written = entries if whole else [*entries[:2], "and so on"]
        return f"{name} {{{', '.join(written)}}}"
    if np.ndim(value) == 0:
        return f"{name} = {value}"
    return f"{name} = {format_nested(value)}" if whole else f"{name} {np.shape(value)}"


def format_nested(value):
    """An array as a list in lists, ready to be pasted."""
    if np.ndim(value):
        return f"[{', '.join(map(format_nested, value))}]"
    return format_numbers(value) if isinstance(value, (float, np.floating)) else str(value)


def listed(names):
    """`unequal sizes, a batch, one query and 5 others`."""
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} others"]
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
