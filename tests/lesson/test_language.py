"""The made-up language of notebook 9: its rows and words, their probabilities, and next_token."""

import re
from math import log

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lesson import language

QUARTER = np.array([-np.inf, 0, log(3)])  # scores of 0, 1/4 and 3/4


def test_rows_hold_three_words_of_syllables_in_random_order():
    rows = language.make_rows(2000, np.random.default_rng(0), length=40)
    assert rows.shape == (2000, 40) and len(np.unique(rows, axis=0)) == 2000
    lengths, again = [], []
    for row in rows:
        *words, begun = language.text_of(row).split(" ")
        assert len(set(words)) <= 3
        assert all(re.fullmatch("([bdfgklmnprstvz][aeiou]){1,3}", word) for word in words)
        assert re.fullmatch("([bdfgklmnprstvz][aeiou]){0,3}[bdfgklmnprstvz]?", begun)
        lengths += [len(word) // 2 for word in set(words)]
        again.append(words[0] == words[1])
    assert_allclose([np.mean(again), *np.bincount(lengths)[1:] / len(lengths)], 1 / 3, atol=0.03)


def test_probability_of_a_row_is_what_one_gets_by_hand():
    ma = 1 / 3 / 70  # one of three lengths, one of 14 * 5 syllables
    assert_allclose(language.log_probability("ma "), log(ma), rtol=1e-12)
    # The second word is the first one again in one draw of three, and in the others another one that is equal.
    assert_allclose(language.log_probability("ma ma "), log(ma * (1 / 3 + 2 / 3 * ma)), rtol=1e-12)
    impossible = ["mama mama kizz", "am", "ma  ma", "mamamama", "ma ki lo tu "]
    assert [language.log_probability(text) for text in impossible] == [-np.inf] * 5


def test_best_loss_of_small_rows_is_what_one_gets_by_hand():
    rows = np.array([language.tokens_of("ma m"), language.tokens_of("ma k")])
    of_m, of_k = 1 / 3 + 2 / 3 / 14, 2 / 3 / 14  # the first word again, or another one
    by_hand = (2 * log(5) + 2 * log(3) - log(of_m) - log(of_k)) / 6
    assert_allclose(language.best_loss(rows), by_hand, rtol=1e-12)


@pytest.mark.parametrize(
    "scores, temperature, draw, token",
    [
        (QUARTER, 1, 0, 1),
        (QUARTER, 1, 0.26, 2),
        (QUARTER, 2, 0.3, 1),  # 0, 0.37 and 0.63
        (QUARTER, 0, 0.1, 2),
        (np.zeros(10), 1, np.nextafter(1, 0), 9),  # ten times 0.1 is less than 1 in floating point
    ],
)
def test_a_draw_chooses_the_token_in_whose_share_it_lies(scores, temperature, draw, token):
    assert language.next_token(scores, temperature, draw) == token
