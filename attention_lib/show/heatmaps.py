"""Heatmaps of weights and scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.show import descriptions, figures
from attention_lib.show.arguments import allowed_cells, list_of_names, matrix, names_of_axes, outlined_cells
from attention_lib.show.colours import colour_map, number_colours
from attention_lib.show.number_formats import typeset
from attention_lib.show.rectangles import hatched_cell, strong_frame

MAX_NUMBERS = 16  # rows or columns beyond which cells are too small for a number
DIGIT_POINTS = 9


@dataclass(frozen=True)
class Measures:
    """What differs from screen to screen. 16 x 16 numbers fit a page of 900 pixels, and fill a slide of 1280 x 720."""

    margins: tuple[float, float] = (1.6, 1.2)  # beside and above the cells
    cell: tuple[float, float] = (0.52, 0.38)  # at most: all columns together take no more than columns_width
    columns_width: float = 7.0
    name_points: int = 10


PROJECTOR = Measures(margins=(2.7, 1.6), cell=(0.63, 0.35), columns_width=10.1, name_points=16)


def heatmap(
    values: ArrayLike,
    queries: Iterable[object],
    keys: Iterable[object],
    *,
    alt: str | None = None,
    name: str | None = None,
    allowed: ArrayLike | None = None,
    vmin: float = 0,
    vmax: float = 1,
    outline: Sequence[Any] | None = None,
    axes: tuple[str, str] = ("query", "key"),
) -> None:
    """Shows `values` as a picture: the darker the cell, the farther the number from 0.

    Shapes: values (Lq, Lk), Lq queries, Lk keys; allowed, boolean, broadcasts to values, and
    where it is False the cell is hatched and has no number. Where `vmin` is negative, positive
    numbers are blue, negative ones orange, and equal distances from 0 are equally dark. `outline`,
    a pair (row, column) or several, frames cells. `axes` names what a row and a column is. `alt` says
    what is to be seen, and is made from the numbers if not given; `name` is the picture's name in the
    page and in figures/.

    Raises
    ------
    ValueError
        If the names do not fit the shape of values, if `allowed` does not broadcast to it, if a
        pair of `outline` is not a cell of it, or if `alt` or `name` is empty.

    References
    ----------
    The colour maps are matplotlib's Blues, whose lightness alone tells the value, and for numbers
    of both signs Blues and Oranges of equal lightness. Contrast of numbers: WCAG 2.2, 1.4.3.
    """
    rows = [str(query) for query in list_of_names("queries", queries)]
    columns = [str(key) for key in list_of_names("keys", keys)]
    values = matrix(values, rows, columns)
    allowed = allowed_cells(allowed, values.shape)
    outlined = outlined_cells(outline, values.shape)
    axes = names_of_axes(axes)
    picture = Heatmap(values, rows, columns, allowed, vmin, vmax, outlined, axes)
    if alt is None:
        alt = descriptions.heatmap(values, rows, columns, allowed, outlined, picture.decimals, axes)
    figures.show_picture(picture.draw, picture.extent, alt, name)


@dataclass(frozen=True)
class Heatmap:
    """A heatmap whose arguments are checked: how large it is, and how it is drawn on a figure."""

    values: np.ndarray
    queries: list[str]
    keys: list[str]
    allowed: np.ndarray
    vmin: float = 0
    vmax: float = 1
    outlined: Sequence[tuple[int, int]] = ()
    axes: tuple[str, str] = ("query", "key")
    size: Measures = field(default_factory=lambda: figures.for_screen(Measures(), projector=PROJECTOR))

    @property
    def decimals(self):
        return 2 if max(abs(self.vmin), abs(self.vmax)) < 10 else 1

    @property
    def has_numbers(self):
        return max(self.values.shape) <= MAX_NUMBERS

    @property
    def cell(self):
        """Width and height of a cell, in hundreds of pixels."""
        if self.has_numbers:
            width, height = self.size.cell
            return min(width, self.size.columns_width / max(1, len(self.keys))), height
        return 0.03 * self.size.name_points, 0.022 * self.size.name_points  # room for a token is enough

    @property
    def extent(self):
        """Width and height of the picture, in hundreds of pixels."""
        (width, height), (beside, above) = self.cell, self.size.margins
        return max(beside + width * len(self.keys), 4.0), max(above + height * len(self.queries), 2.4)

    def draw(self, figure):
        axes = figure.add_subplot()
        cells = self._draw_cells(axes)
        for row, column in np.argwhere(~self.allowed):
            axes.add_patch(hatched_cell(row, column))
        if self.has_numbers:
            self._write_numbers(axes, cells)
        for row, column in self.outlined:
            axes.add_patch(strong_frame(row, column))
        self._label_axes(axes)
        self._draw_colour_bar(figure, axes, cells)
        if not self.allowed.all():
            figure.supxlabel("hatched: the query may not attend to this key", fontsize=DIGIT_POINTS)

    def _draw_cells(self, axes):
        colours, (low, high) = colour_map(self.vmin, self.vmax)
        shown = np.ma.masked_array(self.values, ~self.allowed)
        edges = [np.arange(n + 1) - 0.5 for n in (len(self.keys), len(self.queries))]
        cells = axes.pcolormesh(*edges, shown, cmap=colours, vmin=low, vmax=high)  # not resampled
        axes.invert_yaxis()
        return cells

    def _write_numbers(self, axes, cells):
        backgrounds = cells.cmap(cells.norm(cells.get_array()))
        colours = number_colours(backgrounds, faint=np.round(self.values, self.decimals) == 0)
        style = {"ha": "center", "va": "center_baseline", "fontsize": DIGIT_POINTS}
        for row, column in np.argwhere(self.allowed):
            number = typeset(self.values[row, column], self.decimals)
            text = axes.text(column, row, number, color=colours[row, column], **style)
            text.set_in_layout(False)  # it lies inside its cell: measuring it would only take time

    def _label_axes(self, axes):
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        names = self.size.name_points
        longest = max(map(len, self.keys), default=0)
        crowded = longest * names > 106 * self.cell[0]  # a letter of size 10 is about 10 / 106 wide
        tilted = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if crowded else {}
        axes.set_xticks(range(len(self.keys)), self.keys, fontsize=names, **tilted)
        axes.set_yticks(range(len(self.queries)), self.queries, fontsize=names)
        # Bold and with an arrow: over a tilted token a plain axis name reads as a part of it.
        style = {"fontsize": names, "fontweight": "bold", "labelpad": 8}
        axes.set_xlabel(f"{self.axes[1]} →", loc="left", **style)
        axes.set_ylabel(f"← {self.axes[0]}", loc="top", **style)

    def _draw_colour_bar(self, figure, axes, cells):
        ticks = [self.vmin, (self.vmin + self.vmax) / 2, self.vmax]
        bar = figure.colorbar(cells, ax=axes, fraction=0.04, pad=0.02, ticks=ticks)
        bar.ax.set_ylim(self.vmin, self.vmax)
        bar.ax.tick_params(labelsize=self.size.name_points)
