"""Alt texts tell what the pictures show; notebooks store those of whole models and sentences."""

import numpy as np
import pandas as pd
import pytest

import attention_lib as al
from attention_lib import show
from tests.show.pixels import picture_of

PAD = ["i", "am", "[PAD]", "[PAD]"]


def describe(function, *arguments, **options):
    return picture_of(function, *arguments, **options).alt


def test_heatmap_names_all_that_print_the_same():
    weights = [[0.334, 0.326, 0.331, 0], [0, 0.2, 0.2, 0.6], [0.25] * 4]
    assert describe(show.heatmap, weights, "xyx", "ab.d") == (
        "Heatmap, 3 queries by 4 keys. Numbers from 0.00 to 0.60. "
        "Each row's largest: x (0) to a, b and full stop 0.33, y to d 0.60, x (2) to 4 keys 0.25."
    )


def test_heatmap_of_scores_names_both_ends_and_the_outlined_cells():
    scores = [[24.24, -3.0], [-15.5, 1.06]]
    assert describe(show.heatmap, scores, "ab", "cd", vmin=-15, vmax=40, outline=[(1, 0), (0, 1)]) == (
        "Heatmap, 2 queries by 2 keys. Outlined: b to c −15.5, a to d −3.0. "  # minus signs, not hyphens
        "Largest: a to c 24.2. Smallest: b to c −15.5. "
        "Outside the colours, −15 to 40: 1 cell. Each row's largest: a to c 24.2, b to d 1.1."
    )


@pytest.mark.parametrize(
    "allowed, keys, words",
    [
        (al.padding_mask([3], 4)[0], PAD, "the column of [PAD] (3)"),
        ([True, False, True, False], "abcd", "the 2 columns of b and d"),
        (al.causal_mask(4) & [True, False, True, True], "abcd", "all above the diagonal and the column of b"),
        (np.tri(4, 5, dtype=bool), "abcde", "all above the diagonal"),  # a column beyond the last query too
    ],
)
def test_heatmap_says_what_is_hidden(allowed, keys, words):
    text = describe(show.heatmap, np.full((4, len(keys)), 0.5), "abcd", keys, allowed=allowed)
    assert f"Hidden: {words}." in text and "Not a number" not in text


def test_hidden_number_is_never_told():
    assert describe(show.heatmap, [[0.9, 0.25]], "x", "ab", allowed=[False, True], outline=(0, 0)) == (
        "Heatmap, 1 query by 2 keys. Outlined: x to a, hidden. Numbers from 0.25 to 0.25. "
        "Hidden: the column of a. Each row's largest: x to b 0.25."
    )


def test_nan_is_counted_and_never_the_largest():
    text = describe(show.heatmap, [[np.nan, np.nan], [np.nan, 0.5]], "xy", "ab")
    assert text.endswith("Not a number: 3 cells. Each row's largest: x to 0 keys, y to b 0.50.")
    assert "With what is not a number: 2 heads." in describe(show.heads, [[[[np.nan]], [[1]], [[np.nan]]]])
    lines = pd.DataFrame({"a": [0.00206, np.nan, -3.0], "b": np.nan}, index=[4, 16, 64])
    assert describe(show.lines, lines) == (
        "Line chart, 4 to 64. a: first 0.00206, last −3, largest 0.00206 at 4, smallest −3 at 64. b: no numbers."
    )
