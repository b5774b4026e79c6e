"""Broadcasting of a mask's shape, and blocks of queries."""

import numpy as np
import pytest

from tests.drawings.examples import AXES, draw


@pytest.mark.parametrize("mask_shape", [(2, 1, 11), (2, 1, 1, 11), (11,), (1, 11, 1), (2, 1, 11, 12), ()])
def test_axes_fit_as_numpy_broadcasts(mask_shape):
    scores_shape = (2, 3, 11, 11)
    drawn = draw("line_up", mask_shape=mask_shape, mask_names=AXES[4 - len(mask_shape) :])
    try:
        fits = np.broadcast_shapes(scores_shape, mask_shape) == scores_shape
    except ValueError:
        fits = False
    assert ("does not fit" in drawn.alt) != fits
    assert ("✗ does not fit" in drawn.words()) != fits
    lacking = 4 - len(mask_shape)
    assert (
        drawn.words().count("counts as 1") == drawn.alt.count("meets nothing, which counts as 1") == lacking
    )
    assert [axes.spines["left"].get_linestyle() for axes in drawn.axes()].count("--") == lacking


def test_axes_that_count_other_things_fit_by_accident():
    drawn = draw("line_up", scores_shape=(2, 2, 11, 11))  # two sentences meet two heads
    assert (
        drawn.words().count("⚠ fits by accident")
        == drawn.alt.count("head 2 meets sentence 2, fits by acc")
        == 1
    )
    assert [axes.get_title() for axes in drawn.axes()][4:] == ["", "sentence", "query", "key"]


def test_block_counts_its_scores():
    drawn = draw("block_of_rows", n_queries=10, n_keys=2000, block=4)
    for text in (drawn.alt, " ".join(drawn.words())):
        assert "one block: 4 × 2,000 = 8,000 scores" in text and "20,000 scores, 3 blocks" in text


def test_block_is_marked_in_queries_scores_and_output():
    drawn = draw("block_of_rows")
    marked = [patch for axes in drawn.axes() for patch in axes.patches if patch.get_hatch()]
    assert len(marked) == 3
    for patch in marked:
        assert (patch.get_y(), patch.get_height()) == (320, 64)
    arrows = [
        text.xy[1] for axes in drawn.axes() for text in axes.texts if getattr(text, "arrow_patch", None)
    ]
    assert arrows == [1 - 352 / 1024] * 2  # at the height of the block, from its queries to its output
    assert drawn.axes()[0].get_yticks() == [352]
    assert "rows 320\nto 383" in drawn.words() and "rows 320 to 383 marked" in drawn.alt
