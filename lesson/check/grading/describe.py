"""Why an answer is refused if no mistake fits: the first of WAYS that has something to say, and where it goes wrong."""

import inspect
from dataclasses import replace

import numpy as np

from lesson.check.compare import close, shapes, with_most_digits, wrong_parts
from lesson.check.hints import error_hint
from lesson.check.relations import (
    HIDDEN_KEYS,
    MASKS,
    SHAPES,
    VALUES,
    WEIGHTS,
    first_that_holds,
    one_constant,
    one_number,
)
from lesson.check.relations_of_runs import left_from_an_earlier_call, rounded_to_float16
from lesson.check.seen import (
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
from lesson.check.verdict import Reason
from lesson.check.where_it_fails import where_it_fails


def describe(runs):
    """The Reason, and where the answer goes wrong if it is right elsewhere.

    Of edge cases only what goes wrong there alone is told.
    """
    ordinary = [run for run in runs if run.probe.ordinary]
    told = runs if all(run.ok for run in ordinary) else ordinary
    reason = next(filter(None, (way(told) for way in WAYS)))
    if place := where_it_fails(runs):
        where, ask = place
        contrast = f"Of the inputs tried, your function is wrong only {where}."
        if reason.named:
            return replace(reason, seen=f"{reason.seen} {contrast}")
        return replace(reason, cause=contrast, ask=ask)
    return reason


# Each way takes runs, not all of them right, and returns a Reason or None.


def by_the_exercises_own_way(runs):
    own_way = runs[0].exercise.own_way
    return own_way and own_way(runs)


def by_first_line(runs):
    try:
        names = list(inspect.signature(runs[0].function).parameters)
    except (TypeError, ValueError):  # a function that is not Python's
        return None
    asked = runs[0].exercise.arguments.split()
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


def by_type(runs):
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
    cause = f"The exercise asks for {run.exercise.wanted}."
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
    pairs = [(got, right) for got, right in wrong_arrays(wrong) if got.shape != right.shape]
    return Reason("wrong-shape", seen, *first_that_holds(SHAPES, pairs))


def has_right_shape(run):
    return shapes(run.got) == shapes(run.right)


def wrong_arrays(runs):
    """Each array that is wrong beside the right one."""
    return [pair for run in runs for pair in wrong_parts(run).values()]


# Where an array of the right shape came back


def wrong_values(runs):
    """The runs whose numbers are wrong in an array of the right shape."""
    return with_most_digits([run for run in runs if has_right_shape(run) and not run.ok])


def seen_of_values(runs):
    """The first wrong number, and which parts of the answer are right."""
    wrong = wrong_values(runs)
    _, right = parts_wrong_and_right(wrong)
    return seen_first(wrong) + (f" There, all numbers of the {right} are right." if right else "")


def seen_first(wrong):
    run, arguments = wrong[0], format_arguments(wrong[0])
    shown = f", {arguments}" if "(" not in arguments else ""  # if the numbers of all of them fit
    return f"With {run.probe.name}{shown}: {lower_first(wrong_entry(run))}"


def parts_wrong_and_right(runs):
    """The names of the parts of the answer that are wrong in one of the runs, and of the others."""
    names, wrong = runs[0].exercise.parts, {i for run in runs for i in wrong_parts(run)}
    others = set(range(len(names))) - wrong
    return tuple(" and the ".join(names[i] for i in sorted(part)) for part in (wrong, others))


def by_infinity(runs):
    wrong = wrong_values(runs)
    run = wrong[0]
    if all(np.isfinite(got[np.isfinite(right)]).all() for got, right in zip(run.got, run.right, strict=True)):
        return None
    ask = "After which of your lines do you see the first NaN or infinity?"
    cause = "The result holds NaN or infinity where a number belongs."
    return Reason("not-finite", seen_first(wrong), cause, ask)


def by_one_number(runs):
    told = one_number([part for run in runs for part in run.got])
    return told and Reason("different", seen_of_values(runs), *told)


def by_zeros(runs):
    if any(got.any() for got, _ in wrong_arrays(wrong_values(runs))):
        return None
    cause, ask = "Where the answer is wrong, every number is 0.", "Are they made 0, or never filled?"
    return Reason("different", seen_of_values(runs), cause, ask, named=False)


def by_value(runs):
    pairs = wrong_arrays(wrong_values(runs))
    wrong_numbers = sum(np.count_nonzero(got != right) for got, right in pairs)
    if wrong_numbers < 2:  # one number fits several relations by chance
        return None
    relations = MASKS if runs[0].exercise.booleans else VALUES
    told = one_constant(pairs) or first_that_holds(relations, pairs)
    return told and Reason("different", seen_of_values(runs), *told)


def by_weights(runs):
    return next(filter(None, (by_relation_of_weights(relation, runs) for relation in WEIGHTS)), None)


def by_hidden_keys(runs):
    return by_relation_of_weights(HIDDEN_KEYS, runs)


def by_relation_of_weights(relation, runs):
    run = next(filter(relation.holds, wrong_weights(runs)), None)
    if run is None:
        return None
    shown = relation.shows(run)
    if run is wrong_values(runs)[0]:
        seen = f"{seen_of_values(runs)} {shown}".strip()
    else:
        seen = f"With {run.probe.name}: {lower_first(shown or wrong_entry(run))}"
    return Reason("different", seen, relation.cause, relation.ask)


def wrong_weights(runs):
    """The runs with wrong weights, in tables of the right shape; none if the exercise asks for no weights."""
    wrong = [run for run in wrong_values(runs) if run.exercise.shares]
    wrong = [run for run in wrong if weights(run).shape == run.right[-1].shape]
    wrong = [run for run in wrong if not close(weights(run), run.right[-1])]
    return [run for run in wrong if np.isfinite(weights(run)).all()] or wrong  # NaN says little


def by_part(runs):
    """The part that is wrong, if the exercise asks for several arrays and one of them is right."""
    wrong, right = parts_wrong_and_right(wrong_values(runs))
    if not right:
        return None
    cause = f"What is wrong shows in the {wrong}."
    ask = f"From what do your lines make the {wrong}, and is all of that right?"
    return Reason("different", seen_of_values(runs), cause, ask, named=False)


def without_a_name(runs):
    cause = "The result is wrong, in a way that this check has no name for."
    ask = "Work it out by hand, step by step. Where do your lines get something else?"
    return Reason("different", seen_of_values(runs), cause, ask, named=False)


WAYS = (
    left_from_an_earlier_call,
    rounded_to_float16,
    by_the_exercises_own_way,
    by_first_line,
    by_error,
    by_type,
    by_shape,
    by_infinity,
    by_one_number,
    by_zeros,
    by_hidden_keys,
    by_value,
    by_weights,
    by_part,
    without_a_name,
)
