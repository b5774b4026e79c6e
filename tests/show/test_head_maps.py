"""show.heads: each map in its place."""

import numpy as np
import pytest

from attention_lib import data, show
from tests.show.pixels import words

WEIGHTS = data.load("cat_sentence")["weights"]


def test_maps_lie_in_rows_of_layers_and_columns_of_heads(drawn):
    assert show.heads(WEIGHTS, mark=[(1, 3), (5, 11)], name="all") is None
    axes = drawn[0].axes[0]
    assert len(axes.images) == 72 and not axes.texts and axes.yaxis_inverted()
    for (layer, head), image in zip(np.ndindex(6, 12), axes.images, strict=True):
        left, right, bottom, top = image.get_extent()
        assert (left + right, top + bottom) == pytest.approx((2 * head, 2 * layer)) and top < bottom
        assert (np.asarray(image.get_array()) == WEIGHTS[layer, head]).all()
        assert image.get_clim() == (0, 1)
    frames = [patch.get_center() for patch in axes.patches if patch.get_linewidth() > 2]
    assert frames == [pytest.approx((3, 1)), pytest.approx((11, 5))]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("head →", "← layer")
    assert words(axes.get_yticklabels()) == list("012345")
    assert 8.5 <= drawn[0].get_figwidth() <= 9.5


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
