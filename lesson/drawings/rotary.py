"""Rotary positions: one pair of numbers as the hand of a clock."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import checked
from attention_lib.show.figures import for_screen, show_picture
from attention_lib.today import rotate
from lesson.drawings.parts import BLUE, QUIET, arrow, as_vector, label_left, zero_lines


@checked(pair="2", speeds="n", places="m")
def turning_pair(pair: ArrayLike, speeds: ArrayLike, places: ArrayLike, *, name=None) -> None:
    """Shows a pair (2,) as a hand, turned at each of the places (m,): a row for each of the speeds (n,).

    A speed is the angle from one place to the next, in radians. The hand at the first place stays visible.
    """
    if not pair.any():
        raise ValueError("pair must not be zero: it has no direction")
    angles = speeds[:, None] * places  # (n, m)
    hands = rotate(
        np.broadcast_to(pair, (*angles.shape, 2)), angles
    )  # (n, m, 2): one pair turns by its position
    clock_width, words_width = for_screen((1.2, 0.95), projector=(2.5, 1.6))

    def draw(figure):
        clocks = figure.subplots(len(speeds), len(places), squeeze=False)
        for row, of_speed, speed in zip(clocks, hands, speeds):
            for clock, hand in zip(row, of_speed):
                _draw_clock(clock, of_speed[0], hand)
            label_left(row[0], f"{speed:g} radian\nper position", fontsize=10)
        for clock, place in zip(clocks[0], places):
            clock.set_title(f"position {place:g}", fontsize=11, weight="bold")

    turns = [
        f"Rotated by {speed:g} radian per position: {', '.join(map(as_vector, of_speed))}."
        for speed, of_speed in zip(speeds, hands)
    ]
    alt = f"The pair {as_vector(pair)} at positions {', '.join(f'{place:g}' for place in places)}. {' '.join(turns)}"
    extent = (clock_width * len(places) + words_width, (clock_width + 0.3) * len(speeds) + 0.3)
    show_picture(draw, extent, alt, name)


def _draw_clock(axes, first, hand):
    """A face, the hand at the first place in grey, and the hand now with its numbers below."""
    circle, length = np.linspace(0, 2 * np.pi, 121), np.linalg.norm(hand)
    size = 1.15 * length
    axes.set(xlim=(-size, size), ylim=(-size, size), aspect="equal", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    zero_lines(axes)
    axes.plot(length * np.cos(circle), length * np.sin(circle), color="#c8c8c8", lw=1)
    arrow(axes, (0, 0), first, color=QUIET, lw=1, linestyle="--")
    arrow(axes, (0, 0), hand, color=BLUE, lw=2.2)
    axes.set_xlabel(as_vector(hand), fontsize=10)
