"""What a layer does around its heads: projections in, the split into heads, and the way back."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked
from attention_lib.show.colours import INK
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import (
    LEGEND,
    LEGEND_WITH_DASH,
    QUIET,
    RIGHT,
    TINTS,
    WRONG,
    arrow_panel,
    as_vector,
    cell_lines,
    colour_table,
    draw_strip,
    heading,
    join,
    join_corner,
    join_down,
    join_level,
    label_left,
    mark_negative,
    note,
    number_table,
    signed_colours,
    span,
    unknown_table,
    write,
)

GAP = 0.5  # between the tables of a stack, in cells
LEVEL_STRIP = 0.3 / 2.7  # height by width


@checked(x="d", q="d_k", k="d_k", v="d_v", word="text")
def word_to_qkv(x: ArrayLike, q: ArrayLike, k: ArrayLike, v: ArrayLike, word: str, *, name=None) -> None:
    """Shows how a word's vector x (d,) becomes q (d_k,), k (d_k,) and v (d_v,) by three weight matrices."""
    results = [("query", "Q", q), ("key", "K", k), ("value", "V", v)]
    extent, space = for_screen(((9, 3.3), "  "), projector=((9, 4.6), "\n"), phone=((3.4, 5), "\n"))
    level, upright = (_level_rows, join, LEVEL_STRIP, 5), (_upright_rows, join_corner, 0.5 / 3, 3)
    axes_of_parts, join_vector, strip_aspect, dash = for_screen(level, phone=upright)

    def draw(figure):
        vector, legend, rows = axes_of_parts(figure)
        draw_strip(vector, f"the vector of {word}  {x.shape}", x)
        note(legend, LEGEND_WITH_DASH, x=0, ha="left")
        for (table, plus, strip), (role, letter, array) in zip(rows, results):
            unknown_table(table, 12, 4)
            table.set_title(f"W_{letter}{space}{len(x), len(array)}", fontsize=10, weight="bold")
            join_vector(figure, vector, table)
            arrow_panel(plus, f"+ b_{letter}")
            draw_strip(strip, f"{role}  {array.shape}", array)
            strip.set_box_aspect(strip_aspect)
            cell_lines(strip, 1, len(array))
            mark_negative(strip, array, dash)

    parts = [f"W_{letter} gives the {role} {array.shape}, {span(array)}" for role, letter, array in results]
    alt = f"The vector of {word} {x.shape}, {span(x)}, is multiplied by three weight matrices: {'; '.join(parts)}."
    show_picture(draw, extent, alt, name)


def _level_rows(figure):
    """Axes for the vector at the left, a legend below it, and three rows of a table, an arrow, a strip."""
    grid = figure.subplots(3, 5, width_ratios=(27, 11, 3, 7, 30))
    above, vector, legend = grid[:, 0]
    vector.set_box_aspect(LEVEL_STRIP)
    for axes in (above, *grid[:, 1]):
        axes.axis("off")
    return vector, legend, grid[:, 2:]


def _upright_rows(figure):
    """Axes for the vector on top, three rows of a table, an arrow, a strip, and a legend at the bottom."""
    grid = figure.add_gridspec(5, 4, width_ratios=(4, 5, 7, 30), height_ratios=(5, 10, 10, 10, 7))
    vector, legend = figure.add_subplot(grid[0, :]), figure.add_subplot(grid[4, :])
    rows = [[figure.add_subplot(grid[row, column]) for column in (1, 2, 3)] for row in (1, 2, 3)]
    return vector, legend, rows


