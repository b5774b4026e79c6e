"""What the drawings are made of: a sheet measured in inches, and tables, cells, boxes, arrows and words on it.

Places are those of a sheet, from its upper left corner. Numbers are written with as few decimals as tell them.
"""

import numpy as np

INK, QUIET, RIGHT, WRONG, BLUE = "#1a1a1a", "#5c5c5c", "#00694d", "#a84600", "#0072b2"  # 5:1 on white or more
TINTS = ["#7fb8d8", "#f2cf7f", "#7fceb9", "#e5bcd3", "#aad9f4", "#eaae7f", "#f7f1a0"]  # black has 9:1 on them
COLOURS = "blue: above 0\norange: below 0"


def canvas(figure):
    """Axes that fill the figure, measured in inches from its upper left corner."""
    figure.set_layout_engine("none")
    width, height = figure.get_size_inches()
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return axes


def two_sided(values, reach=None):
    """Blue above 0, orange below; orange stays light, so that grey tells them apart.

    The root is shaded, so that the small ones are seen beside the largest. 33 shades leave room for
    the others in a palette of 256 colours.
    """
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("two-sided", ["#e69f00", "white", "#08417a"], 33)
    return shades(0.5 + 0.5 * np.sign(values) * (abs(values) / (reach or abs(values).max() or 1)) ** 0.5)


def table(axes, x, y, width, height, colours):
    """One coloured cell a number, and white lines between cells that are large enough."""
    rows, columns, _ = colours.shape
    axes.imshow(colours, extent=(x, x + width, y + height, y), aspect="auto", interpolation="nearest")
    lattice(axes, x, y, width, height, columns if width / columns > 0.05 else 1, rows, "white")


def lattice(axes, x, y, width, height, columns, rows, color="#a8a8a8"):
    """The lines of a table; alone, of one whose numbers are not known."""
    axes.vlines(x + width * np.arange(1, columns) / columns, y, y + height, color=color, lw=0.6)
    axes.hlines(y + height * np.arange(1, rows) / rows, x, x + width, color=color, lw=0.6)
    box(axes, x, y, width, height)


def cells(axes, x, y, width, height, values, owners, letters=""):
    """One cell a number, in the tint and with the letter of its owner."""
    from matplotlib.colors import to_rgb

    rows, columns = values.shape
    table(axes, x, y, width * columns, height * rows, np.array([to_rgb(tint) for tint in TINTS])[owners])
    for (row, column), value in np.ndenumerate(values):
        left, top = x + column * width, y + row * height
        say(axes, left + width * (0.64 if letters else 0.5), top + height / 2, short(value))
        if letters:
            say(axes, left + 0.09, top + 0.12, letters[owners[row, column]], 9)


def box(axes, x, y, width, height, **style):
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle((x, y), width, height, **{"facecolor": "none", "edgecolor": INK, "zorder": 2, **style})
    )


def arrow(axes, start, end, **style):
    style = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11, "color": INK, **style}
    axes.annotate("", end, start, arrowprops=style)


def say(axes, x, y, text, size=10, **style):
    axes.text(
        x, y, str(text), fontsize=size, **{"color": INK, "ha": "center", "va": "center", "zorder": 5, **style}
    )


def short(number, decimals=None):
    """With the decimals asked for, or as few as tell the number: none, one from 10 on, else two."""
    if decimals is None:
        decimals = 0 if number == round(number) else 1 if abs(number) >= 10 else 2
    return f"{round(float(number), decimals) + 0.0:.{decimals}f}".replace("-", "−")


def as_vector(numbers):
    return f"({', '.join(map(short, numbers))})"


def span(numbers):
    return f"from {short(numbers.min())} to {short(numbers.max())}"
