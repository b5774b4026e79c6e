"""Alt texts with other numbers than those of the notebooks, and what the notebooks' stored pictures do not show."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import attention_lib as al
from tests.drawings.examples import AXES, THREE_K, THREE_Q, THREE_V, draw, good_drawing
from tests.show.pixels import contrast

LINES = (  # 1/6, 1/3, 1/2 at temperature 1, and 1/14, 4/14, 9/14 at 1/2
    "Probabilities end to end on a line from 0 to 1, with a draw at 0.4. "
    "Temperature 0.5: x 0.07, y 0.29, z 0.64; draws z. Temperature 1: x 0.17, y 0.33, z 0.50; draws y."
)
OTHER_NUMBERS = {"logits": np.log([1, 2, 3]), "tokens": "xyz", "temperatures": [0.5, 1], "draw": 0.4}


def test_alt_text_of_lines_is_made_from_the_numbers():
    assert draw("probability_lines", **OTHER_NUMBERS).alt == LINES


@pytest.mark.parametrize("mask, told", [(None, "nothing"), (al.causal_mask(3), "all above the diagonal")])
def test_five_steps_tell_what_the_library_computes(mask, told):
    output, weights = al.scaled_dot_product_attention(THREE_Q, THREE_K, THREE_V, mask)
    alt = draw("five_steps", mask=mask).alt.replace("−", "-")
    for title, values, decimals in (
        ("Scores", THREE_Q @ THREE_K.T, 0),
        ("Divided by √2", al.scaled_scores(THREE_Q, THREE_K) + 0.0, 2),
        ("Weights", weights, 2),
        ("Output", output, 1),
    ):
        rows = [[f"{x:.{decimals}f}" for x in row] for row in values]
        if title == "Weights" and mask is not None:
            rows = [row[: i + 1] for i, row in enumerate(rows)]
        i, have, cats = map(", ".join, rows)
        assert f" {title}: i {i}; have {have}; cats {cats}." in alt
    assert f"Hidden: {told}." in alt


@pytest.mark.parametrize("mask_shape", [(2, 1, 11), (2, 1, 1, 11), (11,), (1, 11, 1), (2, 1, 11, 12), ()])
def test_axes_line_up_as_numpy_broadcasts(mask_shape):
    scores_shape = (2, 3, 11, 11)
    told = draw("line_up", mask_shape=mask_shape, mask_names=AXES[4 - len(mask_shape) :]).alt
    try:
        fits = np.broadcast_shapes(scores_shape, mask_shape) == scores_shape
    except ValueError:
        fits = False
    assert ("does not fit" in told) != fits
    assert told.count("meets nothing, which counts as 1") == 4 - len(mask_shape)


def test_numbers_have_contrast_on_their_cells():
    for axes in good_drawing("five_steps", "page").figure.axes:
        for text in axes.texts if axes.images else ():
            column, row = text.get_position()
            assert contrast(to_rgb(text.get_color()), axes.images[0].get_array()[row, column, :3]) >= 4.5
