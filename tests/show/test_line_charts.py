"""show.lines: axes, and how lines differ."""

import numpy as np
import pandas as pd
import pytest

from attention_lib import show
from tests.show.pixels import words


def test_lines_differ_in_more_than_colour(drawn):
    show.lines(pd.DataFrame(np.eye(4)))
    for style in ("get_color", "get_marker", "get_linestyle"):
        assert len({getattr(line, style)() for line in drawn[0].axes[0].lines}) == 4


@pytest.mark.parametrize(
    "index, scale, places",
    [
        ([4, 16, 64, 512], "log", [4, 16, 64, 512]),
        ([0, 5, 100], "linear", [0, 5, 100]),
        ([5, 9, 3], "linear", [0, 1, 2]),
        (["few", "some", "many"], "linear", [0, 1, 2]),
        ([1.0, 2.0, np.inf], "linear", [0, 1, 2]),
    ],
)
def test_growing_numbers_keep_their_distances(drawn, index, scale, places):
    show.lines(pd.DataFrame({"x": np.arange(len(index))}, index=index))
    axes = drawn[0].axes[0]
    assert axes.get_xscale() == scale
    assert axes.lines[0].get_xdata().tolist() == axes.get_xticks().tolist() == places
    assert words(axes.get_xticklabels()) == list(map(str, index))


def test_vertical_axis_includes_0(drawn):
    show.lines(pd.DataFrame({"x": [5, 9]}))
    show.lines(pd.DataFrame({"x": [-5, 9]}))
    show.lines(pd.DataFrame({"x": [-np.inf, np.nan, 9]}))
    assert [figure.axes[0].get_ylim()[0] for figure in drawn] == [0, -5, 0]
