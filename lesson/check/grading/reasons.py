"""Why an answer is refused: the reasons, in the order in which they are told."""

import inspect
from dataclasses import replace

import numpy as np

from lesson.check.compare import FLOAT32, close, shapes
from lesson.check.formatting import format_arguments, format_shapes, names_of, size_of
from lesson.check.grading.call import changed_later
from lesson.check.grading.find import find_mistakes
from lesson.check.hints import error_hint, error_text, in_line
from lesson.check.mistakes import general, shown
from lesson.check.verdict import Reason, lower_first, one_line


def reasons_to_refuse(exercise, runs):
    """The reasons, the first one first; none if the answer passes.

    A result that changes later, or an argument that the function changes, makes other numbers wrong: it is told
    first. Then the mistakes, then what is asked beyond the numbers. If there is none of these, what can be said of
    wrong numbers without a mistake, or which function made right ones that is to be written here.
    """
    if runs[-1].too_large:
        seen = f"the shape is {runs[-1].too_large} but should be {format_shapes(runs[-1].right)}."
        return [reason("wrong-shape", runs[-1], seen, general.TOO_LARGE)]
    is_wrong = not all(run.ok for run in runs)
    mistakes = [named(mistake, run) for mistake, run in find_mistakes(exercise, runs)] if is_wrong else []
    stopped = next((run for run in runs if run.error and run.probe.ordinary), None)
    if mistakes and stopped:
        mistakes[0] = replace(mistakes[0], seen=f"{where_it_stopped(stopped)} {mistakes[0].seen}")
    beyond_numbers = not_boolean(runs, mistakes) if exercise.booleans else hidden_not_zero(runs)
    found = [*spoilt(runs), *mistakes, beyond_numbers]
    if not any(found):
        found = [unnamed(runs) if is_wrong else library_used(exercise, runs)]
    return list(filter(None, found))


def reason(id, run, seen, cause_and_question):
    return Reason(id, f"With {run.probe.name}: {seen}", *cause_and_question)


def spoilt(runs):
    """A result that holds other numbers by now, and an argument that was changed."""
    if run := next(filter(changed_later, runs), None):
        seen = "after later calls, the result of this call held other numbers."
        yield reason("different", run, seen, general.OVERWRITTEN)
    if run := next((run for run in runs if run.changed_argument), None):
        name = run.changed_argument
        cause = f"Your function changes its argument {name}."
        texts = cause, "Which line changes something that it was given?"
        yield reason("input-changed", run, f"after the call, {name} was not as before.", texts)


def named(mistake, run):
    text = run.error and f"your function stopped with `{error_text(run.error)}`"
    text = text or lower_first(mistake.shows(run) or shown.furthest_off(run))
    return reason(mistake.id, run, text, (mistake.cause, mistake.ask))


def where_it_stopped(run):
    error = type(run.error).__name__
    return (
        f"With {run.probe.name} it stopped with {'an' if error[0] in 'AEIOU' else 'a'} {error}{in_line(run)}."
    )


def not_boolean(runs, mistakes):
    """A mask of other numbers than True and False, if the numbers look like a mask."""
    of_numbers = [run for run in runs if run.got and run.got[0].size and run.dtype.kind != "b"]
    two_values = all(run.got and np.unique(run.got[0]).size <= 2 for run in runs)
    if not of_numbers or not (mistakes or two_values):
        return None
    run, dtype = of_numbers[0], np.asarray(of_numbers[0].returned).dtype
    cause = general.OF_OBJECTS if dtype.kind == "O" else general.IN_NUMBERS
    if np.isin(run.got[0], (-1, -2)).all():
        cause = general.INVERTED_NUMBERS
    elif (run.got[0] < 0).any():
        cause = general.TO_BE_ADDED
    ask = "Which comparison returns True and False? Which dtype does your array have?"
    return reason("wrong-type", run, f"the dtype is {dtype}, but should be bool.", (cause, ask))


def hidden_not_zero(runs):
    """Weights of hidden keys that are too small to be seen among the others, and not the 0 that was asked for."""
    if not all(run.ok and run.exercise.exact_zeros for run in runs):
        return None
    run = next((run for run in runs if (shown.weights(run)[shown.hidden(run)] != 0).any()), None)
    if run is None:
        return None
    seen = f"hidden keys get up to {shown.weights(run)[shown.hidden(run)].max():.0e}."
    return reason("hidden-not-zero", run, seen, general.GENERAL["hidden-not-zero"])


def library_used(exercise, runs):
    called = sorted(set().union(*(run.library_calls for run in runs)))
    forbids = {exercise.name, *exercise.forbids.split()}
    forbidden = " and ".join(f"`{name}`" for name in called if name.partition(".")[2] in forbids)
    seen = f"Every number is right, but your function called the library's {forbidden}."
    return Reason("library-used", seen, *general.OWN_LINES) if forbidden else None


# Where no mistake explains the numbers: what came back, what should have, with which inputs, and which were right


