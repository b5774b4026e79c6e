"""Gradients of a head against finite differences, a head that learns, and how layers start; test_oracles.py has
PyTorch's gradients of layers."""

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


def matrices():
    """Random matrices, which cannot be written to."""
    rng = np.random.default_rng(1)
    made = {"w_q": (3, 4), "w_k": (3, 4), "w_v": (3, 5), "w_o": (5, 6)}
    for name, shape in made.items():
        made[name] = rng.normal(size=shape)
        made[name].setflags(write=False)
    return made


def batch():
    """Askers, tokens and targets: the class to name is the place of the one token that is like the asker."""
    rng = np.random.default_rng(2)
    tokens, targets = rng.normal(size=(7, 6, 3)), rng.integers(6, size=(7, 2))
    return np.take_along_axis(tokens, targets[..., None], 1), tokens, targets


@pytest.mark.parametrize("options", [{}, {"scale": 1.0}, {"mask": np.tri(2, 6, 3, dtype=bool)}])
def test_gradients_of_matrices_equal_the_slopes(options):
    given, arrays = matrices(), batch()
    for name, gradient in learning.head_step(given, *arrays, **options).gradients.items():
        expected = slopes(
            lambda x, name=name: learning.head_step(given | {name: x}, *arrays, **options).loss, given[name]
        )
        assert_allclose(gradient, expected, rtol=0, atol=1e-8, err_msg=name)


def test_right_counts_the_largest_and_weights_are_those_of_attention():
    given, (askers, tokens, targets) = matrices(), batch()
    output, weights = al.scaled_dot_product_attention(
        askers @ given["w_q"], tokens @ given["w_k"], tokens @ given["w_v"]
    )
    shares = al.softmax(output @ given["w_o"])
    step = learning.head_step(given, askers, tokens, targets)
    assert step.right == (shares.argmax(axis=-1) == targets).mean()
    assert_array_equal(step.weights, weights)


def test_training_moves_the_matrices_against_their_gradients():
    given = matrices()
    trained, step = learning.train_head(given, batch, 1, rate=0.5), learning.head_step(given, *batch())
    for name, matrix in trained.matrices.items():
        assert_allclose(matrix, given[name] - 0.5 * step.gradients[name], rtol=1e-12)
    assert (trained.losses[0], trained.right[0]) == (step.loss, step.right)


def test_training_ends_when_enough_is_right():
    assert len(learning.train_head(matrices(), batch, 50, until=0.0).losses) == 1


# Layers that learn ---------------------------------------------------------------------------------


def test_layers_start_with_matrices_of_the_right_sizes():
    matrices = learning.start_layers(500, 64, 3, np.random.default_rng(0))
    for name, matrix in matrices.items():
        deviation = {"embedding": 1, "w_o": 1 / 16}.get(name, 1 / 8)
        assert_allclose(matrix.std(), deviation, rtol=0.02, err_msg=name)


def test_layers_of_float32_and_lists_get_gradients_of_float64():
    matrices = learning.start_layers(6, 8, 2, np.random.default_rng(3))
    tokens, targets = np.random.default_rng(4).integers(6, size=(2, 3, 5))
    for array in (*matrices.values(), tokens, targets):
        array.setflags(write=False)
    single = {name: matrix.astype(np.float32) for name, matrix in matrices.items()}
    step = learning.layers_step(single, tokens.tolist(), targets.tolist(), 1)
    assert {gradient.dtype for gradient in step.gradients.values()} == {np.dtype(float)}
    assert_allclose(step.scores, learning.layers_step(matrices, tokens, targets, 1).scores, atol=1e-5)
