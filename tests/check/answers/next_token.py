"""Answers to `next_token` as learners write them."""

import numpy as np

from tests.check.answers.shared import softmax


def counted(probabilities, draw):
    return min(int((probabilities.cumsum() <= draw).sum()), len(probabilities) - 1)


def tempered(scores, temperature):
    return softmax(scores / temperature)


def drawn(find=counted, share=tempered):
    """The answer with these two lines behind the case for a temperature of 0."""

    def answer(scores, temperature, draw):
        if temperature == 0:
            return int(np.argmax(scores))
        return find(share(scores, temperature), draw)

    return answer


plain = drawn()


# Right ones


def in_a_loop(probabilities, draw):
    end = 0.0
    last = 0
    for index, share in enumerate(probabilities):
        end += share
        if share > 0:
            last = index
        if draw < end:
            return index
    return last


def searched(probabilities, draw):
    ends = probabilities.cumsum()
    ends /= ends[-1]
    return np.searchsorted(ends, draw, side="right")


def nearly_zero(scores, temperature, draw):
    return counted(softmax(scores / max(temperature, 1e-8)), draw)


# Wrong ones


def multiplied(scores, temperature, draw):
    """As a first try: without a case for 0, a maximum, and a guard at the end."""
    powers = np.exp(scores * temperature)
    return int(np.argmax(np.cumsum(powers / powers.sum()) > draw))


def normalised_again(scores, temperature):
    probabilities = softmax(scores) / temperature
    return probabilities / probabilities.sum()


def largest_first_and_back(probabilities, draw):
    order = np.argsort(-probabilities, kind="stable")
    return int(order[counted(probabilities[order], draw)])


def bare_exponentials(scores, temperature):
    powers = np.exp(scores / temperature)
    return powers / powers.sum()


def in_place(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    scores /= temperature
    return counted(softmax(scores), draw)


WRONG = {
    "multiplied-by-temperature": [
        drawn(share=lambda scores, temperature: softmax(scores * temperature)),
        multiplied,
    ],
    "temperature-unused": [drawn(share=normalised_again)],
    "temperature-after-softmax": [drawn(share=lambda scores, temperature: softmax(scores) / temperature)],
    "draw-unused": [lambda scores, temperature, draw: int(np.argmax(scores))],
    "border-to-the-left": [drawn(lambda shares, draw: int(np.searchsorted(shares.cumsum(), draw)))],
    "past-the-end": [
        drawn(lambda shares, draw: int(np.argmax(shares.cumsum() > draw))),
        drawn(lambda shares, draw: int((shares.cumsum() <= draw).sum())),
    ],
    "sorted-indices-lost": [drawn(lambda shares, draw: counted(np.sort(shares)[::-1], draw))],
    "drawn-in-sorted-order": [drawn(largest_first_and_back)],
    "draw-from-the-end": [drawn(lambda shares, draw: len(shares) - 1 - counted(shares[::-1], draw))],
    "not-cumulated": [
        drawn(lambda shares, draw: next((i for i, x in enumerate(shares) if draw < x), len(shares) - 1)),
        drawn(lambda shares, draw: next((i for i, x in enumerate(shares) if x > draw), 0)),
    ],
    "exp-too-large": [drawn(share=bare_exponentials)],
    "not-the-index": [
        lambda scores, temperature, draw: scores[plain(scores, temperature, draw)],
    ],
    "input-changed": [in_place],
}
RIGHT = [
    plain,
    drawn(in_a_loop),
    drawn(searched),
    lambda *given: np.asarray(plain(*given)),
    nearly_zero,
]


def likeliest_below(limit):
    def answer(scores, temperature, draw):
        return plain(scores, 0 if temperature < limit else temperature, draw)

    return answer


ALMOST_RIGHT = {
    "the likeliest below a temperature of 0.05": likeliest_below(0.05),
    "the likeliest below a temperature of 1": likeliest_below(1),
}
