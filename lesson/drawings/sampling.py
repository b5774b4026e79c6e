"""From logits to a token: probabilities end to end on a line, and a draw that falls into one of them."""

import numpy as np
from numpy.typing import ArrayLike

import attention_lib as al
from attention_lib.arguments import checked
from attention_lib.show.colours import INK
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import TINTS, WRONG, label_left, write

ROOM_FOR_A_NAME = 0.03  # the smallest probability whose token is named in its stretch


@checked(logits="n", tokens="n names", temperatures="m", draw="finite")
def probability_lines(logits: ArrayLike, tokens, temperatures: ArrayLike, draw: float, *, name=None) -> None:
    """Shows the line from 0 to 1, cut into the probabilities of n tokens, once for each temperature (m,).

    Shapes: logits (n,), one for each of `tokens`. Temperatures are above 0. `draw`, from 0 to below 1, is
    marked on each line, with the token in whose stretch it lies.
    """
    if (temperatures < 1e-100).any():
        raise ValueError(f"temperatures must be above 0, 1e-100 or more, got {temperatures.tolist()}")
    if not 0 <= draw < 1:
        raise ValueError(f"draw must be from 0 to below 1, got {draw}")
    probabilities = al.softmax(logits / temperatures[:, None])  # (m, n)
    ends = probabilities.cumsum(axis=-1)
    drawn = [tokens[np.flatnonzero(draw < row)[0]] for row in ends]

    def draw_lines(figure):
        rows = figure.subplots(len(temperatures), 1, squeeze=False)[:, 0]
        for axes, temperature, row, end, token in zip(rows, temperatures, probabilities, ends, drawn):
            _draw_line(axes, tokens, row, end)
            axes.axvline(draw, color=WRONG, lw=2.4)
            axes.annotate(
                f"draws {token}", (1, 0.5), (8, 0), "axes fraction", "offset points", va="center", fontsize=11
            )
            label_left(axes, f"T = {temperature:g}", fontsize=11)
        rows[0].set_title(f"draw {draw:g}", fontsize=11, color=WRONG, x=draw)
        rows[-1].set_xticks([0, 1], ["0", "1"], fontsize=10)

    parts = [
        f"Temperature {temperature:g}: {', '.join(f'{t} {p:.2f}' for t, p in zip(tokens, row))}; draws {token}."
        for temperature, row, token in zip(temperatures, probabilities, drawn)
    ]
    alt = f"Probabilities end to end on a line from 0 to 1, with a draw at {draw:g}. {' '.join(parts)}"
    height = 0.62 * len(temperatures) + 0.6
    size = for_screen((7.6, height), projector=(9.3, 1.4 * height), phone=(3.4, height))
    show_picture(draw_lines, size, alt, name)


def _draw_line(axes, tokens, probabilities, ends):
    """A stretch for each token, with its name where there is room."""
    starts = ends - probabilities
    tints = [TINTS[i % len(TINTS)] for i in range(len(tokens))]
    axes.barh(0, probabilities, 1, starts, color=tints, edgecolor=INK, lw=0.8)
    for token, start, probability in zip(tokens, starts, probabilities):
        if probability >= ROOM_FOR_A_NAME:
            write(axes, start + probability / 2, 0, token, fontsize=11)
    axes.set(xlim=(0, 1), ylim=(-0.5, 0.5), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
