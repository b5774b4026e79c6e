"""Attention in numbers: every step of a small example, and one row of a real head."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import attention_lib as al
from tests.drawings.examples import (
    THREE_K,
    THREE_Q,
    THREE_V,
    K,
    Q,
    V,
    assert_shaded,
    dashed_cells,
    draw,
)
from tests.show.pixels import cells_where, contrast, hatched_cells, words

CAUSAL = al.causal_mask(3)


def numbers(axes):
    """The numbers of a table as they are written, row by row."""
    return [text.replace("−", "-") for text in words(axes.texts)]


def written(values, decimals):
    return [f"{value:.{decimals}f}" for value in np.ravel(values)]


@pytest.mark.parametrize(
    "mask, told", [(None, "3, hidden: nothing."), (CAUSAL, "3, hidden: all above the diagonal.")]
)
def test_five_steps_hold_the_numbers_of_attention(mask, told):
    drawn = draw("five_steps", mask=mask)
    scores, scaled = THREE_Q @ THREE_K.T, al.scaled_scores(THREE_Q, THREE_K) + 0.0
    output, weights = al.scaled_dot_product_attention(THREE_Q, THREE_K, THREE_V, mask)
    seen = CAUSAL | (mask is None)
    assert {name: numbers(axes) for name, axes in drawn.tables().items()} == {
        "Q": written(THREE_Q, 0),
        "Kᵀ": written(THREE_K.T, 0),
        "scores": written(scores, 0),
        "scaled": written(scaled, 2),
        "masked": written(scaled[seen], 2),
        "weights": written(weights[seen], 2),
        "V": written(THREE_V, 0),
        "output": written(output, 1),
    }
    for name, axes in drawn.tables().items():
        hidden = ~seen if name in ("masked", "weights") else False
        assert hatched_cells(axes) == cells_where(hidden), name
    assert told in drawn.alt
    last = np.exp(scaled[2])
    assert f"exp\n{'  '.join(written(last, 2))}\n÷ their sum {last.sum():.2f}" in " ".join(drawn.words())


def test_five_steps_of_the_notebook_double_from_key_to_key():
    q, k, v = [[2, 1], [1, 2], [0, 1]], [[1, 0], [0, 1], [1, 2]], [[10], [20], [40]]
    alt = draw("five_steps", q=q, k=k, v=v, tokens="abc").alt
    assert "1, scores: a 2, 1, 4; b 1, 2, 5; c 0, 1, 2." in alt
    assert "4, weights: a 1.00; b 0.33, 0.67; c 0.14, 0.28, 0.58. 5, output: a 10.0; b 16.7; c 30.1." in alt


def test_numbers_have_contrast_on_their_cells():
    for axes in draw("five_steps").tables().values():
        colours = axes.images[0].get_array()
        for text in axes.texts:
            column, row = text.get_position()
            assert contrast(to_rgb(text.get_color()), colours[row, column, :3]) >= 4.5


@pytest.mark.parametrize("size, columns", [("page", 6), ("projector", 3), ("phone", 2)])
def test_steps_fold_into_bands(size, columns):
    drawn = draw("five_steps", size=size)
    assert len(drawn.figure.subfigs) == 6 // columns
    assert len(drawn.arrows()) == 5 - (6 // columns - 1) + 2  # none from band to band; from K and V down
    for band in drawn.figure.subfigs:  # each band names its rows
        names = [axes.get_yticklabels() for axes in band.axes if axes.get_xlabel()]
        assert words(names[0]) == ["i", "have", "cats"]


def test_row_through_steps_ends_in_weights_and_output():
    drawn = draw("row_through_steps")
    scores, powers = Q[8] @ K.T, np.exp(Q[8] @ K.T / 32**0.5)
    weights = powers / powers.sum()
    scaled = written(scores / 32**0.5, 2)
    rows = [numbers(axes) for axes in drawn.axes() if axes.images and axes.texts]
    assert rows == [written(scores, 1), scaled, scaled, written(powers, 1), written(weights, 2)]
    strip = drawn.tables()["output"]
    assert strip.get_title("left") == "output of her  (32,)"
    assert_shaded(strip.images[0].get_array(), weights @ V)
    assert dashed_cells(strip) == cells_where([weights @ V < 0])
    assert f"÷ their sum {powers.sum():.1f}" in drawn.words()
    assert "cat 21.4, 3.79, 44.2, 0." in drawn.alt and f"The sum of exp is {powers.sum():.1f}." in drawn.alt


def test_row_times_column_multiplies_in_pairs_and_adds():
    q, k = np.array([[9, 9, 9], [2, -3, 4]]), np.array([[7, 7, 7], [5, 6, -1], [8, 8, 8], [0, 0, 1]])
    drawn = draw("row_times_column", q=q, k=k, query=1, key=1)
    total = "10 − 18 − 4 = −12"
    products = ["2 · 5 = 10", "−3 · 6 = −18", "4 · (−1) = −4"]
    pairs, *_ = drawn.axes()
    assert words(pairs.texts) == products
    assert f"{total}\nscore of query 1 and key 1" in drawn.words()
    assert drawn.alt == (
        "Row 1 of Q (2, 3) times column 1 of Kᵀ (3, 4) is one cell of the scores (2, 4). "
        f"In pairs: {'; '.join(products)}. Added: {total}, in row 1, column 1."
    )
    tables = {name: numbers(axes) for name, axes in drawn.tables().items()}
    assert tables == {"Q": written(q, 0), "Kᵀ": written(k.T, 0), "scores": written(q @ k.T, 0)}


def test_row_column_and_cell_are_marked():
    _, column, row, table = draw("row_times_column").axes()
    frames = [axes.patches[-1].get_bbox().bounds for axes in (row, column, table)]
    assert frames == [(-0.5, 1.5, 5, 1), (3.5, -0.5, 1, 5), (3.5, 1.5, 1, 1)]
    across, down = row.images[0].get_array(), column.images[0].get_array()
    assert (across[2] == down[:, 4]).all() and len(np.unique(across[2], axis=0)) == 5
    assert (np.delete(across, 2, axis=0) == 1).all() and (np.delete(down, 4, axis=1) == 1).all()
    strong = [text.get_position() for text in table.texts if text.get_color() == "black"]
    assert strong == [(4, 2)]
