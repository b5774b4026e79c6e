"""Finding the cause: which wrong steps would give exactly what was seen?

First the ordinary probes, where exact numbers speak: a wrong way that explains all of them, alone
or with another one. Then shapes, then the signs in sums and slopes. Last the edges (large and low
scores, empty rows), row by row, for whatever the wrong ways found so far do not explain.
"""

import itertools
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_lib.check.grading.run_learner import Seen, same, tolerance
from attention_lib.check.mistakes import MISTAKES, Mistake
from attention_lib.check.probes import EMPTY_ROW, ZEROED
from attention_lib.check.steps import Remembered


@dataclass(frozen=True)
class Finding:
    """A mistake, the wrong answer that shows it best, and the way that explains it, if one does."""

    mistake: Mistake
    seen: Seen
    way: dict[str, Callable] | None = None


# How well a wrong way fits what was seen: every number; every number but for zeros in the place of
# NaN, which one guard makes; or most of the wrong answers, of a function that is of several minds.
EXACTLY, BUT_FOR_NAN, MOSTLY = 3, 2, 1


def find(exercise, runs):
    """All mistakes that were found, the likeliest first."""
    ordinary = [s for s in runs if s.got is not None and s.probe.ordinary]
    bad = [s for s in ordinary if not s.ok]
    edges = [s for s in runs if s.got is not None and not s.probe.ordinary]
    found = by_ways(exercise, ordinary, bad, edges) if bad else []
    if bad and not found:
        return by_shapes(exercise, ordinary) or by_signs(exercise, bad)
    if not ordinary:
        return []
    wrong = {step: way for f in found for step, way in f.way.items()}
    more = brought_along(found, edges) + by_edges(exercise, runs, wrong)
    known = {f.mistake.id for f in found}.union(*(f.mistake.over for f in found))
    return found + [f for f in more if f.mistake.id not in known]


def likeliest(mistakes):
    """Without those that another one of them stands for."""
    return [m for m in mistakes if not any(m.id in other.over for other in mistakes)]


# By exact numbers


def ways_of(exercise):
    return [(m, way) for m in MISTAKES for way in m.ways if way.keys() <= exercise.steps]


def by_ways(exercise, ordinary, bad, edges):
    """The mistakes whose wrong ways explain everything, one alone or two together."""
    ordinary = bad + [s for s in ordinary if s.ok]  # what is wrong rules out most ways at once
    ways = ways_of(exercise)
    ways = [(m, way) for m, way in ways if not (m.unless and any(map(m.unless, bad)))]
    alone = graded(exercise, [((m, way),) for m, way in ways], ordinary)
    if alone.keys() & {EXACTLY, BUT_FOR_NAN}:
        return named(exercise, alone[max(alone)], bad, edges)
    pairs = graded(exercise, pairs_for(exercise, ways, bad[0]), ordinary)
    if pairs.keys() & {EXACTLY, BUT_FOR_NAN}:
        return named(exercise, pairs[max(pairs)], bad, edges)
    return named(exercise, alone.get(MOSTLY, []), bad, edges)


def graded(exercise, candidates, ordinary):
    """{how well they fit: the candidates}, each one or two (mistake, way)."""
    table = {}
    for candidate in candidates:
        wrong = {step: way for _, ways in candidate for step, way in ways.items()}
        if grade := fit(exercise, wrong, ordinary):
            table.setdefault(grade, []).append(candidate)
    return table


def pairs_for(exercise, ways, seen):
    """The pairs of ways that together explain this one wrong answer.

    A way that changes nothing here can be half of a pair only if the other half explains it alone.
    """
    taken = Remembered()
    got, right = without_nan(seen.got), without_nan(seen.right)

    def gives(expected, wrong):
        twin = exercise.answer(seen.args, taken=taken.steps(wrong))
        return twin is not None and same(without_nan(twin), expected, seen.dtype)

    idle = [gives(right, way) for _, way in ways]
    enough = [gives(got, way) for _, way in ways]
    for i, j in itertools.combinations(range(len(ways)), 2):
        (one, way), (other, other_way) = ways[i], ways[j]
        if one.id == other.id:
            continue
        if idle[i] or idle[j]:
            if enough[j] if idle[i] else enough[i]:
                yield ways[i], ways[j]
        elif gives(got, way | other_way):
            yield ways[i], ways[j]


