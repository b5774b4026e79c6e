"""What the drawings are made of: coloured tables, arrows, headings and notes, and numbers as text."""

import numpy as np

from attention_lib.show.colours import INK
from attention_lib.show.number_formats import typeset
from attention_lib.show.rectangles import hatched_cell

QUIET, RIGHT, WRONG, BLUE = "#5c5c5c", "#00694d", "#a84600", "#0072b2"  # 5:1 on white or more
TINTS = ["#7fb8d8", "#f2cf7f", "#7fceb9", "#e5bcd3", "#aad9f4", "#eaae7f", "#f7f1a0"]  # black has 9:1 on them
LEGEND = "blue: above 0\norange: below 0"
LEGEND_WITH_DASH = LEGEND + "\ndash: below 0"
MAX_LINES = 16  # rows or columns beyond which lines between them would hide the colours


# Tables


def signed_colours(values, largest=None):
    """Blue above 0, orange below, as in heatmaps; orange stays light, so that grey tells them apart.

    Shades follow the square root, so that small numbers show beside the largest. There are 33, to leave
    room for other colours in the PNG's palette of 256.
    """
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("orange-blue", ["#fd9142", "white", "#08417a"], 33)
    largest = largest or abs(values).max() or 1
    return shades(0.5 + 0.5 * np.sign(values) * (abs(values) / largest) ** 0.5)


def weight_colours(values):
    """White at 0, dark blue at 1."""
    import matplotlib

    return matplotlib.colormaps["Blues"](values)


def colour_table(axes, colours):
    """Fills the axes with one cell a colour; colours (rows, columns, 4)."""
    rows, columns, _ = colours.shape
    axes.imshow(colours, aspect="auto", interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    cell_lines(axes, rows if rows <= MAX_LINES else 1, columns if columns <= MAX_LINES else 1)


def hatch(axes, allowed):
    """Hatches the cells that are hidden."""
    for row, column in np.argwhere(~allowed):
        axes.add_patch(
            hatched_cell(row, column, facecolor="#e6e6e6", edgecolor="#777777", hatch="/////", zorder=2)
        )


def cell_lines(axes, rows, columns, color="white"):
    """Lines between the cells of a table that fills the axes."""
    for i in range(1, rows):
        axes.axhline(i - 0.5, color=color, lw=0.6)
    for i in range(1, columns):
        axes.axvline(i - 0.5, color=color, lw=0.6)


def unknown_table(axes, rows, columns):
    """A table whose numbers are not shown: its lines alone."""
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xticks=[], yticks=[])
    cell_lines(axes, rows, columns, "#a8a8a8")


def draw_strip(axes, title, vector, largest=None):
    """A vector as one row of cells under its title."""
    colour_table(axes, signed_colours(vector[None], largest))
    axes.set_title(title, fontsize=10, weight="bold", loc="left")


def mark_negative(axes, values, dash=5):
    """A dash on each cell with a negative number; values (columns,) or (rows, columns)."""
    rows, columns = np.nonzero(np.atleast_2d(values) < 0)
    axes.plot(columns, rows, "_", color=INK, ms=dash)


def number_table(axes, values, owners, top=0, letters="", place=(0.5, 0.5)):
    """Numbers in cells of 1 by 1 from `top` down, each in the tint, and with the letter, of its owner.

    `place` is that of a number in its cell; a letter stands at the upper left.
    """
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    rows, columns = values.shape
    tints = np.array([to_rgb(tint) for tint in TINTS])[owners]
    axes.imshow(tints, extent=(0, columns, top + rows, top), aspect="auto", interpolation="nearest")
    axes.vlines(range(1, columns), top, top + rows, color="white", lw=0.6)
    axes.hlines(top + np.arange(1, rows), 0, columns, color="white", lw=0.6)
    axes.add_patch(
        Rectangle((0, top), columns, rows, facecolor="none", edgecolor=INK, zorder=3, clip_on=False)
    )
    for (row, column), value in np.ndenumerate(values):
        write(axes, column + place[0], top + row + place[1], plain(value))
        if letters:
            write(axes, column + 0.2, top + row + 0.3, letters[owners[row, column]], fontsize=9)


