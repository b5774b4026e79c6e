"""Exercise checks that name the mistake: `check.softmax(softmax)`.

A check calls the learner's function on probes, which are arguments on which right and wrong answers differ, and
compares what comes back with the right answer. An exercise's recipe is its right answer, made of steps. If the
numbers are wrong, the check looks for a wrong step that makes the recipe give the same wrong numbers. Then we know
which step went wrong, however it is written.

grading/ is the way from a call to a verdict, with an example in its `__init__.py`. It imports what stands here, and
nothing here imports from it: compare.py (which numbers count as the same), seen.py (what was seen, in sentences),
verdict.py, and what is known of attention as data: exercises, steps, probes and edge_cases, mistakes, rules (what is
asked beyond the numbers), and relations, relations_of_runs, hints and where_it_fails for what no mistake explains.
puzzles/ has the bugs to find.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from lesson.check.exercises import EXERCISES, TASKS
from lesson.check.grading import grade
from lesson.check.mistakes import MISTAKES
from lesson.check.puzzles.head_puzzle import linking_head
from lesson.check.puzzles.mystery import Mystery, mystery
from lesson.check.verdict import Verdict

__all__ = ["EXERCISES", "MISTAKES", "TASKS", "Mystery", "Verdict", "linking_head", "mystery"]
__all__ += list(EXERCISES)


def __getattr__(name: str) -> Callable[[Callable[..., Any]], Verdict]:
    """The check of the exercise with this name: `check.softmax`."""
    if name not in EXERCISES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return check_of(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@cache
def check_of(name):
    exercise = EXERCISES[name]

    def check(function: Callable[..., Any]) -> Verdict:
        return grade(exercise, function)

    check.__name__ = check.__qualname__ = name
    arguments = exercise.arguments.replace(" ", ", ")
    check.__doc__ = (
        f"Tries a learner's `{name}({arguments})`, shows what was seen, and returns the `Verdict`."
    )
    return check
