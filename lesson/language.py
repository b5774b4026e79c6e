"""The made-up language of notebook 9: rows of words that nobody has met before, and who could predict their letters.

A word has one to three syllables, a consonant and a vowel each: `kilo`. A row has three words of its own, with a blank
after each, in random order again and again: `kilo ma tezu ma kilo ma `. A token is a letter: its place in LETTERS.
Everything random is drawn from the generator that is given.
"""

import itertools
import math

import numpy as np

from attention_lib.arguments import checked, string
from attention_lib.attention import softmax

LETTERS = " abcdefghijklmnopqrstuvwxyz"
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
MOST_SYLLABLES = 3
WORDS = 3  # in a row
ROWS, COUNTED = f"n length < {len(LETTERS)}", f"m other_length < {len(LETTERS)}"  # what rows of tokens are


def _in_letters(name, text):
    """The text, if it is made of LETTERS."""
    unknown = sorted(set(string(name, text)) - set(LETTERS))
    if unknown:
        raise ValueError(f"{name} must hold the letters a to z and blanks alone, got {''.join(unknown)!r}")
    return text


@checked(text=_in_letters)
def tokens_of(text):
    """The tokens of a text (L,)."""
    return np.array([LETTERS.index(letter) for letter in text], int)


@checked(tokens=f"length < {len(LETTERS)}")
def text_of(tokens):
    """The text of tokens (L,)."""
    return "".join(LETTERS[token] for token in tokens)


@checked(n="count", rng="generator", length="count")
def make_rows(n, rng, length=49):
    """n rows of the language as tokens (n, length)."""
    syllables = rng.integers(1, MOST_SYLLABLES + 1, size=(n, WORDS))
    consonants = rng.integers(len(CONSONANTS), size=(n, WORDS, MOST_SYLLABLES))
    vowels = rng.integers(len(VOWELS), size=(n, WORDS, MOST_SYLLABLES))
    enough = length // 3 + 1  # words for a row of the shortest ones: three letters with the blank
    order = rng.integers(WORDS, size=(n, enough))
    letters = np.array([[consonant + vowel for vowel in VOWELS] for consonant in CONSONANTS])
    rows = []
    for drawn, lengths, places in zip(letters[consonants, vowels], syllables, order):
        words = ["".join(word[:n_syllables]) + " " for word, n_syllables in zip(drawn, lengths)]
        rows.append(tokens_of("".join(words[place] for place in places)[:length]))
    return np.array(rows)


# Who predicts a row, and with which loss -----------------------------------------------------------


@checked(rows=ROWS, counted=COUNTED)
def loss_of_letter_before(rows, counted):
    """The mean loss of all letters of `rows` but the first, for one who knows what follows each letter in `counted`."""
    counts = np.ones((len(LETTERS), len(LETTERS)))
    np.add.at(counts, (counted[:, :-1], counted[:, 1:]), 1)
    probabilities = counts / counts.sum(axis=-1, keepdims=True)
    return float(-np.log(probabilities[rows[:, :-1], rows[:, 1:]]).mean())


@checked(rows=ROWS)
def best_loss(rows):
    """The same for one who knows the rules of the language and remembers the whole row: no one can do better."""
    texts = [text_of(row) for row in rows]
    logs = [log_probability(text) - log_probability(text[0]) for text in texts]
    return float(-np.mean(logs) / (rows.shape[1] - 1))


@checked(text=_in_letters)
def log_probability(text):
    """The logarithm of the probability that a row begins with this text.

    It adds up all cases: each of the row's three words is one of those that stand in the text, or another one.
    """
    *words, begun = text.split(" ")  # begun is the last word, as far as the text goes
    known = sorted(set(words))
    probabilities = [_probability_of_word(word) for word in known]
    other = 1 - sum(probabilities)  # of a word that does not stand in the text
    goes_on = [word.startswith(begun) for word in known]  # whether the last word could become this one
    begins = _probability_of_beginning(begun) - sum(p for p, fits in zip(probabilities, goes_on) if fits)
    goes_on = [*map(float, goes_on), begins / other]
    total = 0.0
    for three in itertools.product(range(len(known) + 1), repeat=WORDS):
        probability = math.prod([*probabilities, other][word] for word in three)
        drawn = math.prod(three.count(known.index(word)) / WORDS for word in words)
        total += probability * drawn * sum(goes_on[word] for word in three) / WORDS
    return math.log(total) if total > 0 else -math.inf


def _probability_of_word(word):
    """That a word of the language, when it is made, is this one."""
    if len(word) == 0 or len(word) % 2:
        return 0.0
    ends_here = 1 / (MOST_SYLLABLES + 1 - len(word) // 2)  # all lengths are equally likely
    return _probability_of_beginning(word) * ends_here


def _probability_of_beginning(letters):
    """That a word of the language, when it is made, begins with these letters."""
    kinds = [CONSONANTS, VOWELS] * MOST_SYLLABLES
    if len(letters) > len(kinds) or not all(letter in kind for letter, kind in zip(letters, kinds)):
        return 0.0
    n_syllables = max(1, (len(letters) + 1) // 2)
    long_enough = (MOST_SYLLABLES + 1 - n_syllables) / MOST_SYLLABLES
    return long_enough / math.prod(len(kind) for _, kind in zip(letters, kinds))


@checked(scores="any n", temperature="finite", draw="finite")
def next_token(scores, temperature, draw):
    """The token that a number from 0 to 1, `draw`, chooses among scores (n,); the largest at temperature 0."""
    if temperature == 0:
        return int(np.argmax(scores))
    ends = softmax(scores / temperature).cumsum()
    return min(int((ends <= draw).sum()), len(scores) - 1)
