"""How a wrong answer relates to the right one, where no mistake was found.

Most such answers are the right numbers with something done to them. Each list goes from the special to the
general.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lesson.check.compare import close
from lesson.check.seen import (
    SHOWN,
    ZERO,
    format_numbers,
    hidden,
    row_and_column_sums,
    tables,
    weights,
    weights_of_hidden_keys,
)


@dataclass(frozen=True)
class Relation:
    """What was done to the right numbers: it has to hold for each array that is wrong."""

    cause: str
    ask: str
    holds: Callable  # of a wrong and the right array


@dataclass(frozen=True)
class RelationOfWeights:
    """What is wrong with a table of weights: one run shows it."""

    cause: str
    ask: str
    holds: Callable  # of a run
    shows: Callable = lambda run: ""  # -> a sentence with what else was seen


def same_numbers(got, right):
    return close(np.sort(got.ravel()), np.sort(right.ravel()))


def reorders_axes(got, right):
    orders = itertools.permutations(range(right.ndim))
    return got.ndim == right.ndim and any(close(got, right.transpose(order)) for order in orders)


def differ_by_axes_of_one(got, right):
    return got.squeeze().shape == right.squeeze().shape and same_numbers(got, right)


def has_another_shape(got, right):
    """The same numbers, and not two values alone: another mask may hold as many of each."""
    return got.size == right.size and np.unique(right).size != 2 and same_numbers(got, right)


def first_alone(got, right):
    """The first row or table of several was picked out."""
    return any(close(got, np.take(right, 0, axis)) for axis in range(right.ndim - 1))


def all_like_the_last(axis):
    """Along this axis, each holds the numbers that belong to the last."""

    def holds(got, right):
        return right.ndim >= -axis and close(got, np.take(right, [-1] * right.shape[axis], axis))

    return holds


def some_rows_zero(got, right):
    if right.ndim == 0:
        return False
    got, right = (x.reshape(-1, x.shape[-1]) for x in (got, right))
    zero = (got == 0).all(-1)
    return zero.any() and close(got[~zero], right[~zero])


def some_zero(got, right):
    zero = (got == 0) & (right != 0)
    return zero.any() and close(got[~zero], right[~zero])


def cut_to_whole(got, right):
    cuts = (np.trunc, np.floor, np.ceil, np.round)
    return got.any() and not close(right, np.round(right)) and any(close(got, cut(right)) for cut in cuts)


def nearly_right(got, right):
    return close(got, right, 2e-3, 2e-3)


def one_factor(got, right):
    used = np.abs(right) > ZERO
    return got.ndim > 0 and used.any() and close(got, np.median(got[used] / right[used]) * right)


def different_scores_got_one_share(run):
    """In a row whose shares still add up, shares are equal that should be far apart."""
    if not np.isclose(weights(run).sum(-1), run.right[-1].sum(-1)).all():
        return False
    # Far apart: half as much again or more, of shares that are not tiny.
    order = run.right[-1].argsort(-1)
    got, right = (np.take_along_axis(x, order, -1) for x in (weights(run), run.right[-1]))
    equal = np.isclose(got[..., 1:], got[..., :-1], rtol=1e-9, atol=0) & (got[..., 1:] > 0)
    return (equal & (right[..., 1:] > 1.5 * right[..., :-1]) & (right[..., :-1] > 1e-3)).any()


def each_table_adds_up_to_1(run):
    table = tables(weights(run))
    rows = table.sum(-1)
    if min(table.shape[-2:]) == 1 or not rows_add_up_otherwise(run):
        return False
    return close(rows.sum(-1), np.ones(len(rows)))


def rows_add_up_otherwise(run):
    return not np.isclose(weights(run).sum(-1), run.right[-1].sum(-1), atol=SHOWN).all()


SHAPES = [
    Relation(
        "There is an axis of length 1 too many, or there are several.",
        "Where does it come from: a line that adds an axis, or one that keeps it, as keepdims does?",
        lambda got, right: differ_by_axes_of_one(got, right) and got.ndim > right.ndim,
    ),
    Relation(
        "An axis of length 1 is missing, or several are.",
        "Is it taken away, by an index, a sum or squeeze, or is it never made?",
        lambda got, right: differ_by_axes_of_one(got, right) and got.ndim < right.ndim,
    ),
    Relation(
        "The right numbers are there, and their axes stand in another order.",
        "Write the name of each axis above your shape. Which of them have changed places?",
        reorders_axes,
    ),
    Relation(
        "Only the first of several came back: it is right, and the others are missing.",
        "Does a line of yours pick out the first? If there is a loop, is `return` inside it?",
        first_alone,
    ),
    Relation(
        "All the right numbers are there, in an array of another shape.",
        "After which of your lines is the shape another than you want? Write down the shapes before it.",
        has_another_shape,
    ),
    Relation(
        "The axes have the right lengths, in another order, and hold other numbers.",
        "Write the name of each axis above your shape. Which of them have changed places?",
        lambda got, right: sorted(got.shape) == sorted(right.shape),
    ),
    Relation(
        "As many axes as were asked for are there, and not all have the right length.",
        "Write the name of each axis above your shape. Where does the length that is wrong come from?",
        lambda got, right: got.ndim == right.ndim,
    ),
    Relation(
        "There are fewer axes than were asked for.",
        "Write down the shape after each of your lines. Which axis is lost there, or never made?",
        lambda got, right: got.ndim < right.ndim,
    ),
    Relation(
        "There are more axes than were asked for.",
        "Write down the shape after each of your lines. Where does the new axis come from?",
        lambda got, right: got.ndim > right.ndim,
    ),
    Relation(
        "The axes are not those that the exercise asks for.",
        "Write down the shape after each of your lines. Which is the first that surprises you?",
        lambda got, right: True,
    ),
]
MASKS = [
    Relation(
        "Too much is hidden: some entries are False that should be True, and none the other way around.",
        "Which of your lines decides on the entry above, and from what?",
        lambda got, right: (got <= right).all(),
    ),
    Relation(
        "Too much is seen: some entries are True that should be False, and none the other way around.",
        "Which of your lines decides on the entry above, and from what?",
        lambda got, right: (got >= right).all(),
    ),
]
VALUES = [
    # First: within this distance the others hold too.
    Relation(
        "All numbers are nearly right, as if something small was added, digits were cut, or a limit was set.",
        "Is there a small number such as 1e-4 in your lines, a limit such as maximum, or a dtype of few digits?",
        nearly_right,
    ),
    Relation(
        "All rows are alike: each holds the numbers of the last.",
        "Are your rows different things, or one list many times, as `[[0] * n] * n` makes it?",
        all_like_the_last(-2),
    ),
    Relation(
        "All columns are alike: each holds the numbers of the last.",
        "Which of your lines chooses the column? If functions are made in a loop, which value have its names when they run?",
        all_like_the_last(-1),
    ),
    Relation(
        "All tables are alike: each holds the numbers of the last.",
        "Which of your lines chooses the table? If functions are made in a loop, which value have its names when they run?",
        all_like_the_last(-3),
    ),
    Relation(
        "Some rows are 0, and all others are right.",
        "Which rows are they? Does a line make them 0, or are they never filled?",
        some_rows_zero,
    ),
    Relation(
        "Some numbers are 0, and all others are right.",
        "Which entries are they? Does a line make them 0, or are they never reached?",
        some_zero,
    ),
    Relation(
        "All the right numbers are there, in other places.",
        "Follow one number from the input to its place in the result.",
        same_numbers,
    ),
    Relation(
        "Each array that is wrong is the right one times a factor, which is not the same for all inputs.",
        "Which size or number could that factor be? Is it in a divisor of yours, or under a root?",
        one_factor,
    ),
]
HIDDEN_KEYS = RelationOfWeights(
    "Hidden keys get weight.",
    "Follow the mask through your lines. What becomes of a score that it hides?",
    lambda run: (weights(run)[hidden(run)] != 0).any(),
    weights_of_hidden_keys,
)
WEIGHTS = [
    RelationOfWeights(
        "Scores that differ got the same share, as if a limit had made them equal.",
        "Where do they become equal? Is there a limit such as clip, minimum or maximum, or something that rounds?",
        different_scores_got_one_share,
    ),
    RelationOfWeights(
        "The shares of a whole table add up to 1. The shares of each row should.",
        "By what do you divide, and whose shares are in it?",
        each_table_adds_up_to_1,
        row_and_column_sums,
    ),
    RelationOfWeights(
        "The rows of the weights do not add up to 1.",
        "Does a line divide by the sum of a row, and does anything change the shares after it?",
        rows_add_up_otherwise,
        row_and_column_sums,
    ),
]


def first_that_holds(relations, pairs):
    """(cause, question) of the first relation that holds for all pairs of wrong and right; or None."""
    for relation in relations:
        if all(relation.holds(got, right) for got, right in pairs):
            return relation.cause, relation.ask
    return None


def one_number(arrays):
    """(cause, question) if all arrays hold one and the same number."""
    numbers = np.concatenate([array.ravel() for array in arrays])
    if numbers.size == 0 or not (numbers == numbers[0]).all():
        return None
    cause = f"Every number is {format_numbers(numbers[:1])}, with every input tried."
    ask = "How do the arguments get into the result? Does a step make all numbers alike, or have none left to work on?"
    return cause, ask


def one_constant(pairs):
    """(cause, question) if one thing was done to all numbers: cut, or multiplied or moved by one number."""
    got, right = (np.concatenate([np.ravel(pair[i]) for pair in pairs]) for i in (0, 1))
    used = np.abs(right) > ZERO
    if used.sum() < 4 or nearly_right(got, right):  # few may have one ratio, or one distance, by chance
        return None
    ratio, offset = np.median(got[used] / right[used]), np.median(got - right)
    if cut_to_whole(got, right):
        ask = "Which of your lines makes whole numbers? Can each array that you write into hold a fraction?"
        return "The numbers were cut to whole ones, or rounded.", ask
    if close(got, ratio * right):
        cause = f"Each wrong number is {ratio:.3g} times what it should be."
        return cause, "Which factor or divisor could that be?"
    if close(got, right + offset):
        cause = f"Each wrong number is off by {offset:.3g}."
        return cause, "What is added or subtracted that the formula does not?"
    return None
