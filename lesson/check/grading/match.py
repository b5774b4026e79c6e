"""Finds the mistakes: which wrong steps, put into the recipe, give the numbers that came back?

First the variants that explain all runs, alone; then two of them together; then one that explains most. Where the
ordinary probes are right or explained, the edge cases tell more, row by row.
"""

import itertools
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from lesson.check.compare import same, same_but_for_nan, shapes, tolerance
from lesson.check.edge_cases import EMPTY_ROW, ZEROED
from lesson.check.grading.call import Run
from lesson.check.seen import hidden, weights, weights_among


@dataclass(frozen=True)
class Finding:
    """A mistake, the run that shows it best, and the variants that explain it, if any do."""

    mistake: object
    run: Run
    variants: tuple = ()


class Fit(IntEnum):
    """How well a variant's numbers fit those that came back."""

    NO = 0
    MOSTLY = 1  # most of the wrong ones: the function is inconsistent across probes
    BUT_FOR_NAN = 2  # zeros stand where the variant has NaN, as with np.nan_to_num
    EXACTLY = 3


def find_mistakes(exercise, runs):
    """All findings, the likeliest first."""
    ordinary = [run for run in runs if run.got is not None and run.probe.ordinary]
    wrong = [run for run in ordinary if not run.ok]
    right = [run for run in runs if run.ok]
    found = by_variants(exercise, wrong, right) if wrong else []
    if not ordinary or (wrong and not found):
        return []
    known = {f.mistake.id for f in found}.union(*(f.mistake.supersedes for f in found))
    return found + [f for f in by_edge_cases(exercise, runs, found) if f.mistake.id not in known]


def merged(variants):
    return {step: function for variant in variants for step, function in variant.items()}


def not_superseded(mistakes):
    return [m for m in mistakes if not any(m.id in other.supersedes for other in mistakes)]


# By exact numbers. A candidate is a tuple of one or two (mistake, variant).


def by_variants(exercise, wrong, right):
    """The mistakes whose variants explain every run, one alone or two together; or one that explains most."""
    possible = [
        (mistake, variant)
        for mistake, variant in exercise.variants
        if not (mistake.impossible_if and any(map(mistake.impossible_if, wrong)))
    ]
    runs = wrong + right  # wrong ones rule out most variants at once
    alone = by_fit(exercise, [(one,) for one in possible], runs)
    fit = max(alone, default=Fit.NO)
    if fit < Fit.BUT_FOR_NAN:
        pairs = by_fit(exercise, possible_pairs(exercise, possible, wrong[0]), runs)
        if max(pairs, default=Fit.NO) >= Fit.BUT_FOR_NAN:
            pair = pairs[max(pairs)][0]
            return [
                Finding(mistake, run_to_show(exercise, mistake, variant, wrong, other), (variant,))
                for (mistake, variant), (_, other) in (pair, pair[::-1])
            ]
    return best_alone(exercise, [one for (one,) in alone.get(fit, [])], wrong)


def by_fit(exercise, candidates, runs):
    """{how well they fit: candidates}"""
    found = {}
    for candidate in candidates:
        variant = merged(variant for _, variant in candidate)
        nan_suffices = len(candidate) == 1 and candidate[0][0].nan_suffices
        if fit := fit_of(exercise, variant, runs, nan_suffices):
            found.setdefault(fit, []).append(candidate)
    return found


def best_alone(exercise, candidates, wrong):
    """The Finding for candidates that fit alike: the first mistake that no other supersedes, with its variants."""
    if not candidates:
        return []
    best = not_superseded([mistake for mistake, _ in candidates])[0]
    mistake, variant = next(one for one in candidates if one[0].id == best.id)
    variants = tuple(v for m, v in candidates if m.id == best.id)
    return [Finding(mistake, run_to_show(exercise, mistake, variant, wrong), variants)]


def possible_pairs(exercise, possible, run):
    """The pairs that together explain this wrong run. If its shape is wrong, the one that changes it comes first.

    A variant that changes nothing here can be half of a pair only if the other half explains the run alone. Where
    the shape is right, both halves keep it, and where it is wrong, one of them does not.
    """
    results = [exercise.result_with(variant, run.args) for _, variant in possible]
    keeps_shape = [result is not None and shapes(result) == shapes(run.right) for result in results]
    shape_is_right = shapes(run.got) == shapes(run.right)

    def gives(expected, result):
        return result is not None and same_but_for_nan(expected, result, run.dtype)

    changes_nothing = [gives(run.right, result) for result in results]
    explains_alone = [gives(run.got, result) for result in results]
    for i, j in itertools.combinations(range(len(possible)), 2):
        (one, variant), (other, other_variant) = possible[i], possible[j]
        if (
            one.id == other.id
            or variant.keys() & other_variant.keys()
            or len(not_superseded([one, other])) < 2
        ):
            continue
        if (keeps_shape[i] and keeps_shape[j]) != shape_is_right:
            continue
        if changes_nothing[i] or changes_nothing[j]:
            explained = explains_alone[j] if changes_nothing[i] else explains_alone[i]
        else:
            explained = gives(run.got, exercise.result_with(variant | other_variant, run.args))
        if explained:
            yield (
                (possible[j], possible[i]) if keeps_shape[i] > keeps_shape[j] else (possible[i], possible[j])
            )


