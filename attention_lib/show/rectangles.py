"""Rectangles on cells: hatching, and frames."""

from attention_lib.show.colours import HATCH, HIDDEN


def hatched_cell(row, column, **style):
    """A hatched square over one cell."""
    from matplotlib.patches import Rectangle

    style = {"facecolor": HIDDEN, "edgecolor": HATCH, "hatch": "//", "lw": 0, **style}
    return Rectangle((column - 0.5, row - 0.5), 1, 1, **style)


def outline(row, column, rows=1, columns=1):
    """A black rectangle round cells, whose first is (row, column), with a white rim that shows on dark cells."""
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import Normal, Stroke

    style = {"fill": False, "edgecolor": "black", "lw": 2.2, "zorder": 3, "clip_on": False}
    frame = Rectangle((column - 0.5, row - 0.5), columns, rows, **style)
    frame.set_path_effects([Stroke(linewidth=5, foreground="white"), Normal()])
    return frame
