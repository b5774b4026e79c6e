"""Rectangles on cells: hatching, and frames."""

from attention_lib.show.colours import HATCH, HIDDEN


def hatched_cell(row, column, **style):
    """A hatched square over one cell."""
    from matplotlib.patches import Rectangle

    style = {"facecolor": HIDDEN, "edgecolor": HATCH, "hatch": "//", "lw": 0, **style}
    return Rectangle((column - 0.5, row - 0.5), 1, 1, **style)


def strong_frame(row, column):
    """A black square round a cell."""
    return outline((column - 0.5, row - 0.5), 1, 1)


def outline(corner, width, height):
    """A black rectangle with a white rim that shows on dark cells."""
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import Normal, Stroke

    style = {"fill": False, "edgecolor": "black", "lw": 2.2, "zorder": 3, "clip_on": False}
    frame = Rectangle(corner, width, height, **style)
    frame.set_path_effects([Stroke(linewidth=5, foreground="white"), Normal()])
    return frame
