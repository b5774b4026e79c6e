"""Finds the mistakes: which variants, put into the recipe, give what came back?

On ordinary probes numbers are compared: one variant has to give all of them, or two variants together. On extreme
probes NaN, infinity and 0 have many causes, so the fates of the rows are compared: each row that a variant makes wrong
has to be wrong in that way, and, if no mistake was found before, each wrong row has to be explained.
"""

from itertools import combinations

import numpy as np

from lesson.check.compare import FINE, LOST, OTHER, fates, same, shapes
from lesson.check.formatting import size_of

TOO_MANY_FOR_PAIRS = 1000  # numbers in an input: with more, pairs take long
MOST_IN_PAIRS = 150  # variants: of more the first of each mistake and step, as all pairs take long


def find_mistakes(exercise, runs):
    """[(mistake, the run that shows it)], the likelier first; none if nothing explains all that came back."""
    ordinary = [run for run in runs if run.probe.ordinary and run.got is not None]
    wrong = [run for run in ordinary if not run.ok]
    explained = by_numbers(exercise, sorted(ordinary, key=lambda run: run.ok)) if wrong else []
    if not ordinary or (wrong and not explained):  # no numbers at all, or some that nothing explains
        return []
    base = {step: form for _, variant in explained for step, form in variant.items()}
    known = {id for mistake, _ in explained for id in (mistake.id, *mistake.supersedes)}
    # An error that ordinary probes raise, too, says nothing new.
    elsewhere = {type(run.error) for run in runs if run.error and run.probe.ordinary}
    extreme = [run for run in runs if not run.probe.ordinary and type(run.error) not in elsewhere]
    by_rows = by_fates(exercise, extreme, base) if extreme else []
    also = [(mistake, run) for mistake, run in by_rows if mistake.id not in known]
    told = not_superseded(explained)
    return [(mistake, run_to_show(mistake, variant, wrong)) for mistake, variant in told] + also


def not_superseded(found):
    """Of [(mistake, what shows it)] those that no other one supersedes."""
    superseded = frozenset().union(*(mistake.supersedes for mistake, _ in found))
    return [(mistake, shown_by) for mistake, shown_by in found if mistake.id not in superseded]


def run_to_show(mistake, variant, wrong):
    """The first wrong run that the variant changes, and of which the mistake has something to show."""
    changed = [run for run in wrong if not same(run.result_or_right(variant), run.right)]
    return next(filter(mistake.shows, changed), wrong[0])


def by_numbers(exercise, runs):
    """[(mistake, variant)] of the one or two that explain these runs of ordinary probes, the wrong ones first."""
    possible = exercise.ordinary_variants
    alone = [(m, variant) for m, variant in possible if explains(variant, runs, m.nan_suffices)]
    if alone:
        return not_superseded(alone)[:1]
    for one, other in pairs(possible, runs[0]):
        if explains(one[1] | other[1], runs):
            return [one, other]
    return []


def explains(variant, runs, nan_suffices=False):
    """Whether this variant gives what came back on all runs, with 0 for NaN, and one of the wrong runs tells so."""
    fits = all(came_back(run, run.result_or_right(variant)) for run in runs)
    return fits and any(tells(run, run.result_or_right(variant), nan_suffices) for run in runs if not run.ok)


def came_back(run, result):
    """Whether the run gave this result, with 0 for NaN."""
    if shapes(run.got) != shapes(result):  # what came back may be large
        return False
    return same(zeroed(run.got), zeroed(result), run.dtype)


def zeroed(parts):
    """The parts with 0 for NaN."""
    return [np.where(np.isnan(part), 0, part) for part in parts]


def tells(run, result, nan_suffices):
    """Whether a wrong result is no accident: NaN, infinity and zeros have many causes, numbers and shapes few."""
    if same(result, run.right, run.dtype):
        return False
    if shapes(result) != shapes(run.right):
        return True
    numbers = any((np.isfinite(part) & (np.abs(part) > 1e-6)).any() for part in result)
    return numbers or (nan_suffices and same(run.got, result, run.dtype))


def pairs(possible, run):
    """The pairs of variants of different mistakes and steps, one that changes the shape of this run first."""
    if size_of(run.probe.args) >= TOO_MANY_FOR_PAIRS:
        return
    tried = first_of_each(possible) if len(possible) > MOST_IN_PAIRS else possible
    tried = sorted(tried, key=lambda one: shapes(run.result_or_right(one[1])) == shapes(run.right))
    for (mistake, variant), (another, second) in combinations(tried, 2):
        if mistake.id != another.id and variant.keys().isdisjoint(second):
            yield (mistake, variant), (another, second)


def first_of_each(possible):
    """The first variant of each mistake and step."""
    first = {}
    for mistake, variant in possible:
        first.setdefault((mistake.id, *variant), (mistake, variant))
    return list(first.values())


def by_fates(exercise, runs, base):
    """[(mistake, the run that shows it)] of those that only extreme probes show, beyond the variants found before."""
    seen = [fates_seen(run, base) for run in runs]
    run_of_row = np.repeat(np.arange(len(runs)), [rows.size for rows in seen])
    seen_rows = np.concatenate(seen)
    unexplained = seen_rows != FINE
    found = {}
    for mistake, variant in exercise.extreme_variants:
        expected = [fates_expected(run, rows, variant, base) for run, rows in zip(runs, seen, strict=True)]
        expected_rows = np.concatenate(expected)
        wrong = expected_rows != FINE
        if wrong.any() and (expected_rows == seen_rows)[wrong].all():
            unexplained &= ~wrong
            shown_by = run_of_row[wrong.argmax()]  # the run of the first such row
            found.setdefault(mistake.id, (mistake, shown_by))
    if not base and unexplained.any():
        return []
    by_probe = sorted(not_superseded(found.values()), key=lambda one: one[1])
    return [(mistake, runs[place]) for mistake, place in by_probe]


def fates_seen(run, base):
    """The fates of the rows that came back, beside those of the variants found before (`base`). A right row is fine."""
    if isinstance(run.error, (ArithmeticError, ValueError)):  # plain Python raises it where NumPy loses a row
        return np.array([LOST])
    if run.got is None:
        return np.array([OTHER])
    is_right = fates(run.got, run.right) == FINE
    return np.where(is_right, FINE, fates(run.got, run.result_or_right(base)))


def fates_expected(run, seen, variant, base):
    """The fates that this variant gives the rows. Beside the variants found before, only which rows it loses."""
    rows = fates(run.result_or_right(variant), run.right)
    if base:
        lost_before = fates(run.result_or_right(base), run.right) == LOST
        rows = np.where((rows == LOST) & ~lost_before, LOST, FINE)
    if run.error:
        rows = np.array([LOST if (rows == LOST).any() else FINE])
    return rows if rows.size == seen.size else np.full(seen.size, FINE)
