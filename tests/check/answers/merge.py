"""Answers to `merge` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers.generic import zeros_where


def with_shares(make_shares, add=np.logaddexp):
    """Both outputs, weighed by two columns of shares, and a log sum."""

    def answer(output_a, log_sum_a, output_b, log_sum_b):
        a, b = make_shares(log_sum_a, log_sum_b)
        return a[..., None] * output_a + b[..., None] * output_b, add(log_sum_a, log_sum_b)

    return answer


def shares(a, b):
    return al.softmax(np.stack([a, b]), axis=0)


def share_of_a(a, b):
    return 1 / (1 + np.exp(b - a))


def powers_below_the_top(a, b):
    return np.exp(a - np.maximum(a, b)), np.exp(b - np.maximum(a, b))


def below_one_top(a, b):
    top = np.max([a, b])
    return top + np.log(np.exp([a, b] - top).sum(0))


WRONG = {
    "one-share-for-both": [with_shares(lambda a, b: [share_of_a(a, b)] * 2)],
    "sum-not-divided": [with_shares(powers_below_the_top)],
    "first-part-not-rescaled": [with_shares(lambda a, b: [np.ones_like(a), share_of_a(b, a)])],
    "one-maximum-for-all-rows": [with_shares(shares, below_one_top)],
    "larger-not-subtracted": [with_shares(shares, lambda a, b: a + np.log1p(np.exp(b - a)))],
    "one-log-sum-alone": [with_shares(shares, lambda a, b: a)],
    "sum-without-log": [with_shares(shares, lambda a, b: np.exp(a) + np.exp(b))],
    "log-sums-in-another-base": [with_shares(shares, np.logaddexp2)],
}

plain = with_shares(shares)
RIGHT = [plain]


ALMOST_RIGHT = {
    "an_empty_part": zeros_where(lambda out_a, a, out_b, b: (np.isneginf(a) & np.isfinite(b)).any(), plain),
    "of_three_axes_at_most": zeros_where(lambda output_a, *others: output_a.ndim == 4, plain),
}
