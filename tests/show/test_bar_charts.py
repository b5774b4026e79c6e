"""show.bars: panels, the lengths of bars, and the numbers at their ends."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from attention_lib import show
from attention_lib.show import figures
from tests.show.pixels import words

TABLE = pd.DataFrame(
    {"share": [0.25, 0.0, 0.0004, np.nan], "found": [17, 0, np.nan, 20]}, index=[7, 8, 9, "d"]
)


def test_bars_end_in_their_numbers(drawn, shown):
    show.bars(TABLE, mark=9)
    share, found = drawn[0].axes
    for axes, lengths, numbers in (
        (share, [0.25, 0, 0.0004, 0], ["0.25", "0", "0.00", "NaN"]),
        (found, [17, 0, 0, 20], ["17", "0", "NaN", "20"]),
    ):
        assert ([bar.get_width() for bar in axes.patches], words(axes.texts)) == (lengths, numbers)
        assert [bool(bar.get_hatch()) for bar in axes.patches] == [False, False, True, False]
    assert [bar.get_linewidth() > 0 for bar in share.patches] == [True, False, True, False]  # none round a 0
    assert shown[0]["text/plain"] == (
        "Bars, 2 panels. share: 7 0.25, 8 0, 9 0.00, d NaN. found: 7 17, 8 0, 9 NaN, d 20. Hatched: 9."
    )


def test_panels_share_their_scale_unless_each_has_its_own(drawn):
    for table, vmax, limits in (
        (TABLE, None, [(0, 20), (0, 20)]),
        (TABLE, (1, 25), [(0, 1), (0, 25)]),
        (-TABLE, None, [(-20, 0), (-20, 0)]),
        (0 * TABLE, None, [(0, 1), (0, 1)]),
    ):
        show.bars(table, vmax=vmax)
        assert [axes.get_xlim() for axes in drawn[-1].axes] == limits


def test_numbers_that_pandas_holds_as_objects_are_numbers(undrawn):
    for column in (pd.Series([1, 0.5], dtype=object), pd.Series([1, 0.5], dtype="Float64")):
        show.bars(pd.DataFrame({"a": column}))
        assert undrawn[-1]["text/plain"] == "Bars, 1 panel. a: 0 1.00, 1 0.50."


def test_bar_ends_at_vmax_and_its_number_does_not(drawn):
    show.bars(TABLE, vmax=10)
    found = drawn[0].axes[1]
    assert found.patches[3].get_width() == 10 and words(found.texts)[3] == "20"


@pytest.mark.parametrize("size, rows", [("page", 1), ("projector", 2), ("phone", 5)])
def test_panels_fold_where_a_picture_is_narrow(size, rows):
    with figures.collecting(size) as pictures:
        show.bars(pd.DataFrame(np.eye(5)))
    figure = Figure(layout="constrained")
    pictures[0].draw(figure)
    panels = [axes for axes in figure.axes if axes.axison]
    assert len(panels) == 5 and panels[0].get_gridspec().nrows == rows
    assert [axes.get_yticklabels()[0].get_text() for axes in panels].count("0") == rows
