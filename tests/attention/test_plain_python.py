"""attention_lib.plain_python against a published table; test_properties.py compares it with the NumPy version."""

import inspect
import math

import pytest

from attention_lib import arguments, plain_python

# Tuples, which no function can change.
Q = ((0.732, 1.683), (0.058, 0.214), (0.708, 1.309), (0.212, 1.044))
K = ((0.951, 1.107), (0.156, 0.657), (0.601, 1.574), (0.832, 0.233))
V = ((1.107, 1.326), (0.657, 0.755), (1.574, 1.467), (0.233, 0.853))
ALL = ((True,) * 4,) * 4


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
    assert plain_python.masked_attention(Q, K, V, ALL) == (output, weights)


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


def test_checks_leave_names_and_formulas_to_be_read():
    assert inspect.getsource(plain_python.softmax).startswith("def softmax(row):")
    assert plain_python.softmax.__doc__.startswith("Weights of one row")


def test_each_argument_is_checked_once(monkeypatch):
    checked, real_array = [], arguments.real_array
    monkeypatch.setattr(
        arguments, "real_array", lambda name, value: checked.append(name) or real_array(name, value)
    )
    plain_python.masked_attention(Q, K, V, ALL)
    assert checked == ["queries", "keys", "values", "allowed"]
