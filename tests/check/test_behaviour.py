"""How a check behaves, whatever it is given: what it shows, and what it leaves alone."""

import contextlib
import html
import io
import re
import sys
import threading
import warnings
from functools import partial

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from lesson import check
from lesson.check import EXERCISES
from lesson.check.grading.surroundings import notice_when_slow
from lesson.check.mistakes.general import SLOW
from tests.check.answers.shared import softmax
from tests.check.verdicts import WRONG_CASES, verdict_on


def printed_by(name, function):
    """What the check printed, and its verdict."""
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = getattr(check, name)(function)
    return screen.getvalue(), verdict


@pytest.mark.parametrize("name, found, function", WRONG_CASES[::150])
def test_message_is_printed_once_and_the_same_again(name, found, function):
    first, verdict = printed_by(name, function)
    again, second = printed_by(name, function)
    assert (first, verdict) == (again, second)
    assert first.split("\n\nYour function printed:")[0].strip() == verdict.message == str(verdict)


def test_prints_of_the_function_do_not_bury_the_verdict():
    def talks(scores):
        for i in range(100):
            print(f"{i}: {'scores ' * 100}", file=sys.stderr if i else None)
        return softmax(scores)

    screen, verdict = printed_by("softmax", talks)
    assert verdict.passed and screen.startswith(verdict.message + "\n")
    _, first, *rest = screen[len(verdict.message) :].strip().splitlines()
    assert first.startswith("0: scores") and rest[0].startswith("1: scores")
    assert len(rest) <= 4 and all(len(line) <= 100 for line in [first, *rest])


@pytest.fixture
def shell(tmp_path):
    """An IPython shell that leaves nothing behind, and keeps what is displayed."""
    config = Config()
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    yield InteractiveShell.instance(config=config, ipython_dir=str(tmp_path))
    InteractiveShell.clear_instance()


def test_html_says_what_the_plain_text_says(shell):
    def talks(scores):
        print("<b>scores & $x$</b>")
        raise ValueError("use `<b>q` and `k")

    with capture_output() as captured:
        check.softmax(talks)
    (output,) = captured.outputs
    page, plain = output.data["text/html"], output.data["text/plain"]
    assert html.unescape(re.sub("<[^>]*>", "", page)).split() == plain.replace("`", "").split()
    assert "&lt;b&gt;scores" in page and "<b>" not in page
    assert "<code>ValueError: use '&lt;b&gt;q' and 'k</code>" in page and "`" not in page


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


def test_quick_function_leaves_no_timer():
    verdict_on("softmax", softmax)
    for timer in running_timers():  # one that was cancelled ends at once
        timer.join(timeout=60)
    assert not running_timers()


def state():
    return np.geterr(), list(warnings.filters), sys.stdout, sys.stderr, sys.getprofile()


def test_interrupt_in_a_notebook_shows_one_line(shell, capsys):
    shell.run_cell("from lesson import check")
    with capture_output() as captured:
        shell.run_cell(
            "def endless(scores):\n    raise KeyboardInterrupt\n\n\ncheck.softmax(endless)",
            store_history=False,
        )
    shown = captured.stdout + captured.stderr
    assert "The check was interrupted" in shown and "grade.py" not in shown and len(shown.splitlines()) < 4


def meddles_and_is_interrupted(scores):
    np.seterr(all="raise")
    warnings.simplefilter("error")
    print("to the screen")
    raise KeyboardInterrupt


def test_warnings_and_the_screen_are_left_as_they_were():
    with np.errstate(over="ignore", divide="warn"):
        before = state()
        with pytest.raises(KeyboardInterrupt):
            check.softmax(meddles_and_is_interrupted)
        assert state() == before


def test_profiler_that_is_at_work_stays():
    def profiler(*event):
        pass

    sys.setprofile(profiler)
    try:
        assert verdict_on("softmax", softmax).passed and sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


def test_fault_in_the_checker_is_raised_in_tests_and_told_to_a_learner(monkeypatch):
    monkeypatch.setattr(np, "tri", 5)
    with pytest.raises(TypeError):
        verdict_on("causal_mask", lambda n: n)
    monkeypatch.delenv("LESSON_RAISE_ERRORS")
    verdict = verdict_on("causal_mask", lambda n: n)
    assert not verdict.passed and "This is a fault of the checker" in verdict.message


# (what is given in place of a function, id, what the message says)
NO_FUNCTIONS = [
    (None, "not-started", "Give the check your function"),
    (np.ones(3), "wrong-type", "Is it called already"),
    (int, "wrong-type", "What was given is of type type."),
    (check.mystery("softmax", 1), "wrong-type", "What was given is of type Mystery."),
]


@pytest.mark.parametrize("given, id, said", NO_FUNCTIONS)
def test_anything_may_be_given_to_a_check(given, id, said):
    verdict = verdict_on("softmax", given)
    assert verdict.mistake == id and said in verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_check_explains_itself(name):
    function = getattr(check, name)
    assert function.__name__ == name and f"`{name}(" in function.__doc__ and "`Verdict`" in function.__doc__
