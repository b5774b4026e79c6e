"""Answers to `dot_product` as learners write them."""

import math
import operator
from fractions import Fraction
from functools import reduce

import numpy as np


def first_product(a, b):
    for x, y in zip(a, b):
        return x * y


def last_product(a, b):
    for x, y in zip(a, b):
        result = x * y
    return result


def one_too_few(a, b):
    total = 0
    for i in range(len(a) - 1):
        total += a[i] * b[i]
    return total


def mean_of_products(a, b):
    products = []
    for i in range(len(a)):
        products.append(a[i] * b[i])
    return sum(products) / len(products)


def distance_in_a_loop(a, b):
    total = 0
    for x, y in zip(a, b):
        total += (x - y) ** 2
    return total


def cosine_by_hand(a, b):
    product = sum(x * y for x, y in zip(a, b))
    return product / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


def sort_in_place(a, b):
    result = a @ b
    a.sort()
    b.sort()
    return result


def multiplied_in_place(a, b):
    a *= b
    return a.sum()


WRONG = {
    "not-summed": [
        lambda a, b: a * b,
        lambda a, b: [x * y for x, y in zip(a, b)],
        lambda a, b: np.einsum("i,i->i", a, b),
        lambda a, b: np.outer(a, b),
        lambda a, b: a[:, None] * b,
        first_product,
        last_product,
        lambda a, b: np.cumsum(a * b),
        one_too_few,
        mean_of_products,
        lambda a, b: sum((a * b)[1:]),
        lambda a, b: max(a * b),
        lambda a, b: math.prod(a * b),
        lambda a, b: sum({x * y for x, y in zip(a, b)}),
    ],
    "not-multiplied": [
        lambda a, b: (a + b).sum(),
        lambda a, b: sum(a) + sum(b),
        lambda a, b: sum(x + y for x, y in zip(a, b)),
        lambda a, b: np.add(a, b),
        lambda a, b: a.sum() * b.sum(),
        lambda a, b: sum(a),
        lambda a, b: (a - b).sum(),
        distance_in_a_loop,
        lambda a, b: np.linalg.norm(b - a),
        lambda a, b: sum(abs(a - b)),
        lambda a, b: math.hypot(*a) * math.hypot(*b),
    ],
    "cosine": [
        lambda a, b: a @ b / (np.linalg.norm(a) * np.linalg.norm(b)),
        lambda a, b: np.dot(a / np.sqrt((a**2).sum()), b / np.sqrt((b**2).sum())),
        cosine_by_hand,
        lambda a, b: a @ b / np.sqrt(a @ a),
        lambda a, b: a @ b / np.linalg.norm(b),
    ],
    "scaled-already": [lambda a, b: a @ b / np.sqrt(len(a)), lambda a, b: sum(a * b) / a.size**0.5],
    "one-vector-twice": [lambda a, b: a @ a, lambda a, b: sum(y * y for y in b)],
    "sign-lost": [
        lambda a, b: abs(a @ b),
        lambda a, b: sum(abs(x * y) for x, y in zip(a, b)),
    ],
    "rounded": [
        lambda a, b: int(sum(x * y for x, y in zip(a, b))),
        lambda a, b: sum(int(x) * int(y) for x, y in zip(a, b)),
        lambda a, b: round(float(a @ b), 2),
        lambda a, b: round(a @ b, 1),
        lambda a, b: np.rint(a @ b),
    ],
    "input-changed": [multiplied_in_place, sort_in_place],
    "different": [lambda a, b: a @ b + 1, lambda a, b: 3 * (a @ b)],
}


def dot_by_index(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


RIGHT = [
    lambda a, b: sum(x * y for x, y in zip(a, b)),
    lambda a, b: np.einsum("i,i", a, b),
    lambda a, b: np.asarray(a @ b),  # 0-d
    lambda a, b: int(a @ b) if float(a @ b).is_integer() else a @ b,
    lambda a, b: Fraction(float(a @ b)),
    lambda a, b: reduce(operator.add, map(operator.mul, a, b)),
    lambda a, b: np.linalg.norm(a) * np.linalg.norm(b) * (a @ b / np.linalg.norm(a) / np.linalg.norm(b)),
    lambda a, b: (((a + b) ** 2).sum() - ((a - b) ** 2).sum()) / 4,
    dot_by_index,
    np.vdot,
]

ALMOST_RIGHT = {
    "four_products": lambda a, b: sum(a[i] * b[i] for i in range(min(4, len(a)))),
    "two_decimals": lambda a, b: round(float(a @ b), 2),
    "of_the_first_ten": lambda a, b: a[:10] @ b[:10],
    "in_eight_bits": lambda a, b: (
        a.astype(np.int8) @ b.astype(np.int8) if a.dtype == int else round(a @ b, 3)
    ),
    "of_the_first_64": lambda a, b: a[:64] @ b[:64],
    "whole_beyond_50000": lambda a, b: np.rint(a @ b) if a @ b > 50_000 else a @ b,
    "partner_by_index": lambda a, b: sum(x * b[list(a).index(x)] for x in a),
    "six_decimals": lambda a, b: round(float(a @ b), 6),
    "one_decimal_each": lambda a, b: np.round(a, 1) @ np.round(b, 1),
    "never_above_ten": lambda a, b: min(float(a @ b), 10.0),
}
