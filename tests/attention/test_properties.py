"""Properties of attention for any numbers, tested by Hypothesis; plain Python, and its checks."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import arguments, plain_python

NUMBERS = st.floats(-20, 20, width=32)
LEADING = st.sampled_from([(), (2,), (3, 2)])


@st.composite
def attention_inputs(draw, leading=LEADING):
    """q, k, v and a boolean mask of the scores' shape, in sizes that mostly differ."""
    lead = draw(leading)
    n_queries, n_keys, d_k, d_v = (draw(st.integers(1, 6)) for _ in range(4))
    q, k, v = (
        draw(arrays(np.float64, (*lead, *last), elements=NUMBERS))
        for last in ((n_queries, d_k), (n_keys, d_k), (n_keys, d_v))
    )
    return q, k, v, draw(arrays(bool, (*lead, n_queries, n_keys)))


def masks_of(allowed, bias):
    """The boolean mask, and a floating mask that hides the same and adds a bias."""
    return allowed, np.where(allowed, bias, -np.inf)


@given(attention_inputs(), st.booleans(), st.floats(-3, 3))
def test_rows_sum_to_one_or_zero(inputs, is_causal, scale):
    q, k, v, allowed = inputs
    seen = allowed & al.causal_mask(*allowed.shape[-2:]) if is_causal else allowed
    for mask in masks_of(allowed, 0.7):
        weights = al.scaled_dot_product_attention(q, k, v, mask, is_causal=is_causal, scale=scale).weights
        assert (weights >= 0).all() and (weights[~seen] == 0).all()
        assert_allclose(weights.sum(axis=-1), seen.any(axis=-1), rtol=0, atol=1e-14)


@given(attention_inputs(), st.integers(0, 5), st.sampled_from([1e3, -1e30, 1e150, -1e300]))
def test_output_does_not_depend_on_masked_keys_and_values(inputs, hidden, wild):
    q, k, v, allowed = inputs
    hidden %= k.shape[-2]
    allowed[..., hidden] = False
    k_wild, v_wild = k.copy(), v.copy()
    k_wild[..., hidden, :], v_wild[..., hidden, :] = wild, wild
    for mask in masks_of(allowed, 0.5):
        once = al.scaled_dot_product_attention(q, k, v, mask)
        again = al.scaled_dot_product_attention(q, k_wild, v_wild, mask)
        assert_array_equal(again.weights, once.weights)
        assert_array_equal(again.output, once.output)
        blocks = al.attention_in_blocks(q, k_wild, v_wild, mask, block_size=2)
        assert_allclose(blocks, once.output, rtol=0, atol=1e-11)


@given(attention_inputs(leading=st.just(())))
def test_plain_python_equals_numpy(inputs):
    q, k, v, allowed = inputs
    lists = [x.tolist() for x in (q, k, v)]
    output, weights = plain_python.masked_attention(*lists, allowed.tolist())
    expected = al.scaled_dot_product_attention(q, k, v, allowed)
    assert_allclose(output, expected.output, rtol=0, atol=1e-11)
    assert_allclose(weights, expected.weights, rtol=0, atol=1e-12)
    every = np.ones_like(allowed).tolist()
    assert plain_python.attention(*lists) == plain_python.masked_attention(*lists, every)


@given(attention_inputs(), st.booleans(), st.booleans(), st.floats(-2, 2), st.integers(1, 8))
def test_blocks_equal_attention(inputs, is_causal, floating, scale, block_size):
    q, k, v, allowed = inputs
    mask = masks_of(allowed, -0.4)[int(floating)]
    options = {"is_causal": is_causal, "scale": scale}
    expected = al.scaled_dot_product_attention(q, k, v, mask, **options).output
    blocks = al.attention_in_blocks(q, k, v, mask, **options, block_size=block_size)
    assert_allclose(blocks, expected, rtol=0, atol=1e-12)


def test_softmax_of_large_scores_and_of_none():
    assert plain_python.softmax([1000.0, 1000.0, -math.inf]) == [0.5, 0.5, 0.0]
    assert plain_python.softmax([]) == []


@pytest.mark.parametrize(
    "name, given, error, message",
    [  # what gave a result all the same; tests/project/test_wrong_inputs.py tries what does not
        ("scores", ([[]], [[]]), ValueError, r"queries must have d_k of at least 1, got shape \(1, 0\)"),
        ("mask", ([[1, 2]], [[1, 0]]), TypeError, "allowed must hold True and False, got dtype int"),
        ("weighted_average", ([True], [[1.0]]), TypeError, "weights must hold numbers, got dtype bool"),
    ],
)
def test_wrong_argument_is_named(name, given, error, message):
    with pytest.raises(error, match=message):
        getattr(plain_python, name)(*given)


def test_each_argument_is_checked_once(monkeypatch):
    checked, real_array = [], arguments.real_array
    monkeypatch.setattr(
        arguments, "real_array", lambda name, value: checked.append(name) or real_array(name, value)
    )
    plain_python.masked_attention([[1.0]], [[2.0]], [[3.0]], [[True]])
    assert checked == ["queries", "keys", "values", "allowed"]
