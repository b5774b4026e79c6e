"""Tables and pictures of attention, all in one look.

pandas and matplotlib load when something is shown, not before. A picture reaches its reader as
HTML with an alt text, as a PNG for viewers without HTML, and as its description in plain text.
Unless a description is given, it is made from the numbers.
"""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.show import descriptions as describe
from attention_lib.show import figures
from attention_lib.show.figures import show_picture

if TYPE_CHECKING:
    import pandas as pd

MOST_NUMBERS = 16  # rows or columns beyond which cells are too small for a number

# In hundreds of pixels: the margins and a cell, width and height, and the room for all columns; in
# points: digits and names. 16 x 16 numbers fit a page of 900 pixels, and fill a slide of 1280 x 720.
SIZES = {
    "page": ((1.6, 1.2), (0.52, 0.38), 7.0, 9, 10),
    "projector": ((2.7, 1.6), (0.63, 0.35), 10.1, 16, 15),
}
HIDDEN, HATCH = "#cccccc", "#4d4d4d"  # a cell that may not be attended to
FAINT = "#666666"  # numbers that round to 0


def table(
    values: ArrayLike, queries: Sequence[str], keys: Sequence[str], decimals: int = 2
) -> "pd.DataFrame":
    """A pandas DataFrame of `values` with a row a query and a column a key.

    Shapes: values (Lq, Lk), Lq queries, Lk keys. A token that occurs twice keeps both its rows.
    The values are rounded, and print as `rounded` prints them.

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
    frame = pd.DataFrame(
        np.round(values, decimals) + 0.0,  # the sum turns -0.0 into 0.0
        index=pd.Index(list(queries), name="query"),
        columns=pd.Index(list(keys), name="key"),
    )
    return rounded(frame, decimals)


def rounded(frame: "pd.DataFrame", decimals: int = 2) -> "pd.DataFrame":
    """The DataFrame `frame`, printed with the same number of decimals everywhere.

    Its values stay as they are, and so does what is not a fraction: integers, strings, the index.
    Up to 20 columns stand side by side, however narrow the page. A part of it prints the same way.

    References
    ----------
    pandas, "Extending pandas": a subclass of DataFrame with `_constructor` and `_metadata`.
    """
    frame = _rounded_frame()(frame)
    frame._decimals = decimals
    return frame


def heatmap(
    values: ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    alt: str | None = None,
    name: str | None = None,
    allowed: ArrayLike | None = None,
    vmin: float = 0,
    vmax: float = 1,
    outline: Sequence[Any] | None = None,
    size: str = "page",
) -> None:
    """Shows `values` as a picture: the darker the cell, the farther the number from 0.

    Shapes: values (Lq, Lk), Lq queries, Lk keys; allowed, boolean, broadcasts to values, and
    where it is False the cell is hatched and has no number. Where `vmin` is negative, positive
    numbers are blue, negative ones orange, and a unit is as much darker on either side. `outline`,
    a pair (row, column) or several, frames cells. `alt` says what is to be seen, and is made from
    the numbers if not given; `name` is the picture's name in the page and in figures/. `size` is
    "page", or "projector" for digits that the back row can read.

    Raises
    ------
    ValueError
        If the names do not fit the shape of values, if `allowed` does not broadcast to it, if a
        pair of `outline` is not a cell of it, if `size` is unknown, or if `alt` or `name` is empty.

    References
    ----------
    The colour maps are matplotlib's Blues, whose lightness alone tells the value, and for numbers
    of both signs Blues and Oranges of equal lightness. Contrast of numbers: WCAG 2.2, 1.4.3.
    """
    values = _matrix(values, queries, keys)
    allowed = _allowed(allowed, values)
    outlined = _pairs(outline, values.shape, "outline", "(row, column)", "values")
    if size not in SIZES:
        raise ValueError(f"size must be one of {', '.join(map(repr, SIZES))}, not {size!r}")
    size = figures.size_to_draw(size)
    decimals = 2 if max(abs(vmin), abs(vmax)) < 10 else 1
    if alt is None:
        alt = describe.heatmap(values, queries, keys, allowed, outlined, decimals)
    draw, extent = _cells(values, queries, keys, allowed, (vmin, vmax), outlined, size, decimals)
    show_picture(draw, extent, alt, name)


def lines(table: "pd.DataFrame", *, alt: str | None = None, name: str | None = None) -> None:
    """Shows a DataFrame as one line a column, against its index.

    Shapes: table (points, lines). The names of the index and of the columns label the axes. A
    growing index of numbers keeps its distances, logarithmic ones where it spans more than a
    factor of ten; any other is evenly spaced. `alt` says what is to be seen, and is made from the
    numbers if not given; `name` is the picture's name in the page and in figures/.

    Raises
    ------
    ValueError
        If `alt` or `name` is empty.

    References
    ----------
    The colours are those of Okabe and Ito, told apart by colour-blind readers; markers and
    dashes differ too.
    """
    import pandas as pd

    colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"]
    marks = ["o", "s", "^", "D"]
    dashes = ["-", "--", ":", "-."]
    index = table.index
    if pd.api.types.is_any_real_numeric_dtype(index) and index.is_monotonic_increasing:
        places = index.to_numpy(dtype=float)
    else:
        places = np.arange(len(index))
    logarithmic = len(places) > 0 and 0 < places[0] < places[-1] / 10

    def draw(figure):
        axes = figure.add_subplot()
        for i, column in enumerate(table.columns):
            axes.plot(
                places,
                table.iloc[:, i],
                label=str(column),
                color=colours[i % 4],
                marker=marks[i % 4],
                linestyle=dashes[i % 4],
            )
        axes.set_xscale("log" if logarithmic else "linear")
        axes.set_xticks(places, [str(label) for label in index])
        axes.minorticks_off()
        axes.set_xlabel(index.name or "")
        axes.set_ylabel(table.columns.name or "")
        axes.set_ylim(bottom=min(0, table.min(axis=None)))  # type: ignore[type-var]  # numbers, here
        axes.grid(axis="y", alpha=0.4)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)

    show_picture(draw, (6.4, 3.6), describe.lines(table) if alt is None else alt, name)


def heads(
    weights: ArrayLike, *, alt: str | None = None, name: str | None = None, mark: Sequence[Any] | None = None
) -> None:
    """Shows the weights of every head of a model as one small map each: a row a layer, a column a head.

    Shapes: weights (layers, heads, Lq, Lk), from 0, white, to 1, dark blue. `mark`, a pair
    (layer, head) or several, frames maps. `alt` says what is to be seen, and is made from the
    numbers if not given; `name` is the picture's name in the page and in figures/.

    Raises
    ------
    ValueError
        If weights do not have four axes, none of them empty, if a pair of `mark` is not a head of
        them, or if `alt` or `name` is empty.

    References
    ----------
    Vig 2019 (arXiv 1906.05714), section 3.2: the model view, all layers and heads at once.
    """
    weights = np.asarray(weights, dtype=float)
    if weights.ndim != 4 or weights.size == 0:
        raise ValueError(
            f"weights must have the shape (layers, heads, Lq, Lk), none of them 0: it has {weights.shape}"
        )
    n_layers, n_heads, *_ = weights.shape
    marked = _pairs(mark, weights.shape[:2], "mark", "(layer, head)", "weights")
    if alt is None:
        alt = describe.heads(weights, marked)
    side = 0.86  # of a map, where the distance from map to map is 1

    def draw(figure):
        axes = figure.add_subplot()
        for layer, head in np.ndindex(n_layers, n_heads):
            extent = np.array([head, head, layer, layer]) + np.array([-1, 1, 1, -1]) * side / 2
            axes.imshow(weights[layer, head], cmap="Blues", vmin=0, vmax=1, extent=extent)
            axes.add_patch(_frame(head - side / 2, layer - side / 2, side, side))
        for layer, head in marked:
            axes.add_patch(_strong_frame(head - 0.47, layer - 0.47, 0.94, 0.94))
        axes.set(xlim=(-0.5, n_heads - 0.5), ylim=(n_layers - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(n_heads))
        axes.set_yticks(range(n_layers))
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel("head →", loc="left", fontweight="bold")
        axes.set_ylabel("← layer", loc="top", fontweight="bold")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        figure.supxlabel("in each map queries go down, keys to the right; white: 0, dark: 1", fontsize=9)

    place = np.clip(8.4 / n_heads, 0.7, 2)
    show_picture(draw, (0.6 + place * n_heads, 0.75 + place * n_layers), alt, name)


def explorer(
    q: ArrayLike,
    k: ArrayLike,
    tokens: Sequence[str],
    *,
    controls: Sequence[str] = ("layer", "head", "query", "scale"),
    layer: int = 0,
    head: int = 0,
    query: int = 0,
    causal: bool = False,
    name: str | None = None,
) -> None:
    """Shows the weights of q and k as a table to play with, which needs no kernel once it is there.

    Shapes: q and k (layers, heads, L, d_k), (heads, L, d_k) or (L, d_k), and L tokens. `controls`
    are some of layer, head, query (the row that is picked out), scale, temperature, causal, length
    (how many tokens are real), hide (one key) and show (weights or scores); one with a single
    thing to choose is left out. `layer`, `head`, `query` and `causal` say how it starts. Beyond 32
    tokens it holds one layer, and says so. Without a control for layer or head it holds that one.
    `name` is its name in the page and in figures/.

    Raises
    ------
    ValueError
        If q, k and tokens do not fit, scores are not finite, a control is unknown or named twice,
        or `layer`, `head` or `query` is not among those given.
    TypeError
        If q or k does not hold real numbers, `layer`, `head` or `query` is not an integer, or
        `causal` is not a bool.

    References
    ----------
    The weights are those of Vaswani et al. 2017, equation 1; temperature divides the scores once
    more, as in Hinton et al. 2015, arXiv:1503.02531, section 2.
    """
    from IPython.display import display

    from attention_lib.show.explorer_page import bundle

    if figures.is_collecting():
        return  # an explorer is no picture

    display(bundle(q, k, tokens, controls, layer, head, query, causal, name), raw=True)


def _matrix(values, queries, keys):
    values = np.asarray(values, dtype=float)
    if values.shape != (len(queries), len(keys)):
        raise ValueError(
            f"values must have a row a query and a column a key: values has shape {values.shape}, "
            f"with {len(queries)} queries and {len(keys)} keys"
        )
    return values


def _allowed(allowed, values):
    """`allowed` in the shape of values: all of them where it is None."""
    try:
        return np.broadcast_to(np.asarray(True if allowed is None else allowed, dtype=bool), values.shape)
    except ValueError:
        raise ValueError(
            f"allowed must broadcast to values: allowed has shape {np.shape(allowed)}, values {values.shape}"
        ) from None


def _pairs(given, shape, name, meaning, owner):
    """`given`, one pair of integers or several or None, as a list of pairs inside `shape`."""
    if given is None:
        return []
    pairs = np.asarray(given)
    if pairs.size == 0:
        return []
    pairs = np.atleast_2d(pairs)
    if pairs.shape[1:] != (2,) or pairs.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {meaning}, or several such pairs, in integers: it is {given!r}")
    if (pairs < 0).any() or (pairs >= shape[:2]).any():
        raise ValueError(
            f"{name} must be {meaning} of {owner}, counted from 0 within {shape}: it is {given!r}"
        )
    return [(int(row), int(column)) for row, column in pairs]


# The looks of cells.


def _cells(values, queries, keys, allowed, ends=(0, 1), outlined=(), size="page", decimals=2):
    """How a heatmap is drawn, and how large: what `_png` takes."""
    vmin, vmax = ends
    margins, (wide, high), room, digits, names = SIZES[size]
    numbered = max(values.shape) <= MOST_NUMBERS
    if numbered:
        wide = min(wide, room / max(1, len(keys)))
    else:
        wide, high = 0.03 * names, 0.022 * names  # room for a token is enough

    def draw(figure):
        axes = figure.add_subplot()
        cmap, reach = _colours(vmin, vmax)
        shown = np.ma.masked_array(np.clip(values, vmin, vmax), ~allowed)
        edges = [np.arange(n + 1) - 0.5 for n in (len(keys), len(queries))]
        cells = axes.pcolormesh(*edges, shown, cmap=cmap, vmin=reach[0], vmax=reach[1])  # not resampled
        axes.invert_yaxis()
        for row, column in np.argwhere(~allowed):
            axes.add_patch(_hatched_cell(column, row))
        if numbered:
            inks = _inks(cmap(cells.norm(shown)), faint=np.round(values, decimals) == 0)
            for row, column in np.argwhere(allowed):
                axes.text(
                    column,
                    row,
                    describe.number(values[row, column], decimals),
                    ha="center",
                    va="center_baseline",
                    fontsize=digits,
                    color=inks[row, column],
                ).set_in_layout(False)  # inside its cell: nothing to be measured
        for row, column in outlined:
            axes.add_patch(_strong_frame(column - 0.5, row - 0.5, 1, 1))
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        tilted = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
        crowded = max(map(len, keys), default=0) * names > 106 * wide
        axes.set_xticks(range(len(keys)), keys, fontsize=names, **(tilted if crowded else {}))
        axes.set_yticks(range(len(queries)), queries, fontsize=names)
        # Bold and with an arrow: an axis name over a tilted token reads as a part of it.
        named = {"fontsize": names, "fontweight": "bold"}
        axes.set_xlabel("key →", loc="left", labelpad=8, **named)
        axes.set_ylabel("← query", loc="top", labelpad=8, **named)
        ends_and_middle = [vmin, (vmin + vmax) / 2, vmax]  # more stand in the cells, while they fit
        bar = figure.colorbar(cells, ax=axes, fraction=0.04, pad=0.02, ticks=ends_and_middle)
        bar.ax.set_ylim(vmin, vmax)
        bar.ax.tick_params(labelsize=names)
        if not allowed.all():
            figure.supxlabel("hatched: the query may not attend to this key", fontsize=digits)

    width, height = margins[0] + wide * len(keys), margins[1] + high * len(queries)
    return draw, (max(width, 4.0), max(height, 2.4))


def _colours(vmin, vmax):
    """A colour map, and the numbers at its two ends."""
    import matplotlib

    if vmin >= 0:
        return matplotlib.colormaps["Blues"].with_extremes(bad="white"), (vmin, vmax)
    reach = max(-vmin, vmax)
    return _two_sided(), (-reach, reach)


@functools.cache
def _two_sided():
    """Orange, white at the middle, blue: as far from the middle, as dark."""
    import matplotlib
    from matplotlib.colors import ListedColormap

    lightness = np.linspace(100, 32, 128)  # CIE L*; Oranges does not become darker
    luminance = ((lightness + 16) / 116) ** 3
    sides = []
    for name in ("Oranges", "Blues"):
        shades = np.vstack([[1, 1, 1], matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3]])
        darker = _luminance(shades)
        sides.append([np.interp(luminance, darker[::-1], channel[::-1]) for channel in shades.T])
    orange, blue = np.transpose(sides, (0, 2, 1))
    return ListedColormap(np.vstack([orange[:0:-1], blue]), "two_sided").with_extremes(bad="white")


def _luminance(colours):
    """WCAG's relative luminance, from 0, black, to 1, white."""
    colours = np.asarray(colours)[..., :3]
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def _inks(colours, faint):
    """The colour of each number on its cell: grey if faint and to be read, else black or white."""
    from matplotlib.colors import to_rgb

    cells = _luminance(colours) + 0.05
    inks = np.where(cells / 0.05 >= 1.05 / cells, "black", "white")
    return np.where(faint & (cells >= 4.5 * (_luminance(to_rgb(FAINT)) + 0.05)), FAINT, inks)


