"""The sheet to keep refers to what exists. What it looks like is tested with the pages."""

from publish import sheet

ROWS = [
    "q (2, 3, 4, 5), k (2, 3, 6, 5), v (2, 3, 6, 7)",
    "| (2, 3, 4, 6) | 4, 2, -2 | [notebook 1, section",
    "[notebook 4, Upside down](../../notebooks/04_masking.ipynb)",  # bold words
    "the causal mask of 4 tokens is 1000 / 1100 / 1110 / 1111, and",
    "|  |  | 11 | 11 |",
]


def test_shapes_and_numbers_are_those_of_the_five_steps():
    text = sheet.text()
    assert not [row for row in ROWS if row not in text]
