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

TOO_MANY_FOR_PAIRS = 1000  # numbers in an input: with more, pairs take long
MOST_IN_PAIRS = 150  # variants: pairs of more take long


def find_mistakes(exercise, runs):
    """[(mistake, the run that shows it)], the likelier first; none if nothing explains all that came back."""
    ordinary = [run for run in runs if run.probe.ordinary and run.got is not None]
    wrong = [run for run in ordinary if not run.ok]
    found = by_numbers(exercise, sorted(ordinary, key=lambda run: run.ok)) if wrong else []
    if not ordinary or (wrong and not found):  # no numbers at all, or some that nothing explains
        return []
    base = {step: form for _, variant in found for step, form in variant.items()}
    known = {m.id for m, _ in found}.union(*(m.supersedes for m, _ in found))
    # An error that ordinary probes raise, too, says nothing new.
    elsewhere = {type(run.error) for run in runs if run.error and run.probe.ordinary}
    extreme = [run for run in runs if not run.probe.ordinary and type(run.error) not in elsewhere]
    also = [(m, run) for m, run in by_fates(exercise, extreme, base) if m.id not in known]
    return [(m, run_to_show(exercise, m, variant, wrong)) for m, variant in found] + also


def not_superseded(found):
    """Of [(mistake, what shows it)] those that no other one supersedes."""
    return [one for one in found if not any(one[0].id in other.supersedes for other, _ in found)]


def run_to_show(exercise, mistake, variant, wrong):
    """The first wrong run that the variant changes, and of which the mistake has something to show."""
    changed = [run for run in wrong if not same(exercise.result_with(variant, run.args) or (), run.right)]
    return next(filter(mistake.shows, changed), wrong[0])


def by_numbers(exercise, runs):
    """[(mistake, variant)] of the one or two that explain these runs of ordinary probes, the wrong ones first."""
    possible = exercise.ordinary_variants
    alone = [(m, v) for m, v in possible if explains(exercise, v, runs, m.nan_suffices)]
    if alone:
        return not_superseded(alone)[:1]
    for (one, variant), (other, second) in pairs(exercise, possible, runs[0]):
        superseded = one.id in other.supersedes or other.id in one.supersedes
        if one.id != other.id and not superseded and explains(exercise, variant | second, runs):
            return [(one, variant), (other, second)]
    return []


def explains(exercise, variant, runs, nan_suffices=False):
    """Whether this variant gives what came back on all runs, with 0 for NaN; where it raises an error, what is right.

    In one wrong run it has to give numbers, or NaN if that suffices, or another shape: NaN, infinity and zeros have
    many causes.
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
    """The pairs of variants of different steps that together explain this run; one that changes the shape first."""
    if size_of(run.args) >= TOO_MANY_FOR_PAIRS:
        return
    keeping, changing = [], []
    for form in first_forms(possible):
        result = exercise.result_with(form[1], run.args) or ()
        (keeping if shapes(result) == shapes(run.right) else changing).append(form)
    forms = keeping if shapes(run.got) == shapes(run.right) else changing + keeping
    for form, other in itertools.combinations(forms, 2):
        different = form[1].keys().isdisjoint(other[1])
        merged = exercise.result_with(form[1] | other[1], run.args) if different else None
        if merged and same(run.got, merged, run.dtype, nan_is_zero=True):
            yield form, other


def first_forms(possible):
    """The variants that are tried in pairs: all, or of more than MOST_IN_PAIRS the first of each mistake and step."""
    numbers = defaultdict(itertools.count)
    number = [next(numbers[mistake.id, *variant]) for mistake, variant in possible]
    first = sorted(range(len(possible)), key=number.__getitem__)[:MOST_IN_PAIRS]
    return [possible[place] for place in sorted(first)]


def by_fates(exercise, runs, base):
    """[(mistake, the run that shows it)] of those that only extreme probes show, beyond the variants found before."""
    seen = [seen_fates(run, exercise.result_with(base, run.args) or run.right) for run in runs]
    left, found = [fate != AS_WANTED for fate in seen], {}
    for mistake, variant in exercise.extreme_variants if any(map(np.any, left)) else []:
        expected = [expected_fates(exercise, variant, base, *both) for both in zip(runs, seen, strict=True)]
        wrong = [fate != AS_WANTED for fate in expected]
        shown = [place for place, rows in enumerate(wrong) if rows.any()]
        agree = [(fate == other)[rows].all() for fate, other, rows in zip(seen, expected, wrong, strict=True)]
        if shown and all(agree):
            left = [some & ~rows for some, rows in zip(left, wrong, strict=True)]
            found.setdefault(mistake.id, (mistake, shown[0]))
    if not base and any(map(np.any, left)):
        return []
    by_probe = sorted(not_superseded(found.values()), key=lambda one: one[1])
    return [(mistake, runs[place]) for mistake, place in by_probe]


def seen_fates(run, wanted):
    """The fates of the rows that came back. Plain Python raises an error where NumPy loses a row."""
    if isinstance(run.error, (ArithmeticError, ValueError)):
        return np.array([LOST])
    found = None if run.got is None else fates(run.got, wanted)
    return np.array([OTHER]) if found is None else found


def expected_fates(exercise, variant, base, run, seen):
    """The fates that this variant gives rows. Beside the variants found before (`base`), only which rows it loses."""
    result = exercise.result_with(variant, run.args)
    found = fates(result, run.right) if result else None
    if found is not None and base:
        lost_before = fates(exercise.result_with(base, run.args) or run.right, run.right) == LOST
        found = np.where((found == LOST) & ~lost_before, LOST, AS_WANTED)
    if found is not None and run.error:
        found = np.array([LOST if (found == LOST).any() else AS_WANTED])
    return np.full(seen.shape, AS_WANTED) if found is None or found.shape != seen.shape else found
