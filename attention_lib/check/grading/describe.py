"""Why an answer is refused if no mistake fits: the error, the type, the shape, or how its numbers relate to the right
ones; and where it goes wrong."""

import inspect
from dataclasses import replace

import numpy as np

from attention_lib.check.compare import close, shapes, with_most_digits, wrong_parts
from attention_lib.check.evidence import (
    compare_shapes,
    error_text,
    format_arguments,
    format_shapes,
    in_line,
    lower_first,
    one_line,
    weights,
    wrong_entry,
    wrong_shape,
)
from attention_lib.check.hints import error_hint
from attention_lib.check.relations import (
    MASKS,
    SHAPES,
    VALUES,
    WEIGHTS,
    another_temperature,
    first_that_holds,
    one_constant,
    one_number,
)
from attention_lib.check.relations_of_runs import left_from_an_earlier_call, rounded_to_float16
from attention_lib.check.verdict import Reason
from attention_lib.check.where_it_fails import where_it_fails


def describe(exercise, runs):
    """The Reason, and where the answer goes wrong if it is right elsewhere."""
    ordinary = [run for run in runs if run.probe.ordinary]
    told = runs if all(run.ok for run in ordinary) else ordinary
    reason = (
        left_from_an_earlier_call(runs)
        or rounded_to_float16(runs)
        or (exercise.relation and exercise.relation(runs))
        or by_first_line(exercise, told)
        or by_error(told)
        or by_type(exercise, told)
        or by_shape(told)
        or by_value(exercise, told)
    )
    if place := where_it_fails(runs):
        where, ask = place
        contrast = f"Of the inputs tried, your function is wrong only {where}."
        if reason.named:
            return replace(reason, seen=f"{reason.seen} {contrast}")
        return replace(reason, cause=contrast, ask=ask)
    return reason


def by_first_line(exercise, runs):
    try:
        names = list(inspect.signature(runs[0].function).parameters)
    except (TypeError, ValueError):  # a function that is not Python's
        return None
    asked = exercise.arguments.split()
    if names == asked or sorted(names) != sorted(asked):
        return None
    seen = f"Your first line takes ({', '.join(names)}), and the check calls it with ({', '.join(asked)})."
    id = "raises" if any(run.error for run in runs) else "different"
    return Reason(id, seen, "Arguments stand in another order.", "In which order does the stub take them?")


def by_error(runs):
    run = next((run for run in runs if run.error is not None), None)
    if run is None:
        return None
    seen = f"Called with {format_arguments(run)}, your function stopped{in_line(run)}: `{error_text(run.error)}`."
    cause, ask = error_hint(run.error, run.error_line)
    return Reason("raises", seen, cause or "Python stopped there.", ask, named=bool(cause))


def by_type(exercise, runs):
    run = next((run for run in runs if run.got is None), None)
    if run is None:
        return None
    if other_kind := complex_or_text(run):
        return other_kind
    returned = run.returned
    kind = type(returned)
    what = "nothing" if returned is None else f"something of type {kind.__name__}"
    if kind in (tuple, list):
        what = f"a {kind.__name__} of {len(returned)}"
    seen = f"Called with {format_arguments(run)}, your function gave back {what}."
    cause = f"The exercise asks for {exercise.wanted}."
    return Reason("wrong-type", seen, cause, "What does your function give back there?")


def complex_or_text(run):
    """The Reason for complex numbers or texts in the place of real numbers or of booleans; or None."""
    try:
        array = np.asarray(run.returned)
    except Exception:  # an object may fail as it likes
        return None
    if array.dtype.kind == "c":
        seen = f"the dtype of the result is {array.dtype}."
        cause = "Complex numbers came back, and real ones were asked for."
        ask = "Which of your lines makes complex numbers? What do their real and imaginary parts stand for?"
    elif array.dtype.kind == "U" and array.size and array.ndim:
        seen = f"an entry of the result is {one_line(repr(array.item(0)), 40)}."
        cause = "The entries of the result are texts."
        ask = "Which of your lines puts a value in quotes, or makes texts of numbers?"
    else:
        return None
    return Reason("wrong-type", f"With {run.probe.name}: {seen}", cause, ask)


