"""The two tasks on which a head learns in notebook 8: find a card, and predict the next digit.

Tokens are vectors of zeros and ones. Everything random is drawn from the generator that is given.
"""

import numpy as np

from attention_lib import learning

LETTERS = "abcdefghij"


def deal(n, rng):
    """n hands of cards: the letter asked (n, 1, 20), six cards (n, 6, 20), and the digit wanted (n, 1)."""
    letters = rng.permuted(np.tile(np.arange(10), (n, 1)), axis=1)[:, :6]  # six of ten
    digits = rng.integers(10, size=(n, 6))
    asked = rng.integers(6, size=n)  # the place of a card
    hand = np.arange(n)
    one_hot = np.eye(10)
    cards = np.concatenate([one_hot[letters], one_hot[digits]], axis=-1)
    question = np.concatenate([one_hot[letters[hand, asked]], np.zeros((n, 10))], axis=-1)
    return question[:, None], cards, digits[hand, asked][:, None]


def names_of(cards):
    """The names of cards (n, 20), such as b7."""
    letters, digits = cards[:, :10].argmax(axis=-1), cards[:, 10:].argmax(axis=-1)
    return [LETTERS[letter] + str(digit) for letter, digit in zip(letters, digits)]


def start(d_k, rng, size=20**-0.5):
    """Random matrices of a head for cards, made of numbers of this size (their standard deviation)."""
    shapes = {"w_q": (20, d_k), "w_k": (20, d_k), "w_v": (20, 16), "w_o": (16, 10)}
    return {name: rng.normal(0, size, shape) for name, shape in shapes.items()}


def steps_until_right(d_k, size, scale, smaller, rng):
    """The steps until a new head has 95 % of a batch right, 299 if it never has."""
    matrices = start(d_k, rng, size)
    matrices["w_q"], matrices["w_k"] = smaller * matrices["w_q"], smaller * matrices["w_k"]
    trained = learning.train_head(matrices, lambda: deal(64, rng), 300, until=0.95, scale=scale)
    return len(trained.losses) - 1


def runs(d_k, size, scale, smaller=1):
    """The steps until 95 % are right, of five runs, the fastest first; W_Q and W_K begin times `smaller`."""
    generators = [np.random.default_rng(seed) for seed in range(5)]
    return sorted(steps_until_right(d_k, size, scale, smaller, rng) for rng in generators)


def random_digits(n, rng):
    """n rows of twelve digits with their places, (n, 12, 22), twice, and the digit that follows each, (n, 12)."""
    drawn = rng.integers(10, size=(n, 13))
    places = np.broadcast_to(np.eye(12), (n, 12, 12))
    tokens = np.concatenate([np.eye(10)[drawn[:, :12]], places], axis=-1)
    return tokens, tokens, drawn[:, 1:]


def learn_next_digit(mask):
    """A trained head on 500 new rows: its steps at places 1 to 11, and at place 12, where all twelve are seen."""
    rng = np.random.default_rng(0)
    shapes = {"w_q": (22, 16), "w_k": (22, 16), "w_v": (22, 16), "w_o": (16, 10)}
    matrices = {name: rng.normal(0, 22**-0.5, shape) for name, shape in shapes.items()}
    trained = learning.train_head(matrices, lambda: random_digits(32, rng), 600, rate=3.0, mask=mask)
    tokens, _, following = random_digits(500, rng)
    seen = mask if mask is None else mask[:11]
    inner = learning.head_step(trained.tables, tokens[:, :11], tokens, following[:, :11], seen)
    last = learning.head_step(trained.tables, tokens[:, 11:], tokens, following[:, 11:])
    return inner, last
