"""Practice on bugs: functions with a known mistake inside, which are to be called until the cause is clear."""

import inspect
import itertools
import math
import numbers
import random
import warnings
from contextlib import suppress
from functools import partial
from hashlib import sha256

import numpy as np

from attention_lib import arguments
from lesson.check.compare import shapes
from lesson.check.exercises import EXERCISES
from lesson.check.formatting import format_numbers, format_shapes
from lesson.check.puzzles.mysteries import MYSTERIES, SMALL_SHAPES
from lesson.check.verdict import Verdict, show

# Numbers of small inputs: whole ones and 0, fractions, large ones. Shown with two decimals, results that differ by
# VISIBLE look different.
KINDS_OF_NUMBERS = [(-2, -1, 0, 1, 2, 3), (-1.7, -0.6, 0.4, 1.3, 2.5), (-1000, 0, 999)]
VISIBLE = 0.01


class Mystery:
    """A function with a known mistake inside: call it with arrays, or with lists.

    `choices` has four causes by letter, of which one is true; `guess("a")` judges one.
    """

    def __init__(self, exercise: str, number: int):
        self.exercise, self.number, self.__name__ = exercise, number, exercise
        causes = {mistake.id: mistake.cause for mistake, _ in EXERCISES[exercise].variants}
        self.choices = {letter: causes[id] for letter, id in ids_by_letter(exercise, number).items()}
        _, *parameters = inspect.signature(EXERCISES[exercise].recipe).parameters.values()
        self.__signature__ = inspect.Signature(parameters)

    def __repr__(self) -> str:
        causes = "\n".join(f"{letter}  {cause}" for letter, cause in self.choices.items())
        return f"{self.exercise}{self.__signature__}, mystery {self.number}. What is wrong with it?\n{causes}"

    def __call__(self, *args, **named):
        """What comes back, in float64. Arguments that do not work raise a ValueError or TypeError."""
        __tracebackhide__ = True  # leaves this frame out of IPython's tracebacks
        bound = self.__signature__.bind(*args, **named)
        for name, value in bound.arguments.items():
            if value is not None or self.__signature__.parameters[name].default is not None:
                bound.arguments[name] = ready(name, value)
        parts = None
        # The text and the place of an error or a warning would tell what is inside.
        with suppress(Exception), warnings.catch_warnings(action="ignore"):
            parts = EXERCISES[self.exercise].result_with(inside(self.exercise, self.number), bound.args)
        if parts is None:
            given = " and ".join(f"{name} of shape {np.shape(a)}" for name, a in bound.arguments.items())
            text = f"{self.exercise} stopped: it cannot work with {given}. Where it stops, and where not, is a clue"
            raise ValueError(text)
        parts = tuple(map(np.array, parts))  # a view would tell how it was made
        if EXERCISES[self.exercise].gives_a_past:
            return parts[0], parts[1:]
        return parts if len(parts) > 1 else parts[0]

    def guess(self, letter: str) -> Verdict:
        """Shows whether the choice with this letter is the true cause; a ValueError if there is no such choice."""
        letter = letter.lower() if isinstance(letter, str) else letter
        if not isinstance(letter, str) or letter not in self.choices:
            raise ValueError(f"letter must be one of {', '.join(self.choices)}, got {letter!r}")
        name = f"mystery {self.number} of {self.exercise}"
        id = ids_by_letter(self.exercise, self.number)[letter]
        if id == ids_of(self.exercise, self.number)[0]:
            given, what, got, right = contrast(self, [{}])
            seen = f"With {given}, {what} is {got} but should be {right}."
            return show(Verdict(name, True, None, (), (("Seen", seen), ("Found", self.choices[letter]))))
        forms = [variant for mistake, variant in EXERCISES[self.exercise].variants if mistake.id == id]
        given, what, got, other = contrast(self, forms)
        other = other if len(forms) == 1 else f"{other}, or a number further away"
        seen = f"With {given}, {what} is {got}. Mistake {letter} makes it {other}."
        question = f"Which of the other causes makes it {got}?"
        return show(Verdict(name, False, id, (), (("Seen", seen), ("Ask yourself", question))))


