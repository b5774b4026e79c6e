"""Answers to `merge` as learners write them."""

import numpy as np

import attention_lib as al


def total(a, b):
    return np.logaddexp(a, b)


def with_shares(make_shares, make_log_sum=total):
    """Both outputs, weighed by two columns of shares, and a log sum."""

    def answer(output_a, log_sum_a, output_b, log_sum_b):
        a, b = make_shares(log_sum_a, log_sum_b)
        return a[..., None] * output_a + b[..., None] * output_b, make_log_sum(log_sum_a, log_sum_b)

    return answer


def shares(a, b):
    return al.softmax(np.stack([a, b]), axis=0)


def with_log_sum(make_log_sum):
    return with_shares(shares, make_log_sum)


def powers_without_the_top(a, b):
    top = np.maximum(a, b)
    top = np.where(top == -np.inf, 0, top)
    return np.exp(a - top), np.exp(b - top), top


def by_hand(output_a, log_sum_a, output_b, log_sum_b):
    a, b, top = powers_without_the_top(log_sum_a, log_sum_b)
    both = a + b
    output = (a[..., None] * output_a + b[..., None] * output_b) / np.where(both == 0, 1, both)[..., None]
    return output, top + np.log(both)


def without_the_top(output_a, log_sum_a, output_b, log_sum_b):
    a, b, _ = powers_without_the_top(log_sum_a, log_sum_b)
    return by_hand(output_a, log_sum_a, output_b, log_sum_b)[0], np.log(a + b)


def plain_exp(output_a, log_sum_a, output_b, log_sum_b):
    a, b = np.exp(log_sum_a)[..., None], np.exp(log_sum_b)[..., None]
    return (a * output_a + b * output_b) / (a + b), np.log(np.exp(log_sum_a) + np.exp(log_sum_b))


def output_by_plain_exp(output_a, log_sum_a, output_b, log_sum_b):
    return plain_exp(output_a, log_sum_a, output_b, log_sum_b)[0], total(log_sum_a, log_sum_b)


def log_of_plain_exp(a, b):
    return np.log(np.exp(a) + np.exp(b))


def below_the_total(a, b):
    both = np.logaddexp(a, b)
    return np.exp(a - both), np.exp(b - both)


def sigmoids(a, b):
    return 1 / (1 + np.exp(b - a)), 1 / (1 + np.exp(a - b))


def above_the_top(a, b):
    top = np.maximum(a, b)
    return top + np.log(np.exp(a - top) + np.exp(b - top))


def unguarded(output_a, log_sum_a, output_b, log_sum_b):
    top = np.maximum(log_sum_a, log_sum_b)
    a, b = np.exp(log_sum_a - top), np.exp(log_sum_b - top)
    output = (a[..., None] * output_a + b[..., None] * output_b) / (a + b)[..., None]
    return output, top + np.log(a + b)


def shares_to_base(base):
    def answer(a, b):
        top = np.maximum(a, b)
        top = np.where(top == -np.inf, 0, top)
        powers = base ** (a - top), base ** (b - top)
        both = np.where(sum(powers) == 0, 1, sum(powers))
        return powers[0] / both, powers[1] / both

    return answer


def not_rescaled(output_a, log_sum_a, output_b, log_sum_b):
    log_sum = np.logaddexp(log_sum_a, log_sum_b)
    return output_a + np.exp(log_sum_b - log_sum)[..., None] * output_b, log_sum


def row_by_row(output_a, log_sum_a, output_b, log_sum_b):
    output, log_sum = np.zeros(output_a.shape), np.full(log_sum_a.shape, -np.inf)
    for i in np.ndindex(log_sum_a.shape):
        log_sum[i] = np.logaddexp(log_sum_a[i], log_sum_b[i])
        if log_sum[i] > -np.inf:
            of_a, of_b = np.exp(log_sum_a[i] - log_sum[i]), np.exp(log_sum_b[i] - log_sum[i])
            output[i] = of_a * output_a[i] + of_b * output_b[i]
    return output, log_sum


