"""show.heads: its scale. A notebook stores its picture."""

import numpy as np

from attention_lib import show
from tests.show.pixels import contrast


def test_maps_share_their_scale(drawn):
    show.heads(np.linspace(0, 0.5, 24).reshape(2, 3, 2, 2))
    assert [image.get_clim() for image in drawn[0].axes[0].images] == [(0, 1)] * 6


def test_nan_is_grey_and_a_rounded_1_is_a_weight(drawn):
    show.heads([[[[1.0000001, 0]], [[np.nan, -1e-7]]]])
    (image, other), note = drawn[0].axes[0].images, drawn[0].get_supxlabel()
    zero, missing = image.to_rgba(np.array([0.0]))[0, :3], other.to_rgba(np.array([np.nan]))[0, :3]
    assert contrast(zero, missing) > 1.3 and note.endswith("grey: not a number")
