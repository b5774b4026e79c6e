"""Answers to `descend` as learners write them."""

import numpy as np


def in_a_copy(matrix, gradient, rate):
    new = matrix.astype(float)
    new -= rate * gradient
    return new


def of_length_one(matrix, gradient, rate):
    length = np.sqrt((gradient**2).sum())
    return matrix - rate * (gradient / length)


def clipped(matrix, gradient, rate):
    return matrix - rate * np.clip(gradient, -3, 3)


WRONG = {
    "input-changed": [lambda matrix, gradient, rate: np.subtract(matrix, rate * gradient, out=matrix)],
    "gradient-added": [lambda matrix, gradient, rate: np.add(matrix, gradient * rate)],
    "rate-forgotten": [lambda matrix, gradient, rate: np.subtract(matrix, gradient)],
    "divided-by-rate": [lambda matrix, gradient, rate: matrix - gradient * rate**-1.0],
    "matrix-left-out": [
        lambda matrix, gradient, rate: gradient.copy(),
        lambda matrix, gradient, rate: -(rate * gradient),
    ],
    "not-moved": [lambda matrix, gradient, rate: matrix.copy()],
    "matrix-subtracted": [lambda matrix, gradient, rate: -matrix + rate * gradient],
    "rate-times-matrix": [
        lambda matrix, gradient, rate: matrix - rate * (gradient + 0.01 * matrix),
        lambda matrix, gradient, rate: (matrix - gradient) * rate,
    ],
    "matrix-times-gradient": [
        lambda matrix, gradient, rate: (matrix - rate) * gradient,
        lambda matrix, gradient, rate: matrix * (1 - rate * gradient),
    ],
    "rate-alone": [
        lambda matrix, gradient, rate: matrix - np.where(gradient > 0, rate, np.where(gradient < 0, -rate, 0))
    ],
    "gradient-normalised": [of_length_one],
    "gradient-averaged": [lambda matrix, gradient, rate: matrix - rate * np.mean(gradient)],
    "gradient-clipped": [
        lambda matrix, gradient, rate: matrix - rate * np.minimum(np.maximum(gradient, -1), 1)
    ],
    "gradient-summed": [lambda matrix, gradient, rate: matrix - (rate * gradient).sum()],
}
RIGHT = [
    lambda matrix, gradient, rate: matrix - rate * gradient,
    in_a_copy,
]
ALMOST_RIGHT = {"with large slopes cut to 3": clipped}
