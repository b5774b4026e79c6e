"""What a mistake shows of a run: what was seen, to follow "With ...: ". One with nothing of its own shows an entry."""

import numpy as np

from lesson.check.compare import same
from lesson.check.formatting import format_numbers, format_shapes

MAX_SUMS = 4
MAX_NUMBERS = 8  # longer rows are not shown
VISIBLE = 0.005  # numbers are written with two decimals: what is smaller than this looks like 0


def wrong_parts(run):
    """{place: (what came back, what is right)} of the parts of the answer that are wrong."""
    pairs = zip(run.got, run.right, strict=False)
    return {i: (got, right) for i, (got, right) in enumerate(pairs) if not same((got,), (right,), run.dtype)}


def furthest_off(run):
    """The shape that is wrong; if none is, the entry that is furthest off."""
    if len(run.got) != len(run.right):
        return f"what came back has shape {format_shapes(run.got)}."
    wrong = wrong_parts(run) or {0: (run.got[0], run.right[0])}
    of_other_shape = [place for place, (got, right) in wrong.items() if got.shape != right.shape]
    place = min(of_other_shape or wrong)
    got, right = wrong[place]
    name = run.exercise.parts[place]
    of_part = f" of the {name}" if name else ""
    if of_other_shape:
        return f"the shape{of_part} is {got.shape} but should be {right.shape}."
    off = distances(got, right)
    index = place_of_largest(off)
    if run.exercise.booleans and run.dtype.kind == "b":
        return f"{name_in_mask(index)} is {bool(got[index])} but should be {bool(right[index])}."
    where = f"entry {list(index)}{of_part}" if index else "the result"
    came, due = format_numbers(got[index]), format_numbers(right[index])
    if came == due:
        return f"{where} is {came}, which is off by {off[index]:.0e}."
    return f"{where} is {came} but should be {due}."


def distances(got, right):
    """How far each entry is off; NaN and infinity where a number belongs are infinitely far."""
    off = np.nan_to_num(np.abs(got - right), nan=np.inf, posinf=np.inf)
    return np.where(got == right, 0, off)


def place_of_largest(off):
    """The index of the entry that is furthest off; where another processor rounds otherwise, it is the same."""
    rounded = np.round(off, 6)
    place = (rounded if rounded.any() else off).argmax()
    return tuple(int(n) for n in np.unravel_index(place, off.shape))


def name_in_mask(index):
    """An entry of a mask in words: (query, key), or (sentence, 0, key)."""
    first, *others, key = index
    return f"key {key} of sentence {first}" if others else f"query {first}, key {key}"


def wrong_row(run):
    """The first row that is wrong, if it is short."""
    got, right = run.got[0], run.right[0]
    if got.shape != right.shape or got.shape[-1] > MAX_NUMBERS:
        return furthest_off(run)
    wrong = (got != right).any(-1)
    index = tuple(np.argwhere(wrong)[0].tolist())
    return f"row {format_index(index)} should be {format_numbers(right[index])}, but is {format_numbers(got[index])}."


def format_index(index):
    """A row of a matrix by its number, and one of several matrices by all its indices."""
    return list(index) if len(index) > 1 else index[0]


def weights_of(run):
    """The weights that came back; None if the exercise asks for none, or they have another shape."""
    fits = run.exercise.weights and run.got[-1].shape == run.right[-1].shape
    return run.got[-1] if fits else None


def hidden_keys(run):
    """Which weights the mask forbids."""
    forbidden = np.zeros(run.right[-1].shape, bool)
    mask = run.named_args.get("mask")
    return forbidden if mask is None else forbidden | ~np.asarray(mask)


def row_and_column_sums(run):
    """What rows and columns of the first matrix that is wrong add up to."""
    if weights_of(run) is None:
        return furthest_off(run)
    weights, right = np.atleast_2d(weights_of(run)), np.atleast_2d(run.right[-1])
    off = np.abs(weights.sum(-1) - right.sum(-1))
    wrong_rows = np.argwhere(~(off < VISIBLE)).tolist()
    *index, row = wrong_rows[0] if wrong_rows else [0] * off.ndim
    matrix = weights[tuple(index)]
    text = f"the rows add up to {first_sums(matrix.sum(-1))}, the columns to {first_sums(matrix.sum(-2))}."
    if row >= MAX_SUMS:
        text = f"row {row} adds up to {format_numbers(matrix[row].sum())}."
    if 1e-9 < off.max() < VISIBLE:
        text = f"what the rows add up to is off by up to {off.max():.0e}."
    return f"in matrix {index}: {text}" if index else text


def first_sums(sums):
    text = format_numbers(sums[:MAX_SUMS])
    return f"{text} and so on" if len(sums) > MAX_SUMS else text


def weights_of_hidden_keys(run):
    """The mask and the weights of one row with a hidden key; None if there is nothing to show.

    It is the first in which a wrong weight is that of a hidden key; or any weight is wrong; or a hidden key gets any.
    """
    hidden, weights = hidden_keys(run), weights_of(run)
    if not hidden.any():
        return None
    if weights is None:
        return furthest_off(run)
    off = ~np.isclose(weights, run.right[-1], 1e-4, 1e-5)
    leaks = hidden & (weights != 0)
    rows = [np.argwhere(places) for places in (off & leaks, off & hidden.any(-1, keepdims=True), leaks)]
    first = next(filter(len, rows), None)
    if first is None:
        return None
    index = tuple(first[0, :-1].tolist())
    row, allowed = weights[index], ~hidden[index]
    of_hidden = row[~allowed].max()
    seen = f"the weights are {format_numbers(row[:MAX_NUMBERS])}"
    if 0 < of_hidden < VISIBLE:
        seen = f"a hidden key gets {of_hidden:.0e}"
    more = ", and so on" if allowed.size > MAX_NUMBERS else ""
    return (
        f"in row {format_index(index)} the mask is {format_numbers(allowed[:MAX_NUMBERS])}{more}, and {seen}."
    )
