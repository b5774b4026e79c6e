"""Answers to `nucleus` as learners write them."""

import numpy as np

from tests.check.answers.shared import softmax


def shares_of(logits):
    return softmax(np.asarray(logits, float))


def falling(shares):
    return np.argsort(-shares)


def needed(ends, p):
    return (ends < p).sum() + 1


def keeping(count=needed, order_of=falling, rest=-np.inf):
    """The answer with these lines, and `rest` in the place of all that is left out."""

    def answer(logits, p):
        order = order_of(shares_of(logits))
        chosen = order[: count(shares_of(logits)[order].cumsum(), p)]
        kept = np.full(len(logits), rest, float)
        kept[chosen] = logits[chosen]
        return kept

    return answer


plain = keeping()


def places(logits, p):
    n = np.isfinite(plain(logits, p)).sum()
    return np.where(np.arange(len(logits)) < n, logits, -np.inf)


WRONG = {
    "not-sorted": [keeping(order_of=lambda shares: np.arange(len(shares)))],
    "one-token-too-few": [
        keeping(lambda ends, p: (ends < p).sum()),
        keeping(lambda ends, p: (ends <= p).sum()),
    ],
    "one-token-too-many": [keeping(lambda ends, p: needed(ends, p) + 1)],
    "no-sum-reaches-p": [keeping(lambda ends, p: np.argmax(ends >= p) + 1)],
    "least-probable-first": [keeping(order_of=np.argsort)],
    "places-in-the-order-kept": [places],
    "probabilities-returned": [lambda logits, p: softmax(plain(logits, p))],
    "p-for-a-single-token": [lambda logits, p: np.where(shares_of(logits) >= p, logits, -np.inf)],
    "left-out-without-infinity": [keeping(rest=0), keeping(rest=-1e9)],
    "logits-left-sorted": [lambda logits, p: np.sort(plain(logits, p))[::-1]],
}
RIGHT = [plain]
ALMOST_RIGHT = {
    "two_at_least": keeping(lambda ends, p: max(needed(ends, p), 2)),
    "all_but_the_last_at_p_1": lambda logits, p: plain(logits, min(p, 0.99)),
    "one_more_where_p_is_met": keeping(lambda ends, p: (np.append(0, ends[:-1]) <= p).sum()),
}
