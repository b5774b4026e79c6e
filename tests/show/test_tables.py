"""show.table and show.rounded: names, rounding, and how they print. Notebooks store their HTML."""

import numpy as np
import pandas as pd

from attention_lib import show


def test_table_has_a_row_a_query_and_a_column_a_key_rounded():
    table = show.table([[1.234, 0.0], [3, -0.001], [5, 6]], ["i", "am", "i"], range(2))
    assert (table.index.name, table.columns.name) == ("query", "key")
    assert table.loc["i", 0].tolist() == [1.23, 5]  # a token that occurs twice keeps both rows
    assert not np.signbit(table.to_numpy()).any()
    pairs = show.table(np.eye(2), [(1, 3), (5, 11)], "ab")
    assert pairs.index.nlevels == 1 and list(pairs.index) == [(1, 3), (5, 11)]


def test_part_of_a_table_prints_like_the_whole():
    table = show.table([[0.5, 0.25], [1, 0]], "xy", "ab", decimals=3)
    for part in (table.iloc[:1], table.T, table[["a"]], table.loc[["x"]]):
        assert "0.500" in repr(part)


def test_rounded_changes_fractions_only():
    frame = pd.DataFrame(
        {"mean": [4.35678, np.nan, -0.001], "n": [1, 20, 300], "word": ["a", "0.125", "c"]},
        index=pd.Index([0.001, 0.5, 1.0], name="scale"),
    )
    before = frame.copy()
    printed = show.rounded(frame, 1)
    show.rounded(frame)  # with its own number of decimals
    assert [line.split() for line in repr(printed).splitlines()[2:]] == [
        ["0.001", "4.4", "1", "a"],
        ["0.5", "NaN", "20", "0.125"],
        ["1.0", "0.0", "300", "c"],
    ]
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_frame_equal(pd.DataFrame(printed), before)
