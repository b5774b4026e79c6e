"""Exercise checks that name the mistake: `check.softmax(softmax)`.

One word for one thing:

- recipe: the right answer to an exercise, made of steps
- step: a part of a recipe that people take wrongly, such as `scale`
- variant: a wrong form of one or more steps
- mistake: an id, a cause, a question, and the variants that give it away
- probe: arguments that the learner's function is called with. On ordinary ones numbers are compared. On extreme ones,
  such as scores of a million, what becomes of each row of the last result is compared: whether it is fine, lost (NaN,
  infinity or zeros) or other
- run: one call of the function: what came back, and what should have come back
- reason: why an answer is refused: a mistake, or what was seen
- verdict: passed or not, and the reasons in words

A mistake is found by putting its variants into the recipe: if one gives what came back, on all probes, we know which
step went wrong, however it is written. grading/ is the way from a function to its verdict; its `__init__.py` has an
example. It imports the modules beside it, and none of these imports it: steps, mistakes/, probes, exercises and hints
are data; compare.py says which numbers count as the same, formatting.py and verdict.py how things are written.
puzzles/ has the bugs to find.
"""

from collections.abc import Callable
from typing import Any

from attention_lib.arguments import checked
from lesson.check.exercises import EXERCISES, TASKS
from lesson.check.grading import verdict_on
from lesson.check.mistakes import MISTAKES
from lesson.check.puzzles.head_puzzle import linking_head
from lesson.check.puzzles.mystery import Mystery, mystery
from lesson.check.verdict import Verdict, show

__all__ = ["EXERCISES", "MISTAKES", "TASKS", "Mystery", "Verdict"]
__all__ += ["linking_head", "mystery", "yours_if_right"]
__all__ += list(EXERCISES)


def __getattr__(name: str) -> Callable[[Callable[..., Any]], Verdict]:
    """The check of the exercise with this name: `check.softmax`."""
    if name not in EXERCISES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return check_of(EXERCISES[name])


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@checked(defined="dictionary", otherwise="function")
def yours_if_right(name: str, defined: dict[str, Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """The learner's function of this name, if it is among those defined and passes its check; or `otherwise`.

    Raises
    ------
    ValueError, TypeError
        If no exercise has this name, `defined` is no dictionary such as globals(), or `otherwise` is no function.
    """
    if not isinstance(name, str) or name not in EXERCISES:
        raise ValueError(f"name must be that of an exercise, got {name!r}")
    is_right = verdict_on(EXERCISES[name], defined.get(name)).passed
    print(f"{name}:", "yours" if is_right else "ours")
    return defined[name] if is_right else otherwise


def check_of(exercise):
    def check(function: Callable[..., Any]) -> Verdict:
        return show(verdict_on(exercise, function))

    check.__name__ = check.__qualname__ = exercise.name
    call = f"{exercise.name}({exercise.arguments.replace(' ', ', ')})"
    check.__doc__ = f"Tries a learner's `{call}`, shows what was seen, and returns the `Verdict`."
    return check
