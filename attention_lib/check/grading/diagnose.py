"""Finds the mistakes: which wrong steps give the numbers that came back?

First on the ordinary probes: the variants that explain all runs, exactly or but for NaN, alone or two together;
or one that explains most. Where the ordinary probes are right
or explained, the edges come last, row by row, for what the variants found do not explain.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from attention_lib.check.grading.run_learner import Run, far, same


@dataclass(frozen=True)
class Finding:
    """A mistake, the run that shows it best, and the variant that explains it, if one does."""

    mistake: object
    run: Run
    variant: dict[str, Callable] | None = None


class Fit(IntEnum):
    """How well a twin's numbers fit those that came back."""

    NO = 0
    MOSTLY = 1  # most of the wrong ones: the function is inconsistent across probes
    BUT_FOR_NAN = 2  # zeros stand where the twin has NaN, as with np.nan_to_num
    EXACTLY = 3


def diagnose(exercise, runs):
    """All findings, the likeliest first."""
    ordinary = [run for run in runs if run.got is not None and run.probe.ordinary]
    wrong = [run for run in ordinary if not run.ok]
    right = [
        run for run in runs if run.ok
    ]  # edges too: no variant explains an answer that is right where it is not
    found = by_variants(exercise, wrong, right) if wrong else []
    if not ordinary or (wrong and not found):
        return []
    variant = merged(finding.variant for finding in found)
    more = by_edges(exercise, runs, variant)
    known = {f.mistake.id for f in found}.union(*(f.mistake.supersedes for f in found))
    return found + [f for f in more if f.mistake.id not in known]


def merged(variants):
    return {step: function for variant in variants for step, function in variant.items()}


def not_superseded(mistakes):
    return [m for m in mistakes if not any(m.id in other.supersedes for other in mistakes)]


# By exact numbers. A candidate is a tuple of one or two (mistake, variant).


def by_variants(exercise, wrong, right):
    """The mistakes whose variants explain every run, one alone or two together; or one that explains most."""
    wrong_first = wrong + right  # wrong runs rule out most variants at once
    possible = [
        (mistake, variant)
        for mistake, variant in exercise.variants
        if not (mistake.impossible_if and any(map(mistake.impossible_if, wrong)))
    ]
    alone = by_fit(exercise, [(one,) for one in possible], wrong_first)
    if best := best_of(alone):
        return named(exercise, best, wrong)
    pairs = by_fit(exercise, possible_pairs(exercise, possible, wrong[0]), wrong_first)
    return named(exercise, best_of(pairs) or alone.get(Fit.MOSTLY, []), wrong)


def best_of(candidates_by_fit):
    """The candidates that fit every run, and best."""
    fit = max(candidates_by_fit, default=Fit.NO)
    return candidates_by_fit[fit] if fit >= Fit.BUT_FOR_NAN else []


def by_fit(exercise, candidates, runs):
    """{how well they fit: candidates}"""
    found = {}
    for candidate in candidates:
        variant = merged(variant for _, variant in candidate)
        nan_suffices = len(candidate) == 1 and candidate[0][0].nan_suffices
        if fit := fit_of(exercise, variant, runs, nan_suffices):
            found.setdefault(fit, []).append(candidate)
    return found


def possible_pairs(exercise, possible, run):
    """The pairs that together explain this wrong run.

    A variant that changes nothing here can be half of a pair only if the other half explains the run alone. Where
    the shape is right, both halves keep it, and where it is wrong, one of them does not.
    """
    got, right = zeros_for_nan(run.got), zeros_for_nan(run.right)
    twins = [exercise.twin(run.args, variant) for _, variant in possible]
    keeps_shape = [twin is not None and shapes(twin) == shapes(right) for twin in twins]
    shape_is_right = shapes(got) == shapes(right)

    def gives(expected, twin):
        if twin is None or any(map(far, twin, expected)):  # most are, and the rest takes long
            return False
        return same(zeros_for_nan(twin), expected, run.dtype)

    changes_nothing = [gives(right, twin) for twin in twins]
    explains_alone = [gives(got, twin) for twin in twins]
    for i, j in itertools.combinations(range(len(possible)), 2):
        (one, variant), (other, other_variant) = possible[i], possible[j]
        if one.id == other.id or variant.keys() & other_variant.keys():
            continue
        if (keeps_shape[i] and keeps_shape[j]) != shape_is_right:
            continue
        if changes_nothing[i] or changes_nothing[j]:
            explained = explains_alone[j] if changes_nothing[i] else explains_alone[i]
        else:
            explained = gives(got, exercise.twin(run.args, variant | other_variant))
        if explained:
            yield possible[i], possible[j]


