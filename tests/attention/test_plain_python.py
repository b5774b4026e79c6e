"""attention_lib.plain_python against a published table; test_properties.py compares it with the NumPy version."""

import inspect
import math
from decimal import Decimal

import pytest

from attention_lib import plain_python

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
    "name, arguments, message",
    [
        (
            "dot",
            ([1, 2], [1]),
            r"b must be numbers in lists of shape \(n\), got \[1\]; .* a, the lengths are {'n': 2}",
        ),
        ("dot", ("ab", [1, 2]), "a must be numbers"),
        ("dot", ({1: 2}, [1]), "a must be numbers"),
        ("dot", ([1], [1j]), "b must be numbers"),
        ("scores", ([[]], [[]]), r"queries must be .*\(Lq, d_k\), .*{'Lq': 1, 'd_k': 0}"),
        ("scores", (Q, iter(K)), r"keys must be .*\(Lk, d_k\), .*'d_k': 2}"),
        ("softmax", (Q,), "row must be numbers"),
        ("softmax", ([10**400],), "row must be numbers"),
        ("scores", ([[10**300]], [[10**300]]), "queries must be numbers"),
        ("dot", ([Decimal(1)], [1.5]), "a must be numbers"),
        ("mask", ([[1, 2]], [[True]]), "allowed must be True and False in lists .*'Lk': 2}"),
        ("mask", ([[1, 2]], ALL), "allowed must be .*'Lq': 1,"),
        ("mask", ([[1, 2]], [[1, 0]]), "allowed must be True and False"),
        ("weighted_average", ([1], [[1], [2]]), "values must be .*'Lk': 1}"),
        ("weighted_average", ([1, 1], [[1], [2, 3]]), "values must be .*'d_v': 1}"),
        ("attention", (Q, [row[:1] for row in K], V), "keys must be .*'d_k': 2,"),
        ("masked_attention", (Q, K, V, None), "allowed must be True and False"),
    ],
)
def test_wrong_argument_is_named(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(plain_python, name)(*arguments)


def test_checks_leave_names_and_formulas_to_be_read():
    assert inspect.getsource(plain_python.softmax).startswith("def softmax(row):")
    assert plain_python.softmax.__doc__.startswith("Weights of one row")


def test_each_argument_is_checked_once(monkeypatch):
    checked, fits = [], plain_python._fits
    monkeypatch.setattr(
        plain_python, "_fits", lambda value, *rest: checked.append(value) or fits(value, *rest)
    )
    plain_python.masked_attention(Q, K, V, ALL)
    assert (
        len(checked) == 4 + 16 + 16
    )  # the matrices, their rows, and each True; a row of floats is one check
