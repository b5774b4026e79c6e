"""Tables of attention weights in an answer: which weights the mask hides, how to show them, and how to recognise a
mistake by their sums and slopes.

A sign recognises one mistake by the weights, whatever else is wrong. It is a function of the wrong runs that returns
the one to show, or None if not all tables of weights have the sign.
"""

import functools

import numpy as np

from attention_lib import attention as al
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
from attention_lib.check.steps import root, swap

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


# Signs


def sign(holds, needs_hidden_keys=False):
    """A sign from what holds of one run with a table of weights."""

    @functools.wraps(holds)
    def run_to_show(wrong):
        runs = [run for run in wrong if has_table_of_weights(run)]
        if not all(np.isfinite(weights(run)).all() for run in runs):
            return None
        if needs_hidden_keys:
            runs = [run for run in runs if hidden(run).any()]
        with np.errstate(all="ignore"):
            return runs[0] if runs and all(map(holds, runs)) else None

    return run_to_show


sign_of_hidden_keys = functools.partial(sign, needs_hidden_keys=True)


def has_table_of_weights(run):
    shape = weights(run).shape
    return run.exercise.shares and shape == run.right[-1].shape and len(shape) > 1 and min(shape[-2:]) > 1


def ones(sums):
    return np.allclose(sums, 1, atol=1e-6)


@sign
def tables_add_up_to_one(run):
    w = weights(run)
    whole = np.isclose(w.sum(), 1) or ones(w.sum((-1, -2)))
    return (w >= 0).all() and whole and not ones(w.sum(-1))


@sign
def columns_add_up_to_one(run):
    sums = weights(run).sum(-2)
    return ones(sums[sums != 0]) and sums.any() and not ones(weights(run).sum(-1))


@sign
def powers_are_not_divided(run):
    """The sums are above 1 and differ, and the logarithms go with the scores."""
    w, sums = weights(run), weights(run).sum(-1)
    above = (w >= 0).all() and (sums > 1.01).all() and not np.allclose(sums, sums.flat[0])
    return above and np.isfinite(temperature(run))


@sign
def rows_add_up_to_one_over_root(run):
    return "q" in run.named_args and np.allclose(weights(run).sum(-1), 1 / root(run.args[0]))


@sign_of_hidden_keys
def hidden_get_everything(run):
    w, is_hidden = weights(run), hidden(run)
    allowed = ~is_hidden & is_hidden.any(-1, keepdims=True)
    as_if = (w[is_hidden] >= 0).all() and not ones(np.where(is_hidden, 0, w).sum(-1)[~is_hidden.all(-1)])
    return as_if and w[is_hidden].any() and not w[allowed].any()


@sign_of_hidden_keys
def hidden_get_zero_and_the_rest_is_lost(run):
    """Rows without a hidden key add up to 1, others to less: dropout does not look like this."""
    w, has_hidden = weights(run), hidden(run).any(-1)
    sums = w.sum(-1)
    shares = w.any() and (w >= 0).all() and ones(sums[~has_hidden]) and (sums <= 1 + 1e-6).all()
    if not shares or w[hidden(run)].any() or not (sums[has_hidden] < 0.999).any():
        return False
    scores = scores_of(run)
    unmasked = al.softmax(slope(run, scores) * scores)
    return np.allclose(w, np.where(hidden(run), 0, unmasked), atol=1e-4)


def scores_of(run):
    """The right scores, before a mask."""
    return run.args[0] if "scores" in run.named_args else al.scaled_scores(*run.args[:2])


def scores_of_hidden_keys(run):
    """The scores that hidden keys seem to have had, judged by their weights."""
    scores = scores_of(run)
    logs = np.log(weights(run)) - scores
    allowed = np.where(hidden(run), 0, logs).sum(-1) / (~hidden(run)).sum(-1)
    return (np.log(weights(run)) - allowed[..., None])[hidden(run)]


def hidden_as_if(low, high):
    """Hidden keys got a share, as if their scores had been between these two numbers."""

    @sign_of_hidden_keys
    def hidden_between(run):
        if not (weights(run) > 0).all():
            return False
        found = scores_of_hidden_keys(run)
        return (low <= found).all() and (found <= high).all()

    return hidden_between


def slope(run, raw):
    """The factor that was used: log weights against these scores, centred, over allowed keys. NaN if there is none."""
    used = ~hidden(run) & (weights(run) > 0) & np.isfinite(raw)
    x, y = (np.where(used, z, 0) for z in (raw, np.log(np.where(used, weights(run), 1))))
    count = np.maximum(used.sum(-1, keepdims=True), 1)
    x, y = (np.where(used, z - z.sum(-1, keepdims=True) / count, 0) for z in (x, y))
    if not (x * x).any():
        return np.nan
    factor = (x * y).sum() / (x * x).sum()
    return factor if np.allclose(y, factor * x, atol=1e-6) else np.nan


def slope_is(power):
    """The scores were scaled by this power of d_k."""

    @sign
    def scaled_by_power(run):
        if "q" not in run.named_args:
            return False
        q, k = run.args[:2]
        return np.isclose(slope(run, q @ swap(k)), q.shape[-1] ** power)

    return scaled_by_power


def temperature(run):
    """The factor between the right scores and those behind these weights, or NaN."""
    return slope(run, np.log(run.right[-1]))  # in each row the right scores, less one number


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
    if not all(close(weights(run).sum(-1), run.right[-1].sum(-1)) for run in runs):
        return None
    cause = f"These are the weights of scores that were multiplied by {format_numbers(factors[:1])}."
    return cause, "Which factor stands between the scores and your exp?"
