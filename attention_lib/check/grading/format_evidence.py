"""What is shown of a wrong answer: numbers and shapes, as a learner can find them again."""

from collections.abc import Mapping

import numpy as np

from attention_lib.check.grading.error_hints import lower_first
from attention_lib.check.grading.run_learner import same

FITS = 8  # so many numbers of an argument are shown; of a larger one the shape


def show(values):
    """Numbers with at most two decimals, on any processor the same."""
    rounded = (np.round(float(x), 2) + 0.0 for x in np.ravel(values))
    texts = ["NaN" if np.isnan(x) else f"{x:.2f}" for x in rounded]
    return " ".join(text.rstrip("0").rstrip(".") if "." in text else text for text in texts)


def argument(name, value):
    if value is None:
        return f"{name} = None"
    if isinstance(value, Mapping):
        return f"{name} {{{', '.join(f'{key} {np.shape(x)}' for key, x in value.items())}}}"
    value = np.asarray(value)
    if not value.ndim:
        return f"{name} = {value}"
    return (
        f"{name} = [{show(value)}]"
        if value.ndim == 1 and value.size <= FITS
        else f"{name} {value.shape}"
    )


def called_with(seen):
    """The arguments: as numbers where they fit, else as shapes."""
    return ", ".join(argument(name, value) for name, value in seen.named_args.items())


def shapes_of(parts):
    return " and ".join(str(part.shape) for part in parts)


def of_part(seen, i):
    name = seen.exercise.parts[i] if i < len(seen.exercise.parts) else ""
    return f" of the {name}" if name else ""


def first_table(x):
    return x.reshape(-1, *x.shape[-2:])[0] if x.ndim > 2 else np.atleast_2d(x)


def shape(seen):
    """The shape, if that is wrong, or else the entry that is furthest off."""
    got, right = seen.got, seen.right
    if len(got) != len(right):
        return f"What came back has shape {shapes_of(got)}."
    wrong = [i for i, (g, r) in enumerate(zip(got, right, strict=True)) if g.shape != r.shape]
    if not wrong:
        return entry(seen)
    i = wrong[0]
    return f"The shape{of_part(seen, i)} is {got[i].shape} and should be {right[i].shape}."


def entry(seen):
    """The entry that is furthest off."""
    pairs = list(zip(seen.got, seen.right, strict=False))
    wrong = [i for i, (g, r) in enumerate(pairs) if not same((g,), (r,), seen.dtype)]
    i = wrong[0] if wrong else 0
    got, right = pairs[i]
    if got.shape != right.shape or len(seen.got) != len(seen.right):
        return shape(seen)
    off = np.where(np.isfinite(got), np.abs(got - right), np.inf)
    off = np.where(np.isnan(off), np.inf, np.where((got == right), 0, off))
    worst = np.unravel_index(np.round(off, 6).argmax(), got.shape)
    at = [int(n) for n in worst]
    if seen.exercise.booleans and seen.booleans_came:
        return f"{place(seen, at)} is {bool(got[worst])} and should be {bool(right[worst])}."
    where = f"Entry {at}{of_part(seen, i)}" if at else "The result"
    if show(got[worst]) == show(right[worst]):
        return f"{where} is {show(got[worst])}, which is off by {off[worst]:.0e}."
    return f"{where} is {show(got[worst])} and should be {show(right[worst])}."


def place(seen, at):
    """Where a mask's entry stands, in words."""
    if len(at) == 3:
        return f"Key {at[2]} of sentence {at[0]}"
    return f"Query {at[0]}, key {at[1]}" if len(at) == 2 else f"Key {at[0]}"


def sums(seen):
    """To what rows and columns add up, if they are shares."""
    if not seen.exercise.shares:
        return entry(seen)
    if seen.weights.shape != seen.right[-1].shape:
        return shape(seen)
    table = first_table(seen.weights)
    rows, columns = show(table.sum(-1)[:4]), show(table.sum(-2)[:4])
    text = f"The rows add up to {rows}, the columns to {columns}."
    return text if seen.weights.ndim < 3 else f"In the first table: {lower_first(text)}"


def forbidden(seen):
    """What a row with hidden keys gave them: the wrong row with the most of them."""
    if seen.mask is None or seen.weights.shape != seen.right[-1].shape:
        return shape(seen)
    size = seen.right[-1].shape[-1]
    weights, right, hidden = (
        x.reshape(-1, size) for x in (seen.weights, seen.right[-1], seen.hidden)
    )
    wrong = ~np.isclose(weights, right, 1e-4, 1e-5).all(-1)
    row = int(np.where(wrong, 1 + hidden.sum(-1), 0).argmax())
    leak = np.where(hidden, weights, 0)
    row_name = f"row {[int(i) for i in np.unravel_index(row, seen.weights.shape[:-1])]}"
    row_name = row_name if seen.weights.ndim > 2 else f"row {row}"
    if 0 < leak.max() < 0.005:
        row, key = np.unravel_index(leak.argmax(), leak.shape)
        mask = show(~hidden[row][:FITS])
        return f"In row {row} the mask is {mask}, and key {key} gets {leak.max():.0e}."
    mask, got = show(~hidden[row][:FITS]), show(weights[row][:FITS])
    more = ", and so on" if size > FITS else ""
    return f"In {row_name} the mask is {mask}{more}, and the weights are {got}."


def keys_seen(seen):
    """How many keys each row of a mask lets through."""
    got, right = (show(table.sum(-1)) for table in (seen.got[0], seen.right[0]))
    return f"The rows can see {got} keys, and should see {right}." if got != right else entry(seen)


def first_row(seen):
    """The first wrong row."""
    got, right = (x[0].reshape(-1, x[0].shape[-1]) for x in (seen.got, seen.right))
    if seen.got[0].shape != seen.right[0].shape:
        return shape(seen)
    wrong = [i for i, (g, r) in enumerate(zip(got, right, strict=True)) if not np.array_equal(g, r)]
    row = wrong[0] if wrong else 0
    at = [int(i) for i in np.unravel_index(row, seen.right[0].shape[:-1])]
    name = f"Row {at if len(at) > 1 else at[0]}" if at else "The row"
    return f"{name} should be {show(right[row][:FITS])}, and here stands {show(got[row][:FITS])}."
