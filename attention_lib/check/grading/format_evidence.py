"""Formats what was seen of an answer: numbers, shapes, errors and arguments, short and the same on any machine."""

import re
from collections.abc import Mapping

import numpy as np

from attention_lib.check.grading.run_learner import same

MAX_NUMBERS = 8  # of a longer row only the first are shown; of a larger argument its shape


def lower_first(sentence):
    return sentence[0].lower() + sentence[1:]


def one_line(text, most=160):
    """The text in one line, not too long, without memory addresses."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", " ".join(text.split()))
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= most else text[:most] + " ..."


def error_text(error):
    try:
        return one_line(f"{type(error).__name__}: {error}")
    except Exception:  # an error of the learner's whose text cannot be made
        return type(error).__name__


def format_numbers(values):
    """Numbers with at most two decimals, on any processor the same."""
    texts = [format_number(float(x)) for x in np.ravel(values)]
    return " ".join(text.rstrip("0").rstrip(".") if "." in text else text for text in texts)


def format_number(x):
    if np.isnan(x):
        return "NaN"
    return f"{x:.0e}" if 1e15 < abs(x) < np.inf else f"{np.round(x, 2) + 0.0:.2f}"


def format_argument(name, value):
    """The numbers of a short argument, the shape of any other."""
    if value is None:
        return f"{name} = None"
    if isinstance(value, Mapping):
        return f"{name} {{{', '.join(f'{key} {np.shape(x)}' for key, x in value.items())}}}"
    between = ", " if isinstance(value, list) else " "  # as Python and as NumPy print them
    value = np.asarray(value)
    if not value.ndim:
        return f"{name} = {value}"
    if value.ndim == 1 and value.size <= MAX_NUMBERS:
        return f"{name} = [{format_numbers(value).replace(' ', between)}]"
    return f"{name} {value.shape}"


def format_arguments(run):
    return ", ".join(format_argument(name, value) for name, value in run.named_args.items())


def format_shapes(parts):
    return " and ".join(str(part.shape) for part in parts)


def compare_shapes(got, right, of_part=""):
    return f"The shape{of_part} is {got} and should be {right}."


def of_which_part(run, i):
    """` of the weights`, if the exercise asks for more than one array."""
    return f" of the {run.exercise.parts[i]}" if run.exercise.parts[i] else ""


def index_of(row, shape):
    """The index of a row, counted through all rows of a table or of several."""
    return [int(i) for i in np.unravel_index(row, shape)]


# What a mistake shows of a wrong answer: each takes a run and returns a sentence


def wrong_shape(run):
    """The shape that is wrong; if none is, the entry that is furthest off."""
    got, right = run.got, run.right
    if len(got) != len(right):
        return f"What came back has shape {format_shapes(got)}."
    wrong = [i for i, (g, r) in enumerate(zip(got, right, strict=True)) if g.shape != r.shape]
    if not wrong:
        return wrong_entry(run)
    i = wrong[0]
    return compare_shapes(got[i].shape, right[i].shape, of_which_part(run, i))


def wrong_entry(run):
    """The entry that is furthest off."""
    pairs = list(zip(run.got, run.right, strict=False))
    wrong = [i for i, (g, r) in enumerate(pairs) if not same((g,), (r,), run.dtype)]
    part = wrong[0] if wrong else 0
    got, right = pairs[part]
    if got.shape != right.shape or len(run.got) != len(run.right):
        return wrong_shape(run)
    off = how_far_off(got, right)
    worst = np.unravel_index(np.round(off, 6).argmax(), got.shape)
    index = [int(n) for n in worst]
    if run.exercise.booleans and run.gave_booleans:
        name = run.exercise.name_of_entry(index)
        return f"{name} is {bool(got[worst])} and should be {bool(right[worst])}."
    where = f"Entry {index}{of_which_part(run, part)}" if index else "The result"
    shown, wanted = format_numbers(got[worst]), format_numbers(right[worst])
    if shown == wanted:
        return f"{where} is {shown}, which is off by {off[worst]:.0e}."
    return f"{where} is {shown} and should be {wanted}."


def how_far_off(got, right):
    """The distance of each entry; that of NaN is infinite."""
    off = np.where(np.isfinite(got), np.abs(got - right), np.inf)
    return np.where(np.isnan(off), np.inf, np.where((got == right), 0, off))


def wrong_row(run):
    """The first wrong row."""
    if run.got[0].shape != run.right[0].shape:
        return wrong_shape(run)
    got, right = (x[0].reshape(-1, x[0].shape[-1]) for x in (run.got, run.right))
    wrong = [i for i, (g, r) in enumerate(zip(got, right, strict=True)) if not np.array_equal(g, r)]
    row = wrong[0] if wrong else 0
    index = index_of(row, run.right[0].shape[:-1])
    name = f"Row {index if len(index) > 1 else index[0]}"
    wanted, shown = (format_numbers(rows[row][:MAX_NUMBERS]) for rows in (right, got))
    return f"{name} should be {wanted}, and is {shown}."
