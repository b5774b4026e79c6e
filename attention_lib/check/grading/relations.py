"""How a wrong answer relates to the right one, where no wrong step explains it.

Most such answers are the right numbers with something done to them, or are right on some probes and
not on others. Both can be told without a name. Each list goes from the special to the general.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_lib.check.grading.format_evidence import show
from attention_lib.check.grading.run_learner import close
from attention_lib.check.mistakes.signs import temperature


@dataclass(frozen=True)
class Relation:
    """What was done to the right numbers: holds(got, right) on all wrong answers."""

    cause: str
    ask: str
    holds: Callable


def same_numbers(got, right):
    return close(np.sort(got.ravel()), np.sort(right.ravel()))


def same_rows(got, right):
    rows = [np.sort(x.reshape(-1, right.shape[-1]), 0) for x in (got, right)]
    return same_numbers(got, right) and close(*rows)


def reorders_axes(got, right):
    orders = itertools.permutations(range(right.ndim)) if right.ndim < 6 else ()
    return got.ndim == right.ndim and any(close(got, right.transpose(order)) for order in orders)


def reduced(by):
    def holds(got, right):
        return any(close(got, by(right, axis)) for axis in range(right.ndim))

    return holds


def only_first(got, right):
    """The first table or row is right, and no other one."""
    return (
        len(right) > 1
        and close(got[0], right[0])
        and not np.isclose(got[1:], right[1:]).all(-1).any()
    )


def some_rows_zero(got, right):
    rows = got.reshape(-1, got.shape[-1]), right.reshape(-1, got.shape[-1])
    zero = (rows[0] == 0).all(-1)
    return close(rows[0][~zero], rows[1][~zero])


def rounded(got, right):
    cuts = (np.trunc, np.floor, np.ceil)
    return any(close(got, np.round(right, n)) for n in range(5)) or any(
        close(got, cut(right)) for cut in cuts
    )


def cut_to_whole(got, right):
    cuts = (np.trunc, np.floor, np.ceil, np.round)
    return not close(right, np.round(right)) and any(close(got, cut(right)) for cut in cuts)


def one_factor(got, right):
    used = np.abs(right) > 1e-9
    return got.ndim > 0 and used.any() and close(got, np.median(got[used] / right[used]) * right)


def lengths_that_differ(got, right):
    return sum(a != b for a, b in zip(got.shape, right.shape, strict=False))


LOOP = "Which indices does your loop run through, and when does it end?"
SHAPES = [
    Relation(
        "There is an axis of length 1 too many or too few.",
        "Which of your lines adds or takes away an axis?",
        lambda got, right: (
            got.size == right.size
            and same_numbers(got, right)
            and got.squeeze().shape == right.squeeze().shape
        ),
    ),
    Relation(
        "The right numbers are there, and their axes stand in another order.",
        "Write the name of each axis above your shape. Which two have changed places?",
        reorders_axes,
    ),
    Relation(
        "One axis was added up: its numbers are one sum now.",
        "Over which axis does your sum run? Is it needed?",
        reduced(lambda x, axis: x.sum(axis)),
    ),
    Relation(
        "One axis was averaged away.",
        "Over which axis does your mean run? Is it needed?",
        reduced(lambda x, axis: x.mean(axis)),
    ),
    Relation(
        "Only the first of several came back: it is right, and the others are missing.",
        LOOP + " Is `return` inside it?",
        reduced(lambda x, axis: np.take(x, 0, axis)),
    ),
    Relation(
        "Only the last of several came back: it is right, and the others are missing.",
        "Is a result overwritten each time round your loop?",
        reduced(lambda x, axis: np.take(x, -1, axis)),
    ),
    Relation(
        "All the right numbers are there, and the axes were run together.",
        "Which of your lines flattens or reshapes?",
        lambda got, right: got.size == right.size and same_numbers(got, right),
    ),
    Relation(
        "One axis has the wrong length, and all others are right.",
        "Which of your lines sets the length of that axis?",
        lambda got, right: got.ndim == right.ndim and lengths_that_differ(got, right) == 1,
    ),
    Relation(
        "An axis is missing: something was added up or picked out on the way.",
        "Write down the shape after each of your lines. Where does the axis go?",
        lambda got, right: got.ndim < right.ndim,
    ),
    Relation(
        "There are more axes than were asked for.",
        "Write down the shape after each of your lines. Where does the new axis come from?",
        lambda got, right: got.ndim > right.ndim,
    ),
]
VALUES = [
    Relation("The right numbers were rounded.", "Which of your lines rounds?", rounded),
    Relation(
        "The first one is right, and no other.",
        LOOP,
        only_first,
    ),
    Relation(
        "Some rows were never filled: they are 0, and all others are right.",
        LOOP,
        some_rows_zero,
    ),
    Relation(
        "The right rows are there, in another order.",
        "In which order does your code go through the rows?",
        same_rows,
    ),
    Relation(
        "All the right numbers are there, in other places.",
        "Follow one number from the input to its place in the result.",
        same_numbers,
    ),
    Relation(
        "In each table all numbers are off by one factor, and the factor depends on the sizes.",
        "Which size enters your divisor, and under which root?",
        one_factor,
    ),
    Relation(
        "All numbers are nearly right: something small was added, or digits were cut.",
        "Is there a small number such as 1e-4 in your lines? What is it for?",
        lambda got, right: close(got, right, 2e-3, 2e-3),
    ),
]


# What can be said of a table of weights, whatever the right numbers are.
WEIGHTS = [
    Relation(
        "There are negative weights, and a share cannot be negative.",
        "What makes every score positive and keeps their order?",
        lambda s: (s.weights < 0).any(),
    ),
    Relation(
        "Hidden keys get weight.",
        "Follow the mask through your lines. What becomes of a score that it hides?",
        lambda s: (s.weights[s.hidden] != 0).any(),
    ),
    Relation(
        "The rows of the weights do not add up to 1.",
        "Which line divides by the sum of a row, and does anything change the shares after it?",
        lambda s: not np.isclose(s.weights.sum(-1), s.right[-1].sum(-1), atol=0.01).all(),
    ),
]


def another_temperature(telling):
    """The weights are those of right scores times one number."""
    with np.errstate(all="ignore"):
        factors = [temperature(s) for s in telling if s.weights.ndim > 1]
    if np.allclose(factors, 1):
        return None
    whole = all(close(s.weights.sum(-1), s.right[-1].sum(-1)) for s in telling)
    if not whole or not factors or not np.allclose(factors, factors[0], rtol=1e-3):
        return None
    cause = f"These are the weights of scores that were multiplied by {show(factors[:1])}."
    return Relation(cause, "Which factor stands between the scores and your exp?", None)


def of_all(relations, pairs):
    """The first relation that holds for all pairs of wrong and right."""
    for relation in relations:
        try:
            if pairs and all(relation.holds(got, right) for got, right in pairs):
                return relation
        except (ValueError, IndexError, TypeError):
            continue
    return None


def multiple(pairs):
    """All numbers are the right ones times, or plus, one constant."""
    got, right = (np.concatenate([np.ravel(pair[i]) for pair in pairs]) for i in (0, 1))
    used = np.abs(right) > 1e-9
    if used.sum() < 4:
        return None
    ratio, offset = np.median(got[used] / right[used]), np.median(got - right)
    if cut_to_whole(got, right):
        cause = "The numbers were cut to whole ones."
        ask = "Can the array that you write into hold a fraction? Which dtype has it?"
        return Relation(cause, ask, None)
    if close(got, ratio * right):
        cause = f"Every number is {show([ratio])} times what it should be."
        return Relation(cause, "Which factor of yours is that?", None)
    if close(got, right + offset):
        by = show([offset])
        cause = f"Every number is off by {f'{offset:.0e}' if by in ('0', '-0') else by}."
        return Relation(cause, "What do you add or subtract that the formula does not?", None)
    return None
