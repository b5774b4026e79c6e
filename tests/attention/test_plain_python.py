"""attention_lib.plain_python: large scores and checks; test_properties.py compares it with the NumPy version."""

import math

import pytest

from attention_lib import arguments, plain_python


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
