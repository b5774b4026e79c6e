"""Why an answer is refused: the reasons, in the order in which they are told."""

from dataclasses import replace

import numpy as np

from lesson.check.compare import close, shapes
from lesson.check.formatting import format_arguments, format_shapes, names_of, size_of
from lesson.check.grading.call import changed_later
from lesson.check.grading.find import find_mistakes
from lesson.check.hints import error_hint, error_text, in_line
from lesson.check.mistakes import general, shown
from lesson.check.verdict import Reason, lower_first, one_line


def reasons_to_refuse(exercise, function, runs):
    """The reasons, the first one first; none if the answer passes.

    A result that changes later, or a changed argument, makes other numbers wrong: it is told first. Then the
    mistakes, then what is asked beyond the numbers. If there is none of these, what can be said without a mistake.
    """
    if runs[-1].too_large:
        seen = f"the shape is {runs[-1].too_large} but should be {format_shapes(runs[-1].right)}."
        return [reason("wrong-shape", runs[-1], seen, general.TOO_LARGE)]
    is_wrong = not all(run.ok for run in runs)
    mistakes = [named(mistake, run) for mistake, run in find_mistakes(exercise, runs)] if is_wrong else []
    stopped = next((run for run in runs if run.error and run.probe.ordinary), None)
    if mistakes and stopped:
        where = f"With {stopped.probe.name} it stopped with `{error_text(stopped.error)}`{in_line(stopped.error)}."
        mistakes[0] = replace(mistakes[0], seen=f"{where} {mistakes[0].seen}")
    found = [*spoilt(runs), *mistakes, of_another_kind(exercise, runs), hidden_not_zero(runs)]
    if not any(found):
        found = [unnamed(exercise, function, runs) if is_wrong else library_used(exercise, runs)]
    return list(filter(None, found))


def reason(id, run, seen, cause_and_question):
    return Reason(id, f"With {run.probe.name}: {seen}", *cause_and_question)


def spoilt(runs):
    """A result that holds other numbers by now, and an argument that was changed."""
    if run := next(filter(changed_later, runs), None):
        seen = "after later calls, the result of this call held other numbers."
        yield reason("different", run, seen, general.OVERWRITTEN)
    if run := next((run for run in runs if run.changed_argument), None):
        seen = f"after the call, {run.changed_argument} was not as before."
        cause = f"Your function changes its argument {run.changed_argument}."
        yield reason("input-changed", run, seen, (cause, general.WHICH_LINE_CHANGES))


def named(mistake, run):
    text = f"your function stopped with `{error_text(run.error)}`" if run.error else mistake.shows(run)
    return reason(mistake.id, run, lower_first(text or shown.furthest_off(run)), (mistake.cause, mistake.ask))


def of_another_kind(exercise, runs):
    """A mask of other numbers than True and False, or an index that is a float."""
    index = exercise.index and all(run.ok for run in runs)
    kinds = "b" if exercise.booleans else "iu" if index else "biuf"
    with_numbers = [run for run in runs if run.got and run.got[0].size]
    run = next((run for run in with_numbers if run.dtype.kind not in kinds), None)
    if run is None or np.isnan(run.got[0]).any() or any(run.error for run in runs):
        return None
    dtype, wanted = np.asarray(run.returned).dtype, "int" if index else "bool"
    causes = [cause for looks_so, cause in general.OTHER_MASKS if looks_so(run.got[0], dtype)]
    texts = general.A_FLOAT if index else (causes[0], general.WHICH_COMPARISON)
    return reason("wrong-type", run, f"the dtype is {dtype}, but should be {wanted}.", texts)


def hidden_not_zero(runs):
    """Weights of hidden keys that are too small to be seen among the others, and not the 0 that was asked for."""
    if not all(run.ok and run.exercise.exact_zeros for run in runs):
        return None
    for run in runs:
        of_hidden = shown.weights(run)[shown.hidden(run)]
        if of_hidden.any():
            seen = f"hidden keys get up to {of_hidden.max():.0e}."
            return reason("hidden-not-zero", run, seen, general.GENERAL["hidden-not-zero"])
    return None