def by_shape(runs):
    wrong = [run for run in runs if not has_right_shape(run)]
    if 2 * len(wrong) <= sum(not run.ok for run in runs):  # wrong numbers say more
        return None
    wrong = with_most_digits(wrong)
    run = wrong[0]
    if len(run.got) != len(run.right):
        seen = f"With {run.probe.name}: {lower_first(wrong_shape(run))}"
        cause = f"The exercise asks for {run.exercise.wanted}."
        return Reason("wrong-shape", seen, cause, "How many arrays does your function give back?")
    comparison = compare_shapes(format_shapes(run.got), format_shapes(run.right))
    seen = f"With {run.probe.name}, {format_arguments(run)}: {lower_first(comparison)}"
    if all(sorted(shapes(run.got)) == sorted(shapes(run.right)) for run in wrong):
        ask = "In which order does the exercise ask for them?"
        return Reason("wrong-shape", seen, "These shapes are right, and in another order.", ask)
    pairs = [pair for run in wrong for pair in wrong_parts(run).values()]
    pairs = [(got, right) for got, right in pairs if got.shape != right.shape]
    return Reason("wrong-shape", seen, *first_that_holds(SHAPES, pairs))


def has_right_shape(run):
    return shapes(run.got) == shapes(run.right)


def by_value(exercise, runs):
    wrong = [run for run in runs if has_right_shape(run) and not run.ok]
    wrong = with_most_digits([run for run in wrong if run.probe.ordinary] or wrong)
    run = wrong[0]
    seen = f"With {run.probe.name}{short_arguments(run)}: {lower_first(wrong_entry(run))}"
    if any(
        (~np.isfinite(got) & np.isfinite(right)).any() for got, right in zip(run.got, run.right, strict=True)
    ):
        ask = "After which of your lines do you see the first NaN or infinity?"
        return Reason("not-finite", seen, "The result holds NaN or infinity where a number belongs.", ask)
    parts = [wrong_parts(run) for run in wrong]
    wrong_name, right_name = (
        " and the ".join(
            name for i, name in enumerate(exercise.parts) if any(i in p for p in parts) == is_wrong
        )
        for is_wrong in (True, False)
    )
    if right_name:
        seen = f"{seen} There, all numbers of the {right_name} are right."
    pairs = [pair for by_index in parts for pair in by_index.values()]
    if same_number := one_number([part for run in runs for part in run.got]):
        return Reason("different", seen, *same_number)
    if not any(got.any() for got, _ in pairs):
        cause, ask = "Where the answer is wrong, every number is 0.", "Are they made 0, or never filled?"
        return Reason("different", seen, cause, ask, named=False)
    relations = MASKS if exercise.booleans else VALUES
    # One wrong number alone fits several relations by chance.
    several_are_wrong = sum(np.count_nonzero(got != right) for got, right in pairs) > 1
    if several_are_wrong and (relation := one_constant(pairs) or first_that_holds(relations, pairs)):
        return Reason("different", seen, *relation)
    of_weights = by_weights(wrong, seen) if exercise.shares else None
    if of_weights:
        return of_weights
    cause = "The result is wrong, in a way that this check has no name for."
    ask = "Work it out by hand, step by step. Where do your lines get something else?"
    if right_name:
        cause = f"What is wrong shows in the {wrong_name}."
        ask = f"From what do your lines make the {wrong_name}, and is all of that right?"
    return Reason("different", seen, cause, ask, named=False)


def by_weights(wrong, seen):
    """The Reason for wrong weights, from wrong runs and what was seen of the first; or None."""
    runs = [run for run in wrong if weights(run).shape == run.right[-1].shape]
    runs = [run for run in runs if not close(weights(run), run.right[-1])]
    runs = [run for run in runs if np.isfinite(weights(run)).all()] or runs  # NaN says little
    if relation := another_temperature(runs):
        return Reason("different", seen, *relation)
    for relation in WEIGHTS:
        if run := next(filter(relation.holds, runs), None):
            shown = relation.shows(run) if relation.shows else ""
            if run is wrong[0]:
                shown = f"{seen} {shown}".strip()
            else:
                shown = f"With {run.probe.name}: {lower_first(shown or wrong_entry(run))}"
            return Reason("different", shown, relation.cause, relation.ask)
    return None


def short_arguments(run):
    """The arguments, if the numbers of all of them fit."""
    text = format_arguments(run)
    return f", {text}" if "(" not in text else ""
