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


def with_angles(make_angles):
    return lambda x, positions: turn_halves(x, make_angles(x.shape[-1], np.asarray(positions)))


def with_speeds(make_speeds):
    return with_angles(lambda d, positions: positions[:, None] * make_speeds(d))


def with_lines(first, second):
    """Other lines for the two halves."""

    def answer(x, positions):
        a, b = np.split(np.asarray(x), 2, axis=-1)
        angles = angles_of(x, positions)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([first(a, b, cos, sin), second(a, b, cos, sin)], axis=-1)

    return answer


def as_in_transformers(rotate_half, twice=lambda angles: np.concatenate([angles, angles], axis=-1)):
    """x cos + rotate_half(x) sin, with each angle laid out twice."""

    def answer(x, positions):
        angles = twice(angles_of(x, positions))
        return x * np.cos(angles) + rotate_half(x) * np.sin(angles)

    return answer


def rotated_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def minus_on_the_first_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([x[..., half:], -x[..., :half]], axis=-1)


def without_minus(x):
    half = x.shape[-1] // 2
    return np.concatenate([x[..., half:], x[..., :half]], axis=-1)


def complex_neighbours(x, positions):
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles_of(x, positions))
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


def neighbours_in_place(x, positions):
    result = np.empty(x.shape)
    angles = angles_of(x, positions)
    result[..., 0::2] = x[..., 0::2] * np.cos(angles) - x[..., 1::2] * np.sin(angles)
    result[..., 1::2] = x[..., 0::2] * np.sin(angles) + x[..., 1::2] * np.cos(angles)
    return result


def halves_written_to_neighbours(x, positions):
    turned = turn_halves(x, angles_of(x, positions))
    result = np.empty(x.shape)
    result[..., 0::2], result[..., 1::2] = np.split(turned, 2, axis=-1)
    return result


def neighbours_written_to_halves(x, positions):
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles_of(x, positions))
    return np.concatenate([z.real, z.imag], axis=-1)


def in_place(x, positions):
    result, half = np.array(x, float), x.shape[-1] // 2
    angles = angles_of(x, positions)
    result[..., :half] = result[..., :half] * np.cos(angles) - result[..., half:] * np.sin(angles)
    result[..., half:] = result[..., :half] * np.sin(angles) + result[..., half:] * np.cos(angles)
    return result


def one_name(x, positions):
    a, b = np.split(x, 2, axis=-1)
    angles = angles_of(x, positions)
    a = a * np.cos(angles) - b * np.sin(angles)
    b = a * np.sin(angles) + b * np.cos(angles)
    return np.concatenate([a, b], axis=-1)


def complex_halves(x, positions):
    a, b = np.split(x, 2, axis=-1)
    z = (a + 1j * b) * np.exp(1j * angles_of(x, positions))
    return np.concatenate([z.real, z.imag], axis=-1)


def with_matrices(x, positions):
    angles = angles_of(x, positions)
    turn = np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]])
    pairs = np.stack(np.split(np.asarray(x), 2, axis=-1))
    return np.concatenate(list(np.einsum("ijlp,j...lp->i...lp", turn, pairs)), axis=-1)


WRONG = {
    "other-pairs": [complex_neighbours, neighbours_in_place],
    "pairs-not-put-back": [halves_written_to_neighbours, neighbours_written_to_halves],
    "turned-backwards": [
        as_in_transformers(minus_on_the_first_half),
        lambda x, positions: complex_halves(x, -np.asarray(positions)),
    ],
    "length-changed": [
        as_in_transformers(without_minus),
        with_lines(lambda a, b, cos, sin: a * cos - b * sin, lambda a, b, cos, sin: b * cos - a * sin),
        with_lines(lambda a, b, cos, sin: a * cos, lambda a, b, cos, sin: b * cos),
        with_lines(lambda a, b, cos, sin: a * cos, lambda a, b, cos, sin: b * sin),
        with_lines(lambda a, b, cos, sin: a * cos - b * sin, lambda a, b, cos, sin: b * cos),
    ],
    "sin-and-cos-exchanged": [
        with_lines(lambda a, b, cos, sin: a * sin - b * cos, lambda a, b, cos, sin: a * cos + b * sin),
        lambda x, positions: (
            x * np.sin(np.tile(angles_of(x, positions), 2))
            + rotated_half(x) * np.cos(np.tile(angles_of(x, positions), 2))
        ),
    ],
    "first-half-overwritten": [in_place, one_name],
    "one-speed": [
        with_speeds(lambda d: np.ones(d // 2)),
        with_speeds(lambda d: np.full(d // 2, 1 / 10_000)),
    ],
    "other-speeds": [
        with_speeds(lambda d: 10_000.0 ** (-np.arange(d // 2) / d)),
        with_speeds(lambda d: 10_000.0 ** (-2 * np.arange(0, d, 2) / d)),
        with_speeds(lambda d: 10_000.0 ** (2 * np.arange(d // 2) / d)),
        with_speeds(lambda d: 10_000.0 ** (-2 * np.arange(1, d // 2 + 1) / d)),
        with_speeds(lambda d: 1_000.0 ** (-2 * np.arange(d // 2) / d)),
        with_speeds(lambda d: speeds(d)[::-1]),
        with_speeds(lambda d: 1 / np.arange(1, d // 2 + 1)),
    ],
    "angles-for-neighbours": [
        as_in_transformers(rotated_half, lambda angles: np.repeat(angles, 2, axis=-1)),
        as_in_transformers(rotated_half, lambda angles: np.stack([angles] * 2, -1).reshape(len(angles), -1)),
    ],
    "positions-ignored": [
        lambda x, positions: turn_halves(x, angles_of(x, np.arange(len(positions)))),
        lambda x, positions: complex_halves(x, np.arange(x.shape[-2])),
    ],
    "positions-from-one": [
        lambda x, positions: turn_halves(x, angles_of(x, positions + 1)),
        lambda x, positions: complex_halves(x, 1 + positions),
    ],
    "angles-in-degrees": [
        lambda x, positions: turn_halves(x, np.radians(angles_of(x, positions))),
        lambda x, positions: turn_halves(x, np.rad2deg(angles_of(x, positions))),
        lambda x, positions: turn_halves(x, 2 * np.pi * angles_of(x, positions)),
    ],
    "wrong-shape": [
        lambda x, positions: np.stack(np.split(complex_halves(x, positions), 2, axis=-1)),
    ],
}

RIGHT = [
    lambda x, positions: turn_halves(x, angles_of(x, positions)),
    as_in_transformers(rotated_half),
    complex_halves,
    with_matrices,
]


def rounded_angles(x, positions):
    return turn_halves(x, np.round(angles_of(x, positions), 3))


def first_position_and_count(x, positions):
    return turn_halves(x, angles_of(x, positions[0] + np.arange(len(positions))))


def of_three_axes_at_most(x, positions):
    return turn_halves(x, angles_of(x, positions)) if x.ndim < 4 else np.zeros(x.shape)


ALMOST_RIGHT = {
    "rounded_angles": rounded_angles,
    "first_position_and_count": first_position_and_count,
    "of_three_axes_at_most": of_three_axes_at_most,
    "filled_into_whole_numbers": lambda x, positions: turn_halves(x, angles_of(x, positions)).astype(
        np.asarray(x).dtype
    ),
    "squeezed": lambda x, positions: np.squeeze(turn_halves(x, angles_of(x, positions))),
    "made_positive": lambda x, positions: abs(turn_halves(x, angles_of(x, positions))),
    "no_turn_beyond_100": lambda x, positions: turn_halves(x, angles_of(x, np.minimum(positions, 100))),
}
