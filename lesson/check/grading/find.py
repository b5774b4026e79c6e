"""Finds the mistakes: which variants, put into the recipe, give what came back?

On ordinary probes numbers are compared: one variant has to give all of them, or two variants together. On extreme
probes NaN, infinity and 0 have many causes, so the fates of the rows are compared: each row that a variant makes wrong
has to be wrong in that way, and, if no mistake was found before, each wrong row has to be explained.
"""

import itertools
from collections import defaultdict

import numpy as np

from lesson.check.compare import AS_WANTED, LOST, OTHER, fates, same, shapes
from lesson.check.formatting import size_of

TOO_MANY_FOR_PAIRS = 1000  # pairs take long with an input of so many


def find_mistakes(exercise, runs):
    """[(mistake, the run that shows it)], the likelier first; none if nothing explains all that came back."""
    ordinary = [run for run in runs if run.probe.ordinary and run.got is not None]
    wrong = [run for run in ordinary if not run.ok]
    found = by_numbers(exercise, wrong, wrong + [run for run in ordinary if run.ok]) if wrong else []
    if not ordinary or (wrong and not found):  # no numbers at all, or some that nothing explains
        return []
    # Extreme probes are asked for more mistakes, with those found already in the recipe. An error that ordinary
    # probes raise, too, says nothing new.
    base = {step: form for _, variant in found for step, form in variant.items()}
    known = {m.id for m, _ in found}.union(*(m.supersedes for m, _ in found))
    elsewhere = {type(run.error) for run in runs if run.error and run.probe.ordinary}
    extreme = [run for run in runs if not run.probe.ordinary and type(run.error) not in elsewhere]
    also = [(m, run) for m, run in by_fates(exercise, extreme, base) if m.id not in known]
    return [(m, run_to_show(exercise, m, variant, wrong)) for m, variant in found] + also


def not_superseded(mistakes):
    return [m for m in mistakes if not any(m.id in other.supersedes for other in mistakes)]


def run_to_show(exercise, mistake, variant, wrong):
    """The first wrong run that the variant changes, and of which the mistake has something to show."""
    changed = [run for run in wrong if not same(exercise.result_with(variant, run.args) or (), run.right)]
    return next(filter(mistake.shows, changed), wrong[0])


def by_numbers(exercise, wrong, runs):
    """[(mistake, variant)] of the one or two that explain these runs of ordinary probes, or none."""
    possible = exercise.ordinary_variants
    alone = [(m, v) for m, v in possible if explains(exercise, v, runs, m.nan_suffices)]
    if alone:
        first = not_superseded([m for m, _ in alone])[0]
        return [next((m, v) for m, v in alone if m.id == first.id)]
    for two in pairs(exercise, possible, wrong[0]):
        (one, variant), (other, second) = two
        superseded = one.id in other.supersedes or other.id in one.supersedes
        if one.id != other.id and not superseded and explains(exercise, variant | second, runs):
            return two
    return []


def explains(exercise, variant, runs, nan_suffices=False):
    """Whether this variant gives what came back on all runs, with 0 for NaN. Where the variant raises an error, the right answer is expected.

    One wrong run has to be explained by numbers: NaN, infinity and zeros have many causes, so they alone are no
    evidence, unless NaN suffices or the shape is wrong.
    """
    evidence = False
    for run in runs:
        result = exercise.result_with(variant, run.args) or run.right
        if not same(run.got, result, run.dtype, nan_is_zero=True):
            return False
        if not (run.ok or evidence or same(result, run.right, run.dtype)):
            has_numbers = any((np.isfinite(part) & (np.abs(part) > 1e-6)).any() for part in result)
            has_numbers = has_numbers or shapes(result) != shapes(run.right)
            evidence = has_numbers or (nan_suffices and same(run.got, result, run.dtype))
    return evidence


def pairs(exercise, possible, run):
    """The pairs of variants of different steps that together explain this run; one that changes the shape first.

    Of variants of a step that give the same numbers here, one is tried for all.
    """
    alike, found, shape_is_right = defaultdict(list), [], shapes(run.got) == shapes(run.right)
    for place, (_, variant) in enumerate(possible if size_of(run.args) < TOO_MANY_FOR_PAIRS else []):
        result = exercise.result_with(variant, run.args) or ()
        keeps_shape = shapes(result) == shapes(run.right)
        if keeps_shape or not shape_is_right:
            numbers = tuple((part.shape, np.round(part, 9).tobytes()) for part in result)
            alike[frozenset(variant), numbers].append((keeps_shape, place))
    for ((steps, _), some), ((others_steps, _), others) in itertools.combinations(alike.items(), 2):
        if not steps & others_steps and (some[0][0] and others[0][0]) == shape_is_right:
            one, other = (possible[ranks[0][1]][1] for ranks in (some, others))
            merged = exercise.result_with(one | other, run.args)
            if merged and same(run.got, merged, run.dtype, nan_is_zero=True):
                found += map(sorted, itertools.product(some, others))
    return [[possible[place] for _, place in pair] for pair in sorted(found)]


def by_fates(exercise, runs, base):
    """[(mistake, the run that shows it)] of those that only extreme probes show, beyond the variants found before.

    Where nothing was found before, they have to explain every wrong row.
    """
    seen = [seen_fates(run, exercise.result_with(base, run.args) or run.right) for run in runs]
    left, found = [fate != AS_WANTED for fate in seen], {}
    for mistake, variant in exercise.extreme_variants if any(map(np.any, left)) else []:
        expected = [expected_fates(exercise, variant, base, *both) for both in zip(runs, seen, strict=True)]
        wrong = [fate != AS_WANTED for fate in expected]
        shown = [place for place, rows in enumerate(wrong) if rows.any()]
        agree = [(fate == other)[rows].all() for fate, other, rows in zip(seen, expected, wrong, strict=True)]
        if shown and all(agree):
            left = [some & ~rows for some, rows in zip(left, wrong, strict=True)]
            found.setdefault(mistake.id, (shown[0], mistake))
    if not base and any(map(np.any, left)):
        return []
    named = not_superseded([mistake for _, mistake in found.values()])
    by_probe = sorted(found.values(), key=lambda shown: shown[0])
    return [(mistake, runs[place]) for place, mistake in by_probe if mistake in named]


def seen_fates(run, wanted):
    """The fates of the rows that came back. Plain Python raises an error where NumPy loses a row."""
    if isinstance(run.error, (ArithmeticError, ValueError)):
        return np.array([LOST])
    found = None if run.got is None else fates(run.got, wanted)
    return np.array([OTHER]) if found is None else found


def expected_fates(exercise, variant, base, run, seen):
    """The fates that this variant gives rows. Beside the variants found before, only which rows it loses."""
    result = exercise.result_with(variant, run.args)
    found = fates(result, run.right) if result else None
    if found is not None and base:
        lost_before = fates(exercise.result_with(base, run.args) or run.right, run.right) == LOST
        found = np.where((found == LOST) & ~lost_before, LOST, AS_WANTED)
    if found is not None and run.error:
        found = np.array([LOST if (found == LOST).any() else AS_WANTED])
    return np.full(seen.shape, AS_WANTED) if found is None or found.shape != seen.shape else found