def fit_of(exercise, variant, runs, nan_suffices=False):
    """How well the twin with this variant explains the runs.

    MOSTLY needs two wrong runs explained, more than speak against it, and twice as many as are unexplained. A fit
    of all runs needs one. One of the explained must show wrong numbers or a wrong shape; in a fit of all, NaN may
    suffice.
    """
    fit, explained, unexplained, evidence = Fit.EXACTLY, 0, 0, False
    against = 0  # where the twin fails, or is wrong and the answer right
    most_unexplained = sum(not run.ok for run in runs) / 3
    for run in runs:
        twin = exercise.twin(run.args, variant)
        if twin is None and run.ok:
            against += 1
        elif (exactly := fits_exactly(run, twin)) or fits_but_for_nan(run, twin):
            explained += not run.ok
            evidence = evidence or is_evidence(run, twin)
            fit = fit if exactly else min(fit, Fit.BUT_FOR_NAN)
        else:
            fit = Fit.MOSTLY
            against += twin is None or run.ok
            unexplained += twin is not None and not run.ok
            if unexplained > most_unexplained:  # stop early: too many for Fit.MOSTLY
                return Fit.NO
    if fit == Fit.MOSTLY:
        enough = evidence and explained > max(against, 1) and explained >= 2 * unexplained
    else:
        nan_is_seen = fit == Fit.EXACTLY or any(run.may_have_made_nan for run in runs)
        too_few = 1 if against else 0  # one run is too few if the twin fails where the answer is right
        enough = (evidence or (nan_suffices and nan_is_seen)) and explained > too_few
    return fit if enough else Fit.NO


def is_evidence(run, twin):
    """Whether the twin has wrong numbers or a wrong shape: NaN, infinity and zeros have many causes."""
    has_numbers = any((np.isfinite(part) & (np.abs(part) > 1e-6)).any() for part in twin)
    return not run.ok and (has_numbers or shapes(twin) != shapes(run.right))


def zeros_for_nan(parts):
    return tuple(np.where(np.isnan(part), 0, part) for part in parts)


def named(exercise, candidates, wrong):
    """Findings for one of the candidates that fit alike: of the first mistake that no other supersedes, or a pair."""
    if not candidates:
        return []
    if len(candidates[0]) == 1:
        id = not_superseded([mistake for ((mistake, _),) in candidates])[0].id
        candidates = [candidate for candidate in candidates if candidate[0][0].id == id]
    best = candidates[0]
    return [Finding(m, run_to_show(exercise, m, variant, wrong), variant) for m, variant in best]


def fits_exactly(run, twin):
    return twin is not None and same(run.got, twin, run.dtype)


def fits_but_for_nan(run, twin):
    return twin is not None and same(zeros_for_nan(run.got), zeros_for_nan(twin), run.dtype)


def run_to_show(exercise, mistake, variant, wrong):
    """The first wrong run that the variant changes, and of which the mistake has something to show."""
    twins = [(run, exercise.twin(run.args, variant)) for run in wrong]
    changed = [run for run, twin in twins if twin is not None and not same(twin, run.right)] or wrong
    return next(filter(mistake.shows, changed), changed[0])


def shapes(parts):
    return [part.shape for part in parts]


# By the edges


def by_edges(exercise, runs, variant):
    """The mistakes that only edges show, beyond what the variant explains. An earlier probe's come first."""
    found = {}
    errors_elsewhere = {type(run.error) for run in runs if run.error and run.probe.ordinary}
    for run in runs:
        if run.probe.ordinary or type(run.error) in errors_elsewhere:
            continue
        if run.got is None:
            ids = run.probe.edge.mistakes_of_error(run.error)
        else:
            twin = exercise.twin(run.args, variant)
            ids = run.probe.edge.mistakes_in_rows(run, run.right if twin is None else twin, variant)
        for id in ids:
            found.setdefault(id, run)
    mistakes = [exercise.edge_mistakes[id] for id in found if id in exercise.edge_mistakes]
    return [Finding(m, found[m.id]) for m in not_superseded(mistakes)]
