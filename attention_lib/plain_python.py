"""Scaled dot-product attention with lists and the math module alone, to be read aloud.

A matrix is a list of rows. `allowed` is a table of True and False: may this query attend to
this key? Nothing is checked here: `attention_lib.attention` does that, faster.
"""

import math


def dot(a, b):
    """The sum of the products, pair by pair."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def scores(queries, keys):
    """Every query with every key, divided by the square root of the vectors' length."""
    return [[dot(q, k) / math.sqrt(len(k)) for k in keys] for q in queries]


def softmax(row):
    """Shares of one row, never negative, adding up to 1; zeros where nothing is left to share."""
    top = max(row, default=-math.inf)
    if top == -math.inf:
        return [0.0 for _ in row]
    powers = [math.exp(x - top) for x in row]
    return [p / sum(powers) for p in powers]


def mask(table, allowed):
    """The scores, with minus infinity wherever a query may not look."""
    return [
        [x if may else -math.inf for x, may in zip(row, may_row, strict=True)]
        for row, may_row in zip(table, allowed, strict=True)
    ]


def weighted_average(weights, values):
    """One row: each column of the values, weighted and summed."""
    return [dot(weights, column) for column in zip(*values, strict=True)]


def attention(queries, keys, values):
    """The outputs and the weights, nothing hidden."""
    weights = [softmax(row) for row in scores(queries, keys)]
    return [weighted_average(row, values) for row in weights], weights


def masked_attention(queries, keys, values, allowed):
    """The outputs and the weights, where `allowed` says who may look where."""
    weights = [softmax(row) for row in mask(scores(queries, keys), allowed)]
    return [weighted_average(row, values) for row in weights], weights
