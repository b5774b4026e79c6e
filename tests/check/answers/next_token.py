"""Answers to `next_token` as learners write them."""

import numpy as np

from tests.check.answers.shared import softmax


def plain(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    ends = softmax(scores / temperature).cumsum()
    return min(int((ends <= draw).sum()), len(scores) - 1)


def with_searchsorted(scores, temperature, draw):
    if temperature == 0:
        return np.argmax(scores)
    ends = softmax(scores / temperature).cumsum()
    ends /= ends[-1]
    return np.searchsorted(ends, draw, side="right")


def in_a_loop(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    end = 0.0
    last = 0
    for index, share in enumerate(softmax(scores / temperature)):
        end += share
        if share > 0:
            last = index
        if draw < end:
            return index
    return last


def by_choice_of_borders(scores, temperature, draw):
    if temperature == 0:
        return np.argsort(-scores, kind="stable")[0]
    ends = softmax(scores / temperature).cumsum()
    ends[-1] = 1.0
    return np.asarray(np.argmax(draw < ends))


def nearly_zero(scores, temperature, draw):
    probabilities = softmax(scores / max(temperature, 1e-8))
    return min(int((np.cumsum(probabilities) <= draw).sum()), len(scores) - 1)


def powers_of_exponentials(scores, temperature, draw):
    if temperature == 0:
        return int(scores.argmax())
    powers = np.exp(scores - scores.max()) ** (1 / temperature)
    return min(int((np.cumsum(powers) <= draw * powers.sum()).sum()), powers.size - 1)


def drawn(scores, temperature, draw, step=lambda ends, draw: int((ends <= draw).sum())):
    """A right answer with another last step."""
    if temperature == 0:
        return int(np.argmax(scores))
    return step(softmax(scores / temperature).cumsum(), draw)


def without_a_guard(scores, temperature, draw):
    probabilities = softmax(scores / temperature)
    return min(int((probabilities.cumsum() <= draw).sum()), len(scores) - 1)


def temperature_as_scale(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    return drawn(
        scores * temperature * temperature,
        temperature,
        draw,
        lambda e, d: min(int((e <= d).sum()), e.size - 1),
    )


def normalised_again(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    probabilities = softmax(scores) / temperature
    probabilities = probabilities / probabilities.sum()
    return min(int((probabilities.cumsum() <= draw).sum()), len(scores) - 1)


def divided_late(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    ends = np.cumsum(softmax(scores) / temperature)
    return min(np.searchsorted(ends, draw, side="right"), len(scores) - 1)


def likeliest(scores, temperature, draw):
    return int(np.argmax(scores))


def left_border(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    return int(np.searchsorted(softmax(scores / temperature).cumsum(), draw))


def first_of_nothing(scores, temperature, draw):
    return drawn(scores, temperature, draw, lambda ends, draw: int(np.argmax(ends > draw)))


def largest_first(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    probabilities = np.sort(softmax(scores / temperature))[::-1]
    return min(int((probabilities.cumsum() <= draw).sum()), len(scores) - 1)


def largest_first_and_back(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    order = np.argsort(-scores, kind="stable")
    probabilities = softmax(scores / temperature)[order]
    return int(order[min((probabilities.cumsum() <= draw).sum(), len(scores) - 1)])


def from_the_right(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    end = 0.0
    probabilities = softmax(scores / temperature)
    for index in range(len(scores) - 1, -1, -1):
        end += probabilities[index]
        if draw < end:
            return index
    return 0


def each_alone(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    for index, share in enumerate(softmax(scores / temperature)):
        if share > draw:
            return index
    return 0


def bare_exponentials(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    powers = np.exp(scores / temperature)
    return min(int(((powers / powers.sum()).cumsum() <= draw).sum()), len(scores) - 1)


def best_score(scores, temperature, draw):
    return scores[with_searchsorted(scores, temperature, draw)]


def share_of_it(scores, temperature, draw):
    probabilities = softmax(scores / temperature) if temperature else softmax(scores)
    return probabilities[with_searchsorted(scores, temperature, draw)]


def in_place(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    scores /= temperature
    return min(int((softmax(scores).cumsum() <= draw).sum()), len(scores) - 1)


def multiplied(scores, temperature, draw):
    """As a first try: without a case for 0, a maximum, and a guard at the end."""
    powers = np.exp(scores * temperature)
    return int(np.argmax(np.cumsum(powers / powers.sum()) > draw))


def largest_score(scores, temperature, draw):
    return plain(scores, temperature, draw) if temperature > 0 else max(scores)


def share_alone(scores, temperature, draw):
    index = plain(scores, temperature, draw)
    return softmax(scores / temperature)[index] if temperature > 0 else index


def each_alone_or_the_last(scores, temperature, draw):
    if temperature == 0:
        return int(np.argmax(scores))
    return next((i for i, share in enumerate(softmax(scores / temperature)) if draw < share), len(scores) - 1)


WRONG = {
    "multiplied-by-temperature": [temperature_as_scale, multiplied],
    "temperature-unused": [normalised_again],
    "temperature-after-softmax": [divided_late],
    "divided-by-zero": [without_a_guard],
    "draw-unused": [likeliest],
    "border-to-the-left": [left_border],
    "past-the-end": [drawn, first_of_nothing],
    "sorted-indices-lost": [largest_first],
    "drawn-in-sorted-order": [largest_first_and_back],
    "draw-from-the-end": [from_the_right],
    "not-cumulated": [each_alone, each_alone_or_the_last],
    "exp-too-large": [bare_exponentials],
    "not-the-index": [best_score, share_of_it, largest_score, share_alone],
    "input-changed": [in_place],
}
RIGHT = [plain, with_searchsorted, in_a_loop, by_choice_of_borders, nearly_zero, powers_of_exponentials]
ALMOST_RIGHT = {
    "the likeliest below a temperature of 0.05": lambda scores, temperature, draw: plain(
        scores, 0 if temperature < 0.05 else temperature, draw
    ),
    "the likeliest below a temperature of 1": lambda scores, temperature, draw: plain(
        scores, 0 if temperature < 1 else temperature, draw
    ),
}
