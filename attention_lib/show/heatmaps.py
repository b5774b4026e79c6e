"""Heatmaps of weights and scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import list_of_names
from attention_lib.show import descriptions, figures
from attention_lib.show.checks import allowed_cells, finite, matrix, names_of_axes, outlined_cells
from attention_lib.show.colours import NOT_A_NUMBER, colour_map, number_colours
from attention_lib.show.number_formats import significant, typeset
from attention_lib.show.rectangles import hatched_cell, outline

MAX_NUMBERS = 16  # rows or columns beyond which cells are too small for a number
DIGIT_POINTS = 9
LETTERS = 5, 10  # of a number: more than these widen its cell, more than those leave it without
LARGEST = 1e300  # whose differences are finite
ROUNDING = 1e-6  # what is as near to 0 or 1 as this counts as there
SLIGHTLY_BELOW = 0.05  # of the largest number: numbers so little below 0 do not halve the colours


@dataclass(frozen=True)
class Measures:
    """What differs from screen to screen. 16 x 16 numbers fit a page of 900 pixels, and fill a slide of 1280 x 720."""

    margins: tuple[float, float] = (1.6, 1.2)  # beside and above the cells
    cell: tuple[float, float] = (0.52, 0.38)  # at most: all columns together take no more than columns_width
    columns_width: float = 7.0
    letter_width: float = 0.08  # of the numbers
    name_points: int = 10


PROJECTOR = Measures(
    margins=(2.7, 1.6), cell=(0.63, 0.35), columns_width=10.1, letter_width=0.14, name_points=16
)


def heatmap(
    values: ArrayLike,
    queries: Iterable[object],
    keys: Iterable[object],
    *,
    alt: str | None = None,
    name: str | None = None,
    allowed: ArrayLike | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    outline: Sequence[Any] | None = None,
    axes: tuple[str, str] = ("query", "key"),
) -> None:
    """Shows `values` as a picture: the darker the cell, the farther the number from 0.

    Shapes: values (Lq, Lk), Lq queries, Lk keys; allowed, boolean, broadcasts to values, and
    where it is False the cell is hatched and has no number. Where `vmin` is negative, positive
    numbers are blue, negative ones orange, and equal distances from 0 are equally dark.

    The colours reach from `vmin` to `vmax`, and their bar shows both. If not given, they come from the
    numbers that are allowed and finite: 0 and 1 if all lie there; 0 and the largest if none is further
    below 0 than 5 % of it; else both are equally far from 0. The largest is rounded up to two digits,
    21.37 to 22, and for numbers of both signs to a 0 or a 5 in the second, 37.78 to 40. A number outside
    of the limits is marked by a triangle. To compare pictures, give them the same limits.

    `outline`, a pair (row, column) or several, frames cells. `axes` names what a row and a column is.
    `alt` says what is to be seen, and is made from the numbers if not given; `name` is the picture's
    name in the page and in figures/.

    Raises ValueError if the names do not fit the shape of values, if `allowed` does not broadcast to it, if a
    pair of `outline` is not a cell of it, if `vmin` or `vmax` is not finite or `vmin` is not below `vmax`, if
    `axes` are not two strings, or if `alt` or `name` is no string or empty; TypeError if `allowed` is not
    boolean, queries or keys is not a list, or numbers are not real.

    With the mask that was used: `show.heatmap(weights, tokens, tokens, allowed=al.causal_mask(11))`.

    Source: the colour maps are matplotlib's Blues, whose lightness alone tells the value, and for numbers of
    both signs Blues and Oranges of equal lightness. Contrast of numbers: WCAG 2.2, 1.4.3.
    """
    rows = [str(query) for query in list_of_names("queries", queries)]
    columns = [str(key) for key in list_of_names("keys", keys)]
    values = matrix(values, rows, columns)
    allowed = allowed_cells(allowed, values.shape)
    values = np.where(allowed, values, 0)  # no hidden number changes the colours or is told
    low, high = _limits(values[np.isfinite(values)], vmin, vmax)
    outlined = outlined_cells(outline, values.shape)
    picture = Heatmap(values, rows, columns, allowed, low, high, outlined, names_of_axes(axes))
    alt = descriptions.heatmap(picture) if alt is None else alt
    figures.show_picture(picture.draw, picture.extent, alt, name)


def _limits(numbers, vmin, vmax):
    """Where the colours begin and end: as given, or else as far as these numbers reach."""
    low, high = float(numbers.min(initial=0)), float(numbers.max(initial=0))
    if low >= -ROUNDING and high <= 1 + ROUNDING:
        low, high = 0, 1
    elif low >= -SLIGHTLY_BELOW * high:
        low, high = 0, _rounded_up(high, step=1)
    else:
        high = _rounded_up(max(-low, high), step=5)
        low = -high
    low = low if vmin is None else float(finite("vmin", vmin))
    high = high if vmax is None else float(finite("vmax", vmax))
    if not 0 < high - low < LARGEST:
        raise ValueError(
            f"vmin must be below vmax, and both, or values, below 1e300: they are {low:g} and {high:g}"
        )
    return low, high


def _rounded_up(number, step):
    """The next number of two digits, the second of which is a multiple of `step`."""
    power = floor(log10(number)) - 1
    digits = step * ceil(number / 10.0**power / step - ROUNDING)
    return float(f"{digits}e{power}")


@dataclass(frozen=True)
class Heatmap:
    """A heatmap whose arguments are checked: how large it is, and how it is drawn on a figure."""

    values: np.ndarray
    queries: list[str]
    keys: list[str]
    allowed: np.ndarray
    vmin: float
    vmax: float
    outlined: Sequence[tuple[int, int]]
    axes: tuple[str, str]
    size: Measures = field(default_factory=lambda: figures.for_screen(Measures(), projector=PROJECTOR))

    @property
    def above(self):
        """Where a number is above the limits of the colours."""
        return self.allowed & (self.values > self.vmax + ROUNDING * (self.vmax - self.vmin))

    @property
    def below(self):
        """Where a number is below the limits of the colours."""
        tolerated = SLIGHTLY_BELOW if self.vmin == 0 else ROUNDING
        return self.allowed & (self.values < self.vmin - tolerated * (self.vmax - self.vmin))

    @property
    def decimals(self):
        """Two, one on a scale of ten or more; of smaller numbers as many as tell two digits of the largest."""
        scale = max(abs(self.vmin), abs(self.vmax))
        largest = abs(self.values[np.isfinite(self.values)]).max(initial=0)
        smallest = min(scale, largest if largest > ROUNDING else scale)
        return max(1 if scale >= 10 else 2, 1 - floor(log10(smallest)))

    @property
    def letters(self):
        """How many the longest number has."""
        decimals = self.decimals
        return max((len(typeset(x, decimals)) for x in self.values.flat), default=0)

    @property
    def has_numbers(self):
        """Whether the numbers are written into the cells, where they fit."""
        return max(self.values.shape) <= MAX_NUMBERS and self.letters <= LETTERS[1]

    @property
    def cell(self):
        """Width and height of a cell, in hundreds of pixels."""
        if self.has_numbers:
            width, height = self.size.cell
            width = min(width, self.size.columns_width / max(1, len(self.keys)))
            if self.letters > LETTERS[0]:
                width = max(width, self.size.letter_width * (self.letters + 1))
            return width, height
        return 0.03 * self.size.name_points, 0.022 * self.size.name_points  # room for a token is enough

    @property
    def extent(self):
        """Width and height of the picture, in hundreds of pixels."""
        (width, height), (beside, above) = self.cell, self.size.margins
        return max(beside + width * len(self.keys), 4.0), max(above + height * len(self.queries), 2.4)

    def draw(self, figure):
        """Draws the heatmap on an empty figure."""
        axes = figure.add_subplot()
        cells = self._draw_cells(axes)
        for row, column in np.argwhere(~self.allowed):
            axes.add_patch(hatched_cell(row, column))
        if self.has_numbers:
            self._write_numbers(axes, cells)
        self._mark(axes, cells, self.above, "^")
        self._mark(axes, cells, self.below, "v")
        for row, column in self.outlined:
            axes.add_patch(outline(row, column))
        self._label_axes(axes)
        self._draw_colour_bar(figure, axes, cells)
        if notes := self.notes():
            figure.supxlabel("\n".join(notes), fontsize=DIGIT_POINTS)

    def notes(self):
        """What the signs in the cells mean, a line each."""
        meanings = {
            "hatched: the query may not attend to this key": ~self.allowed,
            "grey: not a number": np.isnan(self.values),
            f"▲ above {significant(self.vmax)}, where the colours end": self.above,
            f"▼ below {significant(self.vmin)}, where the colours end": self.below,
        }
        return [meaning for meaning, cells in meanings.items() if cells.any()]

    def _draw_cells(self, axes):
        """Draws the coloured cells, and returns them with their colours."""
        colours, (low, high) = colour_map(self.vmin, self.vmax)
        if np.isnan(self.values).any():
            colours = colours.with_extremes(bad=NOT_A_NUMBER)
        shown = np.ma.masked_array(np.clip(self.values, low, high), ~self.allowed)  # infinity has a colour
        edges = [np.arange(n + 1) - 0.5 for n in (len(self.keys), len(self.queries))]
        cells = axes.pcolormesh(*edges, shown, cmap=colours, vmin=low, vmax=high)  # not resampled
        axes.invert_yaxis()
        return cells

    def _write_numbers(self, axes, cells):
        """Writes each number into its cell, in black or white."""
        backgrounds = cells.cmap(cells.norm(cells.get_array()))
        colours = number_colours(backgrounds, faint=np.round(self.values, self.decimals) == 0)
        style = {"ha": "center", "va": "center_baseline", "fontsize": DIGIT_POINTS}
        for row, column in np.argwhere(self.allowed):
            number = typeset(self.values[row, column], self.decimals)
            text = axes.text(column, row, number, color=colours[row, column], **style)
            text.set_in_layout(False)  # it lies inside its cell: measuring it would only take time

    def _mark(self, axes, cells, marked, marker):
        """A small sign in a corner of each marked cell."""
        if not marked.any():
            return
        rows, columns = np.nonzero(marked)
        colours = number_colours(cells.cmap(cells.norm(cells.get_array()[marked])), faint=False)
        axes.scatter(columns + 0.38, rows - 0.3, 16, colours, marker=marker, zorder=2.5)

    def _label_axes(self, axes):
        """Writes the tokens and what a row and a column is."""
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
        """Draws the bar with both limits and the middle."""
        ticks = [self.vmin, (self.vmin + self.vmax) / 2, self.vmax]
        bar = figure.colorbar(cells, ax=axes, fraction=0.04, pad=0.02, ticks=ticks)
        bar.ax.set_ylim(self.vmin, self.vmax)
        bar.ax.tick_params(labelsize=self.size.name_points)
