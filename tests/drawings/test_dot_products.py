"""Arrows, the transpose of keys, and spreads of dot products."""

import itertools
import re

import numpy as np

from tests.drawings.examples import DOTS, KEYS, draw, signed
from tests.show.pixels import words


def test_arrows_tell_angle_product_and_sign():
    drawn = draw("arrows", a=[3, 4], others=[[3, 4], [-4, 3], [-3, -1]])
    for axes, b, angle, dot in zip(
        drawn.axes(), [(3, 4), (-4, 3), (-3, -1)], (0, 90, 145), ("25\npositive", "0\nzero", "−13\nnegative")
    ):
        to_b, _, to_a, _, degrees = axes.texts  # two arrows, each followed by its letter
        assert (to_b.arrow_patch.get_linestyle(), tuple(to_b.xy)) == ("--", b)
        assert (to_a.arrow_patch.get_linestyle(), tuple(to_a.xy)) == ("-", (3, 4))
        assert degrees.get_text() == f"{angle}°" and axes.get_xlabel().endswith(f" = {dot}")
    assert drawn.alt == (
        "Arrows: a = (3, 4) with b = (3, 4), 0 degrees, dot product 25, positive; b = (−4, 3), 90 degrees, "
        "dot product 0, zero; b = (−3, −1), 145 degrees, dot product −13, negative."
    )


def test_arc_lies_between_the_arrows():
    drawn = draw("arrows", a=[-1, 0.5], others=[[-1, -0.5]])
    arc = next(line for line in drawn.axes()[0].lines if len(line.get_xdata()) == 61)
    assert (arc.get_xdata() < 0).all()  # on the left, where angles jump from π to -π


def test_cells_hold_the_keys_their_transpose_and_their_reshape():
    drawn = draw("transpose_and_reshape")
    assert drawn.numbers() == [*KEYS.ravel(), *KEYS.T.ravel(), *KEYS.ravel()]
    letters = "".join(word for word in drawn.words() if re.fullmatch("[A-F]", word))
    rows = "".join(letter * 5 for letter in "ABCDEF")
    assert letters == rows + "ABCDEF" * 5 + rows
    assert signed(f"reshape is {tuple(KEYS.reshape(5, 6)[:, 0].tolist())}") in drawn.alt


def test_titles_of_tall_tables_stay_on_the_page():
    drawn = draw("transpose_and_reshape", k=np.ones((7, 2)))
    assert max(box.y1 for box in drawn.lay_out().values()) <= drawn.figure.bbox.y1


def test_spreads_tell_each_deviation_on_one_axis_a_row():
    drawn = draw("spreads")
    panels = drawn.axes()
    for i, (d_k, dots) in enumerate(DOTS.items()):
        for axes, deviation in [(panels[i], dots.std()), (panels[i + 3], dots.std() / d_k**0.5)]:
            number = f"{deviation:.1f}" if deviation >= 10 else f"{deviation:.2f}"
            assert f"standard deviation {number}" in words(axes.texts)
            assert number in drawn.alt
            (line,) = axes.collections[0].get_segments()
            assert np.isclose(np.ptp(line[:, 0]), 2 * deviation)
    assert panels[0].get_xlim()[1] >= max(abs(dots).max() for dots in DOTS.values())  # no dot is cut off
    assert len({axes.get_xlim() for axes in panels[:3]}) == len({axes.get_xlim() for axes in panels[3:]}) == 1


def test_numbers_below_spreads_do_not_touch_on_a_projector():
    dots = np.random.default_rng(0).uniform(-12, 12, 1000)  # divided by sqrt(4): up to 6, as in notebook 2
    drawn = draw("spreads", dots={4: dots, 8: dots, 16: dots}, size="projector")
    boxes = drawn.lay_out()
    for axes in drawn.axes():
        labels = [boxes[label] for label in axes.get_xticklabels() if label in boxes]
        gaps = [right.x0 - left.x1 for left, right in itertools.pairwise(labels)]
        assert min(gaps) > labels[0].height / 2
