"""Mistakes on the way from scores to the next token.

A wrong index is often 0, which is a number like others here.
"""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import softmax


def counted(probabilities, draw):
    """How many stretches end at or before the draw: the index of the one in which it lies."""
    return (probabilities.cumsum() <= draw).sum()


def multiplied(scores, temperature):
    return scores * temperature


NEXT_TOKEN = [
    mistake(
        "multiplied-by-temperature",
        "The scores were multiplied by the temperature, so that a high one makes the draw less random.",
        "At a temperature of 2, should the scores lie farther apart than before, or closer together?",
        temper=[multiplied],
        together=[  # without a case for a temperature of 0
            {"temper": multiplied, "take_largest": lambda scores, draw: counted(softmax(scores * 0), draw)}
        ],
    ),
    mistake(
        "temperature-unused",
        "The temperature makes no difference to the probabilities: it was not used, or it was divided out again.",
        "Does your result change with the temperature? Which line of yours should change first?",
        temper=[lambda scores, t: scores],
    ),
    mistake(
        "temperature-after-softmax",
        "The probabilities were divided by the temperature or multiplied by it, and no longer add up to 1.",
        "What do your probabilities add up to at a temperature of 2?",
        together=[
            {"temper": lambda scores, t: scores, "after_softmax": lambda probabilities, t: probabilities / t}
        ],
    ),
    mistake(
        "divided-by-zero",
        "At a temperature of 0 the same index comes back whatever the scores are: as if they were divided by 0.",
        "Which index should come back at a temperature of 0, and can a division by 0 find it?",
        take_largest=[lambda scores, draw: 0, lambda scores, draw: len(scores) - 1],
        nan_suffices=True,
    ),
    mistake(
        "drawn-at-zero",
        "At a temperature of 0 a token is still drawn at random.",
        "Which index should come back at a temperature of 0, whatever the draw is?",
        take_largest=[lambda scores, draw: counted(softmax(scores), draw)],
    ),
    mistake(
        "smallest-at-zero",
        "At a temperature of 0 the smallest score was taken, or the order of the scores was not turned around.",
        "Which token is the likeliest one, that of the largest score or that of the smallest?",
        take_largest=[lambda scores, draw: scores.argmin(), lambda scores, draw: scores.argsort()[0]],
    ),
    mistake(
        "draw-unused",
        "The likeliest token was taken, whatever the draw is.",
        "Does your result change with the draw?",
        find_stretch=[lambda probabilities, draw: probabilities.argmax()],
    ),
    mistake(
        "border-to-the-left",
        "A draw at the border of two stretches was counted to the one on the left. So a draw of 0 can choose a token of probability 0.",
        "The first score is -inf, and the draw is 0. Which index should come back?",
        find_stretch=[lambda probabilities, draw: (probabilities.cumsum() < draw).sum()],
    ),
    mistake(
        "one-too-far",
        "The index is one too large: it is that of the stretch behind the one in which the draw lies.",
        "Three probabilities of 1/3, and a draw of 0.1: how many stretches end before it?",
        find_stretch=[lambda probabilities, draw: counted(probabilities, draw) + 1],
    ),
    mistake(
        "one-too-few",
        "The index is one too small: it is that of the stretch in front of the one in which the draw lies.",
        "Three probabilities of 1/3, and a draw of 0.1: how many stretches end before it?",
        find_stretch=[
            lambda probabilities, draw: counted(probabilities, draw) - 1,
            lambda probabilities, draw: max(counted(probabilities, draw) - 1, 0),
        ],
    ),
    mistake(
        "past-the-end",
        "Rounding can leave the sum of the probabilities a little below 1. A draw above it finds no stretch.",
        "The sum ends at 0.9999999999999999, and so does the draw. Which index do your lines return?",
        keep_inside=[lambda index, n: index, lambda index, n: index if index < n else 0],
        nan_suffices=True,
    ),
    mistake(
        "sorted-indices-lost",
        "The stretches lie in the order of their size. The result is a place in that order, and not an index of the scores.",
        "After sorting, how do you find out which score a stretch belongs to?",
        find_stretch=[
            lambda probabilities, draw: counted(-np.sort(-probabilities), draw),
            lambda probabilities, draw: counted(np.sort(probabilities), draw),
        ],
    ),
    mistake(
        "drawn-in-sorted-order",
        "The stretches lie in the order of their size. That is a fair draw too, but the exercise asks for the order of the scores.",
        "Which stretch should begin at 0 on the line?",
        find_stretch=[
            lambda probabilities, draw: np.argsort(-probabilities, kind="stable")[
                min(counted(-np.sort(-probabilities), draw), len(probabilities) - 1)
            ]
        ],
    ),
    mistake(
        "draw-from-the-end",
        "The draw was measured from the other end of the line. That is a fair draw too, but the exercise asks for the stretches from 0 on.",
        "Where on the line does the stretch of the first score begin?",
        find_stretch=[
            lambda probabilities, draw: (
                len(probabilities) - 1 - min(counted(probabilities[::-1], draw), len(probabilities) - 1)
            ),
            lambda probabilities, draw: counted(probabilities, 1 - draw),
        ],
    ),
    mistake(
        "counted-behind",
        "The stretches that end after the draw were counted, and not those that end before it.",
        "A draw of 0 lies in the first stretch. How many stretches end after it?",
        find_stretch=[
            lambda probabilities, draw: (probabilities.cumsum() > draw).sum(),
            lambda probabilities, draw: (probabilities.cumsum() >= draw).sum(),
        ],
    ),
    mistake(
        "not-cumulated",
        "The draw was compared with each probability by itself. They do not lie end to end.",
        "Probabilities of 0.5, 0.3 and 0.2: where on the line does the second stretch begin and end?",
        find_stretch=[
            lambda probabilities, draw: (probabilities <= draw).sum(),
            lambda probabilities, draw: (probabilities > draw).argmax(),
            lambda probabilities, draw: np.searchsorted(probabilities, draw),
            lambda probabilities, draw: (np.append(probabilities[:-1], np.inf) > draw).argmax(),
        ],
        nan_suffices=True,
    ),
    mistake(
        "nearest-border",
        "The stretch was taken whose end is nearest to the draw.",
        "The stretches end at 0.1 and 1, and the draw is 0.2. In which one does it lie?",
        find_stretch=[lambda probabilities, draw: np.abs(probabilities.cumsum() - draw).argmin()],
    ),
    mistake(
        "equally-likely",
        "All tokens are equally likely: the scores make no difference to where the stretches begin and end.",
        "How long is the stretch of a token whose score is -inf?",
        find_stretch=[lambda probabilities, draw: int(draw * len(probabilities))],
    ),
    mistake(
        "scores-as-probabilities",
        "The scores themselves, or each divided by their sum, were put on the line. Softmax is missing.",
        "What makes probabilities of scores, some of which are below 0?",
        make_probabilities=[lambda tempered: tempered, lambda tempered: tempered / tempered.sum()],
    ),
    mistake(
        "exp-not-normalised",
        "The exponentials were not divided by their sum, so that the stretches do not end at 1.",
        "What do your probabilities add up to?",
        make_probabilities=[np.exp, lambda tempered: np.exp(tempered - tempered.max())],
    ),
    mistake(
        "exp-too-large",
        "The exponential of a large score is infinite, and infinity divided by infinity is NaN. exp(-1000) is 0, and 0 / 0 is NaN, too.",
        "What is np.exp(1000)? Which number can you subtract from all scores without changing softmax?",
        make_probabilities=[lambda tempered: np.exp(tempered) / np.exp(tempered).sum()],
        nan_suffices=True,
    ),
    mistake(
        "not-the-index",
        "What came back is the score or the probability of the token. The exercise asks for its index.",
        "In which position does the token stand?",
        take_largest=[lambda scores, draw: scores.max()],
        hand_back=[
            lambda index, probabilities, scores: scores[index],
            lambda index, probabilities, scores: probabilities[index],
            lambda index, probabilities, scores: probabilities,
        ],
    ),
]
