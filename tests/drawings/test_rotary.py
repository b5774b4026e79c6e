"""The hands of a turning pair."""

import numpy as np

from attention_lib import today
from tests.drawings.examples import draw, signed


def test_hands_are_the_turned_pair():
    drawn = draw("turning_pair", pair=[3, 4], speeds=[1], places=[0, 1, 2, 5])
    turned = today.rotate([[3, 4]] * 4, [0, 1, 2, 5])
    for clock, first, now in zip(drawn.axes(), turned[[0, 0, 0, 0]], turned):
        assert np.allclose([text.xy for text in clock.texts], [first, now])
        numbers = f"({now[0]:.2f}, {now[1]:.2f})".replace(".00", "")
        assert clock.get_xlabel() == signed(numbers) and signed(numbers) in drawn.alt


def test_rows_are_speeds_and_columns_places():
    drawn = draw("turning_pair")
    assert [axes.get_title() for axes in drawn.axes()] == ["place 0", "place 1", "place 2", "", "", ""]
    assert [axes.get_ylabel() for axes in drawn.axes()][::3] == ["1 radian\na place", "0.1 radian\na place"]
    assert drawn.alt.startswith(
        "The pair (1, 0) at places 0, 1, 2. Turned by 1 radian a place: (1, 0), (0.54, 0.84)"
    )
