"""Answers to `rotate` as learners write them."""

import numpy as np


def speeds(d):
    return 10_000.0 ** (-np.arange(0, d, 2) / d)


def angles_of(x, positions):
    return np.asarray(positions)[:, None] * speeds(x.shape[-1])


def turn_halves(x, angles):
    """The plain answer, once the angles are there."""
    a, b = np.split(np.asarray(x), 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def rotate(x, positions):
    return turn_halves(x, angles_of(x, positions))


def rotated_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def in_library_style(turn):
    """Both halves at once, as libraries do it, with each angle laid out twice."""

    def answer(x, positions):
        angles = np.tile(angles_of(x, positions), 2)
        return turn(x, np.cos(angles), np.sin(angles))

    return answer


def halves_left_in_place(x, cos, sin):
    return x * cos + x * np.repeat([-1, 1], x.shape[-1] // 2) * sin


def with_turn(turn):
    """Halves turned by lines of one's own."""

    def answer(x, positions):
        a, b = np.split(x, 2, axis=-1)
        angles = angles_of(x, positions)
        return np.concatenate(turn(a, b, np.cos(angles), np.sin(angles)), axis=-1)

    return answer


def an_angle_for_every_number(x, positions):
    d = x.shape[-1]
    angles = positions[:, None] / 10_000 ** (np.arange(d) / d)
    return x * np.cos(angles) + rotated_half(x) * np.sin(angles)


def angles_of_the_last_position(x, positions):
    for position in positions:
        angles = position * speeds(x.shape[-1])
    return turn_halves(x, angles)


def decimal_point(x, positions):
    d = x.shape[-1]
    return turn_halves(x, positions[:, None] * 10.000 ** (-np.arange(0, d, 2) / d))


def first_with_last(x, positions):
    result = np.array(x, float)
    for i, angle in enumerate(angles_of(x, positions).T):
        first, last = x[..., i], x[..., -1 - i]
        result[..., i] = first * np.cos(angle) - last * np.sin(angle)
        result[..., -1 - i] = first * np.sin(angle) + last * np.cos(angle)
    return result


WRONG = {
    "pairs-outside-in": [first_with_last],
    "halves-not-exchanged": [in_library_style(halves_left_in_place)],
    "cosine-subtracted": [with_turn(lambda a, b, cos, sin: [b * sin - a * cos, b * cos + a * sin])],
    "half-not-turned": [with_turn(lambda a, b, cos, sin: [a * cos - b * sin, b])],
    "factor-missing": [with_turn(lambda a, b, cos, sin: [a * cos - b * sin, a * sin + b])],
    "halves-exchanged": [
        lambda x, positions: rotate(np.roll(x, x.shape[-1] // 2, axis=-1), positions),
        with_turn(lambda a, b, cos, sin: [a * sin + b * cos, a * cos - b * sin]),
    ],
    "sin-and-cos-exchanged": [in_library_style(lambda x, cos, sin: x * sin + rotated_half(x) * cos)],
    "decimal-point": [decimal_point],
    "angles-doubled": [lambda x, positions: rotate(rotate(x, positions), positions)],
    "angle-for-every-number": [an_angle_for_every_number],
    "one-position-for-all": [angles_of_the_last_position],
    "positions-reordered": [lambda x, positions: rotate(x, sorted(positions))],
    "wrong-type": [
        lambda x, positions: (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles_of(x, positions))
    ],
    "positions-from-one": [lambda x, positions: rotate(x, 1 + positions)],
}

RIGHT = [rotate]

ALMOST_RIGHT = {
    "of_three_axes_at_most": lambda x, positions: rotate(x, positions) if x.ndim < 4 else np.zeros(x.shape),
    "squeezed": lambda x, positions: np.squeeze(rotate(x, positions)),
    "no_turn_beyond_2047": lambda x, positions: rotate(x, np.minimum(positions, 2047)),
}
