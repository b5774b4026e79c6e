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


def normalised_again(scores, temperature):
    probabilities = softmax(scores) / temperature
    return probabilities / probabilities.sum()


def largest_first_and_back(probabilities, draw):
    order = np.argsort(-probabilities, kind="stable")
    return int(order[counted(probabilities[order], draw)])


def bare_exponentials(scores, temperature):
    powers = np.exp(scores / temperature)
    return powers / powers.sum()


WRONG = {
    "multiplied-by-temperature": [drawn(share=lambda scores, temperature: softmax(scores * temperature))],
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
        drawn(lambda shares, draw: int(np.argmax(shares > draw))),
    ],
    "exp-too-large": [drawn(share=bare_exponentials)],
    "not-the-index": [lambda scores, temperature, draw: scores[plain(scores, temperature, draw)]],
}
RIGHT = [
    plain,
    lambda *given: np.asarray(plain(*given)),
    lambda scores, temperature, draw: plain(scores, max(temperature, 1e-8), draw),
]
ALMOST_RIGHT = {
    "the likeliest below a temperature of 0.05": lambda scores, t, draw: plain(scores, t * (t > 0.05), draw),
}
