"""Bar charts of DataFrames: a panel a column."""

import textwrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import MOST_DECIMALS, count
from attention_lib.show import descriptions
from attention_lib.show.checks import finite, numbers_of_table
from attention_lib.show.colours import FILL, INK
from attention_lib.show.figures import for_screen, panels, show_picture
from attention_lib.show.number_formats import typeset

if TYPE_CHECKING:
    import pandas as pd

TITLE_LETTERS = 20  # in a line


def bars(
    table: "pd.DataFrame",
    *,
    name: str | None = None,
    vmax: ArrayLike | None = None,
    mark: object = None,
    decimals: int = 2,
) -> None:
    """Shows a DataFrame as panels of horizontal bars: a panel a column, and in each a bar a row.

    Shapes: table (bars, panels). Each bar ends in its number; a 0 has no bar, and what is not a
    number is named NaN. Panels reach from 0, or the smallest number of all, to `vmax`; if not given, to the
    largest. Where `vmax` has a number for each panel, each begins at 0 or its own smallest number. A column of
    whole numbers has no decimals. The bars of the row `mark` are hatched. `name` is that of `heatmap`.

    Raises ValueError if table has no row or no column, if `vmax` is neither one finite number nor one a panel,
    or not above the left end, if `mark` is not in the index, if `decimals` is not from 0 to 15, or if `name` is no
    string or empty; TypeError if table is not a DataFrame of real numbers, or `decimals` is not an integer.

    Source: Tufte 1983, "The Visual Display of Quantitative Information": small multiples.
    """
    values, labels = numbers_of_table(table), [str(label) for label in table.index]
    decimals = count("decimals", decimals, most=MOST_DECIMALS)
    if mark is not None and str(mark) not in labels:
        raise ValueError(f"mark must be a label of the index, {', '.join(labels)}: it is {mark!r}")
    lows, highs = _ends(values, vmax)
    texts = [[_number(value, column, decimals) for value in column] for column in values.T]
    alt = descriptions.bars(table.columns, labels, texts, mark)
    screens = {"projector": (3, 9.1, 0.34), "phone": (1, 3.4, 0.24)}
    most_columns, widest, row_height = for_screen((5, 9.1, 0.24), **screens)
    n_rows = -(-len(highs) // most_columns)
    n_columns = -(-len(highs) // n_rows)  # as many in each row

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.09)
        for i, axes in enumerate(panels(figure, len(highs), n_columns)):
            _draw_bars(axes, np.clip(values[:, i], lows[i], highs[i]), texts[i], labels, mark)
            room = 0.3 * (highs[i] - lows[i]) if lows[i] < 0 else 0  # for the number of a bar below 0
            axes.set(xlim=(lows[i] - room, highs[i]), xticks=[0, highs[i]])
            axes.set_title(textwrap.fill(str(table.columns[i]), TITLE_LETTERS), fontsize=11)
            if i % n_columns:
                axes.set_yticklabels([])

    width = 0.08 * max(map(len, labels), default=0) + 2.4 * n_columns
    height = n_rows * (row_height * len(labels) + 0.9)
    show_picture(draw, (min(widest, width), height), alt, name)


def _ends(values, vmax):
    """The left and the right end of each panel."""
    numbers = np.where(np.isfinite(values), values, 0)
    lows, high = numbers.min(axis=0, initial=0), numbers.max(initial=0)
    if high == 0 == lows.min(initial=0):
        high = 1
    highs = finite("vmax", high if vmax is None else vmax, lows.shape)
    if np.ndim(vmax) == 0:  # all panels have one scale
        lows[:] = lows.min(initial=0)
    if (highs <= lows).any():
        low = lows[highs <= lows][0]
        raise ValueError(f"vmax must be above {low:g}, where the bars begin: it is {vmax!r}")
    return lows, highs


def _number(value, column, decimals):
    """A number as it is written at the end of its bar."""
    if np.isnan(value):
        return "NaN"
    numbers = column[np.isfinite(column)]
    is_whole = value == 0 or (numbers == numbers.round()).all()
    return typeset(value, 0 if is_whole else decimals)


def _draw_bars(axes, lengths, texts, labels, mark):
    """Draws the bars of one panel."""
    places = range(len(labels))
    hatches = ["////" if label == str(mark) else "" for label in labels]
    lengths = np.nan_to_num(lengths)
    style = {"color": FILL, "edgecolor": INK, "hatch": hatches, "clip_on": False}
    outlines = np.sign(abs(lengths))  # none round a 0
    bars = axes.barh(places, lengths, 0.66, lw=outlines, **style)
    axes.bar_label(bars, texts, padding=3, fontsize=10)
    axes.axvline(0, color=INK, lw=0.8)
    axes.set_yticks(places, labels, fontsize=10)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(length=0, labelsize=10)
    axes.spines[:].set_visible(False)
