"""A word's query, key and value; the split into heads; the way back."""

import numpy as np
import pytest

import attention_lib as al
from attention_lib.drawings.parts import signed_colours
from tests.drawings.examples import (
    ADDED,
    CONTEXTS,
    STAMPED,
    WORD,
    K,
    Q,
    V,
    assert_shaded,
    dashed_cells,
    draw,
    signed,
)
from tests.show.pixels import cells_where


@pytest.mark.parametrize("size", ["page", "phone"])
def test_strips_are_shaded_by_their_vectors(size):
    drawn = draw("word_to_qkv", size=size)
    tables = drawn.tables()
    for name, vector in {"the": WORD, "query": Q[8], "key": K[8], "value": V[8]}.items():
        assert_shaded(tables[name].images[0].get_array(), vector)
        assert signed(f"from {vector.min():.2f} to {vector.max():.2f}") in drawn.alt
        if name != "the":  # of the long vector, dashes would touch
            assert dashed_cells(tables[name]) == cells_where([vector < 0])
    titles = {" ".join(word.split()) for word in drawn.words()}
    assert {"W_Q (384, 32)", "query (32,)", "the vector of her (384,)"} < titles


def test_cells_hold_the_cut_the_swap_and_the_wrong_reshape():
    drawn = draw("cut_and_swap", n_heads=3)
    right, wrong = al.split_heads(STAMPED, 3), STAMPED.reshape(3, 4, 2)
    whole_and_cut = [*STAMPED.ravel()] * 2
    assert drawn.numbers() == [*whole_and_cut, *right.ravel(), *wrong.ravel()]
    for table in (right, wrong):
        assert ", ".join(str(tuple(map(int, row))) for row in table[0]) in drawn.alt
    tints = drawn.images()
    whole, swapped, reshaped = tints[0], tints[-6:-3], tints[-3:]
    for head, table in enumerate(swapped):  # every cell has the tint of its head
        assert (table == whole[0, 2 * head]).all()
    assert any((table != table[0, 0]).any() for table in reshaped)


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
