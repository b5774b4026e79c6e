"""Line charts of DataFrames."""

from typing import TYPE_CHECKING

import numpy as np

from attention_lib.show import descriptions
from attention_lib.show.checks import numbers_of_table
from attention_lib.show.figures import for_screen, show_picture

if TYPE_CHECKING:
    import pandas as pd

STYLES = [  # every line has a colour, a marker and a dash of its own
    {"color": "#0072B2", "marker": "o", "linestyle": "-"},
    {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    {"color": "#009E73", "marker": "^", "linestyle": ":"},
    {"color": "#CC79A7", "marker": "D", "linestyle": "-."},
]


def lines(table: "pd.DataFrame", *, name: str | None = None) -> None:
    """Shows a DataFrame as one line a column, against its index.

    Shapes: table (points, lines). The names of the index and of the columns label the axes. A
    growing index of numbers keeps its distances, logarithmic ones where it spans more than a
    factor of ten; any other is evenly spaced. `name` is that of `heatmap`.

    Raises ValueError if table has no row or no column, or if `name` is no string or empty; TypeError if table is
    not a DataFrame of real numbers.

    Source: the colours are those of Okabe and Ito, told apart by colour-blind readers; markers and dashes
    differ too.
    """
    numbers = numbers_of_table(table)

    def draw(figure):
        axes = figure.add_subplot()
        places = _places(table.index)
        for i, column in enumerate(table.columns):
            axes.plot(places, numbers[:, i], label=str(column), **STYLES[i % len(STYLES)])
        logarithmic = 0 < places[0] < places[-1] / 10
        axes.set_xscale("log" if logarithmic else "linear")
        axes.set_xticks(places, [str(label) for label in table.index])
        axes.minorticks_off()
        axes.set_xlabel(table.index.name or "")
        axes.set_ylabel(table.columns.name or "")
        axes.set_ylim(bottom=numbers[np.isfinite(numbers)].min(initial=0))
        axes.grid(axis="y", alpha=0.4)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))

    size = for_screen((6.4, 3.6), projector=(9.1, 5.1))
    show_picture(draw, size, descriptions.lines(table, numbers), name)


def _places(index):
    """Where the points of the lines stand on the horizontal axis."""
    import pandas as pd

    if pd.api.types.is_any_real_numeric_dtype(index) and index.is_monotonic_increasing:
        places = index.to_numpy(dtype=float)
        if np.isfinite(places).all():
            return places
    return np.arange(len(index))
