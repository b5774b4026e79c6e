"""The tokens of SmolLM2: byte-level byte pair encoding, by the settings of a GGUF file.

They are those of the package `tokenizers`, but for numerals that are no decimal digits, such as ² and ½: there each is
a word of its own, and here they belong to words as letters do. Both drop 21 bytes that the vocabulary lacks: six
control characters, and others that hardly any text has.

Sources: Sennrich et al. 2016, arXiv:1508.07909; over bytes, Radford et al. 2019, GPT-2, section 2.2.
"""

import re
from itertools import pairwise

from attention_lib.arguments import checked, indices

SPECIAL = 3  # the type of a token such as <|im_end|>, which stands for itself
# Bytes are written as letters in the file: those that print as themselves, the others as the letters from 256 on.
PRINTED = [*range(33, 127), *range(161, 173), *range(174, 256)]
LETTERS = {byte: chr(byte) for byte in PRINTED}
LETTERS |= {byte: chr(256 + i) for i, byte in enumerate(sorted({*range(256)} - {*PRINTED}))}
BYTES = {letter: byte for byte, letter in LETTERS.items()}
# A word is a digit; what follows an apostrophe; letters or signs, and the blank before them; or blanks.
LETTER, SIGN, BLANK = r"[^\W\d_]", r"(?:[^\w\s]|[_\x1c-\x1f])", r"[^\S\x1c-\x1f]"
WORD = re.compile(rf"\d|'(?:s|t|re|ve|m|ll|d)| ?{LETTER}+| ?{SIGN}+|{BLANK}+(?!{LETTER}|{SIGN})|{BLANK}+")


class Tokenizer:
    """Makes ids of texts and texts of ids."""

    def __init__(self, settings):
        self.texts = settings["tokenizer.ggml.tokens"]
        self.ids = {text: i for i, text in enumerate(self.texts)}
        self.ranks = {merge: i for i, merge in enumerate(settings["tokenizer.ggml.merges"])}
        kinds = settings["tokenizer.ggml.token_type"]
        self.special = [text for text, kind in zip(self.texts, kinds) if kind == SPECIAL]
        self.at_special = re.compile(f"({'|'.join(map(re.escape, self.special))})")

    @checked(text="string")
    def encode(self, text):
        """The ids of a text; a special token such as <|im_end|> in it is one id."""
        ids = []
        for i, piece in enumerate(self.at_special.split(text)):
            words = [[piece]] if i % 2 else map(self._parts, WORD.findall(piece))
            ids += [self.ids[part] for word in words for part in word]
        return ids

    def _parts(self, word):
        """The letters of a word's bytes, two of them joined again and again, the pair of lowest rank first."""
        letters = (LETTERS[byte] for byte in word.encode())
        parts = [letter for letter in letters if letter in self.ids]
        no_rank = len(self.ranks)
        while len(parts) > 1:
            ranks = [self.ranks.get(f"{a} {b}", no_rank) for a, b in pairwise(parts)]
            if min(ranks) == no_rank:
                break
            i = ranks.index(min(ranks))
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
        return parts

    def decode(self, ids):
        """The text of ids; bytes that are no character of UTF-8 become \ufffd."""
        texts = [self.texts[i] for i in indices("ids", ids, len(self.texts), "the vocabulary").ravel()]
        parts = [t.encode() if t in self.special else bytes(BYTES[letter] for letter in t) for t in texts]
        return b"".join(parts).decode(errors="replace")
