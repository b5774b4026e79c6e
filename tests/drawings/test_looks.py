"""What the notebooks' stored pictures do not show: other sizes, other screens, contrast, scales in common."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from lesson.drawings.parts import signed_colours
from tests.drawings.examples import ADDED, THREE_K, THREE_Q, WORD, K, Q, draw
from tests.show.pixels import contrast, words


def test_scores_and_scaled_scores_share_their_colour_scale():
    tables = draw("attention_map").tables()
    for name, values in (("scores", Q @ K.T), ("scaled", Q @ K.T / 32**0.5)):
        shades = signed_colours(values, abs(Q @ K.T).max())
        assert np.allclose(tables[name].images[0].get_array(), shades)


def test_what_is_summed_shares_its_colour_scale():
    vectors = (ADDED, WORD, WORD + ADDED)
    largest = max(abs(vector).max() for vector in vectors)
    for row, vector in zip(draw("way_back").images()[-3:], vectors):
        assert (row[0] == signed_colours(vector, largest)).all()


def test_number_has_the_same_colour_in_every_table_of_a_scale():
    alone, together = (signed_colours(np.array(values), 4) for values in ([1.0, -1.0], [1.0, -1.0, 4.0]))
    assert (alone == together[:2]).all() and (alone != signed_colours(np.array([4.0, -4.0]), 4)).any()


def test_spreads_of_a_row_share_their_axis():
    panels = draw("spreads").figure.axes
    assert len({axes.get_xlim() for axes in panels[:3]}) == len({axes.get_xlim() for axes in panels[3:]}) == 1


def test_note_on_softmax_holds_the_numbers_of_the_last_row_that_are_not_hidden():
    mask = np.array([[True, False, False]] * 3)
    notes = [text.get_text() for axes in draw("five_steps", mask=mask).figure.axes for text in axes.texts]
    exponential = np.exp(THREE_Q[2] @ THREE_K[0] / 2**0.5)
    assert f"row of cats: exp\n{exponential:.2f}\n÷ their sum {exponential:.2f}" in notes


def test_numbers_have_contrast_on_their_cells():
    for axes in draw("five_steps").tables().values():
        colours = axes.images[0].get_array()
        for text in axes.texts:
            column, row = text.get_position()
            assert contrast(to_rgb(text.get_color()), colours[row, column, :3]) >= 4.5


@pytest.mark.parametrize("size, columns", [("page", 6), ("projector", 3), ("phone", 2)])
def test_five_steps_fold_into_bands(size, columns):
    drawn = draw("five_steps", size=size)
    assert len(drawn.figure.subfigs) == 6 // columns
    assert len(drawn.arrows()) == 5 - (6 // columns - 1) + 2  # none from band to band; from K and V down
    for band in drawn.figure.subfigs:  # each band names its rows
        names = [axes.get_yticklabels() for axes in band.axes if axes.get_xlabel()]
        assert words(names[0]) == ["i", "have", "cats"]


def test_arrows_of_the_map_stay_within_a_band_on_a_phone():
    assert len(draw("attention_map", size="phone").arrows()) == 5  # none from scores or from masked


def test_titles_of_tall_tables_stay_on_the_page():
    drawn = draw("transpose_and_reshape", k=np.ones((7, 2)))
    assert max(box.y1 for box in drawn.lay_out().values()) <= drawn.figure.bbox.y1


def test_numbers_below_spreads_do_not_touch_on_a_projector():
    dots = np.random.default_rng(0).uniform(-12, 12, 1000)  # divided by sqrt(4): up to 6, as in notebook 2
    drawn = draw("spreads", dots={4: dots, 8: dots, 16: dots}, size="projector")
    boxes = drawn.lay_out()
    for axes in drawn.figure.axes:
        labels = [boxes[label] for label in axes.get_xticklabels() if label in boxes]
        gaps = [right.x0 - left.x1 for left, right in itertools.pairwise(labels)]
        assert min(gaps) > labels[0].height / 2
