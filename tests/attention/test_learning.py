"""Gradients against finite differences and rules of their own, and a head that learns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import learning

# All sizes differ, so that a wrong axis fails.
B, LQ, LK, D_K, D_V = 2, 4, 6, 5, 7
DRAW = np.random.default_rng(8)
Q, K, V = (DRAW.normal(size=(B, *shape)) for shape in ((LQ, D_K), (LK, D_K), (LK, D_V)))
WEIGHTS = al.scaled_dot_product_attention(Q, K, V).weights
UPSTREAM = DRAW.normal(size=(B, LQ, D_V))


def slopes(loss, x, step=1e-6):
    """How much the loss grows with each number of x, by moving it a little to both sides."""
    found = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        moves = np.zeros(x.shape)
        moves[place] = step
        found[place] = (loss(x + moves) - loss(x - moves)) / (2 * step)
    return found


def test_softmax_gradient_equals_the_slopes():
    scores, upstream = DRAW.normal(size=(2, 3, 5)), DRAW.normal(size=(2, 3, 5))
    expected = slopes(lambda x: (al.softmax(x) * upstream).sum(), scores)
    assert_allclose(learning.softmax_gradient(al.softmax(scores), upstream), expected, rtol=0, atol=1e-8)


def test_softmax_gradient_of_a_row_adds_up_to_0_and_leaves_hidden_keys_out():
    weights = al.masked_softmax(
        DRAW.normal(size=(3, 4)), np.ones(4) == [[1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]]
    )
    gradient = learning.softmax_gradient(weights, DRAW.normal(size=(3, 4)))
    assert_allclose(gradient.sum(axis=-1), 0, atol=1e-15)
    assert (gradient[weights == 0] == 0).all() and (gradient[0] != 0).sum() == 3


@pytest.mark.parametrize("scale", [None, 1.0, -0.3])
@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_attention_gradients_equal_the_slopes(name, scale):
    given = {"q": Q, "k": K, "v": V}
    weights = al.scaled_dot_product_attention(Q, K, V, scale=scale).weights

    def loss(x):
        return (al.scaled_dot_product_attention(**given | {name: x}, scale=scale).output * UPSTREAM).sum()

    gradients = learning.attention_gradients(Q, K, V, weights, UPSTREAM, scale)
    assert_allclose(getattr(gradients, name), slopes(loss, given[name]), rtol=0, atol=1e-7)


def test_gradients_of_a_hidden_key_are_0():
    weights = al.scaled_dot_product_attention(Q, K, V, np.arange(LK) != 2).weights
    gradients = learning.attention_gradients(Q, K, V, weights, UPSTREAM)
    for gradient in (gradients.k, gradients.v):
        assert (gradient[:, 2] == 0).all() and (gradient[:, 3] != 0).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
def test_types_are_kept_and_arguments_are_not_changed(dtype):
    arrays = [(3 * x).astype(dtype) for x in (Q, K, V, WEIGHTS, UPSTREAM)]
    copies = [x.copy() for x in arrays]
    found = [*learning.attention_gradients(*arrays), learning.softmax_gradient(arrays[3], arrays[3])]
    wanted = np.float64 if dtype == "int64" else dtype
    assert all(x.dtype == wanted for x in found)
    assert not any(np.shares_memory(x, y) for x in found for y in arrays)
    for array, copy in zip(arrays, copies, strict=True):
        assert_array_equal(array, copy)


BAD = [
    ({"k": K[:, :, :4]}, "q and k must agree in d_k"),
    ({"v": V[:, :5]}, "k and v must agree in Lk"),
    ({"k": K[:1]}, r"k must have shape \(2, 6, 5\) for q of shape \(2, 4, 5\), got shape \(1, 6, 5\)"),
    ({"weights": WEIGHTS.mT}, r"weights must have shape \(2, 4, 6\) .*got shape \(2, 6, 4\)"),
    ({"upstream": UPSTREAM[0]}, r"upstream must have shape \(2, 4, 7\) .*got shape \(4, 7\)"),
    ({"scale": np.inf}, "scale must be finite"),
]


@pytest.mark.parametrize("changes, message", BAD)
def test_bad_shape_is_named(changes, message):
    given = {"q": Q, "k": K, "v": V, "weights": WEIGHTS, "upstream": UPSTREAM}
    with pytest.raises(ValueError, match=message):
        learning.attention_gradients(**given | changes)


def test_softmax_gradient_needs_one_shape():
    with pytest.raises(ValueError, match=r"weights and upstream must have one shape.*\(2, 4, 6\).*\(4, 6\)"):
        learning.softmax_gradient(WEIGHTS, WEIGHTS[0])
    with pytest.raises(ValueError, match="one shape"):
        learning.softmax_gradient(1.0, 1.0)


# A head that learns --------------------------------------------------------------------------------


def tables(d=3, d_k=4, d_v=5, classes=6):
    shapes = {"w_q": (d, d_k), "w_k": (d, d_k), "w_v": (d, d_v), "w_o": (d_v, classes)}
    rng = np.random.default_rng(1)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def batch(rng):
    """The class to name is the place of the one token that is like the asker."""
    tokens, targets = rng.normal(size=(7, 6, 3)), rng.integers(6, size=(7, 2))
    return np.take_along_axis(tokens, targets[..., None], 1), tokens, targets


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v", "w_o"])
@pytest.mark.parametrize("options", [{}, {"scale": 1.0}, {"mask": np.tri(2, 6, 3, dtype=bool)}])
def test_gradients_of_tables_equal_the_slopes(name, options):
    given, arrays = tables(), batch(np.random.default_rng(2))
    expected = slopes(lambda x: learning.head_step(given | {name: x}, *arrays, **options).loss, given[name])
    step = learning.head_step(given, *arrays, **options)
    assert_allclose(step.gradients[name], expected, rtol=0, atol=1e-8)


def test_loss_is_that_of_the_shares_and_right_counts_the_largest():
    given, (askers, tokens, targets) = tables(), batch(np.random.default_rng(2))
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
    rng, given = np.random.default_rng(3), tables()
    before = {name: table.copy() for name, table in given.items()}
    trained = learning.train_head(given, lambda: batch(np.random.default_rng(2)), 1, rate=0.5)
    step = learning.head_step(given, *batch(np.random.default_rng(2)))
    for name, table in trained.tables.items():
        assert_allclose(table, before[name] - 0.5 * step.gradients[name], rtol=1e-12)
        assert_array_equal(given[name], before[name])
    assert (trained.losses[0], trained.right[0]) == (step.loss, step.right)
    longer = learning.train_head(given, lambda: batch(rng), 60)
    assert len(longer.losses) == 60 and longer.losses[-10:].mean() < longer.losses[:10].mean()


def test_training_ends_when_enough_is_right_and_runs_on_gradients_of_ones_own():
    calls = []

    def own(*arrays):
        calls.append(len(arrays))
        return learning.attention_gradients(*arrays)

    rng = np.random.default_rng(3)
    trained = learning.train_head(tables(), lambda: batch(rng), 50, until=0.0, gradients=own)
    assert len(trained.losses) == 1 and calls == [5]