def fit_of(exercise, variant, runs, nan_suffices=False):
    """How well this variant explains the runs; a fit needs one run with a wrong number, or NaN where that suffices.

    Where it does not work it says nothing. It explains most if it gives other numbers than came back, on right
    runs too, at most a third as often as a run is wrong.
    """
    fit, others, evidence = Fit.EXACTLY, 0, False
    wrong = sum(not run.ok for run in runs)
    for run in runs:
        result = exercise.result_with(variant, run.args)
        if result is None:
            fit = fit if run.ok else Fit.MOSTLY
        elif (exactly := same(run.got, result, run.dtype)) or same_but_for_nan(run.got, result, run.dtype):
            evidence = evidence or is_evidence(run, result)
            fit = fit if exactly else min(fit, Fit.BUT_FOR_NAN)
        else:
            fit = Fit.MOSTLY
            others += 1
            if others > wrong / 3:  # so many tell that something else is wrong, or wrong too
                return Fit.NO
    if fit == Fit.MOSTLY:
        return fit if evidence else Fit.NO
    nan_is_seen = fit == Fit.EXACTLY or any(run.made_nan for run in runs)
    return fit if evidence or (nan_suffices and nan_is_seen) else Fit.NO


def is_evidence(run, result):
    """Whether this result is wrong, and not of NaN, infinity and zeros alone: these have many causes."""
    if run.ok or shapes(result) != shapes(run.right):
        return not run.ok
    has_numbers = any((np.isfinite(part) & (np.abs(part) > 1e-6)).any() for part in result)
    return has_numbers and not same(result, run.right, run.dtype)


def run_to_show(exercise, mistake, variant, wrong, other=None):
    """The first wrong run that the variant changes, and the other one does not, if there is one, and of which the
    mistake has something to show."""

    def changes(variant, run):
        result = exercise.result_with(variant, run.args)
        return result is not None and not same(result, run.right)

    changed = [run for run in wrong if changes(variant, run)] or wrong
    changed.sort(key=lambda run: bool(other) and changes(other, run))
    return next(filter(mistake.shows, changed), changed[0])


# By the edge cases


def by_edge_cases(exercise, runs, found):
    """The mistakes that only edge cases show, beyond what was found. An earlier probe's come first."""
    shown = {}
    variants = [merged(pair) for pair in itertools.product(*(f.variants for f in found))]
    errors_elsewhere = {type(run.error) for run in runs if run.error and run.probe.ordinary}
    for run in runs:
        if run.probe.ordinary or type(run.error) in errors_elsewhere:
            continue
        if run.got is None:
            errors = run.probe.edge_case.errors
            ids = [id for kind, id in errors.items() if isinstance(run.error, kind)][:1]
        else:
            results = [exercise.result_with(variant, run.args) for variant in variants]
            ids = mistakes_in_rows(run, [result for result in results if result] or [run.right])
        for id in ids:
            shown.setdefault(id, run)
    possible = {m.id: m for m in exercise.mistakes if not m.variants}  # what edge cases alone show
    mistakes = [possible[id] for id in shown if id in possible]
    return [Finding(m, shown[m.id]) for m in not_superseded(mistakes)]


def mistakes_in_rows(run, results):
    """The ids that wrong rows show, or weight on hidden keys. Rows as one of the results has them are explained."""
    got, right, edge_case = weights(run), run.right[-1], run.probe.edge_case
    expected = [weights_among(result, run.right) for result in results]
    if not all(table.shape == got.shape == right.shape for table in expected):
        return []
    wrong = ~as_expected(run, got, right)
    for table in expected:
        wrong &= ~as_expected(run, got, table, zero_for_nan=True)
    if not wrong.any():
        return []
    empty = hidden(run).all(-1)
    nan_where_all_is_hidden = wrong & np.isnan(got).all(-1) & (expected[0] == 0).all(-1)
    if nan_where_all_is_hidden.any() and not (right[nan_where_all_is_hidden] == 0).all():
        return [EMPTY_ROW]
    if edge_case.leak and (got[hidden(run)] > 1e-6).any():
        return [edge_case.leak]
    zeroed = wrong & (got == 0).all(-1)
    lost = zeroed | (wrong & ~np.isfinite(got).all(-1))  # a row of other numbers has another cause
    ids = [EMPTY_ROW] if (wrong & empty).any() else []
    ids += [ZEROED] if empty.any() and (zeroed & ~empty).any() else []
    return ids + [id for row, id in edge_case.rows.items() if lost.flat[row]]


def as_expected(run, got, table, zero_for_nan=False):
    """Which rows have these numbers, but for large rounding errors; and zeros or NaN in the place of NaN, if asked."""
    rtol, atol = np.maximum(tolerance(run.dtype), (1e-4, 1e-5))
    mended = np.isnan(table) & ((got == 0) | np.isnan(got)) if zero_for_nan else False
    return (np.isclose(got, table, rtol, atol) | mended).all(-1)
