"""Tables and pictures of attention, all in one look.

pandas and matplotlib load when something is shown, not before. A picture reaches its reader as
HTML with an alt text, as a PNG for viewers without HTML, and as its description in plain text.
"""

import base64
import html
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

MOST_NUMBERS = 16  # rows or columns beyond which cells are too small for a number
SMALLEST = 0.7  # of its width: a picture shrinks no further, so that its numbers can be read
NARROW = 320  # pixels: a picture that can be this small never scrolls


def table(values: ArrayLike, queries: Sequence[str], keys: Sequence[str], decimals: int = 2):
    """A pandas DataFrame of `values` with a row a query and a column a key.

    Shapes: values (Lq, Lk), Lq queries, Lk keys. A token that occurs twice keeps both its rows.

    Raises
    ------
    ValueError
        If the names do not fit the shape of values.

    References
    ----------
    The layout of rows and columns is that of Vaswani et al. 2017, equation 1: QKᵀ.
    """
    import pandas as pd

    values = _matrix(values, queries, keys)
    return pd.DataFrame(
        np.round(values, decimals) + 0.0,  # the sum turns -0.0 into 0.0
        index=pd.Index(list(queries), name="query"),
        columns=pd.Index(list(keys), name="key"),
    )


def heatmap(
    values: ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    alt: str,
    name: str,
    allowed: ArrayLike | None = None,
    vmin: float = 0,
    vmax: float = 1,
) -> None:
    """Shows `values` as a picture: the darker the cell, the larger the number.

    Shapes: values (Lq, Lk), Lq queries, Lk keys; allowed, boolean, broadcasts to values, and
    where it is False the cell is hatched and has no number. `alt` says what is to be seen;
    `name` is the picture's name in the page and in figures/.

    Raises
    ------
    ValueError
        If the names do not fit the shape of values, if `allowed` does not broadcast to it, or if
        `alt` or `name` is empty.

    References
    ----------
    The colour map is matplotlib's Blues: its lightness alone tells the value.
    """
    values = _matrix(values, queries, keys)
    if allowed is None:
        allowed = True
    try:
        allowed = np.broadcast_to(np.asarray(allowed, dtype=bool), values.shape)
    except ValueError:
        raise ValueError(
            f"allowed must broadcast to values: allowed has shape {np.shape(allowed)}, values {values.shape}"
        ) from None

    def draw(figure):
        axes = figure.add_subplot()
        shown = np.ma.masked_array(values, ~allowed)
        image = axes.imshow(shown, cmap="Blues", vmin=vmin, vmax=vmax, aspect="auto")
        for row, column in np.argwhere(~allowed):
            axes.add_patch(_hatched_cell(column, row))
        if max(values.shape) <= MOST_NUMBERS:
            decimals = 2 if max(abs(vmin), abs(vmax)) < 10 else 1
            for row, column in np.argwhere(allowed):
                value = np.round(values[row, column], decimals) + 0.0
                dark = value > vmin + 0.68 * (vmax - vmin)  # where white reads better than black
                axes.text(
                    column,
                    row,
                    f"{value:.{decimals}f}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="white" if dark else "black",
                )
        tilted = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
        crowded = max(map(len, keys), default=0) > 5
        axes.set_xticks(range(len(keys)), keys, **(tilted if crowded else {}))
        axes.set_yticks(range(len(queries)), queries)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel("key", labelpad=8)
        axes.set_ylabel("query")
        axes.tick_params(length=0)
        figure.colorbar(image, ax=axes, fraction=0.04, pad=0.02)
        if not allowed.all():
            figure.supxlabel("hatched: the query may not attend to this key", fontsize=9)

    width, height = (1.6 + 0.52 * len(keys), 1.2 + 0.38 * len(queries))
    _show(draw, (max(width, 4.0), max(height, 2.4)), alt, name)


def lines(table, *, alt: str, name: str) -> None:
    """Shows a DataFrame as one line a column, against its index in evenly spaced steps.

    Shapes: table (points, lines). The names of the index and of the columns label the axes.
    `alt` says what is to be seen; `name` is the picture's name in the page and in figures/.

    Raises
    ------
    ValueError
        If `alt` or `name` is empty.

    References
    ----------
    The colours are those of Okabe and Ito, told apart by colour-blind readers; markers and
    dashes differ too.
    """
    colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"]
    marks = ["o", "s", "^", "D"]
    dashes = ["-", "--", ":", "-."]

    def draw(figure):
        axes = figure.add_subplot()
        for i, column in enumerate(table.columns):
            axes.plot(
                range(len(table)),
                table[column],
                label=str(column),
                color=colours[i % 4],
                marker=marks[i % 4],
                linestyle=dashes[i % 4],
            )
        axes.set_xticks(range(len(table)), [str(label) for label in table.index])
        axes.set_xlabel(table.index.name or "")
        axes.set_ylabel(table.columns.name or "")
        axes.set_ylim(bottom=min(0, table.min(axis=None)))
        axes.grid(axis="y", alpha=0.4)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)

    _show(draw, (6.4, 3.6), alt, name)


def _matrix(values, queries, keys):
    values = np.asarray(values, dtype=float)
    if values.shape != (len(queries), len(keys)):
        raise ValueError(
            f"values must have a row a query and a column a key: values has shape {values.shape}, "
            f"with {len(queries)} queries and {len(keys)} keys"
        )
    return values


def _hatched_cell(column, row):
    from matplotlib.patches import Rectangle

    return Rectangle(
        (column - 0.5, row - 0.5), 1, 1, facecolor="#e6e6e6", edgecolor="#777777", hatch="////", lw=0
    )


def _show(draw, size, alt, name):
    """Draws on a fresh figure with default settings, and displays it with its description.

    `size` is width and height in hundreds of pixels on the page, drawn at twice the density. On a
    narrower page the picture shrinks to SMALLEST of its width and then scrolls in its own frame.
    Without a name it has no id.
    """
    import matplotlib.style
    from IPython.display import display
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    if not alt or name == "":
        raise ValueError(
            "alt and name must not be empty: alt tells readers who cannot see the picture what it shows"
        )
    with matplotlib.style.context("default"):
        figure = Figure(figsize=size, dpi=200, layout="constrained", facecolor="white")
        canvas = FigureCanvasAgg(figure)
        draw(figure)
        canvas.draw()
    pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])
    file = io.BytesIO()  # a palette of 256 colours makes it smaller than all colours at 100 dpi
    pixels.quantize(256, dither=Image.Dither.NONE).save(file, "PNG")
    png = base64.b64encode(file.getvalue()).decode()
    width = pixels.width // 2
    least = round(SMALLEST * width)
    style, focus = "max-width: 100%", ""
    if least > NARROW:
        style, focus = f"{style}; min-width: {least}px", ' tabindex="0"'  # scrolled with arrow keys
    called = f' id="{html.escape(name)}"' if name else ""
    page = (
        f'<figure{called} style="margin: 0; overflow-x: auto"{focus}>'
        f'<img alt="{html.escape(alt)}" width="{width}" style="{style}" '
        f'src="data:image/png;base64,{png}"></figure>'
    )
    display({"text/html": page, "image/png": png, "text/plain": alt}, raw=True)
