"""Signs in a table of weights: sums and slopes that speak for a mistake whatever else is wrong.

Each sign looks at one table of weights, and at which of them the mask forbids. `masked_only` signs
can be seen only where something is hidden.
"""

import numpy as np

from attention_lib import attention as al
from attention_lib.check.steps import root, swap


def masked_only(sign):
    sign.masked_only = True
    return sign


def rows(seen):
    return seen.weights.sum(-1)


def ones(sums):
    return np.allclose(sums, 1, atol=1e-6)


def tables_add_up_to_one(seen):
    w = seen.weights
    whole = np.isclose(w.sum(), 1) or ones(w.sum((-1, -2)))
    return (w >= 0).all() and whole and not ones(rows(seen))


def columns_add_up_to_one(seen):
    sums = seen.weights.sum(-2)
    return ones(sums[sums != 0]) and sums.any() and not ones(rows(seen))


def nothing_adds_up_to_one(seen):
    """Powers: their sums are above 1 and differ, and their logarithms go with the scores."""
    sums = rows(seen)
    above = (
        (seen.weights >= 0).all() and (sums > 1.01).all() and not np.allclose(sums, sums.flat[0])
    )
    return above and np.isfinite(temperature(seen))


def rows_add_up_to_one_over_root(seen):
    return "q" in seen.named_args and np.allclose(rows(seen), 1 / root(seen.args[0]))


@masked_only
def hidden_get_everything(seen):
    w, hidden = seen.weights, seen.hidden
    allowed = ~hidden & hidden.any(-1, keepdims=True)
    as_if = (w[hidden] >= 0).all() and not ones(np.where(hidden, 0, w).sum(-1)[~hidden.all(-1)])
    return as_if and w[hidden].any() and not w[allowed].any()


@masked_only
def hidden_get_zero_and_the_rest_is_lost(seen):
    """Rows without a hidden key add up to 1, others to less: dropout does not look like this."""
    w, some = seen.weights, seen.hidden.any(-1)
    sums = rows(seen)
    shares = w.any() and (w >= 0).all() and ones(sums[~some]) and (sums <= 1 + 1e-6).all()
    return shares and not w[seen.hidden].any() and (sums[some] < 0.999).any()


def scores(seen):
    """The scores that should have gone into the softmax."""
    return seen.args[0] if "scores" in seen.named_args else al.scaled_scores(*seen.args[:2])


def score_of_hidden(seen):
    """The score that hidden keys seem to have had, judged by their weights."""
    logs = np.log(seen.weights) - scores(seen)
    allowed = np.where(seen.hidden, 0, logs).sum(-1) / (~seen.hidden).sum(-1)
    return (np.log(seen.weights) - allowed[..., None])[seen.hidden]


def hidden_as_if(low, high):
    """Hidden keys got a share, as if their scores had been one number between these two."""

    @masked_only
    def sign(seen):
        if not (seen.weights > 0).all():
            return False
        found = score_of_hidden(seen)
        return (low <= found).all() and (found <= high).all()

    return sign


def slope(seen, raw):
    """The factor that was used: log weights against these scores, centred, over allowed keys."""
    used = ~seen.hidden & (seen.weights > 0) & np.isfinite(raw)
    x, y = (np.where(used, z, 0) for z in (raw, np.log(np.where(used, seen.weights, 1))))
    count = np.maximum(used.sum(-1, keepdims=True), 1)
    x, y = (np.where(used, z - z.sum(-1, keepdims=True) / count, 0) for z in (x, y))
    if not (x * x).any():
        return np.nan
    factor = (x * y).sum() / (x * x).sum()
    return factor if np.allclose(y, factor * x, atol=1e-6) else np.nan


def slope_is(power):
    """The scale that was used is this power of d_k."""

    def sign(seen):
        if "q" not in seen.named_args:
            return False
        q, k = seen.args[:2]
        return np.isclose(slope(seen, q @ swap(k)), q.shape[-1] ** power)

    return sign


def temperature(seen):
    """The factor between the right scores and those behind these weights, or NaN."""
    return slope(seen, scores(seen))
