"""lesson/smollm/tokens.py: words, their pieces, and the way back."""

import pytest

from lesson.smollm.tokens import WORD
from tests.llama import tiny

_, TOKENIZER = tiny.model()


@pytest.mark.parametrize(
    "text, words",
    [
        ("I've 12  cats", "I|'ve| |1|2| | cats"),
        ("a\n\n  b\n", "a|\n\n | b|\n"),
        ("x_y!? (z)", "x|_|y|!?| (|z|)"),
        ("don'tém", "don|'t|ém"),
        ("a \t 1", "a| \t |1"),
        ("x² ½", "x²| ½"),  # four words in the package tokenizers
        ("a  \x1cb", "a| | \x1c|b"),  # a control character is no blank
    ],
)
def test_text_is_cut_into_words(text, words):
    assert WORD.findall(text) == words.split("|")


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("the", ["t", "he"]),
        (" the there", ["Ġthe", "Ġthe", "r", "e"]),
        ("hher", ["h", "her"]),
        ("<|im_start|>he<|im_end|>", ["<|im_start|>", "he", "<|im_end|>"]),
        ("é\n", ["Ã", "©", "Ċ"]),
        ("!\x04!", ["!!"]),  # a byte that is no token
        ("", []),
    ],
)
def test_pieces_are_joined_by_rank(text, pieces):
    ids = TOKENIZER.encode(text)
    assert [tiny.TEXTS[i] for i in ids] == pieces
    assert TOKENIZER.decode(ids) == text.replace("\x04", "")


def test_bytes_that_are_no_character_are_decoded_as_one_that_says_so():
    assert TOKENIZER.decode(TOKENIZER.encode("é")[:1]) == "\ufffd"


@pytest.mark.parametrize(
    "method, wrong", [("encode", 3), ("encode", b"a"), ("decode", "a"), ("decode", [300])]
)
def test_wrong_argument_is_named(method, wrong):
    with pytest.raises((TypeError, ValueError), match=r"^(text|ids) must "):
        getattr(TOKENIZER, method)(wrong)
