"""What a mistake shows of a run: a sentence with what was seen. One that can show nothing of its own shows an entry."""

import numpy as np

from lesson.check.compare import same
from lesson.check.formatting import format_numbers, format_shapes

MAX_SUMS = 4
MAX_NUMBERS = 8  # longer rows are not shown
SHOWN = 0.005  # numbers are shown with two decimals: what is smaller than this shows as 0


def wrong_parts(run):
    """{place: (what came back, what is right)} of the parts of the answer that are wrong."""
    pairs = zip(run.got, run.right, strict=False)
    return {i: (g, r) for i, (g, r) in enumerate(pairs) if not same((g,), (r,), run.dtype)}


def furthest_off(run):
    """The shape that is wrong; if none is, the entry that is furthest off."""
    if len(run.got) != len(run.right):
        return f"What came back has shape {format_shapes(run.got)}."
    wrong = wrong_parts(run) or {0: (run.got[0], run.right[0])}
    part = min(wrong, key=lambda i: (wrong[i][0].shape == wrong[i][1].shape, i))
    (got, right), name = wrong[part], run.exercise.parts[part] and f" of the {run.exercise.parts[part]}"
    if got.shape != right.shape:
        return f"The shape{name} is {got.shape} but should be {right.shape}."
    off = np.where(got == right, 0, np.nan_to_num(np.abs(got - right), nan=np.inf, posinf=np.inf))
    rounded = np.round(off, 6)  # where another processor rounds otherwise, it is the same entry
    worst = np.unravel_index((rounded if rounded.any() else off).argmax(), got.shape)
    index = [int(n) for n in worst]
    if run.exercise.booleans and run.dtype.kind == "b":
        *first, key = index
        where = f"Key {key} of sentence {first[0]}" if first[1:] else f"Query {first[0]}, key {key}"
        return f"{where} is {bool(got[worst])} but should be {bool(right[worst])}."
    where = f"Entry {index}{name}" if index else "The result"
    shown, wanted = format_numbers(got[worst]), format_numbers(right[worst])
    if shown == wanted:
        return f"{where} is {shown}, which is off by {off[worst]:.0e}."
    return f"{where} is {shown} but should be {wanted}."


def wrong_row(run):
    """The first row that is wrong, if it is short."""
    got, right = run.got[0], run.right[0]
    if got.shape != right.shape or got.shape[-1] > MAX_NUMBERS:
        return furthest_off(run)
    index = np.argwhere((got != right).any(-1))[0].tolist()
    shown, wanted = (format_numbers(x[tuple(index)]) for x in (got, right))
    return f"Row {index if len(index) > 1 else index[0]} should be {wanted}, but is {shown}."


def weights(run):
    """The weights that came back; None if the exercise asks for none, or they have another shape."""
    fits = run.exercise.weights and run.got[-1].shape == run.right[-1].shape
    return run.got[-1] if fits else None


def hidden(run):
    """Which weights the mask forbids."""
    mask = run.named_args.get("mask")
    return np.zeros(run.right[-1].shape, bool) | (False if mask is None else ~np.asarray(mask))


def row_and_column_sums(run):
    """What rows and columns of the first matrix that is wrong add up to."""
    if weights(run) is None:
        return furthest_off(run)
    got, right = np.atleast_2d(weights(run)), np.atleast_2d(run.right[-1])
    off = np.abs(got.sum(-1) - right.sum(-1))
    *index, row = next(iter(np.argwhere(~(off < SHOWN)).tolist()), [0] * off.ndim)
    matrix = got[tuple(index)]
    text = f"the rows add up to {first_sums(matrix.sum(-1))}, the columns to {first_sums(matrix.sum(-2))}."
    if row >= MAX_SUMS:
        text = f"row {row} adds up to {format_numbers(matrix[row].sum())}."
    if 1e-9 < off.max() < SHOWN:
        text += f" The rows are off by up to {off.max():.0e}."
    return f"In matrix {index}: {text}" if index else text


def first_sums(sums):
    return format_numbers(sums[:MAX_SUMS]) + (" and so on" if len(sums) > MAX_SUMS else "")


def weights_of_hidden_keys(run):
    """The mask and the weights of the first wrong row with a hidden key; None if there is no such row."""
    if not hidden(run).any():
        return None
    if weights(run) is None:
        return furthest_off(run)
    wrong = ~np.isclose(weights(run), run.right[-1], 1e-4, 1e-5) & hidden(run).any(-1, keepdims=True)
    leaks = hidden(run) & (weights(run) != 0)
    places = np.argwhere(wrong if wrong.any() else leaks)[:, :-1].tolist()
    if not places:
        return None
    row, mask = weights(run)[tuple(places[0])], ~hidden(run)[tuple(places[0])]
    shown = f"the weights are {format_numbers(row[:MAX_NUMBERS])}"
    if 0 < row[~mask].max() < SHOWN:
        shown = f"a hidden key gets {row[~mask].max():.0e}"
    allowed = format_numbers(mask[:MAX_NUMBERS]) + (", and so on" if mask.size > MAX_NUMBERS else "")
    index = places[0] if len(places[0]) > 1 else places[0][0]
    return f"In row {index} the mask is {allowed}, and {shown}."
