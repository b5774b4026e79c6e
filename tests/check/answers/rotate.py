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


def with_speeds(make_speeds):
    return lambda x, positions: turn_halves(x, positions[:, None] * make_speeds(x.shape[-1]))


def as_in_transformers(rotate_half, twice=lambda angles: np.concatenate([angles, angles], axis=-1)):
    """x cos + rotate_half(x) sin, with each angle laid out twice."""

    def answer(x, positions):
        angles = twice(angles_of(x, positions))
        return x * np.cos(angles) + rotate_half(x) * np.sin(angles)

    return answer


def with_signs(first, second):
    """The two halves exchanged, each with a sign."""

    def rotate_half(x):
        half = x.shape[-1] // 2
        return np.concatenate([first * x[..., half:], second * x[..., :half]], axis=-1)

    return rotate_half


rotated_half = with_signs(-1, 1)


def sines_for_cosines(x, positions):
    angles = np.tile(angles_of(x, positions), 2)
    return x * np.sin(angles) + rotated_half(x) * np.cos(angles)


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


def complex_halves(x, positions):
    a, b = np.split(x, 2, axis=-1)
    z = (a + 1j * b) * np.exp(1j * angles_of(x, positions))
    return np.concatenate([z.real, z.imag], axis=-1)


def first_with_last(x, positions):
    result = np.array(x, float)
    for i, angle in enumerate(angles_of(x, positions).T):
        first, last = x[..., i], x[..., -1 - i]
        result[..., i] = first * np.cos(angle) - last * np.sin(angle)
        result[..., -1 - i] = first * np.sin(angle) + last * np.cos(angle)
    return result


WRONG = {
    "pairs-outside-in": [first_with_last],
    "halves-not-exchanged": [as_in_transformers(lambda x: x * np.repeat([-1, 1], x.shape[-1] // 2))],
    "cosine-subtracted": [with_turn(lambda a, b, cos, sin: [b * sin - a * cos, b * cos + a * sin])],
    "half-not-turned": [with_turn(lambda a, b, cos, sin: [a * cos - b * sin, b])],
    "factor-missing": [
        with_turn(lambda a, b, cos, sin: [a * cos - b * sin, a * sin + b]),
    ],
    "halves-exchanged": [
        with_turn(lambda a, b, cos, sin: [a * sin + b * cos, a * cos - b * sin]),
        lambda x, positions: rotate(np.roll(x, x.shape[-1] // 2, axis=-1), positions),
    ],
    "sin-and-cos-exchanged": [sines_for_cosines],
    "decimal-point": [with_speeds(lambda d: 10.000 ** (-np.arange(0, d, 2) / d))],
    "angles-doubled": [lambda x, positions: rotate(rotate(x, positions), positions)],
    "angle-for-every-number": [an_angle_for_every_number],
    "one-position-for-all": [angles_of_the_last_position],
    "positions-reordered": [lambda x, positions: rotate(x, sorted(positions))],
    "wrong-type": [
        lambda x, positions: (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles_of(x, positions))
    ],
    "positions-from-one": [lambda x, positions: complex_halves(x, 1 + positions)],
}

RIGHT = [rotate, as_in_transformers(rotated_half)]

ALMOST_RIGHT = {
    "first_position_and_count": lambda x, positions: rotate(x, positions[0] + np.arange(len(positions))),
    "of_three_axes_at_most": lambda x, positions: rotate(x, positions) if x.ndim < 4 else np.zeros(x.shape),
    "filled_into_whole_numbers": lambda x, positions: rotate(x, positions).astype(x.dtype),
    "squeezed": lambda x, positions: np.squeeze(rotate(x, positions)),
    "no_turn_beyond_2047": lambda x, positions: rotate(x, np.minimum(positions, 2047)),
}
