"""Mistakes in what models of today add: rotary positions, and a row put together from parts."""

import numpy as np

from attention_lib.attention import softmax
from attention_lib.check.evidence import wrong_entry
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.steps import RIGHT


def halves(x):
    return np.split(x, 2, axis=-1)


def neighbours(x):
    return x[..., 0::2], x[..., 1::2]


def interleaved(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def outside_in(x):
    """The first number with the last, the second with the last but one."""
    first, second = halves(x)
    return first, second[..., ::-1]


def put_back_outside_in(first, second):
    return RIGHT["join"](first, second[..., ::-1])


def speeds(n):
    return 10_000.0 ** (-np.arange(n) / n)


def with_speeds(speeds_of):
    """Angles of other speeds, a function of the number of pairs."""
    return lambda positions, n: np.asarray(positions)[..., None] * speeds_of(n)


def turn_by_unlike_angles(first, second, cos, sin):
    """The angles laid out for neighbours, on pairs of halves."""
    (first_cos, second_cos), (first_sin, second_sin) = (halves(np.repeat(x, 2, axis=-1)) for x in (cos, sin))
    return first * first_cos - second * first_sin, second * second_cos + first * second_sin


ROTARY = [
    mistake(
        "other-pairs",
        "Neighbours were turned together, numbers 2i and 2i + 1. Here i and i + d/2 make a pair.",
        wrong_entry,
        "With d = 6, which number turns together with number 0?",
        together=[{"pair": neighbours, "join": interleaved}],
    ),
    mistake(
        "pairs-outside-in",
        "Number i was turned together with number d - 1 - i. Here i and i + d/2 make a pair.",
        wrong_entry,
        "With d = 6, which number turns together with number 0?",
        together=[{"pair": outside_in, "join": put_back_outside_in}],
    ),
    mistake(
        "pairs-not-put-back",
        "The pairs were taken apart in one way and put together in another.",
        wrong_entry,
        "With angle 0 nothing should move. Does your function give the first row back as it was?",
        pair=[neighbours],
        join=[interleaved],
    ),
    mistake(
        "turned-backwards",
        "The vectors turn the other way round: the minus stands in the other line.",
        wrong_entry,
        "A quarter turn takes (1, 0) to (0, 1). Where does yours take it?",
        turn=[lambda a, b, cos, sin: (a * cos + b * sin, b * cos - a * sin)],
    ),
    mistake(
        "length-changed",
        "The vectors have another length after the turn. Of the two products with sin, one is to be subtracted and the other added.",
        wrong_entry,
        "A quarter turn takes (1, 0) to (0, 1), and (0, 1) to where?",
        turn=[
            lambda a, b, cos, sin: (a * cos + b * sin, b * cos + a * sin),
            lambda a, b, cos, sin: (a * cos - b * sin, b * cos - a * sin),
            lambda a, b, cos, sin: (a * cos, b * cos),
            lambda a, b, cos, sin: (a * cos, b * sin),
            lambda a, b, cos, sin: (a * cos - b * sin, b * cos),
        ],
    ),
    mistake(
        "halves-not-exchanged",
        "In the products with sin each half stands in its own place, and the halves should change places.",
        wrong_entry,
        "A quarter turn takes (1, 0) to (0, 1). How does the 1 come into the second half?",
        turn=[
            lambda a, b, cos, sin: (a * cos - a * sin, b * cos + b * sin),
            lambda a, b, cos, sin: (a * cos + a * sin, b * cos + b * sin),
        ],
    ),
    mistake(
        "sin-and-cos-exchanged",
        "The sin and the cos have changed places, so a vector at position 0 is turned too.",
        wrong_entry,
        "At position 0 the angle is 0. What are its sin and its cos?",
        turn=[lambda a, b, cos, sin: (a * sin - b * cos, a * cos + b * sin)],
    ),
    mistake(
        "first-half-overwritten",
        "The second line used the first half after it was turned.",
        wrong_entry,
        "Which first half does your second line see: the one that came in, or the one that the first line made?",
        turn=[lambda a, b, cos, sin: (a * cos - b * sin, (a * cos - b * sin) * sin + b * cos)],
    ),
    mistake(
        "one-speed",
        "All pairs turn by the same angle. Pair i turns by position * 10,000 ** (-2 i / d).",
        wrong_entry,
        "With d = 4, pair 0 turns by 1 a place and pair 1 by 0.01. Where does i enter your angles? Does a // cut it away?",
        angles=[with_speeds(np.ones), with_speeds(lambda n: np.full(n, 1e-4))],
    ),
    mistake(
        "other-speeds",
        "The pairs turn at other speeds than 10,000 ** (-2 i / d), with i from 0 to d/2 - 1.",
        wrong_entry,
        "With d = 4 the two speeds are 1 and 0.01. Which are yours?",
        angles=[
            with_speeds(lambda n: 10_000.0 ** (-np.arange(n) / (2 * n))),
            with_speeds(lambda n: 10_000.0 ** (-2 * np.arange(n) / n)),
            with_speeds(lambda n: 10_000.0 ** (np.arange(n) / n)),
            with_speeds(lambda n: 10_000.0 ** (-(np.arange(n) + 1) / n)),
            with_speeds(lambda n: 1_000.0 ** (-np.arange(n) / n)),
            with_speeds(lambda n: 100_000.0 ** (-np.arange(n) / n)),
            with_speeds(lambda n: 10_000.0 ** (-np.arange(n) / max(n - 1, 1))),
            with_speeds(lambda n: speeds(n)[::-1]),
            with_speeds(lambda n: 1.0 / (np.arange(n) + 1)),
        ],
    ),
    mistake(
        "decimal-point",
        "The speeds are powers of 10, and powers of 10,000 were asked for. In Python 10.000 is ten.",
        wrong_entry,
        "With d = 4, pair 1 turns by 0.01 a place. What does your line give?",
        angles=[with_speeds(lambda n: 10.0 ** (-np.arange(n) / n))],
    ),
    mistake(
        "exponents-cut",
        "The exponents of 10,000 were cut to whole numbers, as // does.",
        wrong_entry,
        "With d = 4 the exponent of pair 1 is -0.5. What is yours?",
        angles=[with_speeds(lambda n: 10_000.0 ** np.floor(-np.arange(n) / n))],
    ),
    mistake(
        "angles-for-neighbours",
        "The two numbers of a pair turn by unlike angles: these angles are laid out for neighbours.",
        wrong_entry,
        "Each angle is needed twice. With halves, at which two places of the last axis does angle 0 stand?",
        turn=[turn_by_unlike_angles],
    ),
    mistake(
        "positions-ignored",
        "The first row was taken for position 0. The positions are an argument, and need not begin at 0.",
        wrong_entry,
        "A new token behind a cache of nine has position 9. Which does your function give it?",
        angles=[
            lambda positions, n: np.arange(np.shape(positions)[-1])[:, None] * speeds(n),
            lambda positions, n: (positions - positions[:1])[:, None] * speeds(n),
        ],
    ),
    mistake(
        "positions-from-one",
        "Every position is one too large.",
        wrong_entry,
        "By which angle does a vector at position 0 turn?",
        angles=[lambda positions, n: (np.asarray(positions)[..., None] + 1) * speeds(n)],
    ),
    mistake(
        "angles-in-degrees",
        "The angles were converted. They are in radians already, as np.cos wants them.",
        wrong_entry,
        "Position 1 turns pair 0 by 1. What unit does np.cos take?",
        angles=[
            lambda positions, n: np.radians(np.asarray(positions)[..., None] * speeds(n)),
            lambda positions, n: np.degrees(np.asarray(positions)[..., None] * speeds(n)),
            lambda positions, n: 2 * np.pi * np.asarray(positions)[..., None] * speeds(n),
        ],
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


def powers_below_top(a, b, base=np.e):
    top = np.maximum(a, b)
    return base ** (a - top), base ** (b - top)


def powers_below_one_maximum(a, b):
    top = max(a.max(), b.max())
    return np.exp(a - top), np.exp(b - top)


def powers_of_2(a, b):
    return powers_below_top(a, b, 2.0)


def shares_of_the_total(a, b):
    """Right but for a row of which neither part saw a key."""
    total = np.logaddexp(a, b)
    return np.exp(a - total), np.exp(b - total)


def log_of_powers(a, b):
    return np.log(sum(powers(a, b)))


def log_below_one_maximum(a, b):
    return max(a.max(), b.max()) + np.log(sum(powers_below_one_maximum(a, b)))


def log_below_top(a, b):
    top = np.maximum(a, b)
    return np.logaddexp(a, b) - np.where(top == -np.inf, 0, top)


def log_above_top(a, b):
    """Right but for a row of which neither part saw a key."""
    return np.maximum(a, b) + np.log(sum(powers_below_top(a, b)))


MERGING = [
    mistake(
        "plain-mean",
        "Both parts count alike. The part with the larger sum of powers should count more.",
        wrong_entry,
        "One part has one key, the other has ten, and all scores are equal. How should the two be weighed?",
        share_parts=[
            lambda a, b: (np.full_like(a, 0.5), np.full_like(b, 0.5)),
            lambda a, b: (np.ones_like(a), np.ones_like(b)),
        ],
    ),
    mistake(
        "shared-among-rows",
        "The rows of a part shared the weight. For each row, the two parts should share it.",
        wrong_entry,
        "Which two numbers should add up to 1 for one row? Over which axis does your softmax run?",
        share_parts=[lambda a, b: (softmax(a), softmax(b))],
    ),
    mistake(
        "weighed-by-log-sums",
        "The log sums themselves were the weights. The sums of powers are exp of them.",
        wrong_entry,
        "A part has the log sum 0. What is its sum of powers, and what should its weight be?",
        share_parts=[divided(lambda a, b: (a, b)), lambda a, b: (a, b)],
    ),
    mistake(
        "parts-exchanged",
        "Each part got the weight of the other.",
        wrong_entry,
        "Part a has the larger log sum. Which output should count more?",
        share_parts=[lambda a, b: (1 / (1 + np.exp(a - b)), 1 / (1 + np.exp(b - a)))],
    ),
    mistake(
        "sum-not-divided",
        "The two weights do not add up to 1: their total was not divided by.",
        wrong_entry,
        "If both outputs are 1, what should come out?",
        share_parts=[
            powers,
            powers_below_top,
        ],
    ),
    mistake(
        "first-part-not-rescaled",
        "The output of part a came in whole. It must be made smaller by the share that part b takes.",
        wrong_entry,
        "If both outputs are 1, what should come out?",
        share_parts=[lambda a, b: (np.ones_like(a), 1 / (1 + np.exp(a - b)))],
    ),
    mistake(
        "log-sums-in-another-base",
        "Powers of a number other than e were taken.",
        wrong_entry,
        "The log sums are natural logarithms. What undoes np.log?",
        share_parts=[divided(powers_of_2), divided(lambda a, b: powers_below_top(a, b, 10.0))],
        together=[{"share_parts": divided(powers_of_2), "add_sums": np.logaddexp2}],
    ),
    mistake(
        "weights-not-a-column",
        "The weights of the rows met the columns of the outputs.",
        wrong_entry,
        "A weight belongs to a row, (Lq,), and the output is (Lq, d_v). Which axis is missing?",
        weigh=[lambda a, output_a, b, output_b: a * output_a + b * output_b],
    ),
    mistake(
        "log-sums-added",
        "The log sums were added. Sums of powers add up, and their logarithms do not.",
        wrong_entry,
        "Suppose both sums are 1, so both logs are 0. What is the log of their total?",
        add_sums=[lambda a, b: a + b, lambda a, b: (a + b) / 2],
    ),
    mistake(
        "larger-log-sum-alone",
        "The larger log sum came back, without what the other part adds.",
        wrong_entry,
        "Suppose both sums are 1, so both logs are 0. What is the log of their total?",
        add_sums=[np.maximum],
    ),
    mistake(
        "one-log-sum-alone",
        "The log sum of one part came back, without what the other part adds.",
        wrong_entry,
        "Suppose both sums are 1, so both logs are 0. What is the log of their total?",
        add_sums=[lambda a, b: a, lambda a, b: b],
    ),
    mistake(
        "one-maximum-for-all-rows",
        "One maximum was subtracted from all rows, and in a row far below it every power becomes 0.",
        wrong_entry,
        "Whose maximum does each row need?",
        nan_suffices=True,
        share_parts=[divided(powers_below_one_maximum)],
        add_sums=[log_below_one_maximum],
        together=[{"share_parts": divided(powers_below_one_maximum), "add_sums": log_below_one_maximum}],
        supersedes="empty-row both-parts-empty log-sums-overflow",
    ),
    mistake(
        "sum-without-log",
        "The sum of powers came back, and not its logarithm.",
        wrong_entry,
        "Suppose both log sums are 0. Which log sum should come back?",
        add_sums=[
            lambda a, b: sum(powers(a, b)),
            lambda a, b: sum(powers_below_top(a, b)),
        ],
    ),
    mistake(
        "log-sums-overflow",
        "The exp of a large log sum is infinity, and infinity over infinity is NaN.",
        wrong_entry,
        "Only the difference of the two log sums counts. What could you subtract from both before exp?",
        nan_suffices=True,
        share_parts=[divided(powers)],
        add_sums=[log_of_powers],
        together=[{"share_parts": divided(powers), "add_sums": log_of_powers}],
        supersedes="empty-row both-parts-empty",
    ),
    mistake(
        "both-parts-empty",
        "Where neither part saw a key, -inf minus -inf became NaN. The output should be 0 there, and the log sum -inf.",
        wrong_entry,
        "Suppose both log sums of a row are -inf. What does your subtraction give?",
        nan_suffices=True,
        share_parts=[shares_of_the_total],
        add_sums=[log_above_top],
        together=[{"share_parts": shares_of_the_total, "add_sums": log_above_top}],
    ),
    mistake(
        "maximum-not-added-back",
        "A maximum was subtracted before exp, and not added again behind the log.",
        wrong_entry,
        "exp(s - m) is exp(s) / exp(m). What does the log of a sum of those lack?",
        add_sums=[log_below_top],
    ),
]
