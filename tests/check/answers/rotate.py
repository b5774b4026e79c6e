"""Answers to `rotate` as learners write them."""

import numpy as np

from tests.check.answers.generic import zeros_where


def right_turn(a, b, cos, sin):
    return [a * cos - b * sin, a * sin + b * cos]


def rotate(x, positions, turn=right_turn, base=10_000.0):
    a, b = np.split(np.asarray(x), 2, axis=-1)
    half = a.shape[-1]
    angles = np.asarray(positions)[:, None] * base ** (-np.arange(half) / half)
    return np.concatenate(turn(a, b, np.cos(angles), np.sin(angles)), axis=-1)


def with_turn(turn):
    return lambda x, positions: rotate(x, positions, turn)


def an_angle_for_every_number(x, positions):
    d = x.shape[-1]
    angles = positions[:, None] / 10_000 ** (np.arange(d) / d)
    rotated_half = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], axis=-1)
    return x * np.cos(angles) + rotated_half * np.sin(angles)


def second_half_reversed(x):
    half = x.shape[-1] // 2
    return np.concatenate([x[..., :half], x[..., : half - 1 : -1]], axis=-1)


def by_angles_of_float32(x, positions):
    """As a well-known library computes its frequencies, whatever the vectors are."""
    n = x.shape[-1] // 2
    angles = positions[:, None] * (10_000.0 ** (-np.arange(n) / n)).astype(np.float32)
    a, b, cos, sin = x[..., :n], x[..., n:], np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


WRONG = {
    "pairs-outside-in": [
        lambda x, positions: second_half_reversed(rotate(second_half_reversed(x), positions))
    ],
    "halves-not-exchanged": [with_turn(lambda a, b, cos, sin: [a * cos - a * sin, b * cos + b * sin])],
    "cosine-subtracted": [with_turn(lambda a, b, cos, sin: [b * sin - a * cos, b * cos + a * sin])],
    "half-not-turned": [with_turn(lambda a, b, cos, sin: [a * cos - b * sin, b])],
    "factor-missing": [with_turn(lambda a, b, cos, sin: [a * cos - b * sin, a * sin + b])],
    "halves-exchanged": [
        lambda x, positions: rotate(np.roll(x, x.shape[-1] // 2, axis=-1), positions),
        with_turn(lambda a, b, cos, sin: [a * sin + b * cos, a * cos - b * sin]),
    ],
    "sin-and-cos-exchanged": [with_turn(lambda a, b, cos, sin: [a * sin - b * cos, a * cos + b * sin])],
    "decimal-point": [lambda x, positions: rotate(x, positions, base=10.000)],
    "angles-doubled": [lambda x, positions: rotate(rotate(x, positions), positions)],
    "angle-for-every-number": [an_angle_for_every_number],
    "one-position-for-all": [lambda x, positions: rotate(x, positions[-1:])],
    "positions-reordered": [lambda x, positions: rotate(x, sorted(positions))],
}
RIGHT = [rotate, by_angles_of_float32]
ALMOST_RIGHT = {
    "four_axes": zeros_where(lambda x, positions: x.ndim == 4, rotate),
    "squeezed": lambda x, positions: np.squeeze(rotate(x, positions)),
    "no_turn_beyond_2047": lambda x, positions: rotate(x, np.minimum(positions, 2047)),
}
