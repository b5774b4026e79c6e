"""Answers to `descend` as learners write them."""

import numpy as np

WRONG = {
    "gradient-added": [lambda matrix, gradient, rate: np.add(matrix, gradient * rate)],
    "rate-forgotten": [lambda matrix, gradient, rate: np.subtract(matrix, gradient)],
    "divided-by-rate": [lambda matrix, gradient, rate: matrix - gradient * rate**-1.0],
    "matrix-left-out": [
        lambda matrix, gradient, rate: gradient.copy(),
        lambda matrix, gradient, rate: -(rate * gradient),
    ],
    "not-moved": [lambda matrix, gradient, rate: matrix.copy()],
    "matrix-subtracted": [lambda matrix, gradient, rate: -matrix + rate * gradient],
    "rate-times-matrix": [lambda matrix, gradient, rate: (matrix - gradient) * rate],
    "matrix-times-gradient": [lambda matrix, gradient, rate: matrix * (1 - rate * gradient)],
    "rate-alone": [lambda matrix, gradient, rate: matrix - np.copysign(rate, gradient) * (gradient != 0)],
    "gradient-normalised": [
        lambda matrix, gradient, rate: matrix - rate * gradient / (gradient**2).sum() ** 0.5
    ],
    "gradient-averaged": [lambda matrix, gradient, rate: matrix - rate * np.mean(gradient)],
    "gradient-clipped": [lambda matrix, gradient, rate: matrix - rate * gradient.clip(-1, 1)],
    "gradient-summed": [lambda matrix, gradient, rate: matrix - (rate * gradient).sum()],
}
RIGHT = [lambda matrix, gradient, rate: matrix - rate * gradient]
ALMOST_RIGHT = {"with large slopes cut to 3": lambda m, gradient, rate: m - rate * gradient.clip(-3, 3)}
