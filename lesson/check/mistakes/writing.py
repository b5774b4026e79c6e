"""Mistakes on the way from scores to the next token, and with the past of a token.

A wrong index is often 0, which is a number like others here.
"""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import RIGHT, at, join, softmax, swap


def counted(probabilities, draw):
    """How many stretches end at or before the draw: the index of the one in which it lies."""
    return (probabilities.cumsum() <= draw).sum()


def chosen_in_order(order):
    """Where the draw lies among the probabilities in another order, without the way back to their indices."""
    return lambda probabilities, draw: counted(probabilities[order(probabilities)], draw)


def multiplied(scores, temperature):
    return scores * temperature


def first_above(probabilities, draw):
    """The first probability above the draw; the last one if there is none."""
    above = probabilities > draw
    return above.argmax() if above.any() else len(above) - 1


# Two slips that often come with another mistake
NO_CASE_FOR_ZERO = {"take_largest": lambda scores, draw: counted(softmax(scores * 0), draw)}
NAIVE_SOFTMAX = {"make_probabilities": lambda tempered: np.exp(tempered) / np.exp(tempered).sum()}

NEXT_TOKEN = [
    mistake(
        "multiplied-by-temperature",
        "The scores were multiplied by the temperature, so that a high one makes the draw less random.",
        "At a temperature of 2, should the scores lie farther apart than before, or closer together?",
        temper=[multiplied],
        together=[
            {"temper": multiplied, **slips}
            for slips in (NO_CASE_FOR_ZERO, NAIVE_SOFTMAX, NO_CASE_FOR_ZERO | NAIVE_SOFTMAX)
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
            {"temper": lambda scores, t: scores, "after_softmax": lambda probabilities, t: probabilities / t},
            {"temper": lambda scores, t: scores, "after_softmax": lambda probabilities, t: probabilities * t},
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
        find_stretch=[
            lambda probabilities, draw: counted(probabilities, draw) + 1,
            lambda probabilities, draw: min(counted(probabilities, draw) + 1, len(probabilities) - 1),
        ],
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
            chosen_in_order(lambda probabilities: np.argsort(-probabilities, kind="stable")),
            chosen_in_order(lambda probabilities: np.argsort(probabilities, kind="stable")),
        ],
    ),
    mistake(
        "drawn-in-sorted-order",
        "The stretches lie in the order of their size. That is a fair draw too, but the exercise asks for the order of the scores.",
        "Which stretch should begin at 0 on the line?",
        find_stretch=[
            lambda probabilities, draw: np.argsort(-probabilities, kind="stable")[
                min(counted(-np.sort(-probabilities), draw), len(probabilities) - 1)
            ],
            lambda probabilities, draw: np.argsort(probabilities, kind="stable")[
                min(counted(np.sort(probabilities), draw), len(probabilities) - 1)
            ],
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
            lambda probabilities, draw: (probabilities < draw).sum(),
            lambda probabilities, draw: (probabilities > draw).argmax(),
            lambda probabilities, draw: (probabilities >= draw).argmax(),
            lambda probabilities, draw: np.abs(probabilities - draw).argmin(),
            lambda probabilities, draw: np.searchsorted(probabilities, draw),
            first_above,
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
        make_probabilities=[
            lambda tempered: np.exp(tempered),
            lambda tempered: np.exp(tempered - tempered.max()),
        ],
    ),
    mistake(
        "exp-too-large",
        "The exponential of a large score is infinite, and infinity divided by infinity is NaN. exp(-1000) is 0, and 0 / 0 is NaN, too.",
        "What is np.exp(1000)? Which number can you subtract from all scores without changing softmax?",
        make_probabilities=[*NAIVE_SOFTMAX.values()],
        nan_suffices=True,
    ),
    mistake(
        "not-the-index",
        "What came back is the score or the probability of the token. The exercise asks for its index.",
        "In which position does the token stand?",
        take_largest=[lambda scores, draw: scores.max()],
        together=[
            {
                "find_stretch": lambda probabilities, draw: probabilities[counted(probabilities[:-1], draw)],
                "keep_inside": lambda index, n: index,
            }
        ],
        hand_back=[
            lambda index, probabilities, scores: scores[index],
            lambda index, probabilities, scores: probabilities[index],
            lambda index, probabilities, scores: probabilities,
            lambda index, probabilities, scores: probabilities.cumsum(),
        ],
    ),
]


def attend(q, keys, values):
    return RIGHT["attend_to_all"](q, keys, values)


def places(keys):
    return np.arange(keys.shape[1])


def rotate_old(keys, place):
    """All keys but the newest rotated by its place."""
    return join(at(place, keys[:, :-1]), keys[:, -1:])


def rotate_newest_alone(keys, place):
    return join(keys[:, :-1], at(place, keys[:, -1:]))


def join_and_rotate(past, k, v, place):
    """Keys of the past and the newest, all rotated by their places."""
    keys = join(past[0], k)
    return at(places(keys), keys), join(past[1], v)


QUERY_ALONE = {"rotate_newest": lambda q, k, place: (at(place, q), k)}

NEWEST = [
    mistake(
        "positions-lost",
        "The scores do not depend on the order of the tokens: the keys are not rotated, or all of them by one angle.",
        "By which position should the key of token 0 be rotated when token 3 is the newest?",
        rotate_newest=[lambda q, k, place: (q, k)],
    ),
    mistake(
        "query-position-lost",
        "The scores depend on the positions of the keys alone, and not on that of the newest token.",
        "By which position does your code rotate q? If it rotates every key by the same one, what is left of it?",
        rotate_newest=[lambda q, k, place: (q, at(place, k))],
        rotate_joined=[lambda keys, place: at(place, keys)],
    ),
    mistake(
        "key-positions-lost",
        "The scores depend on the position of the newest token alone, and not on those of the keys.",
        "Which of q and k does your code rotate by `place`?",
        rotate_newest=[lambda q, k, place: (at(place, q), k)],
    ),
    mistake(
        "old-keys-rotated-again",
        "Keys of the past were rotated a second time. They were rotated when they were the newest.",
        "How often is the key of token 0 rotated until token 3 has come?",
        rotate_joined=[
            rotate_old,
            lambda keys, place: at(places(keys), keys),
        ],
        join_past=[
            lambda past, k, v, place: (join(at(place, past[0]), k), join(past[1], v)),
            lambda past, k, v, place: (at(place, join(past[0], k)), join(past[1], v)),
            join_and_rotate,
        ],
        together=[{**QUERY_ALONE, "join_past": join_and_rotate}],
    ),
    mistake(
        "old-keys-not-rotated",
        "The past holds keys that are not rotated, and only the newest key was rotated before the scores.",
        "Which keys does your past hold, those before the rotation or those after it?",
        together=[QUERY_ALONE | {"rotate_joined": rotate_newest_alone}],
    ),
    mistake(
        "rotated-backwards",
        "Queries and keys were rotated in the wrong direction.",
        "Should the angle grow or shrink with the position?",
        rotate_newest=[lambda q, k, place: (at(-place, q), at(-place, k))],
    ),
    mistake(
        "query-and-key-apart",
        "The newest query and the newest key were rotated by different positions. They are of one token.",
        "By which position is q rotated, and by which is k?",
        rotate_newest=[
            lambda q, k, place: (at(place, q), at(place + 1, k)),
            lambda q, k, place: (at(place + 1, q), at(place, k)),
        ],
    ),
    mistake(
        "value-rotated",
        "The values were rotated too. Only queries and keys carry positions.",
        "Where do positions matter: in the scores, or in what is averaged?",
        choose_value=[lambda v, place: at(place, v)],
    ),
    mistake(
        "oldest-key-alone",
        "The newest query sees the oldest key alone, as with `is_causal=True` and one query.",
        "Which keys may the newest token attend to, and what does a causal mask of one row hide?",
        attend_to_all=[lambda q, keys, values: np.broadcast_to(values[:, :1], q.shape)],
    ),
    mistake(
        "past-lost",
        "The output is the newest value alone: the earlier values were not used, or the past did not come back.",
        "What does your function return as the new past after token 0, and what does token 1 do with it?",
        attend_to_all=[lambda q, keys, values: values[:, -1:]],
        keep=[lambda keys, values, past, k, v: past],
    ),
    mistake(
        "past-of-one-token",
        "A token sees itself and the one before it, but should see all before it: the others are not kept, or not used.",
        "How many keys should the past hold after three tokens, and how many of them get a weight?",
        keep=[lambda keys, values, past, k, v: (k, v)],
    ),
    mistake(
        "newest-left-out",
        "The newest token attends to the past alone: its own key and value come too late.",
        "Which keys should token 1 attend to?",
        attend_to_all=[
            lambda q, keys, values: attend(q, keys[:, :-1], values[:, :-1]) if keys.shape[1] > 1 else values
        ],
    ),
    mistake(
        "joined-along-heads",
        "Past and newest were joined along the axis of the heads. The tokens are on the axis after it.",
        "What is the shape of your keys after three tokens?",
        join_past=[
            lambda past, k, v, place: tuple(np.concatenate(pair, axis=0) for pair in zip(past, (k, v)))
        ],
    ),
    mistake(
        "keys-for-values",
        "Keys and values of the past were exchanged.",
        "In which order does your function return the past, and in which does it take it apart?",
        join_past=[lambda past, k, v, place: (join(past[1], k), join(past[0], v))],
    ),
    mistake(
        "keys-and-values-out-of-order",
        "Keys and values have different orders, so a key's weight goes to the value of a different token.",
        "At which place is the newest key, and at which the newest value?",
        join_past=[
            lambda past, k, v, place: (np.concatenate([k, past[0]], axis=1), join(past[1], v)),
            lambda past, k, v, place: (join(past[0], k), np.concatenate([v, past[1]], axis=1)),
        ],
    ),
    mistake(
        "scores-of-newest-unscaled",
        "The scores were not divided by the square root of d.",
        "Which step lies between the dot products and softmax?",
        attend_to_all=[lambda q, keys, values: softmax(q @ swap(keys)) @ values],
    ),
]
