"""Finds the mistakes: which variants, put into the recipe, give what came back?

On ordinary probes numbers are compared: one variant has to give all of them, or two variants together. On extreme
probes NaN, infinity and 0 have many causes, so the fates of the rows are compared: each row that a variant makes wrong
has to be wrong in that way, and each wrong row has to be explained.
"""

import itertools
from collections import defaultdict

import numpy as np

from lesson.check.compare import LOST, RIGHT, fates, same, shapes
from lesson.check.formatting import size_of

MANY_NUMBERS = 1000  # pairs take long with an input of so many
UNKNOWN = -1  # the fate of rows that cannot be compared


def find_mistakes(exercise, runs):
    """[(mistake, the run that shows it)], the likelier first; none if nothing explains all that came back."""
    ordinary = [run for run in runs if run.probe.ordinary and run.got is not None]
    wrong = [run for run in ordinary if not run.ok]
    found, variants = (
        by_numbers(exercise, wrong, wrong + [run for run in ordinary if run.ok]) if wrong else ([], [{}])
    )
    if not ordinary or not variants:
        return []
    errors_elsewhere = {type(run.error) for run in runs if run.probe.ordinary}
    extreme = [
        run for run in runs if not (run.probe.ordinary or (run.error and type(run.error) in errors_elsewhere))
    ]
    base = variants[0]
    known = {m.id for m, _ in found}.union(*(m.supersedes for m, _ in found))
    return found + [(m, run) for m, run in by_fates(exercise, extreme, base) if m.id not in known]


def not_superseded(mistakes):
    return [m for m in mistakes if not any(m.id in other.supersedes for other in mistakes)]


# On ordinary probes, by numbers


def by_numbers(exercise, wrong, runs):
    """[(mistake, the run that shows it)] of the one or two that explain these runs; and the variants that do so."""
    possible = [
        (mistake, variant)
        for mistake, variant in exercise.ordinary_variants
        if not (mistake.impossible_if and any(map(mistake.impossible_if, wrong)))
    ]
    for exact in (True, False):
        alone = [(m, v) for m, v in possible if explains(exercise, v, runs, exact, m.nan_suffices)]
        if alone:
            best = not_superseded([m for m, _ in alone])[0]
            variants = [v for m, v in alone if m.id == best.id]
            return [(best, run_to_show(exercise, best, variants[0], wrong))], variants
    for (one, variant), (other, second) in pairs(exercise, possible, wrong[0]):
        if explains(exercise, variant | second, runs):
            found = [(one, variant), (other, second)]
            return [(m, run_to_show(exercise, m, v, wrong)) for m, v in found], [variant | second]
    return [], []


def explains(exercise, variant, runs, exact=False, nan_suffices=False):
    """Whether this variant gives what came back on all runs, with 0 for NaN if not exactly.

    Where it does not work, the run has to be right. One wrong run has to be explained by numbers: NaN, infinity and
    zeros have many causes, so they alone are no evidence, unless they suffice and are not zeros from the start.
    """
    evidence = False
    for run in runs:
        result = exercise.result_with(variant, run.args)
        if result is None:
            if not run.ok:
                return False
        elif not same(run.got, result, run.dtype, nan_is_zero=not exact):
            return False
        elif not run.ok:
            evidence = evidence or is_evidence(run, result) or (nan_suffices and (exact or run.made_nan))
    return evidence


def is_evidence(run, result):
    if shapes(result) != shapes(run.right):
        return True
    has_numbers = any((np.isfinite(part) & (np.abs(part) > 1e-6)).any() for part in result)
    return has_numbers and not same(result, run.right, run.dtype)


def pairs(exercise, possible, run):
    """The pairs of variants of different steps that together explain this run, in the order of the mistakes.

    Both keep the shape if it is right; if it is wrong, the one that changes it comes first. Of variants of a step that
    give the same numbers here, one is tried for all.
    """
    alike, shape_is_right, found = defaultdict(list), shapes(run.got) == shapes(run.right), {}
    for place, (_, variant) in enumerate(possible if size_of(run.args) < MANY_NUMBERS else []):
        result = exercise.result_with(variant, run.args)
        numbers = result and tuple((x.shape, np.round(x, 9).tobytes()) for x in result)
        keeps_shape = bool(result) and shapes(result) == shapes(run.right)
        alike[frozenset(variant), numbers, keeps_shape].append(place)
    for (these, places), (those, others) in itertools.combinations(alike.items(), 2):
        if these[0] & those[0] or (these[2] and those[2]) != shape_is_right:
            continue
        merged = exercise.result_with(possible[places[0]][1] | possible[others[0]][1], run.args)
        if merged and same(run.got, merged, run.dtype, nan_is_zero=True):
            for pair in itertools.product(places, others):
                found[tuple(sorted(pair))] = pair[::-1] if these[2] > those[2] else pair
    for _, (one, other) in sorted(found.items()):
        if (
            len(
                not_superseded({possible[place][0].id: possible[place][0] for place in (one, other)}.values())
            )
            == 2
        ):
            yield possible[one], possible[other]


def run_to_show(exercise, mistake, variant, wrong):
    """The first wrong run that the variant changes, and of which the mistake has something to show."""
    results = [(run, exercise.result_with(variant, run.args)) for run in wrong]
    changed = [run for run, result in results if result and not same(result, run.right)] or wrong
    return next(filter(mistake.shows, changed), changed[0])


# On extreme probes, by the fates of rows


def by_fates(exercise, runs, base):
    """[(mistake, the run that shows it)] of those that extreme probes alone show, beyond the variant found before.

    Where nothing was found before, they have to explain every wrong row.
    """
    wanted = [exercise.result_with(base, run.args) or run.right for run in runs]
    seen = [seen_fates(run, parts) for run, parts in zip(runs, wanted, strict=True)]
    left, found = [fate != RIGHT for fate in seen], {}
    for mistake, variant in exercise.extreme_variants if any(map(np.any, left)) else []:
        expected = [
            expected_fates(exercise, variant, base, *of_run)
            for of_run in zip(runs, wanted, seen, strict=True)
        ]
        wrong = [fate != RIGHT for fate in expected]
        if any((fate != other)[rows].any() for fate, other, rows in zip(seen, expected, wrong, strict=True)):
            continue
        shown = [place for place, rows in enumerate(wrong) if rows.any()]
        if shown:
            found.setdefault(mistake.id, (shown[0], mistake))
            left = [some & ~explained for some, explained in zip(left, wrong, strict=True)]
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
    return np.array([UNKNOWN]) if found is None else found


def expected_fates(exercise, variant, base, run, wanted, seen):
    """The fates that this variant gives rows, with the one found before; of its own step, only which rows are lost."""
    alone = bool(variant.keys() & base.keys())
    result = exercise.result_with(variant if alone else base | variant, run.args)
    found = fates(result, run.right if alone else wanted) if result else None
    if found is not None and alone:
        found = np.where((found == LOST) & (fates(wanted, run.right) != LOST), LOST, RIGHT)
    if found is not None and run.error:
        found = np.array([LOST if (found == LOST).any() else RIGHT])
    return np.full(seen.shape, RIGHT) if found is None or found.shape != seen.shape else found