def library_used(exercise, runs):
    called = sorted(set().union(*(run.library_calls for run in runs)))
    forbids = {exercise.name, *exercise.forbids.split()}
    forbidden = " and ".join(f"`{name}`" for name in called if name.partition(".")[2] in forbids)
    seen = f"Every number is right, but your function called the library's {forbidden}."
    return Reason("library-used", seen, *general.OWN_LINES) if forbidden else None


def unnamed(exercise, function, runs):
    """Where no mistake explains the numbers, what cannot be false: what came back, what should have, with which
    inputs, and which were right. Of extreme probes only what goes wrong there alone is told."""
    right, wrong = ([run for run in runs if run.ok is ok] for ok in (True, False))
    told = [run for run in wrong if run.probe.ordinary] or wrong
    found = by_first_line(exercise, function) or by_error(told) or by_kind(told) or by_numbers(told)
    if not right:
        return found
    contrast = f"Your function is right with {names_of(right)}, but wrong with {names_of(wrong)}."
    if (found.cause, found.ask) == general.NO_NAME:
        return replace(found, cause=contrast, ask=general.IN_COMMON)
    return replace(found, seen=f"{found.seen} {contrast}")


def by_first_line(exercise, function):
    """Arguments in another order than in the stub."""
    code, asked = getattr(function, "__code__", None), exercise.arguments.split()
    names = list(code.co_varnames[: code.co_argcount]) if code else asked
    if names == asked or sorted(names) != sorted(asked):
        return None
    seen = f"Your first line takes ({', '.join(names)}), but the check calls it with ({', '.join(asked)})."
    return Reason("raises", seen, *general.ANOTHER_ORDER)


def by_error(wrong):
    run = next((run for run in wrong if run.error), None)
    if run is None:
        return None
    seen = f"Called with {format_arguments(run)}, your function stopped{in_line(run.error)}: `{error_text(run.error)}`."
    return Reason("raises", seen, *error_hint(run.error))


def by_kind(wrong):
    """Something that cannot be read as numbers, or as another number of arrays."""
    run = next((run for run in wrong if run.got is None or len(run.got) != len(run.right)), None)
    if run is None:
        return None
    try:
        what = f"`{one_line(repr(run.returned), 60)}`, of type {type(run.returned).__name__}"
    except Exception:  # an object may fail as it likes
        what = f"something of type {type(run.returned).__name__}"
    seen = f"Called with {format_arguments(run)}, your function returned {what}."
    id = "wrong-type" if run.got is None else "wrong-shape"
    return Reason(id, seen, f"The exercise asks for {run.exercise.wanted}.", general.WHAT_COMES_BACK)


def by_numbers(wrong):
    """Wrong numbers, or a wrong shape: those of the smallest input."""
    run = min(wrong, key=lambda run: size_of(run.args))
    pairs = [pair for run in wrong for pair in shown.wrong_parts(run).values()]
    # The same numbers in other positions, or in another shape
    only_moved = all(close(np.sort(g, None), np.sort(r, None)) for g, r in pairs)
    text, weights = shown.furthest_off(run), shown.weights(run)
    id, texts = "different", general.OTHER_PLACES if only_moved else general.NO_NAME
    if shapes(run.got) != shapes(run.right):
        id, texts = "wrong-shape", general.OTHER_SHAPE if only_moved else general.GENERAL["wrong-shape"]
    elif not all(np.isfinite(g[np.isfinite(r)]).all() for g, r in shown.wrong_parts(run).values()):
        id, texts = "not-finite", general.GENERAL["not-finite"]
    elif all(np.array_equal(g, g.astype(np.float16)) and close(g, r, 5e-2, 5e-2) for g, r in pairs):
        id, texts = "float16", general.GENERAL["float16"]
    elif weights is not None and weights[shown.hidden(run)].any():
        text, texts = shown.weights_of_hidden_keys(run), general.HIDDEN
    elif weights is not None and not close(weights.sum(-1), run.right[-1].sum(-1)):
        text, texts = shown.row_and_column_sums(run), general.SUMS
    wrong_places = {i for run in wrong for i in shown.wrong_parts(run)}
    right = [name for i, name in enumerate(run.exercise.parts) if name and i not in wrong_places]
    text += f" All numbers of the {' and the '.join(right)} are right." if right else ""
    return Reason(id, f"With {run.probe.name}, {format_arguments(run)}: {lower_first(text)}", *texts)
