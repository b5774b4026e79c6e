"""Why an answer is refused: the reasons, in the order in which they are told."""

from dataclasses import replace

from attention_lib.check.compare import result_changed_later
from attention_lib.check.evidence import (
    compare_shapes,
    error_text,
    format_shapes,
    in_line,
    lower_first,
    wrong_shape,
)
from attention_lib.check.grading.describe import describe
from attention_lib.check.grading.match import find_mistakes
from attention_lib.check.verdict import Reason


def explain(exercise, runs):
    """The reasons to refuse an answer, the first one first; none if every answer is right.

    A result that changes later, or an argument that the function changes, makes other numbers wrong: it is told
    first. Then the mistakes, then what is asked beyond the numbers; and if there is nothing, what can be said at all.
    """
    if runs[-1].too_large:
        return [too_large(runs[-1])]
    is_wrong = not all(run.ok for run in runs)
    mistakes = told_with_errors(list(map(reason_of, find_mistakes(exercise, runs))), runs) if is_wrong else []
    beyond_numbers = exercise.rule and exercise.rule(runs, mistakes)
    reasons = [
        *(result_overwritten(run) for run in list(filter(result_changed_later, runs))[:1]),
        *(input_changed(run) for run in [run for run in runs if run.changed_argument][:1]),
        *mistakes,
        *([beyond_numbers] if beyond_numbers else []),
    ]
    return reasons if reasons or not is_wrong else [describe(runs)]


def too_large(run):
    comparison = compare_shapes(run.too_large, format_shapes(run.right))
    return Reason(
        "wrong-shape",
        f"With {run.probe.name}: {lower_first(comparison)}",
        "The result is far larger than what was asked for.",
        "Write down the shape after each of your lines. Where does it grow?",
    )


def result_overwritten(run):
    return Reason(
        "different",
        f"With {run.probe.name}: after later calls, the result of this call held other numbers.",
        "A later call changed what this call had given back: both share an array or a list.",
        "Where is the thing made that you return: in the function, or outside of it?",
    )


def input_changed(run):
    name = run.changed_argument
    return Reason(
        "input-changed",
        f"With {run.probe.name}: after the call, {name} was not as before.",
        f"Your function changes its argument {name}.",
        "Which line changes something that it was given?",
    )


def reason_of(finding):
    mistake, run = finding.mistake, finding.run
    if run.got is None:
        shown = f"your function stopped with `{error_text(run.error)}`"
    else:
        shown = lower_first(mistake.shows(run) or wrong_shape(run))
    return Reason(mistake.id, f"With {run.probe.name}: {shown}", mistake.cause, mistake.ask)


def told_with_errors(reasons, runs):
    """The reasons; the first one also says where the function stopped, if it did."""
    stopped = next((run for run in runs if run.error and run.probe.ordinary), None)
    if not reasons or stopped is None:
        return reasons
    first, *others = reasons
    return [replace(first, seen=f"{where_it_stopped(stopped)} {first.seen}"), *others]


def where_it_stopped(run):
    error = type(run.error).__name__
    article = "an" if error[0] in "AEIOU" else "a"
    return f"With {run.probe.name} it stopped with {article} {error}{in_line(run)}."
