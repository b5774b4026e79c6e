"""Answers to `merge` as learners write them."""

import numpy as np

import attention_lib as al


def with_shares(make_shares, add=np.logaddexp):
    """Both outputs, weighed by two columns of shares, and a log sum."""

    def answer(output_a, log_sum_a, output_b, log_sum_b):
        a, b = make_shares(log_sum_a, log_sum_b)
        return a[..., None] * output_a + b[..., None] * output_b, add(log_sum_a, log_sum_b)

    return answer


def shares(a, b):
    return al.softmax(np.stack([a, b]), axis=0)


def powers_below_the_top(a, b):
    top = np.maximum(a, b)
    top = np.where(top == -np.inf, 0, top)
    return np.exp(a - top), np.exp(b - top), top


def by_hand(output_a, log_sum_a, output_b, log_sum_b):
    a, b, top = powers_below_the_top(log_sum_a, log_sum_b)
    both = a + b
    output = (a[..., None] * output_a + b[..., None] * output_b) / np.where(both == 0, 1, both)[..., None]
    return output, top + np.log(both)


def below(top_of):
    """Everything by hand, below something else than the larger of the two log sums."""

    def answer(output_a, log_sum_a, output_b, log_sum_b):
        top = top_of(log_sum_a, log_sum_b)
        a, b = np.exp(log_sum_a - top), np.exp(log_sum_b - top)
        return (a[..., None] * output_a + b[..., None] * output_b) / (a + b)[..., None], top + np.log(a + b)

    return answer


def below_one_top(a, b):
    top = np.max([a, b])
    return top + np.log(np.exp([a, b] - top).sum(0))


def not_rescaled(output_a, log_sum_a, output_b, log_sum_b):
    log_sum = np.logaddexp(log_sum_a, log_sum_b)
    return output_a + np.exp(log_sum_b - log_sum)[..., None] * output_b, log_sum


WRONG = {
    "one-share-for-both": [with_shares(lambda a, b: [1 / (1 + np.exp(b - a))] * 2)],
    "sum-not-divided": [with_shares(lambda a, b: powers_below_the_top(a, b)[:2])],
    "first-part-not-rescaled": [not_rescaled],
    "one-maximum-for-all-rows": [below(lambda a, b: np.max([a, b])), with_shares(shares, below_one_top)],
    "larger-not-subtracted": [
        below(np.minimum),
        with_shares(shares, lambda a, b: a + np.log1p(np.exp(b - a))),
    ],
    "one-log-sum-alone": [with_shares(shares, lambda a, b: a)],
    "sum-without-log": [with_shares(shares, lambda a, b: np.exp(a) + np.exp(b))],
    "log-sums-in-another-base": [with_shares(shares, np.logaddexp2)],
}

RIGHT = [with_shares(shares), by_hand]


def output_zero_if_a_part_is_empty(output_a, log_sum_a, output_b, log_sum_b):
    output, log_sum = by_hand(output_a, log_sum_a, output_b, log_sum_b)
    return output * (np.minimum(log_sum_a, log_sum_b) > -np.inf)[..., None], log_sum


ALMOST_RIGHT = {
    "output_zero_if_a_part_is_empty": output_zero_if_a_part_is_empty,
    "of_three_axes_at_most": lambda *given: by_hand(*given) if given[0].ndim < 4 else (given[0], given[1]),
}
