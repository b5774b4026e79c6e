"""Why an answer is refused: the reasons, in the order in which they are told."""

import numpy as np

from lesson.check.compare import close, shapes
from lesson.check.formatting import format_arguments, listed, size_of
from lesson.check.grading.call import changed_later, library_functions
from lesson.check.grading.find import find_mistakes
from lesson.check.hints import error_hint, error_text, in_line, order_hint, unused_hint
from lesson.check.mistakes import general, shown
from lesson.check.verdict import Reason, one_line


def reasons_to_refuse(exercise, function, runs):
    """The reasons, in their order; none if the answer passes. What was changed makes other numbers wrong, and is told
    first. Where the numbers are wrong and there is no reason yet, the reason has no mistake."""
    is_wrong = not all(run.ok for run in runs)
    reasons = list(spoilt(runs))
    if is_wrong:
        reasons += [named(mistake, run) for mistake, run in find_mistakes(exercise, runs)]
    else:
        reasons += hidden_not_zero(exercise, runs)
    reasons += of_another_kind(exercise, runs, is_wrong)
    if is_wrong and not reasons:
        return [unnamed(exercise, function, runs)]
    return reasons or list(library_used(exercise, runs))


def reason(id, run, seen, cause_and_question):
    # Of one number all arguments are shown: it has no entry that could be looked up.
    arguments = f", {format_arguments(run)}" if run.right[0].ndim == 0 else ""
    return Reason(id, f"With {run.probe.name}{arguments}: {seen}", *cause_and_question)


def spoilt(runs):
    """A result that holds other numbers by now, and an argument that was changed."""
    for run in filter(changed_later, runs):
        seen = "after later calls, the result of this call held other numbers."
        yield reason("different", run, seen, general.OVERWRITTEN)
    for run in [run for run in runs if run.changed_argument]:
        seen = f"after the call, {run.changed_argument} was not as before."
        cause = f"Your function changes its argument {run.changed_argument}."
        yield reason("input-changed", run, seen, (cause, general.WHICH_LINE_CHANGES))


def named(mistake, run):
    seen = f"your function stopped with `{error_text(run.error)}`." if run.error else mistake.shows(run)
    return reason(mistake.id, run, seen or shown.furthest_off(run), (mistake.cause, mistake.question))


def of_another_kind(exercise, runs, is_wrong):
    """A mask of other numbers than True and False, or a right index that is a float."""
    right_index = exercise.index and not is_wrong
    if not (exercise.booleans or right_index) or any(run.error for run in runs):
        return
    kinds, due = ("iu", "int") if right_index else ("b", "bool")
    for run in runs:
        if run.got and run.got[0].size and run.dtype.kind not in kinds and not np.isnan(run.got[0]).any():
            dtype = np.asarray(run.returned).dtype
            causes = [cause for looks_so, cause in general.OTHER_MASKS if looks_so(run.got[0], dtype)]
            texts = general.A_FLOAT if right_index else (causes[0], general.WHICH_COMPARISON)
            yield reason("wrong-type", run, f"the dtype is {dtype}, but should be {due}.", texts)


def hidden_not_zero(exercise, runs):
    """Weights of hidden keys that are too small to be seen among the others, and not the 0 that was asked for."""
    for run in runs if exercise.exact_zeros else []:
        largest = shown.weights_of(run)[shown.hidden_keys(run)].max(initial=0)
        if largest:
            seen = f"hidden keys get up to {largest:.0e}."
            yield reason("hidden-not-zero", run, seen, general.GENERAL["hidden-not-zero"])


def library_used(exercise, runs):
    """Functions of the library that leave nothing to write."""
    forbids = {exercise.name, *exercise.forbids.split()}
    called = [f"`{name}`" for name in library_functions(runs) if name.partition(".")[2] in forbids]
    if called:
        seen = f"Every number is right, but your function called the library's {listed(called)}."
        yield Reason("library-used", seen, *general.OWN_LINES)


