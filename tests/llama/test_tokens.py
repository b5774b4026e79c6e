"""lesson/smollm/tokens.py: how a text is cut into words; test_weights.py has their tokens."""

import pytest

from lesson.smollm.tokens import WORD


@pytest.mark.parametrize(
    "text, words",
    [
        ("I've 12  cats", "I|'ve| |1|2| | cats"),
        ("a\n\n  b\n", "a|\n\n | b|\n"),
        ("x_y!? (z)", "x|_|y|!?| (|z|)"),
        ("x² ½", "x²| ½"),  # four words in the package tokenizers
        ("a  \x1cb", "a| | \x1c|b"),  # a control character is no blank
    ],
)
def test_text_is_cut_into_words(text, words):
    assert WORD.findall(text) == words.split("|")
