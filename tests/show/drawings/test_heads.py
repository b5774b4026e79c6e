"""A word's query, key and value; the split into heads; the way back."""

import numpy as np
import pytest

import attention_lib as al
from attention_lib.show.drawings.parts import signed_colours
from tests.show.drawings.examples import ADDED, CONTEXTS, STAMPED, WORD, K, Q, V, assert_shaded, draw, signed


@pytest.mark.parametrize("size, place", [("page", 1), ("phone", 0)])
def test_strips_are_shaded_by_their_vectors(size, place):
    drawn = draw("word_to_qkv", size=size)
    vectors = [Q[8], K[8], V[8]]
    vectors.insert(place, WORD)
    for image, vector in zip(drawn.images(), vectors, strict=True):  # row by row
        assert_shaded(image, vector)
        assert signed(f"from {vector.min():.2f} to {vector.max():.2f}") in drawn.alt
    dashes = [line.get_xdata() for axes in drawn.axes() for line in axes.lines if line.get_marker() == "_"]
    for places, vector in zip(dashes, (Q[8], K[8], V[8]), strict=True):
        assert places.tolist() == np.flatnonzero(vector < 0).tolist()
    titles = [" ".join((axes.get_title() or axes.get_title("left")).split()) for axes in drawn.axes()]
    assert {"W_Q (384, 32)", "query (32,)", "the vector of her (384,)"} < set(titles)


def test_cells_hold_the_cut_the_swap_and_the_wrong_reshape():
    drawn = draw("cut_and_swap", n_heads=3)
    right, wrong = al.split_heads(STAMPED, 3), STAMPED.reshape(3, 4, 2)
    whole_and_cut = [*STAMPED.ravel()] * 2
    assert drawn.numbers() == [*whole_and_cut, *right.ravel(), *wrong.ravel()]
    for table in (right, wrong):
        assert ", ".join(str(tuple(map(int, row))) for row in table[0]) in drawn.alt
    whole, swapped, reshaped = (
        [image.get_array() for image in axes.images]
        for axes in drawn.axes()
        if axes.get_title() in ("stamped", "✓ swap", "✗ reshape")
    )
    for head, tints in enumerate(swapped):  # every cell has the tint of its head
        assert (tints == whole[0][0, 2 * head]).all()
    assert any(len(np.unique(tints.reshape(-1, 3), axis=0)) > 1 for tints in reshaped)


def test_heads_are_laid_side_by_side_and_added():
    drawn = draw("way_back")
    table, joined, *rows = drawn.images()
    assert (table.reshape(1, 384, 4) == joined).all()
    vectors = (ADDED, WORD, WORD + ADDED)
    largest = max(abs(vector).max() for vector in vectors)  # all three in one scale
    for row, vector in zip(rows, vectors, strict=True):
        assert (row[0] == signed_colours(vector, largest)).all()
    assert rows[0].min() > rows[2].min()  # small in the common scale, so it is paler
    assert f"longest of head {np.linalg.norm(CONTEXTS, axis=1).argmax()}" in drawn.alt
    for vector in (ADDED, WORD):
        assert signed(f"from {vector.min():.2f} to {vector.max():.2f}") in drawn.alt
    assert {"+", "="} < set(drawn.words())
