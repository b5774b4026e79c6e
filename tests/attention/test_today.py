"""attention_lib.today: rotary positions, grouped heads, and a row of attention put together from parts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attention_lib as al
from attention_lib import today
from tests.attention.test_oracles import TOLERANCE, read

INF = np.inf


def test_base_sets_the_slow_pairs():
    x = np.ones((1, 4))
    angles = [2.0, 2.0 * 100**-0.5]
    expected = np.cos(angles) - np.sin(angles)
    assert_allclose(today.rotate(x, 2, base=100)[0, :2], expected, rtol=1e-14)


def test_sides_without_keys_give_zeros_and_large_log_sums_do_not_overflow():
    output, sums = today.merge([[0.0]] * 3, [-INF, 0, 5000], [[1.0]] * 3, [-INF, 0, 5000 + np.log(3)])
    assert_allclose(output, [[0], [0.5], [0.75]])
    assert_allclose(sums, [-INF, np.log(2), 5000 + np.log(4)])


def test_leading_axes_broadcast_and_log_sums_keep_their_own_dtype():
    sums = np.zeros((2, 4), np.float32), np.zeros(4, np.float32)
    output, log_sums = today.merge(np.ones((3, 2, 4, 5), "f2"), sums[0], np.ones((4, 5), "f2"), sums[1])
    assert output.dtype == np.float16 and output.shape == (3, 2, 4, 5)
    assert log_sums.dtype == np.float32 and log_sums.shape == (2, 4)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("pairs", ["halves", "neighbours"])
def test_rotation_equals_onnx(pairs, dtype):
    record = read("onnx_today")
    rotated = today.rotate(record["x"].astype(dtype), record["positions"][:, None], pairs=pairs)
    assert rotated.dtype == dtype
    assert_allclose(rotated, record[f"{pairs}/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_grouped_heads_equal_pytorch(dtype):
    q, k, v = (read("pytorch_today")[name].astype(dtype) for name in "qkv")
    output = al.scaled_dot_product_attention(q, today.repeat_heads(k, 2), today.repeat_heads(v, 2)).output
    assert_allclose(output, read("pytorch_today")[f"grouped/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_new_queries_behind_a_cache_equal_onnx(dtype):
    q, k, v = (read("onnx_today")[name].astype(dtype) for name in "qkv")
    k, v = today.repeat_heads(k, 2), today.repeat_heads(v, 2)
    output = al.scaled_dot_product_attention(q, k, v, al.causal_mask(6)[-2:]).output
    assert_allclose(output, read("onnx_today")[f"cache/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_merged_parts_equal_pytorch(dtype):
    first, last, whole = (
        [read("pytorch_today")[f"{part}/{dtype}/{name}"] for name in ("output", "log_sum")]
        for part in ("first keys", "last keys", "all keys")
    )
    for merged, expected in zip(today.merge(*first, *last), whole, strict=True):
        assert merged.dtype == dtype
        assert_allclose(merged, expected, rtol=0, atol=TOLERANCE[dtype])
