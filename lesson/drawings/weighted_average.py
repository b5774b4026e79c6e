"""A weighted average of three values, as a point in a triangle."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked
from attention_lib.show.colours import INK
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import BLUE, QUIET, as_vector, write, zero_lines


@checked(weights="3", values="3 2", labels="3 names", others="n 2")
def mixture(weights: ArrayLike, values: ArrayLike, labels, *, others: ArrayLike, name=None) -> None:
    """Shows three values (3, 2) as corners and, inside, the output that `weights` (3,) makes of them.

    Shapes: labels 3 names; others (n, 2), further outputs, which are dots.
    """
    if (weights < 0).any() or not np.isclose(weights.sum(), 1):
        raise ValueError(f"weights must not be negative and must add up to 1, got {as_vector(weights)}")
    if np.linalg.matrix_rank(values[1:] - values[0]) < 2:
        raise ValueError(
            f"values must be corners of a triangle, and these lie on one line: {values.tolist()}"
        )
    output = weights @ values

    def draw(figure):
        axes = figure.add_subplot(aspect="equal")
        axes.fill(*values.T, facecolor="#eef3f8", edgecolor="#8fa3b5")
        axes.plot(*others.T, ".", color="#7f8c99", ms=3, alpha=0.5)
        for weight, value, marker in zip(weights, values, "os^"):
            axes.plot(*np.transpose([value, output]), color=BLUE, lw=1 + 9 * weight, alpha=0.6)
            axes.plot(*value, marker, color=INK, ms=9)
        _label_corners(axes, weights, values, labels)
        _draw_output(axes, output, size=np.ptp(values, axis=0).max())
        axes.margins(0.4, 0.25)
        _draw_axes(axes)

    parts = [
        f"{weight:.2f} of {label} {as_vector(value)}" for weight, label, value in zip(weights, labels, values)
    ]
    alt = f"A triangle of three values. Inside it the output {as_vector(output)}: {', '.join(parts)}. "
    alt += f"Further outputs as dots: {len(others)}."
    show_picture(draw, for_screen((7, 4.4), projector=(9, 5.4)), alt, name)


def _draw_axes(axes):
    """Lines where the numbers of a value are 0, and the names of both numbers at their ends."""
    zero_lines(axes, zorder=0)
    style = {"color": QUIET, "ha": "left"}
    write(axes, 1, 0, " → first number", transform=axes.get_yaxis_transform(), **style)
    write(axes, 0, 1, " ↑ second number", va="top", transform=axes.get_xaxis_transform(), **style)
    axes.axis("off")


def _label_corners(axes, weights, values, labels):
    """Each value's name, numbers and weight, outside of its corner."""
    size, middle = np.ptp(values, axis=0).max(), values.mean(axis=0)
    style = {"fontsize": 11, "path_effects": _white_rim()}
    for weight, value, label in zip(weights, values, labels):
        outwards = value - middle
        x, y = value + 0.08 * size * outwards / np.linalg.norm(outwards)
        sides = {"ha": "left" if outwards[0] > 0 else "right", "va": "bottom" if outwards[1] > 0 else "top"}
        write(axes, x, y, f"{label}\nvalue {as_vector(value)}\nweight {weight:.2f}", **style, **sides)


def _draw_output(axes, output, size):
    axes.plot(*output, "*", color="#e69f00", ms=20, markeredgecolor=INK)
    x, y = output + 0.06 * size
    style = {"fontsize": 11, "ha": "left", "weight": "bold", "path_effects": _white_rim()}
    write(axes, x, y, f"output  {as_vector(output)}", **style)


def _white_rim():
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=4, foreground="white")]
