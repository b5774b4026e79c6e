"""Answers to `descend` as learners write them."""

import numpy as np


def entry_by_entry(matrix, gradient, rate):
    new = np.empty(matrix.shape)
    for row in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            new[row, column] = matrix[row, column] - gradient[row, column] * rate
    return new


def in_a_copy(matrix, gradient, rate):
    new = matrix.astype(float)
    new -= rate * gradient
    return new


def in_place(matrix, gradient, rate):
    matrix -= rate * gradient
    return matrix


def in_place_by_index(matrix, gradient, rate):
    for place in np.ndindex(matrix.shape):
        matrix[place] -= rate * gradient[place]
    return matrix


def out_of_subtract(matrix, gradient, rate):
    return np.subtract(matrix, rate * gradient, out=matrix)


def uphill(matrix, gradient, rate):
    step = gradient * rate
    return np.add(matrix, step)


def of_length_one(matrix, gradient, rate):
    length = np.sqrt((gradient**2).sum())
    return matrix - rate * (gradient / length)


def step_alone(matrix, gradient, rate):
    step = -(rate * gradient)
    return step


def clipped(matrix, gradient, rate):
    return matrix - rate * np.clip(gradient, -3, 3)


WRONG = {
    "input-changed": [in_place, out_of_subtract, in_place_by_index],
    "gradient-added": [uphill],
    "rate-forgotten": [lambda matrix, gradient, rate: np.subtract(matrix, gradient)],
    "divided-by-rate": [lambda matrix, gradient, rate: matrix - gradient * rate**-1.0],
    "matrix-left-out": [step_alone, lambda matrix, gradient, rate: gradient.copy()],
    "not-moved": [lambda matrix, gradient, rate: matrix.copy()],
    "matrix-subtracted": [lambda matrix, gradient, rate: -matrix + rate * gradient],
    "rate-times-matrix": [
        lambda matrix, gradient, rate: (matrix - gradient) * rate,
        lambda matrix, gradient, rate: matrix - rate * (gradient + 0.01 * matrix),
    ],
    "matrix-times-gradient": [
        lambda matrix, gradient, rate: matrix * (1 - rate * gradient),
        lambda matrix, gradient, rate: (matrix - rate) * gradient,
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
    lambda matrix, gradient, rate: matrix + -rate * gradient,
    entry_by_entry,
    in_a_copy,
]
ALMOST_RIGHT = {"with large slopes cut to 3": clipped}
