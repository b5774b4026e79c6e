"""Bars of scores and shares, and the triangle of values."""

import numpy as np

import attention_lib as al
from tests.drawings.examples import CORNERS, draw, signed
from tests.show.pixels import words


def test_bars_are_as_high_as_their_numbers():
    scores = np.array([1.5, -0.5, 0])
    drawn = draw("score_exp_share", scores=scores)
    rows = [scores, np.exp(scores), al.softmax(scores)]
    for axes, values, decimals in zip(drawn.axes(), rows, (1, 2, 3), strict=True):
        assert np.allclose([bar.get_height() for bar in axes.patches], values)
        assert [bar.get_hatch() for bar in axes.patches] == ["//" if value < 0 else "" for value in values]
        numbers = [signed(f"{value:.{decimals}f}") for value in values]
        assert words(axes.texts) == numbers
        assert all(number in drawn.alt for number in numbers)


def test_output_is_the_weighted_average_of_the_corners():
    shares = np.array([0.25, 0.25, 0.5])
    drawn = draw("mixture", shares=shares)
    lines = [line for line in drawn.axes()[0].lines if line.get_zorder() > 0]  # without the axes
    star = next(line for line in lines if line.get_marker() == "*")
    assert np.allclose(np.ravel(star.get_data()), shares @ CORNERS)
    assert "output  (2.50, 3.50)" in drawn.words()
    assert drawn.alt == (
        "A triangle of three values. Inside it the output (2.50, 3.50): 0.25 of x (10, 0), 0.25 of y (0, 10), "
        "0.50 of z (0, 2). Further outputs as dots: 3."
    )
    assert {"z\nvalue (0, 2)\nweight 0.50", "x\nvalue (10, 0)\nweight 0.25"} <= set(drawn.words())
    widths = [line.get_linewidth() for line in lines if len(line.get_xdata()) == 2]
    assert widths[0] == widths[1] < widths[2]  # thicker from the corner with the larger share


def test_axes_of_the_values_are_drawn_and_named():
    drawn = draw("mixture")
    (axes,) = drawn.axes()
    crossings = [line for line in axes.lines if line.get_zorder() == 0]
    assert [(list(line.get_xdata()), list(line.get_ydata())) for line in crossings] == [
        ([0, 1], [0, 0]),
        ([0, 0], [0, 1]),
    ]
    assert {" → first number", " ↑ second number"} < set(drawn.words())