def zero_lines(axes, **style):
    """Lines where the two coordinates of the data are 0."""
    axes.axhline(0, color="#c8c8c8", lw=0.8, **style)
    axes.axvline(0, color="#c8c8c8", lw=0.8, **style)


# Arrows


def arrow(axes, start, end, **style):
    """An arrow in the coordinates of the data."""
    style = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11, "color": INK, **style}
    axes.annotate("", end, start, arrowprops=style)


def arrow_panel(axes, text=""):
    """An arrow from the left side of otherwise empty axes to the right, with words on it."""
    axes.axis("off")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    arrow(axes, (0, 0.5), (1, 0.5))
    axes.annotate(text, (0.5, 0.5), (0, 5), textcoords="offset points", ha="center", fontsize=9, color=INK)


def join(figure, start, end, color=INK):
    """An arrow from the middle of one axes' right side to the middle of another's left side."""
    _connect(figure, (1, 0.5), start.transAxes, (0, 0.5), end.transAxes, color)


def join_level(figure, start, end):
    """A horizontal arrow from the right side of one axes to the middle of another's left side."""
    from matplotlib.transforms import blended_transform_factory

    beside_end = blended_transform_factory(start.transAxes, end.transAxes)
    _connect(figure, (1, 0.5), beside_end, (0, 0.5), end.transAxes, INK)


def join_down(figure, upper, lower, color=INK):
    """An arrow from the middle of one axes' lower side to the middle of another's upper side."""
    _connect(figure, (0.5, 0), upper.transAxes, (0.5, 1), lower.transAxes, color)


def join_corner(figure, upper, lower):
    """An arrow from near the left end of one axes' lower side down and right to another's left side."""
    turn = "angle,angleA=-90,angleB=180"
    _connect(figure, (0.03, 0), upper.transAxes, (0, 0.5), lower.transAxes, INK, connectionstyle=turn)


def _connect(figure, start, start_coordinates, end, end_coordinates, color, **style):
    from matplotlib.patches import ConnectionPatch

    style = {"arrowstyle": "-|>", "shrinkA": 2, "shrinkB": 2, "mutation_scale": 11, "color": color, **style}
    figure.add_artist(ConnectionPatch(start, end, start_coordinates, end_coordinates, **style))


# Words


def label_left(axes, text, fontsize=11):
    """Bold words at the left of the axes, level."""
    axes.set_ylabel(text, fontsize=fontsize, weight="bold", rotation=0, ha="right", va="center")


def write(axes, x, y, text, **style):
    style = {"color": INK, "ha": "center", "va": "center", "fontsize": 10, "zorder": 5, **style}
    return axes.text(x, y, str(text), **style)


def heading(axes, title, note, color=INK, note_color=INK):
    """A bold title above the axes, and a note between the two."""
    axes.set_title(title, fontsize=11, fontweight="bold", color=color, pad=24)
    axes.annotate(
        note, (0.5, 1), (0, 7), "axes fraction", "offset points", ha="center", fontsize=10, color=note_color
    )


def note(axes, text, x=0.5, y=0.5, **style):
    """Words on otherwise empty axes."""
    axes.axis("off")
    write(axes, x, y, text, transform=axes.transAxes, **style)


# Numbers


def plain(number, decimals=None):
    """With the decimals asked for, or as few as tell the number: none, one from 10 on, else two."""
    if decimals is None:
        decimals = 0 if number == round(number) else 1 if abs(number) >= 10 else 2
    return typeset(number, decimals)


def factor(number):
    """As it stands behind a multiplication sign: a negative number in parentheses."""
    return plain(number) if number >= 0 else f"({plain(number)})"


def as_vector(numbers):
    return f"({', '.join(map(plain, numbers))})"


def span(numbers):
    return f"from {plain(numbers.min())} to {plain(numbers.max())}"
