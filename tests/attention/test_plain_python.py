"""attention_lib.plain_python against a published table; test_properties.py compares it with the NumPy version."""

import ast
import inspect
import math

import pytest

from attention_lib import plain_python

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


def test_softmax_by_hand():
    assert plain_python.softmax([1000.0, 1000.0, -math.inf, 1000.0, 1000.0]) == [0.25, 0.25, 0.0, 0.25, 0.25]
    assert plain_python.softmax([-math.inf, -math.inf]) == [0.0, 0.0]
    assert plain_python.softmax([]) == []
    assert plain_python.softmax([math.log(1), math.log(3)]) == pytest.approx([0.25, 0.75], rel=1e-15)


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


def test_module_imports_math_only():
    nodes = ast.walk(ast.parse(inspect.getsource(plain_python)))
    imports = [ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert imports == ["import math"]
