"""Alt texts tell what the pictures show."""

import numpy as np
import pandas as pd
import pytest

import attention_lib as al
from attention_lib import show

PAD = ["i", "am", "[PAD]", "[PAD]"]


@pytest.fixture
def describe(undrawn):
    """Shows a picture and returns its alt text, which stands in the page too."""

    def shows(function, *arguments, **options):
        function(*arguments, **options)
        text = undrawn[-1]["text/plain"]
        assert text in undrawn[-1]["text/html"].replace("&#x27;", "'")
        return text

    return shows


# Heatmaps


def test_heatmap_names_each_row_s_largest(describe):
    weights = [[0.1, 0.9, 0], [0.25, 0.25, 0.5], [1, 0, 0]]
    assert describe(show.heatmap, weights, ["i", "am", "i"], ["i", "am", "."]) == (
        "Heatmap, 3 queries by 3 keys. Numbers from 0.00 to 1.00. "
        "Each row's largest: i (0) to am 0.90, am to full stop 0.50, i (2) to i 1.00."
    )


def test_heatmap_names_all_that_print_the_same(describe):
    text = describe(show.heatmap, [[0.334, 0.326, 0.331], [0.2, 0.2, 0.6]], "xy", "abc")
    assert text.endswith("largest: x to a, b and c 0.33, y to c 0.60.")
    text = describe(show.heatmap, np.full((1, 5), 0.2), "x", "abcde")
    assert text.endswith("largest: x to 5 keys 0.20.")


def test_heatmap_of_scores_names_both_ends_and_the_outlined_cells(describe):
    scores = [[24.24, -3.0], [-15.5, 1.06]]
    assert describe(show.heatmap, scores, "ab", "cd", vmin=-15, vmax=40, outline=[(1, 0), (0, 1)]) == (
        "Heatmap, 2 queries by 2 keys. Outlined: b to c −15.5, a to d −3.0. "  # minus signs, not hyphens
        "Largest: a to c 24.2. Smallest: b to c −15.5. "
        "Outside the colours, −15 to 40: 1 cell. Each row's largest: a to c 24.2, b to d 1.1."
    )
    text = describe(show.heatmap, [[2, -3], [-3, 2]], "ab", "cd", vmin=-15)
    assert "Largest: 2.0 in 2 cells. Smallest: −3.0 in 2 cells." in text


def test_cells_outside_of_the_colours_are_counted(describe):
    text = describe(show.heatmap, np.eye(2) + 1, "ab", "cd", vmax=0.5)
    assert "Outside the colours, 0 to 0.5: 4 cells." in text


@pytest.mark.parametrize(
    "allowed, names, words",
    [
        (al.causal_mask(4), list("abcd"), "all above the diagonal"),
        (al.padding_mask([2], 4)[0], PAD, "the 2 columns of [PAD]"),
        (al.padding_mask([3], 4)[0], PAD, "the column of [PAD] (3)"),
        (
            al.causal_mask(4) & al.padding_mask([2], 4)[0],
            PAD,
            "all above the diagonal and the 2 columns of [PAD]",
        ),
        ([True, False, True, False], list("abcd"), "the 2 columns of b and d"),
        (~np.eye(4, dtype=bool), list("abcd"), "4 cells of 16"),
    ],
)
def test_heatmap_says_what_is_hidden(describe, allowed, names, words):
    text = describe(show.heatmap, np.full((4, 4), 0.5), names, names, allowed=allowed)
    assert f"Hidden: {words}." in text and "Not a number" not in text


def test_column_beyond_the_last_query_lies_above_the_diagonal(describe):
    text = describe(show.heatmap, np.full((2, 3), 0.5), "xy", "abc", allowed=np.tri(2, 3, dtype=bool))
    assert "Hidden: all above the diagonal." in text


def test_hidden_number_is_never_told(describe):
    assert describe(show.heatmap, [[0.9, 0.25]], "x", "ab", allowed=[False, True], outline=(0, 0)) == (
        "Heatmap, 1 query by 2 keys. Outlined: x to a, hidden. Numbers from 0.25 to 0.25. "
        "Hidden: the column of a. Each row's largest: x to b 0.25."
    )


def test_nan_is_counted_and_never_the_largest(describe):
    text = describe(show.heatmap, [[np.nan, np.nan], [np.nan, 0.5]], "xy", "ab")
    assert text.endswith("Not a number: 3 cells. Each row's largest: x to 0 keys, y to b 0.50.")


def test_heatmap_of_many_rows_names_frequent_columns(describe):
    text = describe(show.heatmap, np.eye(20)[[3] * 15 + [7] * 5], range(20), range(20))
    assert text.endswith("most often: 3 in 15 rows, 7 in 5 rows.")


def test_many_rows_without_a_number_have_no_frequent_column(describe):
    text = describe(show.heatmap, np.full((17, 1), np.nan), range(17), "a")
    assert text == "Heatmap, 17 queries by 1 key. Not a number: 17 cells."


# Line charts and maps of heads


def test_lines_are_described_by_their_ends(describe):
    table = pd.DataFrame({"a": [0.00206, 0.5, -3.0], "b": [1.0, np.nan, 4096.0]}, index=[4, 16, 64])
    assert describe(show.lines, table.rename_axis("d_k").rename_axis("movement", axis=1)) == (
        "Line chart of movement against d_k, 4 to 64. "
        "a: first 0.00206, last −3, largest 0.5 at 16, smallest −3 at 64. "
        "b: first 1, last 4096, largest 4096 at 64, smallest 1 at 4."
    )


def test_heads_with_nan_are_counted(describe):
    weights = np.full((1, 3, 2, 2), 0.5)
    weights[0, :2, 0] = np.nan
    assert "With what is not a number: 2 heads." in describe(show.heads, weights)


def test_heads_are_described_by_where_half_of_their_weight_is(describe):
    weights = np.full((2, 6, 4, 4), 0.25)
    weights[:, :4] = [1, 0, 0, 0]
    weights[0, 4:] = 0.5 * np.eye(4, k=-1), np.eye(4, k=1)
    assert describe(show.heads, weights) == (
        "12 maps of weights, 2 layers by 6 heads, each 4 queries by 4 keys. "
        "A mean weight of one half or more: on the first key, 8 heads (4 in layer 0, 4 in layer 1); "
        "on the token before, layer 0 head 4 (0.50); on the token itself, no head; "
        "on the token after, layer 0 head 5 (1.00)."
    )
