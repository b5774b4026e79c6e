"""Attention in numbers, step by step: the whole of a small example, and one row of a real head."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked, count
from attention_lib.show.colours import number_colours
from attention_lib.show.descriptions import hidden_cells, told_apart
from attention_lib.show.figures import for_screen, show_picture
from attention_lib.show.rectangles import outline
from lesson.drawings.overview import TITLES, AttentionTables
from lesson.drawings.parts import (
    TINTS,
    cell_lines,
    colour_table,
    draw_strip,
    factor,
    hatch,
    join,
    join_down,
    mark_negative,
    note,
    plain,
    signed_colours,
    span,
    weight_colours,
    write,
)

PALE = 3  # how much paler the colours are than in pictures without numbers


class Table(NamedTuple):
    """Numbers with the colours of their cells. A hidden cell shows neither."""

    label: str
    values: np.ndarray
    colours: np.ndarray
    rows: Sequence
    columns: Sequence = ()
    allowed: np.ndarray | bool = True


class Column(NamedTuple):
    """What stands one below the other: a title, a table or a note, and a table."""

    title: str
    upper: Table | str
    lower: Table


@checked(q="L d_k", k="L d_k")
def five_steps(q: ArrayLike, k: ArrayLike, v: ArrayLike, tokens, mask=None, *, name=None) -> None:
    """Shows every number of a small attention, from Q, K and V through the five steps to the output.

    Shapes: q (L, d_k), k (L, d_k), v (L, d_v); tokens L names, of queries and of keys; mask (L, L), boolean.
    """
    attention = AttentionTables(q, k, v, tokens, mask)
    columns = _columns(attention)
    extent, n = for_screen(((9.1, 3.8), 6), projector=((9.1, 6.8), 3), phone=((3.4, 8.4), 2))

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.04)
        bands = figure.subfigures(len(columns) // n, 1, squeeze=False)[:, 0]
        for i, band in enumerate(bands):
            _draw_band(band, columns[n * i : n * (i + 1)])

    show_picture(draw, extent, _description(attention), name)


def _columns(attention):
    k, v, tokens, allowed = attention.k, attention.v, attention.tokens, attention.allowed
    root = f"√{k.shape[1]}"
    scores = Table("scores\nQ @ Kᵀ", attention.scores, _pale(attention.scores), tokens)
    paler = attention.scaled_colours(PALE)
    scaled = Table(f"scaled\nscores / {root}", attention.scaled, paler, tokens, tokens)
    masked = scaled._replace(label="masked\nhatched: hidden", allowed=allowed)
    colours = weight_colours(attention.weights)
    weights = Table("weights\nsoftmax(masked)", attention.weights, colours, tokens, tokens, allowed)
    output = Table("output\nweights @ V", attention.output, _pale(attention.output), tokens)
    return [
        Column("", "rows: queries\ncolumns: keys", Table("Q", attention.q, _pale(attention.q), tokens)),
        Column(TITLES[0], Table("Kᵀ", k.T, _pale(k.T), [], tokens), scores),
        Column(TITLES[1], f"{root} = {plain(k.shape[1] ** 0.5)}", scaled),
        Column(TITLES[2], attention.hidden(), masked),
        Column(TITLES[3], _last_row(attention), weights),
        Column(TITLES[4], Table("V", v, _pale(v), tokens), output),
    ]


def _pale(values):
    return signed_colours(values, PALE * (abs(values).max() or 1))


def _last_row(attention):
    """Softmax in words, with the numbers of the last query."""
    exponentials = np.exp(attention.scaled[-1][attention.allowed[-1]])
    numbers = "  ".join(plain(exponential, 2) for exponential in exponentials)
    return f"row of {attention.tokens[-1]}: exp\n{numbers}\n÷ their sum {plain(exponentials.sum(), 2)}"


def _draw_band(band, columns):
    """Columns side by side, their lower tables joined by arrows."""
    widths = [max(10 * column.lower.values.shape[1], 20) for column in columns]
    room_for_arrow = {"hspace": 0.06}
    titles, uppers, lowers = band.subplots(
        3, len(columns), width_ratios=widths, height_ratios=(3, 23, 30), gridspec_kw=room_for_arrow
    )
    for column, title, upper, lower in zip(columns, titles, uppers, lowers):
        note(title, column.title, fontsize=12, weight="bold")
        if isinstance(column.upper, str):
            note(upper, column.upper)
        else:
            _draw_numbers(upper, column.upper)
            upper.set_title(column.upper.label, fontsize=11)
            join_down(band, upper, lower)
        _draw_numbers(lower, column.lower)
        lower.set_xlabel(column.lower.label, fontsize=11)
    for left, right in pairwise(lowers):
        right.set_yticks([])  # the names of the rows stand at the left end
        join(band, left, right)


def _draw_numbers(axes, table, faint=False, points=11):
    """A table; numbers are grey where `faint` is true."""
    colour_table(axes, table.colours)
    allowed = np.broadcast_to(table.allowed, table.values.shape)
    inks = number_colours(table.colours, faint)
    for row, column in np.argwhere(allowed):
        number = plain(table.values[row, column], _decimals(table.values))
        write(axes, column, row, number, color=inks[row, column], fontsize=points, va="center_baseline")
    hatch(axes, allowed)
    axes.set_yticks(range(len(table.rows)), table.rows, fontsize=11)
    axes.set_xticks(range(len(table.columns)), table.columns, fontsize=11)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)


def _decimals(values):
    """As few as tell all the numbers of a table."""
    if (values == values.round()).all():
        return 0
    return 1 if abs(values).max() >= 10 else 2


def _written(row, decimals):
    return [plain(number, decimals) for number in row]


def _description(attention):
    tokens = attention.tokens

    def rows(values, allowed=True):
        shown = np.broadcast_to(allowed, values.shape)
        numbers = [_written(row[seen], _decimals(values)) for row, seen in zip(values, shown)]
        return "; ".join(f"{token} {', '.join(row)}" for token, row in zip(tokens, numbers))

    hidden = "nothing" if attention.allowed.all() else hidden_cells(attention.allowed, tokens)
    return (
        f"Attention in five steps, with every number. Q: {rows(attention.q)}. K: {rows(attention.k)}. "
        f"V: {rows(attention.v)}. Scores: {rows(attention.scores)}. "
        f"Divided by √{attention.q.shape[1]}: {rows(attention.scaled)}. Hidden: {hidden}. "
        f"Weights: {rows(attention.weights, attention.allowed)}. Output: {rows(attention.output)}."
    )


# One row


@checked(q="d_k", k="Lk d_k", v="Lk d_v", query="text", tokens="Lk names")
def row_through_steps(q: ArrayLike, k: ArrayLike, v: ArrayLike, query, tokens, *, name=None) -> None:
    """Shows one query's row of numbers through the five steps, and its output as a strip of colours.

    Shapes: q (d_k,), k (Lk, d_k), v (Lk, d_v); query a name, tokens Lk names of keys.
    """
    attention = AttentionTables(q[None], k, v, [query], mask=None)
    tables = _row_tables(attention, tokens)
    scores, scaled, exponentials, weights = tables
    root, total = f"√{len(q)}", plain(exponentials.values.sum())
    steps = [
        (TITLES[0], f"q of {query} @ k.T", scores),
        (TITLES[1], f"÷ {root} = {plain(len(q) ** 0.5)}", scaled),
        (TITLES[2], attention.hidden(), scaled),
        (TITLES[3], "exp", exponentials),
        ("", f"÷ their sum {total}", weights),
    ]

    def draw(figure):
        figure.get_layout_engine().set(h_pad=0.05)
        *rows, (label, output) = figure.subplots(len(steps) + 1, 2, width_ratios=(1, 5))
        for (title, text, table), (axes, row) in zip(steps, rows):
            _label_row(axes, title, text)
            _draw_numbers(row, table)
        _label_row(label, TITLES[4], "dash: below 0")
        draw_strip(output, f"output of {query}  {attention.output[0].shape}", attention.output[0])
        cell_lines(output, *attention.output.shape)
        mark_negative(output, attention.output)

    columns = zip(*[_written(values[0], _decimals(values)) for _, values, *_ in tables])
    parts = [f"{token} {', '.join(numbers)}" for token, numbers in zip(told_apart(tokens), columns)]
    alt = (
        f"The row of {query} through five steps: score, score ÷ {root}, exp, weight. {'; '.join(parts)}. "
        f"The sum of exp is {total}. Output {attention.output[0].shape}, {span(attention.output)}."
    )
    show_picture(draw, (9.35, 4.8), alt, name)


def _row_tables(attention, tokens):
    scores = Table("", attention.scores, _pale(attention.scores), [], tokens)
    scaled = Table("", attention.scaled, attention.scaled_colours(PALE), [])
    weights = Table("", attention.weights, weight_colours(attention.weights), [])
    return scores, scaled, weights._replace(values=np.exp(attention.scaled)), weights


def _label_row(axes, title, text):
    note(axes, title, x=0, y=0.78, ha="left", fontsize=12, weight="bold")
    note(axes, text, x=0, y=0.22, ha="left")


# One score


@checked(q="Lq d_k", k="Lk d_k")
def row_times_column(q: ArrayLike, k: ArrayLike, query: int, key: int, *, name=None) -> None:
    """Shows how one row of Q and one column of Kᵀ become one score: multiplied in pairs, and added.

    Shapes: q (Lq, d_k), k (Lk, d_k), d_k up to 7; query, key: indices of the row and the column.
    """
    query, key = count("query", query, most=len(q) - 1), count("key", key, most=len(k) - 1)
    if q.shape[1] > len(TINTS):
        raise ValueError(f"q and k must have d_k at most {len(TINTS)}, a tint each, got shape {q.shape}")
    scores = q @ k.T
    total = f"{_sum(q[query] * k[key])} = {plain(scores[query, key])}"
    d_k = q.shape[1]
    extent, points, rotation = for_screen(
        ((6.4, 4.6), 11, 0), projector=((8, 5.4), 11, 0), phone=((3.4, 4.2), 9, 90)
    )

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.05, h_pad=0.07)
        (pairs, column), (row, table) = figure.subplots(
            2, 2, width_ratios=(d_k, len(k)), height_ratios=(d_k, len(q))
        )
        _draw_marked(row, "Q", q, np.s_[query, :], points)
        _draw_marked(column, "Kᵀ", k.T, np.s_[:, key], points)
        _draw_marked(table, "scores = Q @ Kᵀ", scores, np.s_[query, key], points)
        row.add_patch(outline(query, 0, columns=d_k))
        column.add_patch(outline(0, key, rows=d_k))
        table.add_patch(outline(query, key))
        row.set_yticks([query], [f"query {query}"], fontsize=11, rotation=rotation)
        column.set_xticks([key], [f"key {key}"], fontsize=11)
        _write_products(pairs, q[query], k[key])
        figure.supxlabel(f"{total}\nscore of query {query} and key {key}", fontsize=12)

    alt = (
        f"Row {query} of Q {q.shape} times column {key} of Kᵀ {k.T.shape} is one cell of the scores {scores.shape}. "
        f"In pairs: {'; '.join(map(_product, q[query], k[key]))}. Added: {total}, in row {query}, column {key}."
    )
    show_picture(draw, extent, alt, name)


def _draw_marked(axes, label, values, marked, points):
    """A table of numbers; the marked row or column has a tint a number, the others are grey."""
    from matplotlib.colors import to_rgba_array

    colours, is_marked = np.ones((*values.shape, 4)), np.zeros(values.shape, bool)
    is_marked[marked] = True
    if is_marked.sum() > 1:
        colours[marked] = to_rgba_array(TINTS)[: is_marked.sum()]
    _draw_numbers(axes, Table(label, values, colours, ()), faint=~is_marked, points=points)
    cell_lines(axes, *values.shape, color="#c8c8c8")
    axes.set_xlabel(label, fontsize=11)


def _write_products(axes, row, column):
    """A line a pair, in the tint of the pair."""
    axes.set(xlim=(0, 1), ylim=(len(row) - 0.5, -0.5))
    axes.axis("off")
    for i, (a, b, tint) in enumerate(zip(row, column, TINTS)):
        box = {"facecolor": tint, "edgecolor": "none", "pad": 2}
        write(axes, 0.5, i, _product(a, b), fontsize=11, bbox=box)


def _product(a, b):
    return f"{plain(a)} · {factor(b)} = {plain(a * b)}"


def _sum(numbers):
    """Numbers with plus and minus between them."""
    first, *others = numbers
    return plain(first) + "".join(f" {'−' if x < 0 else '+'} {plain(abs(x))}" for x in others)
