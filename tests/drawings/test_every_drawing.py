"""What holds for every drawing: an alt text, legible type, arguments checked; and what no stored picture shows."""

from itertools import product

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import attention_lib as al
from attention_lib.show import figures
from lesson import drawings
from tests.drawings.examples import AXES, GOOD, draw, good_drawing
from tests.show.pixels import contrast


def size_for(drawing, screen):
    with figures.collecting(screen) as pictures:
        getattr(drawings, drawing)(**GOOD[drawing])
    return pictures[0].size


FOR_PHONES = [drawing for drawing in GOOD if size_for(drawing, "phone") != size_for(drawing, "page")]
OTHERS = [*product(FOR_PHONES, ["phone"]), *product(GOOD, ["projector"])]
IN_EVERY_SIZE = [*product(GOOD, ["page"]), *(pytest.param(*one, marks=pytest.mark.slow) for one in OTHERS)]


@pytest.mark.parametrize("drawing, size", IN_EVERY_SIZE)
def test_every_text_is_legible(drawing, size):
    drawn = good_drawing(drawing, size)
    assert drawn.alt.endswith(".") and "\n" not in drawn.alt
    boxes, page = drawn.lay_out(), drawn.figure.bbox
    for text, box in boxes.items():
        assert text.get_fontsize() >= (15.8 if size == "projector" else 9), text
        if text.get_color() != "white":  # on a dark cell
            assert contrast(to_rgb(text.get_color()), (1, 1, 1)) >= 4.5, text
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= page.x1 and box.y1 <= page.y1, text
        inside = box.shrunk(0.9, 0.9)
        assert not any(inside.overlaps(boxes[other]) for other in boxes if other is not text), text


@pytest.mark.parametrize("drawing", FOR_PHONES)
def test_form_for_phones_is_narrow_and_holds_the_same_tables(drawing):
    page, phone = good_drawing(drawing, "page"), good_drawing(drawing, "phone")
    assert phone.figure.get_figwidth() <= 3.4 and phone.alt == page.alt
    assert sorted(map(np.size, phone.images())) == sorted(map(np.size, page.images()))


BAD = [  # what could be drawn all the same; tests/project/test_wrong_inputs.py tries what cannot be drawn
    ("attention_map", {"mask": al.causal_mask(4)}, r"mask must .*got shape \(4, 4\)"),
    ("attention_map", {"step": ()}, "step must"),
    ("arrows", {"a": [0, 0]}, "zero vector"),
    ("transpose_and_reshape", {"k": np.ones((8, 2))}, "at most 7"),
    ("spreads", {"dots": {}}, "dots must"),
    ("mixture", {"weights": [0.5, 0.3, 0.3]}, "add up to 1"),
    ("mixture", {"weights": [1.5, -0.5, 0]}, "negative"),
    ("mixture", {"values": [[10, 0], [0, 10], [5, 5]]}, "on one line"),
    ("line_up", {"scores_shape": (11, 11), "names": AXES[2:]}, "mask_shape"),
    ("line_up", {"mask_names": AXES}, "mask_names"),
    ("row_times_column", {"key": -1}, "key must be from 0 to 5, got -1"),
    ("row_times_column", {"q": np.ones((4, 8)), "k": np.ones((6, 8))}, "d_k at most 7"),
    ("turning_pair", {"pair": [0, 0]}, "pair must not be zero"),
    ("probability_lines", {"draw": 1.0}, "draw must be from 0 to below 1"),
    ("way_back", {"contexts": np.ones((12, 31))}, r"contexts \(12, 31\), got shape \(384,\)"),
]


@pytest.mark.parametrize("drawing, changes, message", BAD)
def test_bad_argument_is_named(drawing, changes, message):
    with pytest.raises(ValueError, match=message):
        draw(drawing, **changes)


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
