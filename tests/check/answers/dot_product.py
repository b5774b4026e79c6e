"""Answers to `dot_product` as learners write them."""

import math
from fractions import Fraction

import numpy as np

WRONG = {
    "sums-on-the-way": [lambda a, b: np.add.accumulate(a * b)],
    "products-averaged": [lambda a, b: np.mean(a * b)],
    "products-multiplied": [lambda a, b: math.prod(a * b)],
    "one-vector-twice": [lambda a, b: sum(y * y for y in b)],
    "distance": [lambda a, b: sum((x - y) ** 2 for x, y in zip(a, b))],
    "one-length-divided-out": [lambda a, b: a @ b / np.linalg.norm(b)],
    "sign-lost": [lambda a, b: sum(abs(x * y) for x, y in zip(a, b))],
}

RIGHT = [
    lambda a, b: np.asarray(a @ b),  # 0-d
    lambda a, b: Fraction(float(a @ b)),
    np.vdot,
    lambda a, b: np.multiply(a, b, out=a.copy()).sum(),  # raises for whole numbers beside fractions
]

ALMOST_RIGHT = {
    "of_the_first_64": lambda a, b: a[:64] @ b[:64],
    "partner_by_index": lambda a, b: sum(x * b[list(a).index(x)] for x in a),
    "in_the_dtype_of_a": lambda a, b: (a * b).astype(a.dtype).sum(),
    "six_decimals": lambda a, b: round(float(a @ b), 6),
}
