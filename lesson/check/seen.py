"""What was seen of an answer, in a sentence: numbers, shapes, errors and arguments, the same on any machine."""

import re
from collections.abc import Mapping

import numpy as np

from lesson.check.compare import wrong_parts

SHOWN = 0.005  # numbers are shown with two decimals: what is smaller than this shows as 0
ZERO = 1e-9  # numbers up to this count as 0, as in compare.tolerance
MAX_SUMS = 4
MAX_NUMBERS = 8  # of a longer row only the first are shown; of a larger argument its shape


def lower_first(sentence):
    return sentence[0].lower() + sentence[1:]


def one_line(text, most=160):
    """The text in one line, not too long, without memory addresses and backticks, which mark code."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", " ".join(text.split()))
    text = "".join(c if c.isprintable() else "?" for c in text).replace("`", "'")
    return text if len(text) <= most else text[:most] + " ..."


def error_text(error):
    try:
        return one_line(f"{type(error).__name__}: {error}".rstrip(":. "))
    except Exception:  # an error of the learner's whose text cannot be made
        return type(error).__name__


def in_line(run):
    """`, in your line ...`, if the line that raised the error is known."""
    return f", in your line `{one_line(run.error_line, 100).rstrip(':')}`" if run.error_line else ""


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
        first = ", ".join(f"{key} {np.shape(value[key])}" for key in [*value][:2])
        return f"{name} {{{first} and so on}}"
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
    wrong = wrong_parts(run)
    part = next(iter(wrong), 0)
    got, right = run.got[part], run.right[part]
    if got.shape != right.shape or len(run.got) != len(run.right):
        return wrong_shape(run)
    off = how_far_off(got, right)
    rounded = np.round(off, 6)  # where another processor rounds otherwise, it is the same entry
    worst = np.unravel_index((rounded if rounded.any() else off).argmax(), got.shape)
    index = [int(n) for n in worst]
    if run.exercise.booleans and run.gave_booleans:
        return f"{name_in_mask(index)} is {bool(got[worst])} and should be {bool(right[worst])}."
    where = f"Entry {index}{of_which_part(run, part)}" if index else "The result"
    shown, wanted = format_numbers(got[worst]), format_numbers(right[worst])
    if shown == wanted:
        return f"{where} is {shown}, which is off by {off[worst]:.0e}."
    return f"{where} is {shown} and should be {wanted}."


def name_in_mask(index):
    if len(index) == 3:
        return f"Key {index[2]} of sentence {index[0]}"
    return f"Query {index[0]}, key {index[1]}"


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


# Tables of attention weights


def weights_among(parts, right):
    """The part of an answer that has the shape of the weights, in whatever place it came; or the last."""
    fitting = (part for part in parts[::-1] if part.shape == right[-1].shape)
    return next(fitting, parts[-1])


def weights(run):
    return weights_among(run.got, run.right)


def mask_of(run):
    return run.named_args.get("mask")


def hidden(run):
    """Which weights the mask forbids."""
    forbidden = False if mask_of(run) is None else ~np.asarray(mask_of(run))
    return np.zeros(run.right[-1].shape, bool) | forbidden


def tables(x):
    return np.atleast_2d(x).reshape(-1, *np.atleast_2d(x).shape[-2:])


def row_and_column_sums(run):
    """What rows and columns add up to, if they are shares."""
    if not run.exercise.shares:
        return wrong_entry(run)
    if weights(run).shape != run.right[-1].shape:
        return wrong_shape(run)
    got, wanted = tables(weights(run)), tables(run.right[-1]).sum(-1)
    table = int(far_off(got.sum(-1), wanted).any(-1).argmax())  # the first that is wrong
    text = sums_of_table(got[table], wanted[table])
    if weights(run).ndim < 3:
        return text
    name = f"table {index_of(table, weights(run).shape[:-2])}" if table else "the first table"
    return f"In {name}: {lower_first(text)}"


def sums_of_table(table, wanted):
    sums = table.sum(-1)
    row = int(far_off(sums, wanted).argmax())
    if row >= MAX_SUMS:
        return f"Row {row} adds up to {format_numbers(sums[row])}."
    off = np.abs(sums - wanted).max()
    nearly = f" (off by up to {off:.0e})" if ZERO < off < SHOWN else ""
    return f"The rows add up to {first_sums(sums)}{nearly}, the columns to {first_sums(table.sum(-2))}."


def far_off(sums, wanted):
    return ~np.isclose(sums, wanted, atol=SHOWN)


def first_sums(sums):
    return format_numbers(sums[:MAX_SUMS]) + (" and so on" if len(sums) > MAX_SUMS else "")


def weights_of_hidden_keys(run):
    """The mask and the weights of the wrong row with the most hidden keys; None if no key is hidden."""
    if not hidden(run).any():
        return None
    if weights(run).shape != run.right[-1].shape:
        return wrong_shape(run)
    size = run.right[-1].shape[-1]
    got, right, forbidden = (x.reshape(-1, size) for x in (weights(run), run.right[-1], hidden(run)))
    leak = np.where(forbidden, got, 0)
    if 0 < leak.max() < SHOWN:
        row, key = np.unravel_index(leak.argmax(), leak.shape)
        allowed = format_numbers(~forbidden[row][:MAX_NUMBERS])
        return f"In row {row} the mask is {allowed}, and key {key} gets {leak.max():.0e}."
    wrong = ~np.isclose(got, right, 1e-4, 1e-5).all(-1)
    row = int(np.where(wrong, 1 + forbidden.sum(-1), 0).argmax())
    name = f"row {index_of(row, weights(run).shape[:-1]) if weights(run).ndim > 2 else row}"
    allowed, shown = (format_numbers(x[row][:MAX_NUMBERS]) for x in (~forbidden, got))
    more = ", and so on" if size > MAX_NUMBERS else ""
    return f"In {name} the mask is {allowed}{more}, and the weights are {shown}."
