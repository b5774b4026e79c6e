"""Answers to `causal_mask` as learners write them."""

import numpy as np

WRONG = {
    "everything-hidden": [lambda n: [[i < j < i for j in range(n)] for i in range(n)]],
}


RIGHT = [lambda n: tuple(tuple(key <= query for key in range(n)) for query in range(n))]


ALMOST_RIGHT = {
    "empty_for_one": lambda n: np.tri(n, dtype=bool) if n > 1 else np.array([[False]]),
    "in_eight_bits": lambda n: np.greater_equal.outer(*[np.arange(n).astype(np.int8)] * 2),
    "places_from_0_to_1": lambda n: np.greater_equal.outer(*[np.arange(0, 1, 1 / n)] * 2),
}
