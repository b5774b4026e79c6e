"""Mistakes in what models of today add: rotary positions, and a row put together from parts."""

import numpy as np

from attention_lib.attention import softmax
from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import RIGHT, at, halves


def neighbours(x):
    return x[..., 0::2], x[..., 1::2]


def interleaved(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def by_neighbours(positions, x):
    return at(positions, x, pair=neighbours, join=interleaved)


def outside_in(x):
    """The first number with the last, the second with the last but one."""
    first, second = halves(x)
    return first, second[..., ::-1]


def with_speeds(speeds_of):
    """Angles of other speeds, a function of the number of pairs."""
    return lambda positions, n: np.asarray(positions)[..., None] * speeds_of(n)


def turn_by_two_angles(first, second, cos, sin):
    """A turn by angles of which each number has its own: cos and sin hold two for each pair."""
    (first_cos, second_cos), (first_sin, second_sin) = cos, sin
    return first * first_cos - second * first_sin, second * second_cos + first * second_sin


def with_positions(change):
    """The right angles of other positions."""
    return lambda positions, n: RIGHT["angles"](change(np.asarray(positions)), n)


def angles_times(factor):
    return lambda positions, n: factor * RIGHT["angles"](positions, n)


ROTARY = [
    mistake(
        "other-pairs",
        "Neighbours were rotated together, numbers 2i and 2i + 1. Here i and i + d/2 make a pair.",
        "With d = 6, which number is rotated together with number 0?",
        together=[{"pair": neighbours, "join": interleaved}],
        rotate_new=[lambda q, k, positions: (by_neighbours(positions, q), by_neighbours(positions, k))],
    ),
    mistake(
        "pairs-outside-in",
        "Number i was rotated together with number d - 1 - i. Here i and i + d/2 make a pair.",
        "With d = 6, which number is rotated together with number 0?",
        together=[{"pair": outside_in, "join": lambda a, b: RIGHT["join"](a, b[..., ::-1])}],
    ),
    mistake(
        "pairs-not-put-back",
        "The pairs were taken apart in one way, but put together in a different way.",
        "With angle 0 nothing should move. Does your function return a row at position 0 unchanged?",
        pair=[neighbours],
        join=[interleaved],
    ),
    mistake(
        "turned-backwards",
        "The vectors rotate in the opposite direction, as they do when the minus is in the other line.",
        "A quarter turn takes (1, 0) to (0, 1). Where does yours take it?",
        turn=[lambda a, b, cos, sin: (a * cos + b * sin, b * cos - a * sin)],
    ),
    mistake(
        "length-changed",
        "The vectors have a different length after the rotation. Of the two products with sin, one has to be subtracted and the other added.",
        "A quarter turn takes (1, 0) to (0, 1), and (0, 1) to where?",
        turn=[
            lambda a, b, cos, sin: (a * cos + b * sin, b * cos + a * sin),
            lambda a, b, cos, sin: (a * cos - b * sin, b * cos - a * sin),
        ],
    ),
    mistake(
        "cosine-subtracted",
        "A product with cos was subtracted. Both have to be added: the only minus is before a product with sin.",
        "At position 0 the cos is 1 and the sin is 0. Does each half come back as it was?",
        turn=[
            lambda a, b, cos, sin: (b * sin - a * cos, a * sin + b * cos),
            lambda a, b, cos, sin: (a * cos - b * sin, a * sin - b * cos),
        ],
    ),
    mistake(
        "half-not-turned",
        "One half of each vector came back as it was. Both halves change in a rotation.",
        "A quarter turn takes (1, 0) to (0, 1). Which of the two numbers does your function change?",
        turn=[lambda a, b, cos, sin: (a * cos - b * sin, b)],
    ),
    mistake(
        "factor-missing",
        "A half was added or subtracted as it is, without its cos or its sin.",
        "How many products does a rotation have, and how many cos and sin are in your lines?",
        turn=[
            lambda a, b, cos, sin: (a - b * sin, a * sin + b * cos),
            lambda a, b, cos, sin: (a * cos - b * sin, a * sin + b),
        ],
    ),
    mistake(
        "halves-exchanged",
        "The halves were exchanged, before the rotation or after it.",
        "At position 0 nothing should move. Does your function return that row unchanged?",
        pair=[lambda x: halves(x)[::-1]],
        join=[lambda first, second: RIGHT["join"](second, first)],
    ),
    mistake(
        "halves-not-exchanged",
        "In the products with sin each half is in its own position, but the halves should be exchanged.",
        "A quarter turn takes (1, 0) to (0, 1). How does the 1 come into the second half?",
        turn=[
            lambda a, b, cos, sin: (a * cos - a * sin, b * cos + b * sin),
            lambda a, b, cos, sin: (a * cos + a * sin, b * cos + b * sin),
        ],
    ),
    mistake(
        "sin-and-cos-exchanged",
        "The sin and the cos were exchanged, so a vector at position 0 is rotated too.",
        "At position 0 the angle is 0. What are its sin and its cos?",
        turn=[lambda a, b, cos, sin: (a * sin - b * cos, a * cos + b * sin)],
    ),
    mistake(
        "first-half-overwritten",
        "The second line used a half after the first line had rotated it.",
        "Which half does your second line see: the one that came in, or the one that the first line made?",
        turn=[lambda a, b, cos, sin: (a * cos - b * sin, (a * cos - b * sin) * sin + b * cos)],
    ),
    mistake(
        "one-speed",
        "All pairs rotate by the same angle. Pair i should rotate by position * 10,000 ** (-2 i / d).",
        "With d = 4, pair 0 rotates by 1 per position and pair 1 by 0.01. Where does i enter your angles? Does a // cut it away?",
        angles=[with_speeds(np.ones), with_speeds(lambda n: np.full(n, 1e-4))],
    ),
    mistake(
        "other-speeds",
        "The pairs rotate at speeds different from 10,000 ** (-2 i / d), with i from 0 to d/2 - 1.",
        "With d = 4 the two speeds are 1 and 0.01. Which are yours?",
        angles=[
            with_speeds(lambda n: 10_000.0 ** (-np.arange(n) / (2 * n))),
            with_speeds(lambda n: 10_000.0 ** (-2 * np.arange(n) / n)),
            with_speeds(lambda n: 10_000.0 ** (np.arange(n) / n)),
            with_speeds(lambda n: 10_000.0 ** (-(np.arange(n) + 1) / n)),
            *(with_speeds(lambda n, base=base: base ** (-np.arange(n) / n)) for base in (1e3, 1e5, 5e5)),
            with_speeds(lambda n: 10_000.0 ** (-np.arange(n) / max(n - 1, 1))),
        ],
    ),
    mistake(
        "decimal-point",
        "The speeds are powers of 10, but powers of 10,000 were asked for. In Python 10.000 is ten.",
        "With d = 4, pair 1 rotates by 0.01 per position. By how much does yours?",
        angles=[with_speeds(lambda n: 10.0 ** (-np.arange(n) / n))],
    ),
    mistake(
        "exponents-cut",
        "The exponents of 10,000 were cut to whole numbers, as // does.",
        "With d = 4 the exponent of pair 1 is -0.5. What is yours?",
        angles=[with_speeds(lambda n: 10_000.0 ** np.floor(-np.arange(n) / n))],
    ),
    mistake(
        "angles-for-neighbours",
        "The two numbers of a pair rotate by different angles: the angles are laid out for neighbours.",
        "Each angle is needed twice. With halves, at which two positions of the last axis is angle 0?",
        turn=[
            lambda a, b, cos, sin: turn_by_two_angles(
                a, b, *(halves(np.repeat(x, 2, axis=-1)) for x in (cos, sin))
            )
        ],
    ),
    mistake(
        "angle-for-every-number",
        "Each number of a vector has its own angle. The two numbers of a pair share one.",
        "With d = 4 there are two pairs. How many angles does your function make for one position?",
        together=[
            {
                "angles": with_speeds(lambda n: 10_000.0 ** (-np.arange(2 * n) / (2 * n))),
                "turn": lambda a, b, cos, sin: turn_by_two_angles(a, b, halves(cos), halves(sin)),
            }
        ],
    ),
    mistake(
        "sinusoids-added",
        "Sines and cosines were added to the numbers. Here the vectors are rotated, and keep their length.",
        "What is the length of a row before your function, and after it?",
        turn=[lambda a, b, cos, sin: (a + sin, b + cos), lambda a, b, cos, sin: (a + cos, b + sin)],
    ),
    mistake(
        "positions-ignored",
        "The first row was taken for position 0, or for 1. The positions are an argument, and can begin anywhere.",
        "A new token after a cache of nine has position 9. Which does your function give it?",
        angles=[with_positions(lambda positions: np.arange(len(positions)))],
    ),
    mistake(
        "one-position-for-all",
        "All rows rotated by the same angles, as by the position of one of them, or not at all.",
        "By how much should row 0 rotate, and by how much the last row? Is there an index or a loop that leaves one position?",
        angles=[
            with_positions(lambda positions: positions[-1:]),
            with_positions(lambda positions: positions[:1]),
        ],
        positions=[lambda n, length: np.full(length, n)],
    ),
    mistake(
        "positions-reordered",
        "Rows rotated by the positions of different rows: the positions were put in a different order.",
        "Which position belongs to row 0? Does a line reverse or sort the positions, or the rows?",
        angles=[with_positions(lambda positions: positions[::-1]), with_positions(np.sort)],
    ),
    mistake(
        "angles-doubled",
        "Every angle is twice as large as it should be, or half as large.",
        "By which angle should pair 0 rotate at position 1? Is anything in your lines done twice?",
        angles=[angles_times(2), angles_times(0.5)],
    ),
    mistake(
        "positions-from-one",
        "Every position is one too large.",
        "By which angle does a vector at position 0 rotate?",
        angles=[with_positions(lambda positions: positions + 1)],
        positions=[lambda n, length: np.arange(n + 1, n + 1 + length)],
    ),
    mistake(
        "angles-in-degrees",
        "The angles were converted. They are in radians already, as np.cos and np.exp want them.",
        "Position 1 rotates pair 0 by 1. In which unit do these functions take it?",
        angles=[angles_times(np.pi / 180), angles_times(2 * np.pi)],
    ),
]


def divided(weigh):
    """Shares from any two weights."""

    def shares(a, b):
        of_a, of_b = weigh(a, b)
        return of_a / (of_a + of_b), of_b / (of_a + of_b)

    return shares


def powers(a, b):
    return np.exp(a), np.exp(b)


def powers_below_top(a, b, base=np.e, top_of=np.maximum):
    top = top_of(a, b)
    return base ** (a - top), base ** (b - top)


def divided_powers(**base_or_top):
    return divided(lambda a, b: powers_below_top(a, b, **base_or_top))


def below_another(top_of):
    """The shares, the log sum, or both, with something else subtracted than the larger of the two."""
    shares, log_sum = divided_powers(top_of=top_of), log_above(top_of)
    return [{"share_parts": shares}, {"add_sums": log_sum}, {"share_parts": shares, "add_sums": log_sum}]


def divided_logs(a, b):
    """The log sums themselves, divided by their sum; an empty part counts nothing."""
    a, b = (np.where(np.isneginf(x), 0, x) for x in (a, b))
    total = np.where(a + b == 0, 1, a + b)
    return a / total, b / total


def shares_of_the_total(a, b):
    """Right, except for a row of which neither part saw a key."""
    total = np.logaddexp(a, b)
    return np.exp(a - total), np.exp(b - total)


def log_of_powers(a, b):
    return np.log(sum(powers(a, b)))


def log_below_top(a, b):
    top = np.maximum(a, b)
    return np.logaddexp(a, b) - np.where(top == -np.inf, 0, top)


def log_above(top_of):
    return lambda a, b: top_of(a, b) + np.log(sum(powers_below_top(a, b, top_of=top_of)))


log_above_top = log_above(np.maximum)  # right, except for a row of which neither part saw a key


MERGING = [
    mistake(
        "plain-mean",
        "Both parts count equally. The part with the larger sum of exponentials should count more.",
        "One part has one key, the other has ten, and all scores are equal. How should the two be weighted?",
        share_parts=[
            lambda a, b: (np.full_like(a, 0.5), np.full_like(b, 0.5)),
            lambda a, b: (np.ones_like(a), np.ones_like(b)),
        ],
    ),
    mistake(
        "shared-among-rows",
        "The weight was divided among the rows. For each row, it should be divided between the two parts.",
        "Which two numbers should add up to 1 for one row? Which ones add up to 1 in your lines?",
        share_parts=[lambda a, b: (softmax(a), softmax(b))],
    ),
    mistake(
        "weighed-by-log-sums",
        "The log sums themselves were the weights. The sums of exponentials are exp of them.",
        "A part has the log sum 0. What is its sum of exponentials, and what should its weight be?",
        share_parts=[
            divided(lambda a, b: (a, b)),
            lambda a, b: (a / np.logaddexp(a, b), b / np.logaddexp(a, b)),
            divided_logs,
        ],
    ),
    mistake(
        "one-output-alone",
        "Only the output of one part came back. Both parts contribute to it.",
        "One part has one key, the other has ten, and all scores are equal. What should each add to the output?",
        weigh=[
            lambda a, output_a, b, output_b: output_a,
            lambda a, output_a, b, output_b: output_b,
            lambda a, output_a, b, output_b: np.where((a > b)[..., None], output_a, output_b),
            lambda a, output_a, b, output_b: (
                np.where(a + b > 0, np.where(a >= b, 1, 0), 0)[..., None] * output_a
                + np.where(a < b, 1, 0)[..., None] * output_b
            ),
        ],
    ),
    mistake(
        "one-share-for-both",
        "Both outputs got the weight of the same part.",
        "What should the two weights of a row add up to? Which weight multiplies which output in your lines?",
        share_parts=[lambda a, b: (RIGHT["share_parts"](a, b)[0],) * 2],
    ),
    mistake(
        "parts-exchanged",
        "Each part got the weight of the other.",
        "Part a has the larger log sum. Which output should count more?",
        share_parts=[lambda a, b: (1 / (1 + np.exp(a - b)), 1 / (1 + np.exp(b - a)))],
    ),
    mistake(
        "sum-not-divided",
        "The two weights do not add up to 1: their total was not divided by.",
        "If both outputs are 1, what should come out?",
        share_parts=[powers, powers_below_top],
    ),
    mistake(
        "first-part-not-rescaled",
        "The output of part a came in whole. It must be made smaller by the weight that part b takes.",
        "If both outputs are 1, what should come out?",
        share_parts=[lambda a, b: (np.ones_like(a), 1 / (1 + np.exp(a - b)))],
    ),
    mistake(
        "log-sums-in-another-base",
        "Exponentials or logarithms were taken to a base different from e.",
        "The log sums are natural logarithms. What undoes np.log?",
        share_parts=[divided_powers(base=2.0), divided_powers(base=10.0)],
        add_sums=[
            *(lambda a, b, base=base: np.logaddexp(a, b) / np.log(base) for base in (2, 10)),
            np.logaddexp2,
        ],
        together=[{"share_parts": divided_powers(base=2.0), "add_sums": np.logaddexp2}],
    ),
    mistake(
        "weights-not-a-column",
        "The weights of the rows met the columns of the outputs.",
        "A weight belongs to a row, (Lq,), and the output is (Lq, d_v). Which axis is missing?",
        weigh=[lambda a, output_a, b, output_b: a * output_a + b * output_b],
    ),
    mistake(
        "log-sums-added",
        "The log sums were added or averaged. Sums of exponentials add up, but their logarithms do not.",
        "Suppose both sums are 1, so both logs are 0. What is the log of their total?",
        add_sums=[lambda a, b: a + b, lambda a, b: (a + b) / 2],
    ),
    mistake(
        "larger-log-sum-alone",
        "Only the larger log sum came back, without what the other part adds.",
        "Suppose both sums are 1, so both logs are 0. What is the log of their total?",
        add_sums=[np.maximum],
    ),
    mistake(
        "one-log-sum-alone",
        "Only the log sum of one part came back, without what the other part adds.",
        "Suppose both sums are 1, so both logs are 0. What is the log of their total?",
        add_sums=[lambda a, b: a, lambda a, b: b],
    ),
    mistake(
        "sum-without-log",
        "The sum of exponentials came back, not its logarithm.",
        "Suppose both log sums are 0. Which log sum should come back?",
        add_sums=[lambda a, b: sum(powers(a, b))],
    ),
    mistake(
        "log-sums-overflow",
        "The exp of a large log sum is infinity, and what is made of that is infinity or NaN.",
        "Only the difference of the two log sums counts. What could you subtract from both before exp?",
        nan_suffices=True,
        share_parts=[divided(powers)],
        add_sums=[log_of_powers],
        together=[{"share_parts": divided(powers), "add_sums": log_of_powers}],
        supersedes="empty-row both-parts-empty",
    ),
    mistake(
        "one-maximum-for-all-rows",
        "One maximum was subtracted from the log sums of all rows, and in a row far below it both exponentials become 0.",
        "Only the two log sums of a row are compared. Whose maximum does each row need?",
        together=below_another(lambda a, b: np.maximum(a, b).max()),
        supersedes="both-parts-empty",
    ),
    mistake(
        "larger-not-subtracted",
        "The larger of the two log sums was not the one subtracted, and exp of what was left became infinity.",
        "After your subtraction, the larger of the two log sums should be 0. Is it, whichever part it comes from?",
        together=below_another(lambda a, b: a) + below_another(np.minimum),
        supersedes="both-parts-empty",
    ),
    mistake(
        "both-parts-empty",
        "Where neither part saw a key, the output should be 0 and the log sum -inf. There -inf minus -inf and 0 / 0 are NaN.",
        "Suppose both log sums of a row are -inf. What does each of your lines give?",
        nan_suffices=True,
        share_parts=[shares_of_the_total],
        add_sums=[log_above_top],
        together=[{"share_parts": shares_of_the_total, "add_sums": log_above_top}],
    ),
    mistake(
        "maximum-not-added-back",
        "A maximum was subtracted before exp, but not added again after the log.",
        "exp(s - m) is exp(s) / exp(m). What does the log of a sum of those lack?",
        add_sums=[log_below_top],
    ),
]