@checked(stamped="L features", n_heads="size")
def cut_and_swap(stamped: ArrayLike, n_heads: int, *, name=None) -> None:
    """Shows how a table (L, H d) is split into up to 7 heads, and what a bare reshape makes of it.

    stamped: a table whose numbers tell token and feature, such as 203 for feature 3 of token 2.
    """
    length, features = stamped.shape
    if n_heads > len(TINTS) or features % n_heads:
        raise ValueError(
            f"stamped {stamped.shape} must split into n_heads equal pieces, 1 to 7: got {n_heads}"
        )
    d = features // n_heads
    heads = np.tile(np.arange(features) // d, (length, 1))
    cut, cut_heads = (table.reshape(length, n_heads, d) for table in (stamped, heads))
    right, right_heads = cut.swapaxes(0, 1), cut_heads.swapaxes(0, 1)
    wrong, wrong_heads = (table.reshape(n_heads, length, d) for table in (stamped, heads))
    n_rows = max(n_heads * (length + GAP), length * (n_heads + GAP)) - GAP
    split, cell, (beside, above), aspect = for_screen(
        (_in_one_row, (0.34, 0.31), (4.4, 0.85), 0.91),
        projector=(_in_two_rows, (0.2, 0.5), (4, 1.7), 0.6),
    )

    def draw(figure):
        whole, cutting, pieces, swapping, swapped, between, reshaped = split(figure, features, d)
        _draw_stamped(whole, stamped, heads, n_rows)
        _draw_stack(pieces, "cut", "token", cut, cut_heads, n_rows)
        _draw_stack(swapped, "✓ swap", "head", right, right_heads, n_rows, RIGHT)
        _draw_stack(reshaped, "✗ reshape", "head", wrong, wrong_heads, n_rows, WRONG)
        for axes in (whole, pieces, swapped, reshaped):
            axes.set_aspect(aspect)
        arrow_panel(cutting)
        arrow_panel(swapping)
        between.axis("off")
        between.axvline(0.5, color=QUIET, linestyle="--", lw=1)

    alt = (
        f"A table {stamped.shape} is cut into {cut.shape} and swapped into {right.shape}. Head 0 then "
        f"holds a row a token: {', '.join(map(as_vector, right[0]))}. Wrong: a bare reshape, whose head 0 "
        f"holds {', '.join(map(as_vector, wrong[0]))}."
    )
    extent = (cell[0] * (features + 3 * d) + beside, cell[1] * n_rows + above)
    show_picture(draw, extent, alt, name)


def _in_one_row(figure, features, d):
    """Axes for the table, an arrow, its pieces, an arrow, the heads, a line, and the torn heads."""
    return figure.subplots(1, 7, width_ratios=(10 * features, 10, 10 * d, 10, 10 * d, 4, 10 * d))


def _in_two_rows(figure, features, d):
    """The same, from the second arrow on in a second row."""
    upper, lower = figure.subfigures(2, 1)
    first = upper.subplots(1, 3, width_ratios=(features, 1, d))
    return [*first, *lower.subplots(1, 4, width_ratios=(10, 10 * d, 4, 10 * d))]


def _draw_stamped(axes, stamped, heads, n_rows):
    """The table in the middle of n_rows rows, each row with the number of its token."""
    length, features = stamped.shape
    top = (n_rows - length) / 2
    number_table(axes, stamped, heads, top)
    heading(axes, "stamped", stamped.shape)
    _fit_cells(axes, features, n_rows)
    _label_rows(axes, top + np.arange(length) + 0.5, "token")


def _draw_stack(axes, title, word, tables, owners, n_rows, color=INK):
    """Tables (n, rows, columns) one below the other, in the middle of n_rows rows, each with its number."""
    n, rows, columns = tables.shape
    tops = n_rows / 2 + (np.arange(n) - n / 2) * (rows + GAP) + GAP / 2
    for top, values, whose in zip(tops, tables, owners):
        number_table(axes, values, whose, top)
    heading(axes, title, tables.shape, color)
    _fit_cells(axes, columns, n_rows)
    _label_rows(axes, tops + rows / 2, word)


def _fit_cells(axes, columns, rows):
    axes.set(xlim=(0, columns), ylim=(rows, 0), xticks=[])
    axes.spines[:].set_visible(False)


def _label_rows(axes, places, word):
    axes.set_yticks(places, [f"{word} {i}" for i in range(len(places))], fontsize=9, color=INK)
    axes.tick_params(length=0)


@checked(contexts="H d_v", added="d", x="d", word="text")
def way_back(contexts: ArrayLike, added: ArrayLike, x: ArrayLike, word: str, *, name=None) -> None:
    """Shows the outputs of all heads for a word (H, d_v), and what they add (H d_v,) to its vector x (H d_v,)."""
    n_heads, d = len(contexts), len(x)
    if d != contexts.size:
        raise ValueError(f"added and x must have the size of contexts {contexts.shape}, got shape {x.shape}")
    largest = max(abs(vector).max() for vector in (added, x, added + x))  # one scale for what is summed
    adds = "what attention adds"
    extent, heads_width, heads_title, added_title = for_screen(
        ((9, 4.5), 210, f"outputs of {n_heads} heads for {word}", f"{adds}  ({d},)"),
        projector=((9.3, 5.8), 300, f"{n_heads} outputs for {word}", adds),
    )

    def draw(figure):
        figure.get_layout_engine().set(h_pad=0.06)
        places = [
            ["heads", "joined"],
            ["heads", "learned"],
            ["heads", "added"],
            ["legend", "before"],
            ["legend", "after"],
        ]
        panels = figure.subplot_mosaic(
            places, width_ratios=(heads_width, 535), height_ratios=(10, 28, 10, 10, 10)
        )
        _draw_heads(panels["heads"], contexts, heads_title)
        _draw_joined(panels["joined"], contexts)
        join_level(figure, panels["heads"], panels["joined"])
        _draw_learned(panels["learned"], d)
        join_down(figure, panels["joined"], panels["learned"])
        join_down(figure, panels["learned"], panels["added"])
        draw_strip(panels["added"], added_title, added, largest)
        draw_strip(panels["before"], f"{word} before  ({d},)", x, largest)
        draw_strip(panels["after"], f"{word} after  ({d},)", added + x, largest)
        label_left(panels["before"], "+", fontsize=18)
        label_left(panels["after"], "=", fontsize=18)
        panels["after"].set_xlabel("then: layer norm, feed-forward, next layer", loc="left", color=QUIET)
        note(panels["legend"], LEGEND, x=0, ha="left")

    longest = np.linalg.norm(contexts, axis=1).argmax()
    alt = (
        f"The outputs of {n_heads} heads for {word} {contexts.shape}, the longest of head {longest}, side by side "
        f"({d},), go through the learned W_O ({d}, {d}). The result, {span(added)}, is added to the vector of "
        f"{word}, {span(x)}. Then: layer norm, feed-forward, next layer."
    )
    show_picture(draw, extent, alt, name)


def _draw_heads(axes, contexts, title):
    """A row a head."""
    colour_table(axes, signed_colours(contexts))
    heading(axes, title, contexts.shape)
    axes.set_yticks(range(len(contexts)), range(len(contexts)), fontsize=9)
    axes.tick_params(length=0)


def _draw_joined(axes, contexts):
    """The rows of all heads side by side."""
    n_heads, d_v = contexts.shape
    draw_strip(axes, f"side by side  ({contexts.size},)", contexts.ravel())
    axes.set_xticks(np.arange(n_heads) * d_v + d_v / 2 - 0.5, range(n_heads), fontsize=9)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    for head in range(1, n_heads):
        axes.axvline(head * d_v - 0.5, color=INK, lw=1)


def _draw_learned(axes, d):
    unknown_table(axes, 12, 12)
    axes.set_box_aspect(1)
    write(axes, 12.5, 5.5, f"W_O  ({d}, {d}) and b_O,\nlearned", ha="left")
