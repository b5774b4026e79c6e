"""Gradients against finite differences and rules of their own, and a head that learns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import learning


def slopes(loss, x, step=1e-6):
    """How much the loss grows with each number of x, by moving it a little to both sides."""
    found = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        moves = np.zeros(x.shape)
        moves[place] = step
        found[place] = (loss(x + moves) - loss(x - moves)) / (2 * step)
    return found


def test_softmax_gradient_of_a_row_adds_up_to_0_and_leaves_hidden_keys_out():
    weights = np.array([[0.25, 0.25, 0, 0.5], [0, 0, 0, 0], [1, 0, 0, 0]])
    gradient = learning.softmax_gradient(weights, np.arange(12).reshape(3, 4) ** 2)
    assert_allclose(gradient.sum(axis=-1), 0, atol=1e-15)
    assert (gradient[weights == 0] == 0).all() and (gradient[0] != 0).sum() == 3


# A head that learns --------------------------------------------------------------------------------


def tables():
    """Random tables, which cannot be written to."""
    rng = np.random.default_rng(1)
    made = {"w_q": (3, 4), "w_k": (3, 4), "w_v": (3, 5), "w_o": (5, 6)}
    for name, shape in made.items():
        made[name] = rng.normal(size=shape)
        made[name].setflags(write=False)
    return made


def batch(seed=2):
    """Askers, tokens and targets: the class to name is the place of the one token that is like the asker."""
    rng = np.random.default_rng(seed)
    tokens, targets = rng.normal(size=(7, 6, 3)), rng.integers(6, size=(7, 2))
    return np.take_along_axis(tokens, targets[..., None], 1), tokens, targets


@pytest.mark.parametrize("options", [{}, {"scale": 1.0}, {"mask": np.tri(2, 6, 3, dtype=bool)}])
def test_gradients_of_tables_equal_the_slopes(options):
    given, arrays = tables(), batch()
    for name, gradient in learning.head_step(given, *arrays, **options).gradients.items():
        expected = slopes(
            lambda x, name=name: learning.head_step(given | {name: x}, *arrays, **options).loss, given[name]
        )
        assert_allclose(gradient, expected, rtol=0, atol=1e-8, err_msg=name)


def test_loss_is_that_of_the_shares_and_right_counts_the_largest():
    given, (askers, tokens, targets) = tables(), batch()
    output, weights = al.scaled_dot_product_attention(
        askers @ given["w_q"], tokens @ given["w_k"], tokens @ given["w_v"]
    )
    shares = al.softmax(output @ given["w_o"])
    step = learning.head_step(given, askers, tokens, targets)
    wanted = np.take_along_axis(shares, targets[..., None], -1)
    assert_allclose(step.loss, -np.log(wanted).mean(), rtol=1e-12)
    assert step.right == (shares.argmax(axis=-1) == targets).mean()
    assert_array_equal(step.weights, weights)


def test_training_moves_the_tables_against_their_gradients():
    given = tables()
    trained, step = learning.train_head(given, batch, 1, rate=0.5), learning.head_step(given, *batch())
    for name, table in trained.matrices.items():
        assert_allclose(table, given[name] - 0.5 * step.gradients[name], rtol=1e-12)
    assert (trained.losses[0], trained.right[0]) == (step.loss, step.right)
    seeds = iter(range(60))
    losses = learning.train_head(given, lambda: batch(next(seeds)), 60).losses
    assert len(losses) == 60 and losses[-10:].mean() < losses[:10].mean()
    with pytest.raises(TypeError, match="steps must be one integer, got float"):
        learning.train_head(given, batch, 2.0)


def test_training_ends_when_enough_is_right_and_runs_on_gradients_of_ones_own():
    calls = []

    def own(*arrays):
        calls.append(len(arrays))
        return learning.attention_gradients(*arrays)

    trained = learning.train_head(tables(), batch, 50, until=0.0, gradients=own)
    assert len(trained.losses) == 1 and calls == [5]
