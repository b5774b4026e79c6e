"""Dot products: the angle between arrows, keys as rows or columns, and how products spread."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked, positive, sized
from attention_lib.show.colours import FILL, INK
from attention_lib.show.figures import for_screen, panels, show_picture
from lesson.drawings.parts import (
    BLUE,
    RIGHT,
    WRONG,
    arrow,
    as_vector,
    factor,
    heading,
    label_left,
    number_table,
    plain,
    write,
    zero_lines,
)

LETTERS = "ABCDEFG"  # of keys


@checked(a="2", others="n 2")
def arrows(a: ArrayLike, others: ArrayLike, *, name=None) -> None:
    """Shows a vector (2,) with each of its partners (n, 2): their angle, and their dot product."""
    if not a.any() or not others.any(axis=1).all():
        raise ValueError("a and others must not hold a zero vector: it has no direction")
    corners = np.vstack([others, a, [0, 0]])
    size = np.ptp(corners, axis=0).max()  # of the drawing, in the unit of the vectors
    (left, low), (right, high) = corners.min(axis=0) - 0.2 * size, corners.max(axis=0) + 0.2 * size
    most_columns, panel_width, words_height = for_screen((4, 2.4, 0.8), projector=(3, 3.1, 1.3))
    n_columns = min(most_columns, len(others))

    def draw(figure):
        for axes, b in zip(panels(figure, len(others), n_columns), others):
            axes.set(xlim=(left, right), ylim=(low, high), aspect="equal", xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            zero_lines(axes)
            _labelled_arrow(axes, "b", b, size, color=WRONG, linestyle="--")
            _labelled_arrow(axes, "a", a, size, color=BLUE, linestyle="-")
            _draw_angle(axes, a, b, size)
            axes.set_title(f"a = {as_vector(a)},  b = {as_vector(b)}", fontsize=10)
            axes.set_xlabel(
                f"{_sum_of_products(a, b)} = {plain(a @ b)}\n{_sign(a @ b)}", fontsize=11, weight="bold"
            )

    parts = [
        f"b = {as_vector(b)}, {np.degrees(abs(_angle(a, b))):.0f} degrees, "
        f"dot product {plain(a @ b)}, {_sign(a @ b)}"
        for b in others
    ]
    height = (panel_width - 0.2) * (high - low) / (right - left) + words_height
    extent = (panel_width * n_columns, -(-len(others) // n_columns) * height)
    show_picture(draw, extent, f"Arrows: a = {as_vector(a)} with {'; '.join(parts)}.", name)


def _angle(a, b):
    """The angle from a to b in radians, from -π to π."""
    return np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b)


def _sign(dot):
    return "zero" if dot == 0 else "positive" if dot > 0 else "negative"


def _sum_of_products(a, b):
    return " + ".join(f"{plain(x)}·{factor(y)}" for x, y in zip(a, b))


def _labelled_arrow(axes, letter, vector, size, **style):
    arrow(axes, (0, 0), vector, lw=2.2, **style)
    x, y = vector * (1 + 0.1 * size / np.linalg.norm(vector))
    write(axes, x, y, letter, fontsize=12, weight="bold", color=style["color"])


def _draw_angle(axes, a, b, size):
    """An arc from a to b, and its degrees beside its middle."""
    angles = np.arctan2(a[1], a[0]) + np.linspace(0, _angle(a, b), 61)
    axes.plot(0.17 * size * np.cos(angles), 0.17 * size * np.sin(angles), color=INK, lw=1.2)
    middle = angles[30]
    degrees = np.degrees(abs(_angle(a, b)))
    write(axes, 0.29 * size * np.cos(middle), 0.25 * size * np.sin(middle), f"{degrees:.0f}°")


@checked(k="Lk d_k")
def transpose_and_reshape(k: ArrayLike, *, name=None) -> None:
    """Shows up to 7 keys, k (Lk, d_k), their transpose, which keeps them whole, and their reshape."""
    n, d_k = k.shape
    if n > len(LETTERS):
        raise ValueError(f"k must hold at most {len(LETTERS)} keys, each has a letter: got shape {k.shape}")
    owners = np.repeat(np.arange(n)[:, None], d_k, axis=1)
    narrowest, stretch = for_screen((7, 1), projector=(9.3, 1.35))
    # the shape of a cell, and the place of its number
    cell = for_screen((0.83, (0.64, 0.5)), projector=(1.15, (0.62, 0.75)))
    reshaped, reshaped_owners = k.reshape(d_k, n), owners.reshape(d_k, n)

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.12)
        rows, transpose, reshape = figure.subplots(1, 3, width_ratios=(d_k, n, n))
        _lettered_table(rows, k, owners, *cell)
        heading(rows, f"k  {k.shape}", "one key a row")
        _lettered_table(transpose, k.T, owners.T, *cell)
        heading(transpose, f"k.T  {k.T.shape}", "✓ one key a column", note_color=RIGHT)
        _lettered_table(reshape, reshaped, reshaped_owners, *cell)
        heading(reshape, f"k.reshape({d_k}, {n})  {reshaped.shape}", "✗ keys are torn", note_color=WRONG)

    alt = (
        f"Keys {k.shape}, their transpose and their reshape, both {k.T.shape}. Column 0 of the transpose is "
        f"{as_vector(k[0])}, key A. Column 0 of the reshape is {as_vector(reshaped[:, 0])}, from the keys "
        f"{', '.join(LETTERS[i] for i in reshaped_owners[:, 0])}."
    )
    width = max(0.46 * (d_k + 2 * n) + 1, narrowest)  # room for three headings
    show_picture(draw, (width, stretch * (0.38 * max(n, d_k) + 0.8)), alt, name)


def _lettered_table(axes, values, owners, cell_aspect, number_place):
    """Numbers with the letters of their keys; the axes leave room for the higher of both shapes."""
    columns, highest = values.shape[1], max(values.shape)
    number_table(axes, values, owners, letters=LETTERS, place=number_place)
    axes.set(xlim=(0, columns), ylim=(highest, 0), aspect=cell_aspect, anchor="N")
    axes.axis("off")


@checked(dots="dictionary")
def spreads(dots: dict, *, name=None) -> None:
    """Shows how dot products spread, raw and divided by sqrt(d_k). Shapes: dots[d_k] is (n,)."""
    if not dots:
        raise ValueError("dots must hold the dot products of at least one d_k")
    raw = {d_k: sized("dots", x, "n", {}) for d_k, x in dots.items() if positive("d_k of dots", d_k)}
    scaled = {d_k: values / d_k**0.5 for d_k, values in raw.items()}

    def draw(figure):
        upper, lower = figure.subplots(2, len(raw), squeeze=False)
        _draw_histograms(upper, raw, "raw")
        _draw_histograms(lower, scaled, "÷ √d_k")
        figure.supxlabel("dot product. The line reaches one standard deviation to each side", fontsize=10)

    parts = [f"{d_k}: {plain(raw[d_k].std())} raw, {plain(scaled[d_k].std())} divided" for d_k in raw]
    alt = (
        f"Histograms of dot products, raw and divided by √d_k. Standard deviation at d_k {'; '.join(parts)}."
    )
    show_picture(draw, (3 * len(raw), 4), alt, name)


def _draw_histograms(row, arrays_by_size, label):
    """A row of histograms, one a d_k, all with the same horizontal axis."""
    farthest = max(abs(values).max() for values in arrays_by_size.values())
    label_left(row[0], label, fontsize=12)
    for axes, (d_k, values) in zip(row, arrays_by_size.items()):
        bins = np.linspace(-farthest, farthest, 61)
        counts, *_ = axes.hist(values, bins, histtype="stepfilled", color=FILL)
        top, deviation = counts.max(), values.std()
        axes.errorbar(values.mean(), 1.15 * top, xerr=deviation, color=INK, capsize=4)
        write(axes, 0, 1.33 * top, f"standard deviation {plain(deviation)}")
        axes.set(xlim=(-farthest, farthest), ylim=(0, 1.5 * top), yticks=[], title=f"d_k = {d_k}")
        axes.locator_params(axis="x", nbins=4)  # more numbers would touch on the projector
        axes.spines[["left", "right", "top"]].set_visible(False)
