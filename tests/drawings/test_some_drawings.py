"""Alt texts with other numbers than those of the notebooks, and what the notebooks' stored pictures do not show."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import attention_lib as al
from tests.drawings.examples import AXES, THREE_K, THREE_Q, THREE_V, V, draw, good_drawing
from tests.show.pixels import contrast

WIDE_Q = np.array([[4, 0], [0, 2]]) @ np.eye(2, 4)
WIDE_K = np.array([[0, -1], [2, 0], [1.5, 1]]) @ np.eye(2, 4)
TWO_HIDDEN = np.array([[True, False, True], [True, True, False]])
MAP = (
    "Map of attention. Scores: Q (2, 4) times Kᵀ (4, 3) is (2, 3) from −2 to 8. "
    "Scale: divided by √4, from −1 to 4. Mask: 2 of 6 hidden. Softmax: weights, the largest 0.95 from "
    "query 0 x to key 2. Times V (3, 32): output (2, 32). Marked: softmax, values."
)
ARROWS = (
    "Arrows: a = (−3, 4) with b = (−6, 8), 0 degrees, dot product 50, positive; b = (4, 3), 90 degrees, "
    "dot product 0, zero; b = (−3, −4), 106 degrees, dot product −7, negative."
)
LINES = (  # 1/6, 1/3, 1/2 at temperature 1, and 1/14, 4/14, 9/14 at 1/2
    "Probabilities end to end on a line from 0 to 1, with a draw at 0.4. "
    "Temperature 0.5: x 0.07, y 0.29, z 0.64; draws z. Temperature 1: x 0.17, y 0.33, z 0.50; draws y."
)
STEPS = {"tokens": "xy", "mask": TWO_HIDDEN, "step": ("values", "softmax")}
OTHER_NUMBERS = {"logits": np.log([1, 2, 3]), "tokens": "xyz", "temperatures": [0.5, 1], "draw": 0.4}


@pytest.mark.parametrize(
    "drawing, changes, alt",
    [
        ("attention_map", {"q": WIDE_Q, "k": WIDE_K, "v": V[:3], **STEPS}, MAP),
        ("arrows", {"a": [-3, 4], "others": [[-6, 8], [4, 3], [-3, -4]]}, ARROWS),
        ("probability_lines", OTHER_NUMBERS, LINES),
    ],
)
def test_alt_text_is_made_from_the_numbers(drawing, changes, alt):
    assert draw(drawing, **changes).alt == alt


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
