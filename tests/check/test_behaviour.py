"""How a check behaves, whatever it is given: what it shows, and what it leaves alone."""

import contextlib
import html
import io
import json
import random
import re
import sys
import threading
import warnings
from copy import deepcopy
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from lesson import check
from lesson.check import EXERCISES
from lesson.check.grading import verdict_on as verdict_of
from lesson.check.grading.surroundings import notice_when_slow
from lesson.check.mistakes.general import SLOW
from tests.check.answers import RIGHT_ANSWER, WRONG
from tests.check.answers.derived import answer_with
from tests.check.answers.generic import flat, stops_with
from tests.check.answers.shared import softmax
from tests.check.verdicts import ATTENTION, WRONG_CASES, verdict_on


def printed_by(name, function):
    """What the check printed, and its verdict."""
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = getattr(check, name)(function)
    return screen.getvalue(), verdict


@pytest.mark.parametrize("name, found, function", WRONG_CASES[::60])
def test_message_is_printed_once_and_the_same_again(name, found, function):
    first, verdict = printed_by(name, function)
    again, second = printed_by(name, function)
    assert (first, verdict) == (again, second)
    assert first.split("\n\nYour function printed:")[0].strip() == verdict.message == str(verdict)
    assert not re.search("0x[0-9a-f]", first) and all(len(line) < 400 for line in first.splitlines())
    assert 1 <= len(verdict.message.splitlines()) <= 6


class Thing:
    """Its text has its address."""


def stops(a, b):
    raise ValueError(f"cannot use {Thing()}")


@pytest.mark.parametrize("answer", [stops, lambda a, b: Thing(), lambda a, b: print(Thing())])
def test_errors_and_objects_show_no_memory_address(answer):
    assert "Thing object at 0x...>" in printed_by("dot_product", answer)[0]


@pytest.mark.parametrize("sort", [True, False])
def test_prints_of_the_function_do_not_bury_the_verdict(sort):
    def talks(scores):
        for i in range(100):
            print(f"{i}: {'scores ' * 100}", file=None if sort else sys.stderr)
        return softmax(scores) if sort else scores

    screen, verdict = printed_by("softmax", talks)
    assert verdict.passed is sort
    assert screen.startswith(verdict.message + "\n")
    rest = screen[len(verdict.message) :].strip().splitlines()
    assert 1 <= len(rest) <= 6 and all(len(line) <= 100 for line in rest)
    assert rest[1].startswith("0: scores")


TYPE = "application/vnd.attention-lib.verdict+json"


@pytest.fixture
def shell(tmp_path):
    """An IPython shell that leaves nothing behind, and keeps what is displayed."""
    config = Config()
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    yield InteractiveShell.instance(config=config, ipython_dir=str(tmp_path))
    InteractiveShell.clear_instance()


SHOWN = [
    ("{}", "check.softmax(lambda scores: scores)"),
    ("{}\n1 + 1", "check.softmax(...)"),
    ("v = {}\nv", "check.softmax(al.softmax)"),
    ("if True:\n    {}", "check.linking_head(1, 1)"),
]


@pytest.mark.parametrize("cell, call", SHOWN)
def test_verdict_is_shown_once_wherever_in_a_cell(shell, cell, call, capsys):
    shell.run_cell("import attention_lib as al; from lesson import check")
    with capture_output() as captured:
        shell.run_cell(cell.format(call)).raise_error()
    shown = [output.data for output in captured.outputs if TYPE in output.data]
    (bundle,) = shown
    assert sorted(bundle) == sorted(["text/html", "text/plain", TYPE])
    verdict = bundle[TYPE]
    assert sorted(verdict) == ["also", "exercise", "mistake", "passed"]
    assert verdict["exercise"] == re.search(r"check\.(\w+)", call)[1]
    assert json.loads(json.dumps(verdict)) == verdict
    assert re.fullmatch(r"(Out\[\d+\]: (2\n)?)?", captured.stdout) and not captured.stderr


