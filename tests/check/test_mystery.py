"""check.mystery: functions with a known mistake inside, four causes, and a verdict on a guess."""

import ast
import contextlib
import functools
import io
import re
import traceback
from pathlib import Path

import numpy as np
import pytest

from lesson import check
from lesson.check.formatting import format_numbers
from lesson.check.puzzles.mysteries import MYSTERIES
from tests.check.answers import RIGHT_ANSWER

CAUSES = {mistake.id: mistake.cause for mistake in check.MISTAKES}
LINE = re.compile(
    r"With `(?P<given>.*)`, (?P<what>the shape|entry \[[\d, ]+\](?: of the \w+)?) is (?P<got>.+?)"
    r"(?:\. Mistake (?P<letter>.) makes it (?P<other>.+?)(?:, or a number further away)?\.$| but should be (?P<right>.+)\.$)"
)
RECORD = Path(__file__).parent / "mysteries_handed_out.txt"

ALL = [check.mystery(name, i + 1) for name, lines in MYSTERIES.items() for i in range(len(lines))]
each_mystery = pytest.mark.parametrize("mystery", ALL, ids=lambda one: f"{one.exercise}-{one.number}")


@functools.cache
def guesses(mystery):
    """The true cause's letter, and {letter: its verdict}."""
    with contextlib.redirect_stdout(io.StringIO()):
        verdicts = {letter: mystery.guess(letter) for letter in mystery.choices}
    (right,) = [letter for letter, verdict in verdicts.items() if verdict.passed]
    return right, verdicts


def shown(verdict):
    """What the verdict's first line says: the input as it can be given to a function, and the rest."""
    found = LINE.match(dict(verdict.lines)["Seen"])
    names = re.split(r"(?:^|, )(\w+) = ", found["given"])[1:]
    given = {name: ast.literal_eval(text) for name, text in zip(names[::2], names[1::2], strict=True)}
    assert sum(np.size(value) for value in given.values()) <= 12
    return found, given


PLACES = {"weights": 1, "keys": 1, "values": 2}  # of the parts of a result


def parts_of(result):
    """The arrays of a result, in a pair too."""
    if not isinstance(result, tuple):
        return [np.asarray(result)]
    return [array for part in result for array in parts_of(part)]


def read_off(result, what):
    """The shape or the entry of a result that a verdict's line names, as it writes it."""
    parts = parts_of(result)
    if what == "the shape":
        return " and ".join(str(part.shape) for part in parts)
    entry, _, part = what.partition(" of the ")
    index = tuple(ast.literal_eval(entry.removeprefix("entry ")))
    return format_numbers(parts[PLACES.get(part, 0)][index])


@each_mystery
def test_right_guess_shows_the_bug_on_twelve_numbers_or_fewer(mystery):
    right, verdicts = guesses(mystery)
    found, given = shown(verdicts[right])
    assert verdicts[right].mistake is None and mystery.choices[right] in verdicts[right].message
    assert found["got"] == read_off(mystery(**given), found["what"])
    answer = RIGHT_ANSWER[mystery.exercise](*map(np.array, given.values()))
    assert found["right"] == read_off(answer, found["what"]) != found["got"]


def read_off_answers_with(name, id, given, what):
    """What the forms of a mistake make of this entry; without those that give another shape."""
    exercise = check.EXERCISES[name]
    for variant in [variant for mistake, variant in exercise.variants if mistake.id == id]:
        with contextlib.suppress(IndexError, ValueError):
            yield read_off(exercise.result_with(variant, map(np.array, given.values())), what)


@each_mystery
def test_wrong_guess_shows_where_the_guessed_mistake_gives_another_number(mystery):
    """And it does not tell the true cause."""
    right, verdicts = guesses(mystery)
    for letter in set(mystery.choices) - {right}:
        found, given = shown(verdicts[letter])
        id = verdicts[letter].mistake
        assert CAUSES[id] == mystery.choices[letter] and found["letter"] == letter
        assert mystery.choices[right] not in verdicts[letter].message
        assert found["got"] == read_off(mystery(**given), found["what"])
        of_guess = [*read_off_answers_with(mystery.exercise, id, given, found["what"])]
        assert found["other"] in of_guess and found["got"] not in of_guess


