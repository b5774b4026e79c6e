"""EdgeCase: which mistakes wrong answers show on a probe with extreme scores, or with rows in which all is hidden.

Exact numbers say little there, as many mistakes end in NaN. So the EdgeCase of a probe says which mistake loses
each of its rows, which one gives weight to a hidden key, and which one an error stands for: plain Python raises
one where NumPy gives infinity or NaN.
"""

from dataclasses import dataclass, field

EMPTY_ROW = "empty-row"  # shown by a wrong row in which all is hidden
ZEROED = "zeros-if-any-nan"  # shown by zeros in a row that is not empty, beside one that is


@dataclass(frozen=True)
class EdgeCase:
    """Ids of mistakes, by what shows them. Empty rows and those beside them need no entry."""

    rows: dict = field(default_factory=dict)  # a row that is lost, counted through all tables -> id
    leak: str | None = None  # the id if a hidden key gets weight
    errors: dict = field(default_factory=dict)  # a kind of error -> id


def both_rows(id):
    return {0: id, 1: id}


LEAK = EdgeCase(leak="fill-above-scores")
LARGE = EdgeCase(
    {0: "overflows", 1: "one-maximum-for-all"},
    errors={OverflowError: "overflows", ZeroDivisionError: "one-maximum-for-all"},
)
FAR_BELOW = EdgeCase(both_rows("underflows"), "fill-above-scores", {ZeroDivisionError: "underflows"})
FAR_ABOVE = EdgeCase(
    both_rows("renormalised-after-mask"),
    "fill-above-scores",
    {ZeroDivisionError: "renormalised-after-mask"},
)
EMPTY_ROWS = EdgeCase(errors={ArithmeticError: EMPTY_ROW, ValueError: EMPTY_ROW})
# Judged as edge cases, so that a wrong number elsewhere is told before them.
A_LIST = EdgeCase()
REAL_MODEL = EdgeCase()
ONE_COLUMN = EdgeCase()  # an error may come of its shape, and not of its empty row
