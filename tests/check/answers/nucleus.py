"""Answers to `nucleus` as learners write them."""

import numpy as np

from tests.check.answers.shared import softmax


def most_probable(logits, p, more=0, share=softmax, falling=True):
    """The indices of those that are kept, and `more` beside them."""
    shares = share(np.asarray(logits, float))
    order = np.argsort(-shares if falling else shares)
    n = int((shares[order].cumsum() < p).sum()) + 1 + more
    return order[: max(n, 0)]


def with_the_rest_at(value, **lines):
    def answer(logits, p):
        kept = np.full(len(logits), value, float)
        chosen = most_probable(logits, p, **lines)
        kept[chosen] = logits[chosen]
        return kept

    return answer


def keeping(**lines):
    return with_the_rest_at(-np.inf, **lines)


# Right ones


def in_a_loop(logits, p):
    shares, total = softmax(np.asarray(logits, float)), 0.0
    kept = [-np.inf] * len(logits)
    for token in sorted(range(len(logits)), key=lambda token: -shares[token]):
        kept[token] = logits[token]
        total += shares[token]
        if total >= p:
            break
    return kept


def by_the_smallest_logit(logits, p):
    falling = np.sort(logits)[::-1]
    ends = np.cumsum(softmax(falling.astype(float)))
    smallest = falling[min(np.searchsorted(ends, p), len(falling) - 1)]
    return np.where(logits >= smallest, logits, -np.inf)


def before_each(logits, p):
    """As libraries do it: a token is kept if those before it have less than p."""
    order = np.argsort(-logits)
    shares = softmax(np.asarray(logits, float))[order]
    cut = shares.cumsum() - shares >= p
    result = logits.astype(float) if logits.dtype.kind == "i" else logits.copy()
    result[order[cut]] = -np.inf
    return result


# Wrong ones


def in_place(logits, p):
    chosen = most_probable(logits, p)
    logits[~np.isin(np.arange(len(logits)), chosen)] = -np.inf
    return logits


def shares_of_kept(logits, p):
    return softmax(keeping()(logits, p))


def first_that_reaches_p(logits, p):
    order = np.argsort(-logits)
    n = np.argmax(softmax(np.asarray(logits, float))[order].cumsum() >= p) + 1
    kept = np.full(len(logits), -np.inf)
    kept[order[:n]] = logits[order[:n]]
    return kept


def those_that_end_below_p(logits, p):
    order = np.argsort(-logits)
    below = order[softmax(np.asarray(logits, float))[order].cumsum() <= p]
    kept = np.full(len(logits), -np.inf)
    kept[below] = logits[below]
    return kept


def places(logits, p):
    kept = np.full(len(logits), -np.inf)
    n = len(most_probable(logits, p))
    kept[:n] = logits[:n]
    return kept


def unsorted(logits, p):
    shares = softmax(logits)
    return np.where(shares.cumsum() - shares < p, logits, -np.inf)


WRONG = {
    "not-sorted": [unsorted],
    "one-token-too-few": [keeping(more=-1), those_that_end_below_p],
    "one-token-too-many": [keeping(more=1)],
    "no-sum-reaches-p": [first_that_reaches_p],
    "least-probable-first": [keeping(falling=False)],
    "places-in-the-order-kept": [places],
    "probabilities-returned": [
        shares_of_kept,
        lambda logits, p: np.where(
            np.isin(np.arange(len(logits)), most_probable(logits, p)), softmax(np.asarray(logits, float)), 0
        ),
    ],
    "p-for-a-single-token": [
        lambda logits, p: np.where(softmax(np.asarray(logits, float)) >= p, logits, -np.inf)
    ],
    "left-out-without-infinity": [with_the_rest_at(0), with_the_rest_at(-1e9)],
    "logits-left-sorted": [
        lambda logits, p: np.sort(keeping()(logits, p))[::-1],
    ],
    "input-changed": [in_place],
}
RIGHT = [keeping(), in_a_loop, by_the_smallest_logit, before_each]
ALMOST_RIGHT = {
    "two_at_least": lambda logits, p: keeping(more=int(len(most_probable(logits, p)) == 1))(logits, p),
    "four_at_most": lambda logits, p: keeping(more=min(0, 4 - len(most_probable(logits, p))))(logits, p),
    "all_but_the_last_at_p_1": lambda logits, p: keeping()(logits, min(p, 0.99)),
}
