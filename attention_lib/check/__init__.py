"""Exercise checks that name the mistake: `check.softmax(softmax)`.

A check calls the learner's function on probes (probes.py) and compares with the right answer. If
the numbers are wrong, it looks for a twin. An exercise (exercises.py) is a recipe made of steps
(steps.py), and a mistake (mistakes/) is a wrong way to take a step. The recipe with one wrong step
is the twin of the learner's function, if both give the same wrong numbers on every probe: then we
know which step went wrong, however it is written. Two wrong steps together make twins as well.
What only extreme scores show is judged row by row. Where no twin is found, sums and slopes of the
weights speak (signs.py), or how the numbers relate to the right ones (relations.py). finding.py
goes through these in order, evidence.py picks what to show, judging.py and verdict.py say it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attention_lib.check.exercises import EXERCISES, TASKS
from attention_lib.check.grading.grade import judge
from attention_lib.check.grading.verdict import Verdict
from attention_lib.check.head_puzzle import linking_head
from attention_lib.check.mistakes import MISTAKES

__all__ = ["EXERCISES", "MISTAKES", "TASKS", "Verdict", "linking_head"]
__all__ += list(EXERCISES)


if TYPE_CHECKING:  # the checks are made below, from the list of exercises

    def __getattr__(name: str) -> Callable[[Callable[..., Any]], Verdict]: ...


def checker(exercise):
    def check(function: Callable[..., Any]) -> Verdict:
        return judge(exercise.name, function)

    check.__name__ = check.__qualname__ = exercise.name
    arguments = exercise.arguments.replace(" ", ", ")
    check.__doc__ = (
        f"Tries a learner's `{exercise.name}({arguments})`, shows what was seen, and returns the "
        "`Verdict`."
    )
    return check


globals().update({name: checker(exercise) for name, exercise in EXERCISES.items()})