@each_mystery
def test_offered_causes_are_four_and_the_one_inside_is_the_right_one(mystery):
    inside, *wrong = MYSTERIES[mystery.exercise][mystery.number - 1].split()
    right, _ = guesses(mystery)
    assert mystery.choices[right] == CAUSES[inside.split("/")[0]]
    others = [cause for letter, cause in mystery.choices.items() if letter != right]
    assert sorted(others) == sorted({CAUSES[id] for id in wrong}) and len(others) == 3
    assert sorted(vars(mystery)) == ["__name__", "__signature__", "choices", "exercise", "number"]


@each_mystery
def test_lists_are_taken_and_no_argument_is_changed_or_handed_back(mystery):
    right, verdicts = guesses(mystery)
    _, lists = shown(verdicts[right])
    arrays = {key: np.array(value) for key, value in lists.items()}
    results = mystery(**arrays)
    np.testing.assert_equal(mystery(*lists.values()), results)
    for result in parts_of(results):
        result[...] = 7
    np.testing.assert_equal(arrays, {key: np.array(value) for key, value in lists.items()})


@each_mystery
def test_what_does_not_work_is_said_without_the_checkers_parts(mystery):
    for odd in [np.ones(3), np.ones((2, 3, 4)), np.ones((2, 0)), "text", None]:
        try:
            mystery(*[odd] * len(mystery.__signature__.parameters))
        except (ValueError, TypeError) as error:
            for shown in filter(None, (error, error.__context__)):
                files = {Path(frame.filename).name for frame in traceback.extract_tb(shown.__traceback__)}
                assert files <= {"test_mystery.py", "mystery.py", "arguments.py"}


def table(seed, *shape):
    return np.sin(seed + 1.7 * np.arange(np.prod(shape))).reshape(shape)


def inputs(name):
    """Tables of several sizes, with small numbers and with large ones; with the last argument and without it."""
    for lq, lk, d, factor in [(3, 3, 3, 1), (2, 2, 4, 1), (2, 5, 4, 1), (2, 5, 4, 900)]:
        given = {
            "q": factor * table(1, 3, lq, d),
            "k": table(2, 3, lk, d),
            "v": table(3, 3, lk, d),
            "scores": factor * table(4, 3, lq, lk),
            "mask": table(5, lq, lk) > 0,
            "past": table(6, 2, 3, 4, d),
        }
        args = [given[key] for key in check.EXERCISES[name].arguments.split()]
        yield args
        yield args[:-1]


def fingerprint(mystery):
    """One number that another mistake inside would change."""
    total = 0.0
    for args in inputs(mystery.exercise):
        with contextlib.suppress(ValueError, TypeError):
            for part in parts_of(mystery(*args)):
                entries = np.arctan(np.nan_to_num(part, nan=0.3)).ravel()
                total += float(entries @ np.cos(np.arange(entries.size)))
    return round(total, 4)


def test_number_never_changes_its_mistake_and_has_one_of_its_own():
    """What stands on a work sheet holds: the file has the mistakes of all numbers, and their fingerprints.

    A line of MYSTERIES stays where it is, and new variants of a mistake come last.
    """
    now = {}
    for one in ALL:
        id = MYSTERIES[one.exercise][one.number - 1].split("/")[0]
        now[f"{one.exercise} {one.number} {id}"] = fingerprint(one)
    assert len({(key.split()[0], value) for key, value in now.items()}) == len(ALL)
    recorded = {}
    for line in RECORD.read_text(encoding="utf-8").splitlines():
        key, value = line.rsplit(maxsplit=1)
        recorded[key] = float(value)
    new = [f"{key} {value}" for key, value in now.items() if key not in recorded]
    assert not new, f"add to {RECORD.name}: {new}"
    assert now == pytest.approx(recorded, abs=1e-3)


def test_unknown_mystery_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"exercise must be one of attention_scores.*, attend, got 'rotate'"):
        check.mystery("rotate", 1)
    most = len(MYSTERIES["softmax"])
    with pytest.raises(ValueError, match=f"number must be from 1 to {most} for softmax, got 0"):
        check.mystery("softmax", 0)


def test_guess_takes_capitals_and_no_other_letters():
    bug = check.mystery("softmax", 1)
    assert bug.guess("A") == bug.guess("a")
    for letter in ("e", "", None):
        with pytest.raises(ValueError, match=f"letter must be one of a, b, c, d, got {letter!r}"):
            bug.guess(letter)
