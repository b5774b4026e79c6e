"""show.heads: its scale, its frames and its arguments. A notebook stores its picture."""

import numpy as np
import pytest

from attention_lib import show


def test_maps_share_their_scale_and_marked_ones_are_framed(drawn):
    show.heads(np.linspace(0, 0.5, 24).reshape(2, 3, 2, 2), mark=[(1, 2), (0, 1)])
    axes = drawn[0].axes[0]
    assert [image.get_clim() for image in axes.images] == [(0, 1)] * 6
    frames = [patch.get_center().tolist() for patch in axes.patches if patch.get_linewidth() > 2]
    assert frames == [[2, 1], [1, 0]]


@pytest.mark.parametrize(
    "weights, mark, message",
    [
        (np.eye(3), None, r"shape \(layers, heads, Lq, Lk\).*\(3, 3\)"),
        (np.zeros((0, 1, 2, 2)), None, r"none of them 0"),
        (np.zeros((2, 3, 2, 2)), (2, 0), r"mark must be \(layer, head\) of weights.*\(2, 3\)"),
    ],
)
def test_bad_weights_or_mark_are_refused(shown, weights, mark, message):
    with pytest.raises(ValueError, match=message):
        show.heads(weights, mark=mark)
    assert not shown
