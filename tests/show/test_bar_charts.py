"""show.bars: panels, the lengths of bars, and the numbers at their ends."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from attention_lib import show
from attention_lib.show import figures
from tests.show.pixels import words

TABLE = pd.DataFrame(
    {"share": [0.25, 0.0, 0.0004, np.nan], "found": [17, 0, np.nan, 20]}, index=["a", "b", "hidden", "d"]
)


def lengths(axes):
    return [bar.get_width() for bar in axes.patches]


def test_column_is_a_panel_and_row_a_bar_with_its_number(drawn, shown):
    assert show.bars(TABLE, name="both") is None
    share, found = drawn[0].axes
    assert (share.get_title(), found.get_title()) == ("share", "found")
    assert (lengths(share), words(share.texts)) == ([0.25, 0, 0.0004, 0], ["0.25", "0", "0.00", "NaN"])
    assert (lengths(found), words(found.texts)) == ([17, 0, 0, 20], ["17", "0", "NaN", "20"])
    assert [bar.get_linewidth() > 0 for bar in share.patches] == [True, False, True, False]  # none round a 0
    assert words(share.get_yticklabels()) == list(TABLE.index)
    assert share.yaxis_inverted()  # the first row is on top
    assert shown[0]["text/plain"] == (
        "Bars, 2 panels. share: a 0.25, b 0, hidden 0.00, d NaN. found: a 17, b 0, hidden NaN, d 20."
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
    assert words(drawn[2].axes[1].texts) == ["−17", "0", "NaN", "−20"]


def test_bar_ends_at_vmax_and_its_number_does_not(drawn):
    show.bars(TABLE, vmax=10)
    found = drawn[0].axes[1]
    assert lengths(found) == [10, 0, 0, 10] and words(found.texts)[0] == "17"


def test_marked_row_is_hatched_in_every_panel(drawn, shown):
    show.bars(TABLE, mark="hidden", decimals=4)
    for axes in drawn[0].axes:
        assert [bool(bar.get_hatch()) for bar in axes.patches] == [False, False, True, False]
    assert "hidden 0.0004" in shown[0]["text/plain"] and shown[0]["text/plain"].endswith("Hatched: hidden.")


@pytest.mark.parametrize("size, rows", [("page", 1), ("projector", 2), ("phone", 5)])
def test_panels_fold_where_a_picture_is_narrow(size, rows):
    with figures.collecting(size) as pictures:
        show.bars(pd.DataFrame(np.eye(5)))
    figure = Figure(layout="constrained")
    pictures[0].draw(figure)
    panels = [axes for axes in figure.axes if axes.axison]
    assert len(panels) == 5 and panels[0].get_gridspec().nrows == rows
    assert [axes.get_yticklabels()[0].get_text() for axes in panels].count("0") == rows


@pytest.mark.parametrize(
    "options, message", [({"vmax": (1, 2, 3)}, "one a panel, 2"), ({"mark": "x"}, "a, b, hidden")]
)
def test_bad_vmax_or_mark_is_refused(shown, options, message):
    with pytest.raises(ValueError, match=message):
        show.bars(TABLE, **options)
    assert not shown
