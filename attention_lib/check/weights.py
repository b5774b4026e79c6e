"""Tables of attention weights in an answer: which of them the mask hides, how to show them, and what can be wrong
with them where no mistake fits."""

import numpy as np

from attention_lib.check.grading.format_evidence import (
    MAX_NUMBERS,
    format_numbers,
    index_of,
    lower_first,
    wrong_entry,
    wrong_shape,
)
from attention_lib.check.grading.relations import Relation
from attention_lib.check.grading.run_learner import close
from attention_lib.check.grading.verdict import Reason

MAX_SUMS = 4


def weights_among(parts, right):
    """The part of an answer that has the shape of the weights, in whatever place it came; or the last."""
    fitting = (part for part in parts[::-1] if part.shape == right[-1].shape)
    return next(fitting, parts[-1])


def weights(run):
    return weights_among(run.got, run.right)


def mask(run):
    return run.named_args.get("mask")


def hidden(run):
    """Which weights the mask forbids."""
    forbidden = False if mask(run) is None else ~np.asarray(mask(run))
    return np.zeros(run.right[-1].shape, bool) | forbidden


def tables(x):
    return np.atleast_2d(x).reshape(-1, *np.atleast_2d(x).shape[-2:])


def first_table(x):
    return tables(x)[0]


# What a mistake shows of them


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
    nearly = f" (off by up to {off:.0e})" if 1e-9 < off < 0.005 else ""
    return f"The rows add up to {first_sums(sums)}{nearly}, the columns to {first_sums(table.sum(-2))}."


def far_off(sums, wanted):
    return ~np.isclose(sums, wanted, atol=0.005)


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
    if 0 < leak.max() < 0.005:
        row, key = np.unravel_index(leak.argmax(), leak.shape)
        allowed = format_numbers(~forbidden[row][:MAX_NUMBERS])
        return f"In row {row} the mask is {allowed}, and key {key} gets {leak.max():.0e}."
    wrong = ~np.isclose(got, right, 1e-4, 1e-5).all(-1)
    row = int(np.where(wrong, 1 + forbidden.sum(-1), 0).argmax())
    name = f"row {index_of(row, weights(run).shape[:-1]) if weights(run).ndim > 2 else row}"
    allowed, shown = (format_numbers(x[row][:MAX_NUMBERS]) for x in (~forbidden, got))
    more = ", and so on" if size > MAX_NUMBERS else ""
    return f"In {name} the mask is {allowed}{more}, and the weights are {shown}."


# Where no mistake fits


def different_scores_got_one_share(run):
    """In a row whose shares still add up, shares are equal that should be far apart."""
    if not np.isclose(weights(run).sum(-1), run.right[-1].sum(-1)).all():
        return False
    order = run.right[-1].argsort(-1)
    got, right = (np.take_along_axis(x, order, -1) for x in (weights(run), run.right[-1]))
    equal = np.isclose(got[..., 1:], got[..., :-1], rtol=1e-9, atol=0) & (got[..., 1:] > 0)
    return (equal & (right[..., 1:] > 1.5 * right[..., :-1]) & (right[..., :-1] > 1e-3)).any()


RELATIONS = [  # each holds if it holds of one run
    Relation(
        "Hidden keys get weight.",
        "Follow the mask through your lines. What becomes of a score that it hides?",
        lambda run: (weights(run)[hidden(run)] != 0).any(),
        weights_of_hidden_keys,
    ),
    Relation(
        "Scores that differ got the same share, as if a limit had made them equal.",
        "Which of your lines sets a limit to the scores, such as clip, minimum or maximum?",
        different_scores_got_one_share,
    ),
    Relation(
        "The rows of the weights do not add up to 1.",
        "Which line divides by the sum of a row, and does anything change the shares after it?",
        lambda run: not np.isclose(weights(run).sum(-1), run.right[-1].sum(-1), atol=0.01).all(),
        row_and_column_sums,
    ),
]


def explain_weights(wrong, seen):
    """The Reason for wrong weights that no mistake fits, from wrong runs and what was seen of the first; or None."""
    runs = [run for run in wrong if weights(run).shape == run.right[-1].shape]
    runs = [run for run in runs if not close(weights(run), run.right[-1])]
    runs = [run for run in runs if np.isfinite(weights(run)).all()] or runs  # NaN says little
    if relation := another_temperature(runs):
        return Reason("different", seen, *relation)
    for relation in RELATIONS:
        if run := next(filter(relation.holds, runs), None):
            shown = relation.shows(run) if relation.shows else ""
            if run is wrong[0]:
                shown = f"{seen} {shown}".strip()
            else:
                shown = f"With {run.probe.name}: {lower_first(shown or wrong_entry(run))}"
            return Reason("different", shown, relation.cause, relation.ask)
    return None


def another_temperature(runs):
    """(cause, question) if the weights are those of the right scores times one number."""
    with np.errstate(all="ignore"):
        factors = [temperature(run) for run in runs if weights(run).ndim > 1]
    if not factors or not np.allclose(factors, factors[0], rtol=1e-3):
        return None
    if np.isclose(factors[0], (0, 1), atol=0.01).any():
        return None
    cause = f"These are the weights of scores that were multiplied by {format_numbers(factors[:1])}."
    return cause, "Which factor stands between the scores and your exp?"


def temperature(run):
    """The factor between the right scores and those behind these weights, which add up to 1; or NaN."""
    got, right = weights(run), run.right[-1]
    seen = (got > 0) & (right > 0)
    x, y = (np.where(seen, np.log(w / w.max(-1, keepdims=True)), 0) for w in (right, got))
    factor = (x * y).sum() / (x * x).sum()
    return factor if np.allclose(y, factor * x, atol=1e-6) and close(got.sum(-1), right.sum(-1)) else np.nan
