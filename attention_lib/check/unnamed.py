"""What to say where no named mistake fits: the error, the type, the shape, or how the numbers relate.

Most such answers are the right numbers with something done to them, or are right on some probes and not
on others. Both can be told without a name. Each list goes from the special to the general.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_lib.check.calling import close
from attention_lib.check.evidence import called_with, entry, shapes_of, show, sums
from attention_lib.check.words import clean, error_hint, in_words, message_of


@dataclass(frozen=True)
class Reason:
    """What a verdict says of one mistake."""

    id: str
    seen: str
    cause: str
    ask: str


@dataclass(frozen=True)
class Relation:
    """What was done to the right numbers: holds(got, right) on all wrong answers."""

    cause: str
    ask: str
    holds: Callable


def same_numbers(got, right):
    return close(np.sort(got.ravel()), np.sort(right.ravel()))


def reorders_axes(got, right):
    from itertools import permutations

    orders = permutations(range(right.ndim)) if right.ndim < 6 else ()
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
    return zero.any() and not zero.all() and close(rows[0][~zero], rows[1][~zero])


def rounded(got, right):
    return any(close(got, np.round(right, n)) for n in range(5)) or close(got, np.trunc(right))


LOOP = "Which indices does your loop run through, and when does it end?"
SHAPES = [
    Relation(
        "There is an axis of length 1 too many or too few.",
        "Which of your lines adds or takes away an axis?",
        lambda got, right: got.size == right.size and same_numbers(got, right)
        and got.squeeze().shape == right.squeeze().shape,
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
]  # fmt: skip
VALUES = [
    Relation(
        "Every sign is turned over.",
        "Where does a minus stand in your lines?",
        lambda got, right: close(got, -right),
    ),
    Relation("The right numbers were rounded.", "Which of your lines rounds?", rounded),
    Relation(
        "True and False have changed places.",
        "Say aloud what True means here.",
        lambda got, right: close(got, 1 - right),
    ),
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
        lambda got, right: same_numbers(got, right)
        and close(np.sort(got.reshape(-1, got.shape[-1]), 0), np.sort(right.reshape(-1, got.shape[-1]), 0)),
    ),
    Relation(
        "All the right numbers are there, in other places.",
        "Follow one number from the input to its place in the result.",
        same_numbers,
    ),
]  # fmt: skip


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


def of_all(relations, pairs):
    """The first relation that holds for all pairs of wrong and right."""
    for relation in relations:
        try:
            if pairs and all(relation.holds(got, right) for got, right in pairs):
                return relation
        except (ValueError, IndexError, TypeError):
            continue
    return None


# Right on some probes, wrong on others


def axes(seen):
    return max(np.ndim(a) for a in seen.args)


def longest(seen):
    """The longest axis, or the number that says how long one is to be."""
    sizes = [size for a in seen.args for size in np.shape(a)]
    return max(sizes, default=0) or max(seen.args)


def mask_is_stretched(s):
    return s.mask is not None and np.shape(s.mask) != s.right[-1].shape


FEATURES = [
    (
        "where mask=None is given",
        "How does your function notice that there is no mask?",
        lambda s: "mask" in s.named_args and s.mask is None,
    ),
    (
        "with a mask that is smaller than the table",
        "The mask lines up with the table from the right. Which line of yours needs both alike?",
        mask_is_stretched,
    ),
    (
        "with a mask",
        "Follow the mask through your lines. Where does it meet the table?",
        lambda s: s.mask is not None,
    ),
    (
        "with whole numbers",
        "Can the array that you write into hold a fraction? Which dtype has it?",
        lambda s: s.exercise.make_probes and any(
            np.asarray(a).dtype.kind == "i" and np.ndim(a) for a in s.args
        ) and not s.exercise.booleans,
    ),
    (
        "where an axis has length 1",
        "Which of your lines takes away an axis of length 1, or treats it in another way?",
        lambda s: any(1 in np.shape(a) for a in s.args),
    ),
]  # fmt: skip


def contrast(runs):
    """(where it goes wrong, a question), if it is right everywhere else; or None."""
    runs = [s for s in runs if s.probe.ordinary]
    right, wrong = [s for s in runs if s.ok], [s for s in runs if not s.ok]
    if not right or not wrong:
        return None
    most = max(map(axes, right))
    if min(map(axes, wrong)) > most:
        where = f"with more than {in_words(most, 'axis', 'axes')}"
        return (
            where,
            "Which of your lines counts axes from the front? -1 is the last of any number.",
        )
    most = max(map(longest, right))
    if min(map(longest, wrong)) > most:
        where = f"where something is longer than {in_words(most, 'number or token', 'numbers or tokens')}"
        return where, "Does a number in your lines stand for a length?"
    for where, ask, has in FEATURES:
        if all(map(has, wrong)):
            return where, ask
    if len(wrong) == 1:
        return f"with {wrong[0].probe.what}", "What is different about that input?"
    return None


# The reasons


def reason(exercise, runs):
    """Why the answer is refused, where no named mistake fits."""
    special = contrast(runs)
    only = f" It is right elsewhere, and goes wrong {special[0]}." if special else ""
    for tell in (by_error, by_type, by_shape, by_value):
        if found := tell(exercise, runs, special, only):
            return found
    raise AssertionError("nothing is wrong")


def by_error(exercise, runs, special, only):
    failed = [s for s in runs if s.error is not None]
    if not failed:
        return None
    s = failed[0]
    cause, ask = error_hint(s.error)
    line = f", in your line `{clean(s.line, 100)}`" if s.line else ""
    seen = (
        f"Called with {called_with(s)}, your function stopped{line}: `{message_of(s.error)}`.{only}"
    )
    if special:
        cause, ask = cause or f"It goes wrong {special[0]}, and is right elsewhere.", special[1]
    return Reason("raises", seen, cause or "Python stopped there.", ask)


def by_type(exercise, runs, special, only):
    for s in runs:
        if s.got is None:
            what = "nothing" if s.raw is None else f"of type {type(s.raw).__name__}"
            if type(s.raw) in (tuple, list):
                what = f"a {type(s.raw).__name__} of {len(s.raw)}"
            cause = f"What came back is {what}. The exercise asks for {exercise.wanted}."
            seen = f"Called with {called_with(s)}.{only}"
            return Reason("wrong-type", seen, cause, "What does your last line return?")
    return None


def by_shape(exercise, runs, special, only):
    wrong = [s for s in runs if [x.shape for x in s.got] != [x.shape for x in s.right]]
    if not wrong:
        return None
    s = wrong[0]
    seen = (
        f"With {s.probe.what}, {called_with(s)}: the shape is {shapes_of(s.got)} "
        f"and should be {shapes_of(s.right)}.{only}"
    )
    pairs = [
        (g, r)
        for s in wrong
        if len(s.got) == len(s.right)
        for g, r in zip(s.got, s.right, strict=True)
        if g.shape != r.shape
    ]
    if relation := of_all(SHAPES, pairs):
        return Reason("wrong-shape", seen, relation.cause, relation.ask)
    if special:
        return Reason("wrong-shape", seen, f"The shape goes wrong {special[0]}.", special[1])
    ask = "Write down the shape after each of your lines. Which is the first that surprises you?"
    return Reason("wrong-shape", seen, "An axis was lost, added or exchanged on the way.", ask)


def by_value(exercise, runs, special, only):
    wrong = [s for s in runs if not s.ok]
    s = wrong[0]
    seen = f"With {s.probe.what}{inputs(s)}: {entry(s)[0].lower()}{entry(s)[1:]}{only}"
    if not all(np.isfinite(part).all() for part in s.got):
        ask = "Which of your lines makes the first NaN or infinity?"
        return Reason("not-finite", seen, "The result holds NaN or infinity.", ask)
    pairs, parts = [], set()
    for one in wrong:
        for i, (g, r) in enumerate(zip(one.got, one.right, strict=True)):
            if not close(g, r):
                pairs.append((g, r))
                parts.add(i)
    here = ""
    if len(parts) < len(exercise.parts):
        (i,) = parts
        other = exercise.parts[1 - i]
        here = f"The {other} are right, and the {exercise.parts[i]} are not. " if other else ""
        here = here.replace("output are", "output is")
    if relation := of_all(VALUES, pairs) or multiple(pairs):
        return Reason("different", seen, here + relation.cause, relation.ask)
    if "share" in exercise.steps:
        tables = [s for s in wrong if s.weights.shape == s.right[-1].shape]
        telling = [s for s in tables if not close(s.weights, s.right[-1])]
        for relation in WEIGHTS:
            if any(map(relation.holds, telling)):
                return Reason("different", f"{seen} {sums(s)}", relation.cause, relation.ask)
    if special:
        return Reason("different", seen, f"{here}It goes wrong {special[0]}.", special[1])
    if here:
        ask = f"Which line makes the {exercise.parts[i]}, and from what?"
        return Reason("different", seen, here.strip(), ask)
    cause = "The numbers are wrong, in a way that this check has no name for."
    return Reason(
        "different", seen, cause, "Compute that entry by hand, step by step, and compare."
    )


def inputs(seen):
    """The arguments, if all of them fit."""
    text = called_with(seen)
    return f", {text}" if "(" not in text else ""


def multiple(pairs):
    """All numbers are the right ones times, or plus, one constant."""
    got, right = (np.concatenate([np.ravel(pair[i]) for pair in pairs]) for i in (0, 1))
    used = np.abs(right) > 1e-9
    if not used.any():
        return None
    ratio, offset = np.median(got[used] / right[used]), np.median(got - right)
    if close(got, ratio * right):
        cause = f"Every number is {show([ratio])} times what it should be."
        return Relation(cause, "Which factor of yours is that?", None)
    if close(got, right + offset):
        cause = f"Every number is off by {show([offset])}."
        return Relation(cause, "What do you add or subtract that the formula does not?", None)
    return None