def bundle_of(function):
    """What a notebook gets to show, in all its forms."""
    with capture_output() as captured:
        check.softmax(function)
    (bundle,) = [output.data for output in captured.outputs]
    return bundle


def test_html_says_what_the_plain_text_says(shell):
    def talks(scores):
        print("<b>scores & $x$</b>")
        raise ValueError("use `<b>q` and `k")

    bundle = bundle_of(talks)
    page, plain = bundle["text/html"], bundle["text/plain"]
    assert html.unescape(re.sub("<[^>]*>", "", page)).split() == plain.replace("`", "").split()
    assert "&lt;b&gt;scores" in page and "<b>" not in page
    assert "<code>ValueError: use '&lt;b&gt;q' and 'k</code>" in page and "`" not in page


def test_html_stands_on_any_page(shell):
    """No colour but the bar's, no background, and nothing that an untrusted page would drop."""
    pages = [bundle_of(answer)["text/html"] for answer in (softmax, lambda x: x, ...)]
    for page in pages:
        assert not re.search(r"var\(|background|[^-]color:|class=|id=|<script|<style", page)
    assert set(re.findall("#[0-9a-f]{6}", "".join(pages))) == {"#2f8f4e", "#d9480f", "#808080"}


# A function that may never end


def running_timers():
    return [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_slow_function_is_told_how_to_be_interrupted(capsys, monkeypatch):
    monkeypatch.setattr("lesson.check.grading.call.notice_when_slow", partial(notice_when_slow, 0))

    def slow(scores):
        for timer in running_timers():
            timer.join()  # until the notice is printed
        return softmax(scores)

    assert check.softmax(slow).passed
    assert capsys.readouterr().out.startswith(SLOW + "\n✓ Right")


def test_quick_function_hears_nothing_of_it(capsys):
    verdict = check.softmax(softmax)
    assert capsys.readouterr().out == verdict.message + "\n"
    for timer in running_timers():  # one that was cancelled ends at once
        timer.join(timeout=60)
    assert not running_timers()


def state():
    kind, keys, *rest = np.random.get_state()
    numpy = np.geterr(), np.geterrcall(), np.get_printoptions(), (kind, keys.tolist(), rest)
    return [
        *numpy,
        random.getstate(),
        list(warnings.filters),
        warnings.showwarning,
        sys.stdout,
        sys.stderr,
        sys.getprofile(),
    ]


def test_interrupt_in_a_notebook_shows_one_line(shell, capsys):
    shell.run_cell("from lesson import check")
    with capture_output() as captured:
        shell.run_cell(
            "def endless(scores):\n    raise KeyboardInterrupt\n\n\ncheck.softmax(endless)",
            store_history=False,
        )
    shown = captured.stdout + captured.stderr
    assert "The check was interrupted" in shown and "grade.py" not in shown and len(shown.splitlines()) < 4


@pytest.mark.parametrize("name", ["softmax", "padding_mask", "multi_head"])
def test_function_that_ruins_its_arguments_ruins_no_later_call(name):
    """Arguments are arrays, a list of lengths, and a dict of parameters."""
    arguments = [probe.args for probe in EXERCISES[name].probes]
    before = deepcopy(arguments)

    def ruins(*args):
        result = RIGHT_ANSWER[name](*args)
        for a in flat(args):
            if isinstance(a, np.ndarray):
                a[...] = 0
            elif isinstance(a, list):
                a.clear()
        return result

    assert verdict_on(name, ruins).mistake == "input-changed"
    np.testing.assert_equal(arguments, before)


def meddles(scores):
    np.seterr(all="raise")
    np.set_printoptions(precision=1, suppress=True)
    np.random.seed(1)
    random.seed(1)
    warnings.warn("now", stacklevel=1)
    warnings.simplefilter("error")
    print("to the screen")
    print("to the other screen", file=sys.stderr)
    return softmax(scores) * np.random.rand()


def meddles_and_is_interrupted(scores):
    meddles(scores)
    raise KeyboardInterrupt


@pytest.mark.parametrize("answer", [meddles, meddles_and_is_interrupted])
def test_numpy_warnings_and_random_numbers_are_left_as_they_were(answer):
    with np.errstate(over="ignore", divide="warn"), contextlib.redirect_stdout(io.StringIO()):
        before = state()
        with contextlib.suppress(KeyboardInterrupt):
            check.softmax(answer)
        check.softmax(softmax)
        assert state() == before


def test_a_check_warns_of_nothing(recwarn):
    verdict_on("softmax", lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True))
    verdict_on(ATTENTION, answer_with(ATTENTION, softmax=lambda x: x / 0))
    for found in (np.inf, np.nan, 1e308):
        verdict_on("softmax", lambda x, found=found: np.full(x.shape, found))
        verdict_on("dot_product", lambda a, b, found=found: found * a[0])
    assert not recwarn.list