def fit(exercise, wrong, ordinary):
    """How well these wrong steps explain what was seen; 0 if they do not."""
    grade, explained, unexplained, stopped, certain = EXACTLY, 0, 0, 0, False
    most = sum(not s.ok for s in ordinary) / 3  # with more, the last line says no: why wait for it
    for seen in ordinary:
        twin = exercise.answer(seen.args, wrong)
        if twin is None and seen.ok:
            continue
        if twin is not None and same(seen.got, twin, seen.dtype):
            explained += not seen.ok
            finite = all(np.isfinite(part).all() for part in twin)
            certain |= not seen.ok and finite and any(part.any() for part in twin)
        elif twin is not None and same(without_nan(seen.got), without_nan(twin), seen.dtype):
            explained, grade = explained + wrong_but_for_nan(seen), min(grade, BUT_FOR_NAN)
        else:
            grade, stopped = MOSTLY, stopped + (twin is None)
            unexplained += twin is not None and not seen.ok
            if unexplained > most:
                return 0
    if grade == MOSTLY and not certain:  # zeros and NaN alone have many causes
        return 0
    # Where it would have stopped, it says nothing; but most of what came back it must have said.
    return grade if explained > stopped and explained >= 2 * unexplained else 0


def wrong_but_for_nan(seen):
    """Whether there are wrong numbers too: NaN alone says little of how it came about."""
    if sizes(seen.got) != sizes(seen.right):
        return True
    mended = (np.where(np.isnan(g), r, g) for g, r in zip(seen.got, seen.right, strict=False))
    return not same(tuple(mended), seen.right, seen.dtype)


def without_nan(parts):
    return tuple(np.where(np.isnan(part), 0, part) for part in parts)


def named(exercise, candidates, bad, edges):
    """Findings for the candidates, each one or two (mistake, way), that fit alike.

    Of single mistakes all that nothing stands for, each by the way that fits best on edges; of
    pairs the first.
    """
    if not candidates:
        return []

    def misfits(candidate):
        ((_, way),) = candidate
        twins = [(s, exercise.answer(s.args, way)) for s in edges]
        return sum(
            twin is None or not same(without_nan(s.got), without_nan(twin), s.dtype)
            for s, twin in twins
        )

    if len(candidates[0]) == 1:
        ids = {m.id for m in likeliest([m for ((m, _),) in candidates])}
        by_fit = sorted(candidates, key=misfits, reverse=True)
        best = {m.id: (m, way) for ((m, way),) in by_fit if m.id in ids}
        chosen = [best[id] for id in sorted(best)]
    else:
        chosen = candidates[0]
    return [Finding(m, shown_by(exercise, way, bad), way) for m, way in chosen]


def shown_by(exercise, way, bad):
    """The wrong answer that shows this way best: one that it changes, masked if it masks."""
    twins = [(s, exercise.answer(s.args, way)) for s in bad]
    changed = [s for s, twin in twins if twin is not None and not same(twin, s.right)] or bad
    masked = [s for s in changed if s.mask is not None and s.hidden.any()]
    return masked[0] if masked and way.keys() & {"hide", "after"} else changed[0]


# By shapes


def by_shapes(exercise, ordinary):
    """The mistake that gives answers of exactly these shapes, whatever the numbers are."""
    fitting = []
    for mistake, way in ways_of(exercise):
        if mistake.shape_tells:
            twins = [(s, exercise.answer(s.args, way)) for s in ordinary]
            if all(twin is not None and sizes(twin) == sizes(s.got) for s, twin in twins):
                odd = [s for s, twin in twins if sizes(twin) != sizes(s.right)]
                fitting += [Finding(mistake, s) for s in odd[:1]]
    return fitting[:1]