def unnamed(runs):
    """What cannot be false of a wrong answer. Of extreme probes only what goes wrong there alone is told."""
    right, wrong = ([run for run in runs if run.ok is ok] for ok in (True, False))
    told = [run for run in wrong if run.probe.ordinary] or wrong
    found = next(filter(None, (way(told) for way in (by_first_line, by_error, by_kind, by_numbers))))
    if not right:
        return found
    contrast = f"Your function is right with {names_of(right)}, but wrong with {names_of(wrong)}."
    if found.cause != general.NO_NAME[0]:
        return replace(found, seen=f"{found.seen} {contrast}")
    ask = "What is different about that input?"
    if wrong[1:]:
        ask = "What do the inputs that go wrong have in common that the right ones do not?"
    return replace(found, cause=contrast, ask=ask)


def by_first_line(wrong):
    """Arguments in another order than in the stub."""
    try:
        names = list(inspect.signature(wrong[0].function).parameters)
    except (TypeError, ValueError):  # a function that is not Python's
        return None
    asked = wrong[0].exercise.arguments.split()
    if names == asked or sorted(names) != sorted(asked):
        return None
    seen = f"Your first line takes ({', '.join(names)}), but the check calls it with ({', '.join(asked)})."
    return Reason("raises" if any(run.error for run in wrong) else "different", seen, *general.ANOTHER_ORDER)


def by_error(wrong):
    run = next((run for run in wrong if run.error), None)
    if run is None:
        return None
    seen = f"Called with {format_arguments(run)}, your function stopped{in_line(run)}: `{error_text(run.error)}`."
    return Reason("raises", seen, *error_hint(run.error, run.error_line))


def by_kind(wrong):
    """Something that cannot be read as numbers."""
    run = next((run for run in wrong if run.got is None), None)
    if run is None:
        return None
    kind, ask = type(run.returned), "What does your function return there?"
    what = "nothing" if run.returned is None else f"something of type {kind.__name__}"
    if kind in (tuple, list):
        what = f"a {kind.__name__} of {len(run.returned)}"
    try:
        array = np.asarray(run.returned)
        if array.dtype.kind in "cU" and array.size:
            what = f"{'complex numbers' if array.dtype.kind == 'c' else 'texts'}, such as {array.item(0)!r}"
            ask = f"Which of your lines makes {what.partition(',')[0]}?"
    except Exception:  # an object may fail as it likes
        what = one_line(what)
    seen = f"Called with {format_arguments(run)}, your function returned {what}."
    return Reason("wrong-type", seen, f"The exercise asks for {run.exercise.wanted}.", ask)


def by_numbers(wrong):
    """Wrong numbers, or a wrong shape: those of the smallest input."""
    wrong = [run for run in wrong if run.dtype != FLOAT32] or wrong
    run = min(wrong, key=lambda run: size_of(run.args))
    id, texts = what_is_wrong(run, wrong)
    text = shown.furthest_off(run)
    if id == "different" and shown.weights(run) is not None:
        if (shown.weights(run)[shown.hidden(run)] != 0).any():
            text, texts = shown.weights_of_hidden_keys(run), general.HIDDEN
        elif not close(shown.weights(run).sum(-1), run.right[-1].sum(-1)):
            text, texts = shown.row_and_column_sums(run), general.SUMS
    wrong_places = {i for run in wrong for i in shown.wrong_parts(run)}
    compared = all(len(run.got) == len(run.right) for run in wrong)
    right = [name for i, name in enumerate(run.exercise.parts) if compared and name and i not in wrong_places]
    text += f" All numbers of the {' and the '.join(right)} are right." if right else ""
    return Reason(id, f"With {run.probe.name}, {format_arguments(run)}: {lower_first(text)}", *texts)


def what_is_wrong(run, wrong):
    """(id, (cause, question)) of numbers, or of a shape."""
    if len(run.got) != len(run.right):
        return "wrong-shape", (f"The exercise asks for {run.exercise.wanted}.", "How many arrays come back?")
    arrays = [pair for run in wrong for pair in shown.wrong_parts(run).values()]
    only_moved = all(close(np.sort(got.ravel()), np.sort(right.ravel())) for got, right in arrays)
    if shapes(run.got) != shapes(run.right):
        return "wrong-shape", general.OTHER_SHAPE if only_moved else general.GENERAL["wrong-shape"]
    if not all(np.isfinite(got[np.isfinite(right)]).all() for got, right in shown.wrong_parts(run).values()):
        return "not-finite", general.GENERAL["not-finite"]
    if only_moved:
        return "different", general.OTHER_PLACES
    if all(is_half_precision(*pair) for pair in arrays):
        return "float16", general.GENERAL["float16"]
    if times := factor(arrays):
        return "different", (
            f"Each wrong number is {times:.3g} times what it should be.",
            "Which factor could that be?",
        )
    return "different", general.NO_NAME


def is_half_precision(got, right):
    if got.shape != right.shape:
        return False
    near = np.where(np.isinf(got) & (np.abs(right) > np.finfo(np.float16).max), right, got)
    return np.array_equal(got, got.astype(np.float16)) and close(near, right, 5e-2, 5e-2)


def factor(arrays):
    """The number that all finite entries were multiplied with; None if there is none, or too few entries to tell."""
    if any(got.shape != right.shape for got, right in arrays):
        return None
    got, right = (np.concatenate([pair[place].ravel() for pair in arrays]) for place in (0, 1))
    finite = np.isfinite(right)
    got, right = got[finite], right[finite]
    ratios = got[np.abs(right) > 1e-9] / right[np.abs(right) > 1e-9]
    return ratios[0] if ratios.size > 3 and close(got, ratios[0] * right) else None
