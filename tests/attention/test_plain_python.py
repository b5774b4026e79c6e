"""attention_lib.plain_python against a published table and against the NumPy version."""

import ast
import inspect
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attention_lib as al
from attention_lib import data, plain_python

Q = [[0.732, 1.683], [0.058, 0.214], [0.708, 1.309], [0.212, 1.044]]
K = [[0.951, 1.107], [0.156, 0.657], [0.601, 1.574], [0.832, 0.233]]
V = [[1.107, 1.326], [0.657, 0.755], [1.574, 1.467], [0.233, 0.853]]


def rounded(table):
    return [[round(x, 3) for x in row] for row in table]


def test_published_table_to_three_decimals():
    output, weights = plain_python.attention(Q, K, V)
    assert rounded(weights) == [
        [0.315, 0.122, 0.458, 0.105],
        [0.261, 0.236, 0.276, 0.227],
        [0.317, 0.140, 0.410, 0.133],
        [0.286, 0.182, 0.384, 0.148],
    ]
    assert rounded(output) == [[1.174, 1.271], [0.931, 1.123], [1.119, 1.241], [1.075, 1.206]]


def test_dot_and_weighted_average_by_hand():
    assert plain_python.dot([1, 2, 3], [10, 20, 30]) == 140
    assert plain_python.weighted_average([0.25, 0.75], [[4, 8, 0], [0, 4, 4]]) == [1, 5, 3]


def test_scores_are_divided_by_the_root_of_d_k():
    assert plain_python.scores([[1, 1, 1, 1]], [[1, 2, 3, 4], [0, 0, 0, -2]]) == [[5, -1]]


def test_softmax_by_hand():
    assert plain_python.softmax([1000.0, 1000.0, -math.inf, 1000.0, 1000.0]) == [0.25, 0.25, 0.0, 0.25, 0.25]
    assert plain_python.softmax([-math.inf, -math.inf]) == [0.0, 0.0]
    assert plain_python.softmax([]) == []
    assert plain_python.softmax([math.log(1), math.log(3)]) == pytest.approx([0.25, 0.75], rel=1e-15)


def test_mask_sets_forbidden_scores_to_minus_infinity():
    assert plain_python.mask([[1, 2], [3, 4]], [[True, False], [False, True]]) == [
        [1, -math.inf],
        [-math.inf, 4],
    ]


def test_masking_a_key_keeps_the_ratios_of_the_other_weights():
    _, weights = plain_python.attention(Q, K, V)
    _, without = plain_python.masked_attention(Q, K, V, [[False, True, True, True]] * 4)
    for row, new in zip(weights, without, strict=True):
        assert new[0] == 0
        assert new[1:] == pytest.approx([w / (1 - row[0]) for w in row[1:]], rel=1e-12)


def test_query_without_allowed_keys_gets_zeros():
    output, weights = plain_python.masked_attention(
        Q, K, V, [[True] * 4, [False] * 4, [True] * 4, [True] * 4]
    )
    assert (output[1], weights[1]) == ([0, 0], [0, 0, 0, 0])


@pytest.mark.parametrize("sizes", [(4, 6, 5, 7), (1, 3, 2, 1), (3, 1, 1, 2)])
def test_plain_python_equals_numpy(sizes):
    n_queries, n_keys, d_k, d_v = sizes
    draw = np.random.default_rng(n_keys)
    q, k, v = (draw.normal(size=s) * 3 for s in ((n_queries, d_k), (n_keys, d_k), (n_keys, d_v)))
    allowed = draw.random((n_queries, n_keys)) < 0.5
    lists = q.tolist(), k.tolist(), v.tolist()
    for plain, fast in (
        (plain_python.attention(*lists), al.scaled_dot_product_attention(q, k, v)),
        (
            plain_python.masked_attention(*lists, allowed.tolist()),
            al.scaled_dot_product_attention(q, k, v, allowed),
        ),
    ):
        assert_allclose(plain[0], fast.output, rtol=1e-12, atol=1e-14)
        assert_allclose(plain[1], fast.weights, rtol=1e-12, atol=1e-14)


def test_plain_python_equals_a_head_of_the_real_model():
    cat = data.load("cat_sentence")
    output, weights = plain_python.attention(*(cat[name][1, 3].tolist() for name in "qkv"))
    assert_allclose(weights, cat["weights"][1, 3], rtol=0, atol=1e-5)
    assert_allclose(output, cat["context"][1, 3], rtol=0, atol=1e-5)


def test_rows_of_unequal_length_are_refused():
    for call in (
        lambda: plain_python.dot([1, 2], [1]),
        lambda: plain_python.mask([[1, 2]], [[True]]),
        lambda: plain_python.mask([[1, 2]], [[True, True], [True, True]]),
        lambda: plain_python.weighted_average([1], [[1], [2]]),
        lambda: plain_python.weighted_average([1, 1], [[1], [2, 3]]),
        lambda: plain_python.attention(Q, [row[:1] for row in K], V),
        lambda: plain_python.attention(Q, K, V[:3]),
    ):
        with pytest.raises(ValueError, match=r"shorter|longer"):
            call()


def test_inputs_are_unchanged():
    q, k, v, allowed = ([list(row) for row in table] for table in (Q, K, V, [[True, False, True, True]] * 4))
    plain_python.masked_attention(q, k, v, allowed)
    assert (q, k, v, allowed) == (Q, K, V, [[True, False, True, True]] * 4)


def test_module_imports_math_only_and_is_short():
    source = inspect.getsource(plain_python)
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert [ast.unparse(node) for node in imports] == ["import math"]
    assert len(source.splitlines()) <= 60
