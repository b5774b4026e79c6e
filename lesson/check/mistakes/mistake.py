"""What a mistake is: data, with a text for the learner and the variants that give it away."""

from collections.abc import Callable
from dataclasses import dataclass

from lesson.check.mistakes.shown import furthest_off
from lesson.check.steps import RIGHT


@dataclass(frozen=True)
class Mistake:
    """One mistake that people make: wrong forms of a step, each of which is a variant."""

    id: str  # its own, and it never changes: programs read it
    cause: str  # what a learner reads: why
    question: str  # the one that leads on
    # run -> a sentence with what was seen, or None if this run shows nothing of the mistake
    shows: Callable = furthest_off
    # {step: wrong form of it} for each variant; one that raises ValueError or IndexError counts as right there
    variants: tuple[dict[str, Callable], ...] = ()
    # named even if nothing but NaN and zeros came back, which have many causes
    nan_suffices: bool = False
    # ids of mistakes that are not named where this one fits too
    supersedes: frozenset[str] = frozenset()


def mistake(id, cause, question, *, together=(), supersedes="", **steps_and_fields):
    """A Mistake. A keyword that names a step lists wrong forms of it, each of which is a variant of its own.

    `together` holds variants of several steps. All other keywords are fields of Mistake.
    """
    wrong_steps = {name: value for name, value in steps_and_fields.items() if name in RIGHT}
    fields = {name: value for name, value in steps_and_fields.items() if name not in RIGHT}
    variants = [{name: step} for name, steps in wrong_steps.items() for step in steps]
    superseded = frozenset(supersedes.split())
    return Mistake(id, cause, question, variants=(*variants, *together), supersedes=superseded, **fields)
