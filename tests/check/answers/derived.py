"""Answers made from an exercise's declaration: its recipe, right or with variants."""

from lesson.check import EXERCISES
from lesson.check.steps import steps_with


def answer_with(name, **wrong_steps):
    """The exercise's recipe with these steps in the places of the right ones; without any, the right answer."""
    return lambda *args: EXERCISES[name].recipe(steps_with(wrong_steps), *args)


def derived_answers(name):
    """[(mistake, answer)]: one for each variant of each mistake in the exercise's steps."""
    return [(mistake, answer_with(name, **variant)) for mistake, variant in EXERCISES[name].variants]
