"""Edge: which mistakes wrong answers show on a probe with extreme scores, or with rows in which all is hidden.

Exact numbers say little there, as many mistakes end in NaN. So the Edge of a probe says which mistake loses
each of its rows, which one gives weight to a hidden key, and which one an error stands for: plain Python raises
one where NumPy gives infinity or NaN.
"""

from dataclasses import dataclass, field

import numpy as np

from attention_lib.check.grading.run_learner import tolerance
from attention_lib.check.weights import hidden, weights, weights_among

EMPTY_ROW = "empty-row"
ZEROED = "zeros-if-any-nan"  # shown by zeros in a row that is not empty, beside one that is


@dataclass(frozen=True)
class Edge:
    """Ids of mistakes, by what shows them. Empty rows and those beside them need no entry."""

    rows: dict = field(default_factory=dict)  # a row that is lost, counted through all tables -> id
    leak: str | None = None  # the id if a hidden key gets weight
    errors: dict = field(default_factory=dict)  # a kind of error -> id

    def mistakes_of_error(self, error):
        return [id for kind, id in self.errors.items() if isinstance(error, kind)][:1]

    def mistakes_in_rows(self, run, twin, variant):
        """The ids that wrong rows show, or weight on hidden keys. Rows as the twin has them are explained already."""
        got, right, expected = weights(run), run.right[-1], weights_among(twin, run.right)
        if not got.shape == expected.shape == right.shape:
            return []
        wrong, empty = wrong_rows(got, right, expected, run.dtype), hidden(run).all(-1)
        nan_where_variant_hides_all = wrong & np.isnan(got).all(-1) & (expected == 0).all(-1)
        if "apply_mask" in variant and nan_where_variant_hides_all.any():
            return [EMPTY_ROW]
        if self.leak and wrong.any() and (got[hidden(run)] > 1e-6).any():
            return [self.leak]
        zeroed = wrong & (np.nan_to_num(got) == 0).all(-1)
        lost = zeroed | (wrong & ~np.isfinite(got).all(-1))  # a row of other numbers has another cause
        shown = [EMPTY_ROW] if (wrong & empty).any() else []
        shown += [ZEROED] if empty.any() and (zeroed & ~empty).any() else []
        return shown + [id for row, id in self.rows.items() if lost.flat[row]]


def wrong_rows(got, right, expected, dtype):
    """Which rows are neither right nor those of the twin. Zeros may stand where the twin has NaN."""
    rtol, atol = np.maximum(tolerance(dtype), (1e-4, 1e-5))
    mended = np.isnan(expected) & ((got == 0) | np.isnan(got))
    as_twin = np.isclose(got, expected, rtol, atol) | mended
    return ~as_twin.all(-1) & ~np.isclose(got, right, rtol, atol).all(-1)


def both_rows(id):
    return {0: id, 1: id}


LEAK = Edge(leak="fill-too-small")
LARGE = Edge(
    {0: "overflows", 1: "one-maximum-for-all"},
    errors={OverflowError: "overflows", ZeroDivisionError: "one-maximum-for-all"},
)
FAR_BELOW = Edge(both_rows("underflows"), "fill-too-small", {ZeroDivisionError: "underflows"})
FAR_ABOVE = Edge(
    both_rows("renormalised-after-mask"),
    "fill-too-small",
    {ZeroDivisionError: "renormalised-after-mask"},
)
EMPTY_ROWS = Edge(errors={ArithmeticError: EMPTY_ROW, ValueError: EMPTY_ROW})
A_LIST = Edge()  # judged as an edge, so that a wrong number is told before the list