def test_interrupting_passes_through_and_leaving_does_not():
    screen = sys.stdout
    with pytest.raises(KeyboardInterrupt):
        verdict_on("softmax", stops_with(KeyboardInterrupt()))
    assert sys.stdout is screen
    for error in (SystemExit("bye"), RecursionError("deep"), MemoryError(), StopIteration()):
        assert verdict_on("softmax", stops_with(error)).mistake == "raises"


def test_huge_result_is_refused_before_it_is_compared():
    verdict = verdict_on("softmax", lambda scores: np.broadcast_to(1.0, (10**6, 10**6)))
    assert "the shape is (1000000, 1000000) but should be (4, 6)" in verdict.message


def fails(*args):
    raise NameError("a fault of the checker")


@pytest.mark.parametrize("part", ["find_mistakes", "unnamed"])
def test_fault_in_the_checker_is_raised_in_tests_and_never_reaches_a_learner(part, monkeypatch):
    monkeypatch.setattr(f"lesson.check.grading.reasons.{part}", fails)
    wrong = WRONG["softmax", "different"][0]
    with pytest.raises(NameError, match="a fault of the checker"):
        verdict_on("softmax", wrong)
    monkeypatch.delenv("LESSON_RAISE_ERRORS")
    assert verdict_on("softmax", wrong).mistake == "different"
    assert verdict_on("softmax", softmax).passed


@pytest.mark.parametrize("part", ["recipe", "make_probes", "real"])
def test_fault_in_an_exercise_lets_nothing_pass(part, monkeypatch):
    monkeypatch.delenv("LESSON_RAISE_ERRORS")
    broken = replace(EXERCISES[ATTENTION], **{part: fails})
    with contextlib.redirect_stdout(io.StringIO()):
        verdict = verdict_of(broken, RIGHT_ANSWER[ATTENTION])
    assert not verdict.passed and verdict.mistake != "not-started"
    assert "NameError" not in verdict.message


# (what is given in place of a function, id, what the message says)
NO_FUNCTIONS = [
    (None, "not-started", "Give the check your function"),
    (..., "not-started", "Give the check your function"),
    ("softmax", "wrong-type", "without the quotes"),
    (np.ones(3), "wrong-type", "Is it called already?"),
    (int, "wrong-type", "What was given is a class."),
    ([softmax], "wrong-type", "of type list"),
    (check.mystery("softmax", 1), "wrong-type", "What was given is a mystery."),
]


@pytest.mark.parametrize("given, id, said", NO_FUNCTIONS)
def test_anything_may_be_given_to_a_check(given, id, said):
    verdict = verdict_on("softmax", given)
    assert verdict.mistake == id and said in verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_check_explains_itself(name):
    function = getattr(check, name)
    assert function.__name__ == name and f"`{name}(" in function.__doc__ and "`Verdict`" in function.__doc__
