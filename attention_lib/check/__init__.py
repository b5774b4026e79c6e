"""Exercise checks that name the mistake: `check.softmax(softmax)`.

A check calls the learner's function on probes and compares what comes back with the right answer. If the numbers
are wrong, it looks for a twin: the recipe with a wrong step that gives the same wrong numbers. Then we know which
step went wrong, however it is written.

- probe: arguments that the learner's function is called with (probes.py)
- run: one call of the learner's function on a probe, and what came of it (grading/run_learner.py)
- step: one operation, such as `scale` or `softmax` (steps.py)
- recipe: the right answer to an exercise, made of steps (exercises.py)
- variant: wrong functions in the places of one or more steps
- twin: what the recipe gives with a variant
- edge: a probe with extreme scores or empty rows, judged row by row; its Edge (edges.py) says which mistake
  each row shows
- mistake: an id, the texts that a learner reads, and the variants that give it away (mistakes/)
- supersedes: of two mistakes that both fit, the one that supersedes the other is named
- share: one of the numbers that softmax gives, which add up to 1 in a row
- remark: one line after a right answer: what came back, what did the work (grading/grade.py), or a shorter or
  safer way (remarks.py)
- verdict: passed or not, the mistake's id, and the message (grading/verdict.py)

What is taught stands here; grading/ compares and words the verdict, and imports nothing from here.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attention_lib.check.exercises import EXERCISES, TASKS
from attention_lib.check.grading.grade import grade
from attention_lib.check.grading.verdict import Verdict
from attention_lib.check.head_puzzle import linking_head
from attention_lib.check.mistakes import MISTAKES

__all__ = ["EXERCISES", "MISTAKES", "TASKS", "Verdict", "linking_head"]
__all__ += list(EXERCISES)


if TYPE_CHECKING:  # the checks are made below, from the list of exercises

    def __getattr__(name: str) -> Callable[[Callable[..., Any]], Verdict]: ...


def check_of(exercise):
    def check(function: Callable[..., Any]) -> Verdict:
        return grade(exercise, function)

    check.__name__ = check.__qualname__ = exercise.name
    arguments = exercise.arguments.replace(" ", ", ")
    check.__doc__ = (
        f"Tries a learner's `{exercise.name}({arguments})`, shows what was seen, and returns the `Verdict`."
    )
    return check


globals().update({name: check_of(exercise) for name, exercise in EXERCISES.items()})
