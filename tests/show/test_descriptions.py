"""Alt texts tell what the pictures show."""

import numpy as np
import pandas as pd
import pytest

import attention_lib as al
from attention_lib import data, show

CAT = data.load("cat_sentence")
TOKENS = list(CAT["tokens"])
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
    weights = CAT["weights"][1, 3]
    text = describe(show.heatmap, weights, TOKENS, TOKENS)
    assert text.startswith(f"Heatmap, 11 queries by 11 keys. Numbers from 0.00 to {weights.max():.2f}.")
    spoken = [f"i ({i})" if t == "i" else {".": "full stop"}.get(t, t) for i, t in enumerate(TOKENS)]
    largest = [
        f"{query} to {spoken[row.argmax()]} {row.max():.2f}"
        for query, row in zip(spoken, weights, strict=True)
    ]
    assert text.endswith(f"largest: {', '.join(largest)}.")


def test_heatmap_names_all_that_print_the_same(describe):
    text = describe(show.heatmap, [[0.334, 0.326, 0.331], [0.2, 0.2, 0.6]], "xy", "abc")
    assert text.endswith("largest: x to a, b and c 0.33, y to c 0.60.")
    text = describe(show.heatmap, np.full((1, 5), 0.2), "x", "abcde")
    assert text.endswith("largest: x to 5 keys 0.20.")


def test_heatmap_of_scores_names_both_ends_and_the_outlined_cells(describe):
    raw = al.attention_scores(CAT["q"][1, 3], CAT["k"][1, 3])
    text = describe(show.heatmap, raw, TOKENS, TOKENS, vmin=-15, vmax=40, outline=[(8, 4), (4, 8)])
    assert np.unravel_index(raw.argmin(), raw.shape) == (6, TOKENS.index("her"))
    assert f"Smallest: i (6) to her −{-raw.min():.1f}." in text  # a minus sign, not a hyphen
    assert f"Largest: [CLS] to [CLS] {raw.max():.1f}." in text
    assert f"keys. Outlined: her to cat {raw[8, 4]:.1f}, cat to her −{-raw[4, 8]:.1f}." in text


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
    text = describe(show.heatmap, [[0.9, 0.25]], "x", "ab", allowed=[False, True], outline=(0, 0))
    assert "0.9" not in text
    assert "Outlined: x to a, hidden." in text
    assert text.endswith("largest: x to b 0.25.")


def test_nan_is_counted_and_never_the_largest(describe):
    text = describe(show.heatmap, [[np.nan, np.nan], [np.nan, 0.5]], "xy", "ab")
    assert text.endswith("Not a number: 3 cells. Each row's largest: x to 0 keys, y to b 0.50.")


def test_heatmap_of_many_rows_names_frequent_columns(describe):
    text = describe(show.heatmap, np.eye(20)[[3] * 15 + [7] * 5], range(20), range(20))
    assert text.endswith("most often: 3 in 15 rows, 7 in 5 rows.")


# Line charts and maps of heads


def test_lines_are_described_by_their_ends(describe):
    table = pd.DataFrame({"a": [0.00206, 0.5, -3.0], "b": [1.0, np.nan, 4096.0]}, index=[4, 16, 64])
    assert describe(show.lines, table.rename_axis("d_k").rename_axis("movement", axis=1)) == (
        "Line chart of movement against d_k, 4 to 64. "
        "a: first 0.00206, last −3, largest 0.5 at 16, smallest −3 at 64. "
        "b: first 1, last 4096, largest 4096 at 64, smallest 1 at 4."
    )


def test_heads_are_described_by_where_half_of_their_weight_is(describe):
    weights = CAT["weights"]
    text = describe(show.heads, weights, mark=(1, 3))
    assert text.startswith("72 maps of weights, 6 layers by 12 heads, each 11 queries by 11 keys.")
    assert "Outlined: layer 1 head 3." in text
    to_first = np.argwhere(weights[..., 0].mean(-1) >= 0.5)
    assert f"on the first key, {len(to_first)} heads (" in text
    for layer in np.unique(to_first[:, 0]):
        assert f"{(to_first[:, 0] == layer).sum()} in layer {layer}" in text
    for word, offset in (("before", -1), ("after", 1)):
        means = np.diagonal(weights, offset, -2, -1).mean(-1)
        ((layer, head),) = np.argwhere(means >= 0.5)
        assert f"on the token {word}, layer {layer} head {head} ({means[layer, head]:.2f})" in text
    assert "on the token itself, no head" in text
