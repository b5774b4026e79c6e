"""Gradients of a head against finite differences, a head that learns, and how layers start; test_oracles.py has
PyTorch's gradients of layers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import learning
from tests.attention.test_bad_input import BATCH, LAYERS, MATRICES, TOKENS


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


@pytest.mark.parametrize("options", [{}, {"scale": 1.0}, {"mask": np.tri(4, 6, 1, dtype=bool)}])
def test_gradients_of_matrices_equal_the_slopes(options):
    for name, gradient in learning.head_step(MATRICES, *BATCH, **options).gradients.items():

        def loss(matrix, name=name):
            return learning.head_step(MATRICES | {name: matrix}, *BATCH, **options).loss

        expected = slopes(loss, MATRICES[name])
        assert_allclose(gradient, expected, rtol=0, atol=1e-8, err_msg=name)


def test_right_counts_the_largest_and_weights_are_those_of_attention():
    askers, tokens, targets = BATCH
    q, k, v = askers @ MATRICES["w_q"], tokens @ MATRICES["w_k"], tokens @ MATRICES["w_v"]
    output, weights = al.scaled_dot_product_attention(q, k, v)
    shares = al.softmax(output @ MATRICES["w_o"])
    step = learning.head_step(MATRICES, *BATCH)
    assert step.right == (shares.argmax(axis=-1) == targets).mean()
    assert_array_equal(step.weights, weights)


def test_training_moves_the_matrices_against_their_gradients():
    step = learning.head_step(MATRICES, *BATCH)
    trained = learning.train_head(MATRICES, lambda: BATCH, 1, rate=0.5)
    for name, matrix in trained.matrices.items():
        assert_allclose(matrix, MATRICES[name] - 0.5 * step.gradients[name], rtol=1e-12)
    assert (trained.losses[0], trained.right[0]) == (step.loss, step.right)


def test_training_ends_when_enough_is_right():
    assert len(learning.train_head(MATRICES, lambda: BATCH, 50, until=0.0).losses) == 1


# Layers that learn ---------------------------------------------------------------------------------


def test_layers_start_with_matrices_of_the_right_sizes():
    matrices = learning.start_layers(500, 64, 3, np.random.default_rng(0))
    for name, matrix in matrices.items():
        deviation = {"embedding": 1, "w_o": 1 / 16}.get(name, 1 / 8)
        assert_allclose(matrix.std(), deviation, rtol=0.02, err_msg=name)


def test_layers_of_float32_and_lists_get_gradients_of_float64():
    single = {name: matrix.astype(np.float32) for name, matrix in LAYERS.items()}
    step = learning.layers_step(single, TOKENS.tolist(), TOKENS.tolist(), 1)
    assert {gradient.dtype for gradient in step.gradients.values()} == {np.dtype(float)}
    assert_allclose(step.scores, learning.layers_step(LAYERS, TOKENS, TOKENS, 1).scores, atol=1e-5)