def unnamed(exercise, function, runs):
    """Where no mistake explains the numbers, what cannot be false: what came back, what should have, with which
    inputs, and which were right. Of extreme probes only what goes wrong there alone is told."""
    right, wrong = [run for run in runs if run.ok], [run for run in runs if not run.ok]
    told = [run for run in wrong if run.probe.ordinary] or wrong
    id, seen, texts = error_seen(told) or kind_seen(told) or numbers_seen(told)
    unused = unused_hint(function)
    if texts and unused:
        seen = f"{seen} {unused[0]}"
    texts = order_hint(function, exercise.arguments.split()) or texts or unused or general.NO_NAME
    if len(right) <= 2:  # which may be so by accident
        return Reason(id, seen, *texts)
    names = [listed([f'"{run.probe.name}"' for run in some]) for some in (right, wrong)]
    tried = f"Your function is right with {names[0]}, but wrong with {names[1]}."
    return Reason(id, seen, *(general.ONLY_SOME if texts is general.NO_NAME else texts), tried)


def error_seen(told):
    """An error, with the learner's line and the arguments."""
    for run in told:
        if run.error:
            call = f"Called with {format_arguments(run)}, your function stopped{in_line(run.error)}"
            return "raises", f"{call}: `{error_text(run.error)}`.", error_hint(run.error)


def kind_seen(told):
    """Something that cannot be read as numbers, or as another number of arrays."""
    for run in told:
        if run.got is None or len(run.got) != len(run.right):
            returned = f"`{one_line(repr(run.returned), 60)}`, of type {type(run.returned).__name__}"
            seen = f"Called with {format_arguments(run)}, your function returned {returned}."
            id = "wrong-type" if run.got is None else "wrong-shape"
            return id, seen, (f"The exercise asks for {run.exercise.wanted}.", general.WHAT_COMES_BACK)


def numbers_seen(told):
    """Wrong numbers, or a wrong shape: those of the smallest input."""
    run = min(told, key=lambda run: size_of(run.probe.args))
    id, seen, texts = what_is_wrong(run, told)
    wrong_places = {place for each in told for place in shown.wrong_parts(each)}
    right = [name for place, name in enumerate(run.exercise.parts) if name and place not in wrong_places]
    if right:
        seen += f" All numbers of the {listed(right)} are right."
    return id, f"With {run.probe.name}, {format_arguments(run)}: {seen}", texts


def what_is_wrong(run, told):
    """The id, what was seen, and (cause, question) or None: what is true of this run, and of all that are told."""
    pairs = [pair for each in told for pair in shown.wrong_parts(each).values()]
    only_moved = all(close(np.sort(a, None), np.sort(b, None)) and not close(a, b) for a, b in pairs)
    entry, weights = shown.furthest_off(run), shown.weights_of(run)
    if shapes(run.got) != shapes(run.right):
        return "wrong-shape", entry, general.OTHER_SHAPE if only_moved else general.GENERAL["wrong-shape"]
    here = shown.wrong_parts(run).values()
    # -inf may be the logit of a token that is left out.
    if any(np.isnan(got).any() or (np.isinf(got).any() and not np.isinf(right).any()) for got, right in here):
        return "not-finite", entry, general.GENERAL["not-finite"]
    if run.dtype.kind in "iu" and any((right % 1).any() for _, right in here):
        cause = f"The dtype of your result is {run.dtype}: it holds no fractions."
        return "different", entry, (cause, general.WHICH_DTYPE)
    if all(np.array_equal(got, np.float16(got)) and close(got, right, 5e-2, 5e-2) for got, right in pairs):
        return "float16", entry, general.GENERAL["float16"]
    if weights is not None and weights[shown.hidden_keys(run)].any():
        return "different", shown.weights_of_hidden_keys(run), general.HIDDEN
    if weights is not None and not close(weights.sum(-1), run.right[-1].sum(-1)):
        return "different", shown.row_and_column_sums(run), general.SUMS
    return "different", entry, general.OTHER_PLACES if only_moved else None