def mystery(exercise: str, number: int) -> Mystery:
    """Hands out a function with a known mistake inside, to be found by calling it.

    Parameters
    ----------
    exercise
        attention_scores, scaled_scores, softmax, masked_softmax, scaled_dot_product_attention or attend.
    number
        Which one, counted from 1. A number has the same mistake for everybody, and keeps it.

    Returns
    -------
    Mystery
        To be called with arrays of your own. `.choices` has four causes by letter, and `.guess("a")` judges one.

    Raises
    ------
    ValueError
        If there is no such exercise or number; the message says which there are.
    """
    if not isinstance(exercise, str) or exercise not in MYSTERIES:
        raise ValueError(f"exercise must be one of {', '.join(MYSTERIES)}, got {exercise!r}")
    most = len(MYSTERIES[exercise])
    whole = isinstance(number, numbers.Integral) and not isinstance(number, bool)
    if not whole or not 1 <= number <= most:
        raise ValueError(f"number must be from 1 to {most} for {exercise}, got {number!r}")
    return Mystery(exercise, int(number))


def ids_of(exercise, number):
    """The ids of the true cause and of the wrong ones."""
    return MYSTERIES[exercise][number - 1].partition("/")[0], *MYSTERIES[exercise][number - 1].split()[1:]


def ids_by_letter(exercise, number):
    """{letter: id}, in an order that exercise, number and ids alone decide."""
    digest_of = {id: sha256(f"{exercise} {number} {id}".encode()).digest() for id in ids_of(exercise, number)}
    return dict(zip("abcd", sorted(digest_of, key=digest_of.get), strict=True))


def inside(exercise, number):
    """The variant inside a mystery."""
    id, place = MYSTERIES[exercise][number - 1].split()[0].split("/")
    return [variant for mistake, variant in EXERCISES[exercise].variants if mistake.id == id][int(place)]


def ready(name, value):
    """An argument as an array of its own, booleans for a mask and floats for all others."""
    array = arguments.real_array(name, value)
    if name == "mask" and array.dtype != bool:
        raise TypeError(f"mask must hold True and False, got {array.dtype}")
    return array.astype(bool if name == "mask" else float)


def small_inputs(exercise):
    """Arguments by name, with at most twelve numbers in all: the same ones at each call."""
    draw, names = random.Random(exercise), EXERCISES[exercise].arguments.split()
    for values, sizes, _ in itertools.product(KINDS_OF_NUMBERS, SMALL_SHAPES[exercise], range(3)):
        given = {}
        for name, shape in zip(names, sizes, strict=False):
            drawn = draw.choices((True, False) if name == "mask" else values, k=math.prod(shape))
            given[name] = np.reshape(drawn, shape)
        if "mask" in given:
            # What becomes of a fully masked row is another question.
            given["mask"][..., 0] |= ~given["mask"].any(-1)
        yield given


def contrast(mystery, others):
    """Where the mystery differs from each of these variants: the input, which entry, its number, the nearest number.

    If only shapes differ, wherever the variants work, the shape stands in the place of an entry.
    """
    exercise, bug, by_shape = EXERCISES[mystery.exercise], inside(mystery.exercise, mystery.number), None
    for given in small_inputs(mystery.exercise):
        results = [exercise.result_with(variant, given.values()) for variant in (bug, *others)]
        if any(result is None for result in results):
            continue
        text = "`" + ", ".join(f"{name} = {array.tolist()}" for name, array in given.items()) + "`"
        fitting = (result for result in results if shapes(result) == shapes(results[0]))
        got, *alike = (entries(exercise, result) for result in fitting)
        if not alike:
            by_shape = by_shape or (text, "the shape", *map(format_shapes, results[:2]))
            continue
        nearest = {at: min((other[at] for other in alike), key=partial(gap, x)) for at, x in got.items()}
        at = max(got, key=lambda at: gap(got[at], nearest[at]))
        if gap(got[at], nearest[at]) >= VISIBLE:
            return text, at, *(format_numbers([x]) for x in (got[at], nearest[at]))
    return by_shape


def entries(exercise, parts):
    """{which entry: its number} of all arrays that come back."""
    of = [f" of the {part}" if part else "" for part in exercise.parts]
    return {
        f"entry {list(index)}{of[i]}": float(part[index])
        for i, part in enumerate(parts)
        for index in np.ndindex(part.shape)
    }


def gap(x, y):
    """How far apart two numbers are; NaN is far from all others."""
    if x == y or (math.isnan(x) and math.isnan(y)):
        return 0.0
    return abs(x - y) if math.isfinite(x - y) else math.inf
