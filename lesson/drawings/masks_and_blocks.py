"""Shapes of masks and scores, and attention in blocks of queries."""

import numpy as np

from attention_lib.arguments import checked
from attention_lib.show.colours import FILL, INK
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import arrow_panel, heading, label_left

VERDICTS = {
    "fits": ("✓", "#ccece3"),
    "repeats": ("↻", "#cce3f0"),
    "does not fit": ("✗", "#f7dfcc"),
    "fits by accident": ("⚠", "#f7dfcc"),
}
NO_AXIS = "counts as 1"


@checked(scores_shape="shape", mask_shape="shape", names="list_of_names", mask_names="list_of_names")
def line_up(scores_shape, mask_shape, names, mask_names, *, name=None) -> None:
    """Shows whether a mask's shape fits the scores', lined up from the right.

    `names` and `mask_names` say what each axis counts: two that count other things fit by accident.
    """
    lacking = len(scores_shape) - len(mask_shape)
    if lacking < 0 or len(names) != len(scores_shape) or len(mask_names) != len(mask_shape):
        raise ValueError(
            f"names {names}, mask_shape {mask_shape} and mask_names {mask_names} must fit the axes of "
            f"scores_shape {scores_shape}"
        )
    mask_sizes = [NO_AXIS] * lacking + list(mask_shape)
    mask_names = [""] * lacking + list(mask_names)
    verdicts = [_verdict(*sizes) for sizes in zip(scores_shape, mask_sizes, names, mask_names)]

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
        upper, lower = figure.subplots(2, len(names), squeeze=False)
        label_left(upper[0], "scores")
        label_left(lower[0], "mask")
        for axes, axis, size in zip(upper, names, scores_shape):
            _draw_size(axes, size, "#f4f4f4")
            axes.set_title(axis, fontsize=11)
        for axes, axis, size, verdict in zip(lower, mask_names, mask_sizes, verdicts):
            sign, tint = VERDICTS[verdict]
            _draw_size(axes, size, tint)
            axes.set_title(axis, fontsize=11)
            weight = "bold" if sign in "✗⚠" else "normal"
            axes.set_xlabel(f"{sign} {verdict}", fontsize=12, weight=weight)

    parts = [
        f"{axis} {size} meets {f'{mask_axis} {other}' if mask_axis else f'nothing, which {other}'}, {verdict}"
        for axis, size, mask_axis, other, verdict in zip(
            names, scores_shape, mask_names, mask_sizes, verdicts
        )
    ]
    alt = f"The axes of scores and mask lined up from the right. {'; '.join(parts)}."
    show_picture(draw, (1.1 + 1.6 * len(names), 2.6), alt, name)


def _verdict(scores_size, mask_size, name, mask_name):
    if mask_size == scores_size:
        return "fits" if mask_name == name or mask_size == 1 else "fits by accident"
    return "repeats" if mask_size in (1, NO_AXIS) else "does not fit"


def _draw_size(axes, size, colour):
    """A box with the size of an axis; dashed where the mask has no such axis."""
    axes.set(xticks=[], yticks=[], facecolor="white" if size == NO_AXIS else colour)
    axes.spines[:].set(color=INK, linestyle="--" if size == NO_AXIS else "-")
    style = {"fontsize": 11 if size == NO_AXIS else 15, "ha": "center", "va": "center"}
    axes.text(0.5, 0.5, size, transform=axes.transAxes, color=INK, **style)


@checked(n_queries="size", n_keys="size", block="size")
def block_of_rows(n_queries: int, n_keys: int, block: int, *, name=None) -> None:
    """Shows that a block of queries needs its own rows of scores alone, and gives its own rows of output."""
    if block > n_queries:
        raise ValueError(f"block must be at most n_queries, {n_queries}, got {block}")
    n_blocks = -(-n_queries // block)
    first = n_blocks // 3 * block  # the first row of the marked block
    place = f"rows {first:,}\nto {first + block - 1:,}"
    part = f"one block: {block:,} × {n_keys:,} = {block * n_keys:,} scores at a time"
    whole = f"whole table: {n_queries:,} × {n_keys:,} = {n_queries * n_keys:,} scores, {n_blocks:,} blocks"
    height, arrows_width = for_screen((3.65, 5.6), projector=(4.4, 7))
    wide = float(np.clip(2.3 * n_keys / n_queries, 1.2, 3.2))

    def draw(figure):
        queries, to_scores, scores, to_output, output = figure.subplots(
            1, 5, width_ratios=(85, 110, round(100 * wide), 110, 85)
        )
        for axes in (queries, scores, output):
            _draw_blocks(axes, n_queries, block, first)
        heading(queries, "queries", f"({n_queries:,}, d_k)")
        heading(scores, "scores", f"({n_queries:,}, {n_keys:,})")
        heading(output, "output", f"({n_queries:,}, d_v)")
        middle = first + block / 2
        arrow_panel(to_scores, "all keys", 1 - middle / n_queries)
        arrow_panel(to_output, "softmax, @ V", 1 - middle / n_queries)
        queries.set_yticks([middle], [place], fontsize=10)
        scores.set_xlabel(f"{part}\n{whole}", fontsize=11, linespacing=1.5)

    alt = f"The table of scores with {place} marked. The {whole}; {part}.".replace("\n", " ")
    show_picture(draw, (wide + arrows_width, height), alt, name)


def _draw_blocks(axes, n_queries, block, first):
    """A table cut into blocks of rows, one of them marked."""
    axes.set(xticks=[], yticks=[], ylim=(n_queries, 0))
    axes.tick_params(length=0)
    if n_queries / block <= 64:
        for row in range(block, n_queries, block):
            axes.axhline(row, color="#a8a8a8", lw=0.6)
    axes.axhspan(first, first + block, facecolor=FILL, edgecolor=INK, hatch="////", zorder=2.5)
