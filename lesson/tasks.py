"""The two tasks on which a head learns in notebook 8: find a card, and predict the next digit.

Tokens are vectors of zeros and ones. Everything random is drawn from the generator that is given.
"""

import math

import numpy as np

from attention_lib import learning
from attention_lib.arguments import checked, function, mask_for, part

LETTERS = "abcdefghij"
MOST_STEPS, DIGIT_STEPS = 300, 600


@checked(n="count", rng="generator")
def deal(n, rng):
    """n hands of cards: the target letter (n, 1, 20), six cards (n, 6, 20), and the target digit (n, 1)."""
    letters = rng.permuted(np.tile(np.arange(10), (n, 1)), axis=1)[:, :6]  # six of ten
    digits = rng.integers(10, size=(n, 6))
    target = rng.integers(6, size=n)  # the position of the target card
    hand, one_hot = np.arange(n), np.eye(10)
    cards = np.concatenate([one_hot[letters], one_hot[digits]], axis=-1)
    question = np.concatenate([one_hot[letters[hand, target]], np.zeros((n, 10))], axis=-1)
    return question[:, None], cards, digits[hand, target][:, None]


@checked(cards="n 20")
def names_of(cards):
    """The names of cards (n, 20), such as b7."""
    letters, digits = cards[:, :10].argmax(axis=-1), cards[:, 10:].argmax(axis=-1)
    return [LETTERS[letter] + str(digit) for letter, digit in zip(letters, digits)]


@checked(d_k="size", rng="generator", size="positive")
def start(d_k, rng, size=20**-0.5):
    """Random weight matrices of a head for cards, with this standard deviation."""
    shapes = {"w_q": (20, d_k), "w_k": (20, d_k), "w_v": (20, 16), "w_o": (16, 10)}
    return {name: rng.normal(0, size, shape) for name, shape in shapes.items()}


@checked(backward="function")
def gradients_with(backward):
    """`learning.attention_gradients`, with a function of the caller's for the step back through softmax."""

    def gradients(q, k, v, weights, upstream):
        of_scores = part("backward", "of_scores", backward(weights, upstream @ v.mT), weights.shape)
        of_scores = of_scores / np.sqrt(q.shape[-1])
        return of_scores @ k, of_scores.mT @ q, weights.mT @ upstream

    return gradients


@checked(factor="finite")
def slopes_times(factor):
    """`learning.attention_gradients`, with the gradients of queries and keys times a factor."""

    def gradients(q, k, v, weights, upstream, scale=None):
        of_q, of_k, of_v = learning.attention_gradients(q, k, v, weights, upstream, scale)
        return of_q * factor, of_k * factor, of_v

    return gradients


@checked(matrix="any n m", gradient="any n m", rate="finite")
def one_step(matrix, gradient, rate):
    """A matrix, moved against its gradient."""
    return matrix - rate * gradient


def descent(rate):
    """Gradient descent with one learning rate: a function that gives each matrix its next value."""

    def update(matrices, gradients, number):
        for name, gradient in gradients.items():
            matrices[name] = one_step(matrices[name], gradient, rate)

    return update


def _steps_until_right(matrices, rng, update, **options):
    """The steps until a head has 95 % of a batch right; infinity if it has not after MOST_STEPS."""
    for number in range(MOST_STEPS):
        step = learning.head_step(matrices, *deal(64, rng), **options)
        if step.right >= 0.95:
            return number
        update(matrices, step.gradients, number + 1)
    return math.inf


@checked(optimizer="function", rate="finite", start_of_w_q="finite")
def median_steps(d_k, size, scale=None, *, optimizer=descent, rate=1.0, start_of_w_q=1.0, **options):
    """The steps until 95 % are right, the middle of five runs; W_Q begins times `start_of_w_q`."""
    five = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        matrices = start(d_k, rng, size)
        matrices["w_q"] *= start_of_w_q
        update = function("optimizer(rate)", optimizer(rate))
        five.append(_steps_until_right(matrices, rng, update, scale=scale, **options))
    return sorted(five)[2]


def _random_digits(n, rng):
    """n rows of twelve digits with their positions, (n, 12, 22), twice, and the digit that follows each, (n, 12)."""
    drawn = rng.integers(10, size=(n, 13))
    positions = np.broadcast_to(np.eye(12), (n, 12, 12))
    tokens = np.concatenate([np.eye(10)[drawn[:, :12]], positions], axis=-1)
    return tokens, tokens, drawn[:, 1:]


def learn_next_digit(mask):
    """A trained head on 500 new rows: its steps at positions 1 to 11, and at position 12, which all twelve lead to."""
    mask = mask_for(True if mask is None else mask, (12, 12), np.float64)
    rng = np.random.default_rng(0)
    shapes = {"w_q": (22, 16), "w_k": (22, 16), "w_v": (22, 16), "w_o": (16, 10)}
    matrices = {name: rng.normal(0, 22**-0.5, shape) for name, shape in shapes.items()}
    trained = learning.train_head(matrices, lambda: _random_digits(32, rng), DIGIT_STEPS, rate=3.0, mask=mask)
    tokens, _, following = _random_digits(500, rng)
    inner = learning.head_step(trained.matrices, tokens[:, :11], tokens, following[:, :11], mask[:11])
    last = learning.head_step(trained.matrices, tokens[:, 11:], tokens, following[:, 11:])
    return inner, last


@checked(right="any steps")
def first_time(right):
    """When 95 % were right for the first time, in words; `right` has a share for each step."""
    enough = np.flatnonzero(np.array(right) >= 0.95)
    return f"after {enough[0]} steps" if len(enough) else f"not in {len(right) - 1} steps"
