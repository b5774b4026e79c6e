"""What a mistake is: data, to be read aloud."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """One wrong step that people take.

    `id` never changes: programs read it. `cause`, `shows` and `ask` are what a learner reads: why,
    what was seen, the next question. `ways` are the forms in which people take the step, each
    {step: wrong function}. `shape_tells` says that shapes alone give it away, `sign` how to know
    it by the weights if the exact numbers fit no way. `unless` tells an answer
    that cannot have come about like this. Where two mistakes fit alike, the one is
    named that has the other's id in `over`.
    """

    id: str
    cause: str
    shows: Callable
    ask: str
    ways: tuple[dict[str, Callable], ...] = ()
    sign: Callable | None = None
    shape_tells: bool = False
    over: frozenset[str] = frozenset()
    unless: Callable | None = None


def brings(id, way):
    """The same wrong way, which brings a second mistake that only edges show."""
    way.brings = id
    return way


def mistake(
    id,
    cause,
    shows,
    ask,
    *,
    together=(),
    sign=None,
    shape_tells=False,
    over="",
    unless=None,
    **ways_by_step,
):
    """A Mistake with its ways listed by step; `together` holds those that take several steps."""
    ways = [{step: way} for step, ways in ways_by_step.items() for way in ways]
    ways = (*ways, *together)
    return Mistake(id, cause, shows, ask, ways, sign, shape_tells, frozenset(over.split()), unless)
