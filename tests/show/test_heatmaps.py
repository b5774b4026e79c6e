"""show.heatmap: numbers, colours, marks, and sizes. Notebooks store pictures of the rest."""

import re

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from attention_lib import show
from attention_lib.show.colours import FAINT
from tests.show.pixels import contrast, figure_of, luminance, words

FUTURE = [True, False]  # key 1 is hidden


def axes_of(*arguments, **options):
    """The axes of a heatmap."""
    return figure_of(show.heatmap, *arguments, **options).axes[0]


def test_cells_hold_their_numbers_while_they_fit():
    largest = axes_of(np.eye(16), range(16), [f"token{i}" for i in range(16)])
    assert len(largest.texts) == 256 and largest.figure.get_figwidth() < 9  # a page has 900 pixels
    assert not axes_of(np.eye(17), range(17), range(17)).texts
    assert not axes_of([[1e9, -1e9]], "q", "ab").texts


@pytest.mark.parametrize(
    "value, limits, number",
    [
        (1.234, (-40, 1), "1.2"),
        (-99.0, (-1, 9), "−99.00"),  # outside of the colours; a minus sign, not a hyphen
        (-0.0021, (None, None), "−0.0021"),
        (0.05, (-40, 40), "0.050"),
        (1e-9, (None, None), "0.00"),
    ],
)
def test_numbers_are_printed_as_they_are(value, limits, number):
    assert words(axes_of([[value]], "x", "a", vmin=limits[0], vmax=limits[1]).texts) == [number]


@pytest.mark.parametrize(
    "values, options, limits",
    [
        ([1.0000001, -1e-7], {}, (0, 1)),
        ([np.nan, np.nan], {}, (0, 1)),
        ([99.5, 0], {}, (0, 100)),
        ([1.95, -0.04], {}, (0, 2)),
        ([0.07, -0.02], {}, (-0.07, 0.07)),  # 0.07 / 0.01 is more than 7
        ([3, -1e9], {"allowed": FUTURE}, (0, 3)),
        ([np.inf, -np.inf], {}, (0, 1)),
        ([2, -3], {"vmin": -15}, (-15, 3)),
    ],
)
def test_colours_reach_as_far_as_the_numbers_or_as_asked(values, options, limits):
    bar = figure_of(show.heatmap, [values], "q", "ab", **options).axes[1]
    assert bar.get_ylim() == limits and bar.get_yticks()[1] == sum(limits) / 2


@pytest.mark.parametrize(
    "values, options, cells, note",
    [
        ([[0.5, 1.1], [-0.3, 0]], {"vmin": 0, "vmax": 1}, [(1, 0), (0, 1)], "▲ above 1, .*\n▼ below 0, "),
        ([[np.inf, -np.inf], [1, np.nan]], {}, [(0, 0), (1, 0)], "grey: not a number\n"),
        ([[1.0000001, -1e-7]], {"vmin": 0, "vmax": 1}, [], ""),  # as they are rounded
        ([[1.95, -0.04]], {"vmin": 0, "vmax": 2}, [], ""),
        ([[0.5, 7]], {"vmax": 1, "allowed": FUTURE}, [], ""),
    ],
)
def test_number_outside_of_the_colours_is_marked(values, options, cells, note):
    axes = axes_of(values, "xy"[: len(values)], "ab", **options)
    places = [place for marks in axes.collections[1:] for place in marks.get_offsets()]
    assert [tuple(np.round(place).astype(int)) for place in places] == cells
    assert re.match(note, axes.figure.get_supxlabel())


@pytest.mark.parametrize("vmin, vmax", [(-15, 40), (-40, 15)])
def test_negative_numbers_are_orange_and_as_dark_as_their_opposites(vmin, vmax):
    cells = axes_of([[0.0]], "q", "a", vmin=vmin, vmax=vmax).collections[0]
    blues, oranges = cells.cmap(cells.norm([range(0, 41, 4), range(0, -41, -4)]))[..., :3]
    for blue, orange in zip(blues[1:], oranges[1:]):
        assert blue[2] > blue[0] and orange[0] > orange[2] and contrast(blue, orange) < 1.03
    assert (np.diff([luminance(blue) for blue in blues]) < 0).all()


@pytest.mark.parametrize("vmin, vmax", [(0, 1), (-40, 40), (0, 0.004)])
def test_numbers_have_contrast_on_every_colour(vmin, vmax):
    values = np.linspace(vmin, vmax, 256).reshape(16, 16)
    axes = axes_of(values, range(16), range(16), vmin=vmin, vmax=vmax)
    cells = axes.collections[0]
    inks = [text.get_color() for text in axes.texts]
    for value, ink in zip(values.flat, inks, strict=True):
        cell = cells.cmap(cells.norm(value))[:3]
        best = max(contrast(cell, (0, 0, 0)), contrast(cell, (1, 1, 1)))
        assert contrast(cell, to_rgb(ink)) >= (4.5 if ink == FAINT else best - 1e-9)
    assert {"black", "white"} <= set(inks)
    assert inks[0] == FAINT or vmin < 0


@pytest.mark.parametrize("values", [np.full((2, 11), -0.0021), np.eye(16)])
def test_numbers_fit_their_cells_on_a_projector(values):
    tokens = ["[CLS]", "because", "street", "it"] * 4
    axes = axes_of(values, tokens[: len(values)], tokens[: len(values[0])], screen="projector")
    axes.texts[0].set_fontsize(16)  # the smallest on a slide
    axes.figure.draw_without_rendering()
    start, end = axes.transData.transform([(0, 0), (1, 1)])
    number = axes.texts[0].get_window_extent()
    assert number.width < 0.97 * abs(end - start)[0] and number.height < abs(end - start)[1]