def _hatched_cell(column, row):
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=HIDDEN, edgecolor=HATCH, hatch="//", lw=0)


def _frame(x, y, width, height):
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, fill=False, edgecolor="#999999", lw=0.6)


def _strong_frame(x, y, width, height):
    """A black frame with a white rim, to be seen on pale and on dark cells."""
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import Normal, Stroke

    frame = Rectangle((x, y), width, height, fill=False, edgecolor="black", lw=2.2, zorder=3, clip_on=False)
    frame.set_path_effects([Stroke(linewidth=5, foreground="white"), Normal()])
    return frame


@functools.cache
def _rounded_frame():
    """The class behind `rounded`, made when pandas is loaded."""
    import pandas as pd

    class Rounded(pd.DataFrame):
        _metadata = ["_decimals"]  # noqa: RUF012 (pandas asks for a list)
        _decimals = 2

        @property
        def _constructor(self):
            return Rounded

        def _options(self):
            return pd.option_context(
                *("display.float_format", lambda x: describe.number(x, self._decimals)),
                *("display.expand_frame_repr", False),
                *("display.max_columns", 20),
            )

        def _with_plain_labels(self):
            """Labels that are fractions as text: an index of 0.001 and 0.5 is not to be rounded."""
            axes = [axis.map(str) if axis.dtype.kind == "f" else axis for axis in self.axes]
            return self.set_axis(axes[0]).set_axis(axes[1], axis="columns")

        def __repr__(self):
            with self._options():
                return super(Rounded, self._with_plain_labels()).__repr__()

        def _repr_html_(self):
            """One row of headers, each with its scope, and no empty one."""
            frame = self._with_plain_labels()
            if self.index.nlevels == self.columns.nlevels == 1:
                corner = "\u00a0\\\u00a0".join(str(axis.name) for axis in self.axes if axis.name)
                frame = frame.rename_axis(index=None, columns=corner or None)
            with self._options():
                page = super(Rounded, frame)._repr_html_()  # type: ignore[misc]  # unknown to the stubs
            head, body = page.replace("<th></th>", "<td></td>").split("<tbody>")
            head = head.replace("<th>", '<th scope="col">')
            return head + "<tbody>" + body.replace("<th>", '<th scope="row">')

    return Rounded
