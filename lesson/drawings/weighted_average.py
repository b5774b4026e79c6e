"""From scores to weights, and from weights to a weighted average of values."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked
from attention_lib.show.colours import FILL, INK
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import BLUE, QUIET, TINTS, as_vector, plain, write, zero_lines


@checked(scores="Lk", keys="Lk names")
def score_exp_weight(scores: ArrayLike, keys, *, name=None) -> None:
    """Shows a row of scores (Lk,), their exponentials and their weights as bars, one a key."""
    exponentials = np.exp(scores)
    weights = exponentials / exponentials.sum()
    weight_title = f"weight = exp(score) / {exponentials.sum():.2f}"

    def draw(figure):
        left, middle, right = figure.subplots(1, 3)
        _draw_bars(left, keys, scores, "score", decimals=1)
        _draw_bars(middle, keys, exponentials, "exp(score)", decimals=2)
        _draw_bars(right, keys, weights, weight_title, decimals=3)

    parts = [
        f"{key}: {plain(s, 1)}, {p:.2f}, {w:.3f}" for key, s, p, w in zip(keys, scores, exponentials, weights)
    ]
    alt = f"Bars. score; exp(score); {weight_title}. {'; '.join(parts)}."
    show_picture(draw, for_screen((9, 2.9), projector=(9.3, 3.6)), alt, name)


def _draw_bars(axes, keys, values, title, decimals):
    """A bar a key, with its number; negative bars are hatched."""
    negative = values < 0
    colours, hatches = np.where(negative, TINTS[1], FILL), np.where(negative, "//", "")
    bars = axes.bar(range(len(keys)), values, color=colours, hatch=hatches, edgecolor=INK, width=0.65)
    axes.bar_label(bars, [plain(value, decimals) for value in values], padding=3, fontsize=11)
    axes.axhline(0, color=INK, lw=0.8)
    axes.set_title(title, fontsize=12)
    axes.set_xticks(range(len(keys)), keys, fontsize=11)
    axes.set_yticks([])
    axes.tick_params(length=0)
    axes.margins(y=0.2 if negative.any() else 0.12)
    axes.spines[:].set_visible(False)


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