WRONG = {
    "plain-mean": [
        lambda output_a, log_sum_a, output_b, log_sum_b: (
            (output_a + output_b) / 2,
            total(log_sum_a, log_sum_b),
        ),
        lambda output_a, log_sum_a, output_b, log_sum_b: (output_a + output_b, total(log_sum_a, log_sum_b)),
    ],
    "weighed-by-log-sums": [
        with_shares(lambda a, b: (a / (a + b), b / (a + b))),
        with_shares(lambda a, b: (a, b)),
    ],
    "parts-exchanged": [
        with_shares(lambda a, b: shares(b, a)),
        with_shares(lambda a, b: shares(a, b)[::-1]),
    ],
    "sum-not-divided": [
        with_shares(lambda a, b: (np.exp(a), np.exp(b))),
        with_shares(lambda a, b: powers_without_the_top(a, b)[:2]),
    ],
    "first-part-not-rescaled": [
        not_rescaled,
        with_shares(lambda a, b: (np.ones(a.shape), shares(a, b)[1])),
    ],
    "other-base": [
        with_shares(shares_to_base(2)),
        with_shares(shares_to_base(10)),
        with_shares(shares_to_base(2), np.logaddexp2),
    ],
    "weights-not-a-column": [
        lambda output_a, log_sum_a, output_b, log_sum_b: (
            shares(log_sum_a, log_sum_b)[0] * output_a + shares(log_sum_a, log_sum_b)[1] * output_b,
            total(log_sum_a, log_sum_b),
        ),
        lambda output_a, log_sum_a, output_b, log_sum_b: (
            np.exp(log_sum_a - total(log_sum_a, log_sum_b)) * output_a
            + np.exp(log_sum_b - total(log_sum_a, log_sum_b)) * output_b,
            total(log_sum_a, log_sum_b),
        ),
    ],
    "log-sums-added": [
        with_log_sum(lambda a, b: a + b),
        with_log_sum(lambda a, b: (a + b) / 2),
    ],
    "larger-log-sum-alone": [
        with_log_sum(np.maximum),
        with_log_sum(lambda a, b: a),
        with_log_sum(lambda a, b: b),
    ],
    "sum-without-log": [
        with_log_sum(lambda a, b: np.exp(a) + np.exp(b)),
        with_log_sum(lambda a, b: sum(powers_without_the_top(a, b)[:2])),
    ],
    "overflows": [plain_exp, output_by_plain_exp, with_log_sum(log_of_plain_exp)],
    "empty-row": [
        unguarded,
        with_shares(below_the_total),
        with_shares(sigmoids),
        with_log_sum(above_the_top),
        with_shares(below_the_total, above_the_top),
    ],
    "maximum-not-added-back": [
        without_the_top,
        with_log_sum(lambda a, b: np.log(sum(powers_without_the_top(a, b)[:2]))),
    ],
    "wrong-shape": [
        lambda *given: by_hand(*given)[0],
        lambda *given: (by_hand(*given)[0], by_hand(*given)[1][..., None]),
    ],
}

RIGHT = [with_shares(shares), by_hand, row_by_row]


def clipped(a, b):
    return al.softmax(np.clip(np.stack([a, b]), -500, 500), axis=0)


ALMOST_RIGHT = {
    "clipped": with_shares(clipped),
    "output_zero_if_a_part_is_empty": lambda output_a, log_sum_a, output_b, log_sum_b: (
        by_hand(output_a, log_sum_a, output_b, log_sum_b)[0]
        * (np.minimum(log_sum_a, log_sum_b) > -np.inf)[..., None],
        total(log_sum_a, log_sum_b),
    ),
    "log_sum_zero_if_empty": with_log_sum(lambda a, b: np.where(total(a, b) == -np.inf, 0, total(a, b))),
    "of_three_axes_at_most": lambda *given: by_hand(*given) if given[0].ndim < 4 else (given[0], given[1]),
    "squeezed": lambda *given: (np.squeeze(by_hand(*given)[0]), by_hand(*given)[1]),
}
