"""show.heads: its scale and its argument. A notebook stores its picture."""

import numpy as np
import pytest

from attention_lib import show


def test_maps_share_their_scale(drawn):
    show.heads(np.linspace(0, 0.5, 24).reshape(2, 3, 2, 2))
    assert [image.get_clim() for image in drawn[0].axes[0].images] == [(0, 1)] * 6


@pytest.mark.parametrize(
    "weights, message",
    [
        (np.eye(3), r"shape \(layers, heads, Lq, Lk\).*\(3, 3\)"),
        (np.zeros((0, 1, 2, 2)), r"none of them 0"),
    ],
)
def test_bad_weights_are_refused(shown, weights, message):
    with pytest.raises(ValueError, match=message):
        show.heads(weights)
    assert not shown
