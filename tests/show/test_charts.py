"""show.bars, show.lines and show.heads: what notebooks' stored pictures do not show."""

import numpy as np
import pandas as pd
import pytest

from attention_lib import show
from tests.show.pixels import contrast, figure_of, picture_of, words

TABLE = pd.DataFrame(
    {"share": [0.25, 0.0, 0.0004, np.nan], "found": [17, 0, np.nan, 20]}, index=[7, 8, 9, "d"]
)


def test_bars_end_in_their_numbers():
    share, found = figure_of(show.bars, TABLE, mark=9).axes
    assert [bar.get_width() for bar in share.patches] == [0.25, 0, 0.0004, 0]
    assert [bool(bar.get_hatch()) for bar in share.patches] == [False, False, True, False]
    assert words(share.texts) == ["0.25", "0", "0.00", "NaN"]
    assert words(found.texts) == ["17", "0", "NaN", "20"]
    assert picture_of(show.bars, TABLE, mark=9).alt == (
        "Bars, 2 panels. share: 7 0.25, 8 0, 9 0.00, d NaN. found: 7 17, 8 0, 9 NaN, d 20. Hatched: 9."
    )


@pytest.mark.parametrize(
    "table, vmax, limits",
    [
        (TABLE, (1, 25), [(0, 1), (0, 25)]),
        (-TABLE, None, [(-26, 0), (-26, 0)]),
        (TABLE.assign(share=-1), (1, 25), [(-1.6, 1), (0, 25)]),
        (0 * TABLE, None, [(0, 1), (0, 1)]),
    ],
)
def test_panels_share_their_scale_unless_each_has_its_own(table, vmax, limits):
    assert [axes.get_xlim() for axes in figure_of(show.bars, table, vmax=vmax).axes] == limits


@pytest.mark.parametrize("size, rows", [("page", 1), ("projector", 2), ("phone", 5)])
def test_panels_fold_where_a_picture_is_narrow(size, rows):
    figure = figure_of(show.bars, pd.DataFrame(np.eye(5)), screen=size)
    panels = [axes for axes in figure.axes if axes.axison]
    assert len(panels) == 5 and panels[0].get_gridspec().nrows == rows
    assert [axes.get_yticklabels()[0].get_text() for axes in panels].count("0") == rows


@pytest.mark.parametrize(
    "index, scale, places",
    [
        ([4, 16, 64], "log", [4, 16, 64]),
        ([0, 5, 100], "linear", [0, 5, 100]),
        ([1.0, 2.0, np.inf], "linear", [0, 1, 2]),
    ],
)
def test_growing_numbers_keep_their_distances(index, scale, places):
    table = pd.DataFrame({"x": np.arange(len(index))}, index=index)
    axes = figure_of(show.lines, table).axes[0]
    assert axes.get_xscale() == scale
    assert axes.lines[0].get_xdata().tolist() == axes.get_xticks().tolist() == places
    assert words(axes.get_xticklabels()) == list(map(str, index))


def test_maps_share_their_scale_and_nan_is_grey():
    figure = figure_of(show.heads, [[[[1.0000001, 0]], [[np.nan, -1e-7]]]])
    images, note = figure.axes[0].images, figure.get_supxlabel()
    assert [image.get_clim() for image in images] == [(0, 1)] * 2
    zero, missing = images[1].to_rgba(np.array([0.0, np.nan]))[:, :3]
    assert contrast(zero, missing) > 1.3 and note.endswith("grey: not a number")
