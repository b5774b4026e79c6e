"""Attention as a whole: five steps from queries, keys and values to the output."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked, list_of_names, real_array, sized
from attention_lib.attention import masked_softmax
from attention_lib.show.colours import INK
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import (
    LEGEND_WITH_DASH,
    MAX_LINES,
    QUIET,
    colour_table,
    hatch,
    join,
    join_down,
    mark_negative,
    note,
    signed_colours,
    span,
    weight_colours,
)

STEPS = ("scores", "scale", "mask", "softmax", "values")
ROOM_FOR_ARROW = 0.408  # between the two rows of a step, in hundreds of pixels
TITLES = ("scores", "scale", "mask", "softmax", "times V")


def attention_map(q: ArrayLike, k: ArrayLike, v: ArrayLike, tokens, *, step, mask=None, name=None) -> None:
    """Shows attention whole, table by table, with one or several of its five steps, or "all", marked.

    Shapes: q (Lq, d_k), k (Lk, d_k), v (Lk, d_v); tokens, one a query; mask (Lq, Lk), boolean.
    Steps are scores, scale, mask, softmax and values.
    """
    attention = AttentionTables(q, k, v, tokens, mask)
    marked = _marked_steps(step)
    extent, split, starts_of_bands = for_screen(
        ((9.1, 3.4), _level_panels, ()),
        projector=((9.35, 4.9), _level_panels, ()),
        phone=((3.4, 8.2), _upright_panels, ("scale", "softmax")),
    )

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.13, h_pad=0.11)
        draw_steps = (_scores_step, _scale_step, _mask_step, _softmax_step, _values_step)
        before = None
        for panel, name_of_step, title, draw_step in zip(split(figure), STEPS, TITLES, draw_steps):
            style = _title_panel(panel, title, name_of_step in marked)
            result = draw_step(panel, attention, style)
            if before is not None and name_of_step not in starts_of_bands:
                join(figure, before, result, style["color"])
            before = result

    show_picture(draw, extent, _description(attention, marked), name)


def _level_panels(figure):
    """A panel a step, side by side."""
    return figure.subfigures(1, 5, width_ratios=(25, 12, 12, 12, 9))


def _upright_panels(figure):
    """A panel a step, in three bands: the first step, the next two, the last two."""
    first, second, third = figure.subfigures(3, 1)
    return [first, *second.subfigures(1, 2), *third.subfigures(1, 2)]


class AttentionTables:
    """Every table of one attention; raises ValueError if an argument does not fit."""

    @checked(q="Lq d_k", k="Lk d_k", v="Lk d_v", tokens="Lq names")
    def __init__(self, q, k, v, tokens, mask):
        allowed = real_array("mask", True if mask is None else mask)
        if allowed.dtype != bool:
            raise ValueError(f"mask must be boolean, True where a query may attend, got {allowed.dtype}")
        if mask is None:
            allowed = np.ones((len(q), len(k)), bool)
        sized("mask", allowed, f"{len(q)} {len(k)}", {})
        self.q, self.k, self.v, self.tokens, self.allowed = q, k, v, tokens, allowed
        self.scores = q @ k.T
        self.scaled = self.scores / q.shape[1] ** 0.5
        self.weights = masked_softmax(self.scaled, allowed)
        self.output = self.weights @ v

    def scaled_colours(self, paler=1):
        return signed_colours(self.scaled, paler * abs(self.scores).max())  # paler than the scores

    def hidden(self):
        n_hidden = (~self.allowed).sum()
        return f"{n_hidden} of {self.allowed.size}\nhidden" if n_hidden else "none hidden"


def _marked_steps(step):
    named = list_of_names("step", [step] if isinstance(step, str) else step)
    marked = STEPS if named == ["all"] else tuple(named)
    if not marked or not set(marked) <= set(STEPS):
        raise ValueError(f"step must be 'all' or of {', '.join(STEPS)}, got {step!r}")
    return marked


def _description(attention, marked):
    q, k, v, weights = attention.q, attention.k, attention.v, attention.weights
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    hidden = attention.hidden().replace("\n", " ")
    return (
        f"Map of attention. Scores: Q {q.shape} times Kᵀ {k.T.shape} is {attention.scores.shape} "
        f"{span(attention.scores)}. Scale: divided by √{q.shape[1]}, {span(attention.scaled)}. Mask: {hidden}. "
        f"Softmax: weights, the largest {weights.max():.2f} from query {row} {attention.tokens[row]} to key "
        f"{column}. Times V {v.shape}: output {attention.output.shape}. "
        f"Marked: {', '.join(name for name in STEPS if name in marked)}."
    )


# One function a step. It draws the step's tables on its panel, and returns the axes of its result.


def _scores_step(panel, attention, style):
    (legend, k), (q, scores) = _rows(panel, columns=2, width_ratios=(7, 11))
    _note_above(legend, LEGEND_WITH_DASH, {"color": QUIET, "fontsize": 9})
    _table_above(k, "Kᵀ", attention.k.T, style)
    _table(q, "Q", attention.q, signed_colours(attention.q), style)
    last = len(attention.tokens) - 1
    q.set_yticks([0, last], [attention.tokens[0], attention.tokens[last]], fontsize=9, color=style["color"])
    q.tick_params(length=0)
    _table(scores, "scores", attention.scores, signed_colours(attention.scores), style)
    _mark_negative(scores, attention.scores)
    join(panel, q, scores, style["color"])
    join_down(panel, k, scores, style["color"])
    return scores


def _scale_step(panel, attention, style):
    above, scaled = _rows(panel)
    _note_above(above, f"÷ √{attention.q.shape[1]}", style)
    _table(scaled, "scaled", attention.scaled, attention.scaled_colours(), style)
    _mark_negative(scaled, attention.scaled)
    return scaled


def _mask_step(panel, attention, style):
    above, masked = _rows(panel)
    _note_above(above, attention.hidden(), style)
    _table(masked, "masked", attention.scaled, attention.scaled_colours(), style)
    _mark_negative(masked, np.where(attention.allowed, attention.scaled, 0))
    hatch(masked, attention.allowed)
    return masked


def _softmax_step(panel, attention, style):
    above, weights = _rows(panel)
    _note_above(above, "each row\nadds up to 1", style)
    _table(weights, "weights", attention.weights, weight_colours(attention.weights), style)
    hatch(weights, attention.allowed)
    return weights


def _values_step(panel, attention, style):
    v, output = _rows(panel)
    _table_above(v, "V", attention.v, style)
    _table(output, "output", attention.output, signed_colours(attention.output), style)
    join_down(panel, v, output, style["color"])
    return output


# The parts of a step


def _title_panel(panel, title, marked):
    """Titles a step, and frames it if it is marked; returns the style of its words."""
    style = {"color": INK if marked else QUIET, "fontweight": "bold" if marked else "normal"}
    panel.suptitle(title, fontsize=12, **style)
    if marked:
        panel.patch.set(facecolor="#fff8e6", edgecolor=INK, linewidth=2)
        panel.patch.set_bounds(0.01, 0.01, 0.98, 0.98)
    return style


def _rows(panel, columns=1, width_ratios=None):
    """Axes for a row of tables and, above each, smaller axes for a table or a note."""
    room = {"hspace": ROOM_FOR_ARROW / panel.figure.get_figheight()}
    return panel.subplots(2, columns, height_ratios=(64, 110), width_ratios=width_ratios, gridspec_kw=room)


def _table(axes, name, values, colours, style):
    colour_table(axes, colours)
    axes.set_xlabel(f"{name}\n{values.shape}", **style)


def _mark_negative(axes, values):
    """Dashes where cells are large enough for them."""
    if max(values.shape) <= MAX_LINES:
        mark_negative(axes, values)


def _table_above(axes, name, values, style):
    colour_table(axes, signed_colours(values))
    axes.set_title(f"{name}  {values.shape}", fontsize=9, color=style["color"])


def _note_above(axes, text, style):
    note(axes, text, **style)
    axes.set_title(" ", fontsize=9)  # as high as the title of a table, which keeps all steps level
