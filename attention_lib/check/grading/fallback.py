"""What to say where no named mistake fits: the error, the type, the shape, or the numbers."""

from dataclasses import dataclass, replace

import numpy as np

from attention_lib.check.grading.error_hints import clean, error_hint, lower_first, message_of
from attention_lib.check.grading.format_evidence import called_with, entry, shapes_of, sums
from attention_lib.check.grading.relations import (
    SHAPES,
    VALUES,
    WEIGHTS,
    another_temperature,
    multiple,
    of_all,
)
from attention_lib.check.grading.run_learner import close, same
from attention_lib.check.grading.where_it_fails import contrast


@dataclass(frozen=True)
class Reason:
    """What a verdict says of one mistake."""

    id: str
    seen: str
    cause: str
    ask: str
    named: bool = True  # whether the cause is more than a word for "wrong"


def reason(exercise, runs):
    """Why the answer is refused, where no named mistake fits."""
    special = contrast(runs)
    for tell in (by_error, by_type, by_shape, by_value):
        if found := tell(exercise, runs):
            break
    if not special:
        return found
    where, ask = special
    contrast_of = f"It is right elsewhere, and goes wrong {where}."
    if found.named:
        return replace(found, seen=f"{found.seen} {contrast_of}")
    return replace(found, cause=contrast_of, ask=ask)


def by_error(exercise, runs):
    failed = [s for s in runs if s.error is not None]
    if not failed:
        return None
    s = failed[0]
    line = f", in your line `{clean(s.line, 100)}`" if s.line else ""
    seen = f"Called with {called_with(s)}, your function stopped{line}: `{message_of(s.error)}`."
    cause, ask = error_hint(s.error)
    return Reason(
        "raises",
        seen,
        cause or "That line cannot do its work with these inputs.",
        ask,
        named=bool(cause),
    )


def by_type(exercise, runs):
    for s in runs:
        if s.got is None:
            what = "nothing" if s.raw is None else f"something of type {type(s.raw).__name__}"
            if type(s.raw) in (tuple, list):
                what = f"a {type(s.raw).__name__} of {len(s.raw)}"
            seen = f"Called with {called_with(s)}, your function gave back {what}."
            cause = f"The exercise asks for {exercise.wanted}."
            return Reason("wrong-type", seen, cause, "What does your last line return?")
    return None


def by_shape(exercise, runs):
    wrong = [s for s in runs if [x.shape for x in s.got] != [x.shape for x in s.right]]
    if not wrong:
        return None
    s = wrong[0]
    seen = (
        f"With {s.probe.what}, {called_with(s)}: the shape is {shapes_of(s.got)} "
        f"and should be {shapes_of(s.right)}."
    )
    pairs = [pair for s in wrong if len(s.got) == len(s.right) for pair in wrong_parts(s).values()]
    if relation := of_all(SHAPES, [(g, r) for g, r in pairs if g.shape != r.shape]):
        return Reason("wrong-shape", seen, relation.cause, relation.ask)
    ask = "Write down the shape after each of your lines. Which is the first that surprises you?"
    cause = "An axis was lost, added or exchanged on the way."
    return Reason("wrong-shape", seen, cause, ask, named=False)


def by_value(exercise, runs):
    wrong = [s for s in runs if not s.ok]
    wrong = [s for s in wrong if s.probe.ordinary] or wrong
    s = wrong[0]
    seen = f"With {s.probe.what}{inputs(s)}: {lower_first(entry(s))}"
    if not all(np.isfinite(part).all() for part in s.got):
        ask = "Which of your lines makes the first NaN or infinity?"
        return Reason("not-finite", seen, "The result holds NaN or infinity.", ask)
    parts = [wrong_parts(s) for s in wrong]
    pairs = [pair for part in parts for pair in part.values()]
    if relation := multiple(pairs) or of_all(VALUES, pairs):
        return Reason("different", seen, relation.cause, relation.ask)
    tables = [s for s in wrong if s.weights.shape == s.right[-1].shape]
    telling = [s for s in tables if not close(s.weights, s.right[-1])]
    if exercise.shares and (relation := another_temperature(telling)):
        return Reason("different", seen, relation.cause, relation.ask)
    for relation in WEIGHTS if exercise.shares else ():
        if shown := next(filter(relation.holds, telling), None):
            seen = (
                f"{seen} {sums(s)}"
                if shown is s
                else f"With {shown.probe.what}: {lower_first(sums(shown))}"
            )
            return Reason("different", seen, relation.cause, relation.ask)
    cause = "The numbers are wrong, in a way that this check has no name for."
    ask = "Compute that entry by hand, step by step. Where does your code leave that way?"
    names = {exercise.parts[i] for part in parts for i in part}
    if len(names) < len(exercise.parts):
        (name,) = names
        (other,) = set(exercise.parts) - names
        cause = f"Something is wrong with the {name} alone. All numbers of the {other} are right."
        ask = f"Which line makes the {name}, and from what?"
    return Reason("different", seen, cause, ask, named=False)


def wrong_parts(seen):
    """{which part of the answer: (what came back, what is right)} of those that are wrong."""
    pairs = zip(seen.got, seen.right, strict=True)
    return {i: (g, r) for i, (g, r) in enumerate(pairs) if not same((g,), (r,), seen.dtype)}


def inputs(seen):
    """The arguments, if all of them fit."""
    text = called_with(seen)
    return f", {text}" if "(" not in text else ""