def sizes(parts):
    return [part.shape for part in parts]


# By signs


def by_signs(exercise, bad):
    """The mistakes that sums and slopes of the weights speak for."""
    bad = [s for s in bad if s.weights.ndim > 1]
    tables = [
        s for s in bad if s.weights.shape == s.right[-1].shape and min(s.weights.shape[-2:]) > 1
    ]
    finite = all(np.isfinite(s.weights).all() for s in tables)
    if not exercise.shares or not finite:
        return []
    found = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for mistake in MISTAKES:
            if mistake.sign:
                needs_mask = getattr(mistake.sign, "masked_only", False)
                telling = [s for s in tables if s.hidden.any() or not needs_mask]
                if telling and all(mistake.sign(s) for s in telling):
                    found[mistake.id] = Finding(mistake, telling[0])
    return list(found.values())


# By the edges


TOLD_BY_EDGES = {m.id: m for m in MISTAKES if not m.ways}


def by_edges(exercise, all_runs, wrong):
    """The mistakes that only large or low scores or empty rows show, beyond what is known."""
    found = {}
    elsewhere = {type(s.error) for s in all_runs if s.probe.ordinary}
    for seen in all_runs:
        if seen.probe.ordinary or type(seen.error) in elsewhere - {type(None)}:
            continue
        for id in told_by_error(seen) if seen.got is None else told_by_rows(exercise, seen, wrong):
            found.setdefault(id, seen)
    mistakes = [TOLD_BY_EDGES[id] for id in found]  # an earlier probe is told first
    return [Finding(m, found[m.id]) for m in likeliest(mistakes)]


def brought_along(found, edges):
    """What edges show of ways that bring a second mistake: only they know which one it is."""
    ids = {getattr(way, "brings", None) for f in found for way in f.way.values()} - {None}
    bad = [s for s in edges if not s.ok]
    shown = {id: [s for s in bad if id in s.probe.tells.values()] for id in sorted(ids)}
    return [Finding(TOLD_BY_EDGES[id], seen[0]) for id, seen in shown.items() if seen]


def told_by_error(seen):
    return [id for kind, id in seen.probe.stops.items() if isinstance(seen.error, kind)][:1]


def told_by_rows(exercise, seen, wrong):
    """The ids that wrong rows, or weight on hidden keys, speak for."""
    twin = exercise.answer(seen.args, wrong)
    twin = seen.right if twin is None else twin
    twin = Seen(exercise, seen.probe, seen.right, got=twin).weights
    if not seen.weights.shape == twin.shape == seen.right[-1].shape:
        return []
    rtol, atol = np.maximum(tolerance(seen.dtype), (1e-4, 1e-5))
    got, right = seen.weights, seen.right[-1]
    as_twin = np.isclose(got, twin, rtol, atol) | (np.isnan(twin) & ((got == 0) | np.isnan(got)))
    as_right = np.isclose(got, right, rtol, atol)
    wrong_rows = ~as_twin.all(-1) & ~as_right.all(-1)
    emptied = wrong_rows & np.isnan(got).all(-1) & (twin == 0).all(-1)  # by the wrong way itself
    if "hide" in wrong and emptied.any():
        return [EMPTY_ROW]
    leaks = wrong_rows.any() and (seen.weights[seen.hidden] > 1e-6).any()
    if leaks and seen.probe.leak:
        return [seen.probe.leak]
    zeroed = wrong_rows & (np.nan_to_num(got) == 0).all(-1)
    shown = {row: zeroed if id == ZEROED else wrong_rows for row, id in seen.probe.tells.items()}
    return [id for row, id in seen.probe.tells.items() if shown[row].flat[row]]
