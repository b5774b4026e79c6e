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
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

import attention_lib as al
from lesson import check
from lesson.check import EXERCISES
from lesson.check.grading import verdict_on as verdict_of
from lesson.check.grading.surroundings import notice_when_slow
from lesson.check.mistakes.general import SLOW
from tests.check.answers import RIGHT_ANSWER, WRONG
from tests.check.answers.derived import answer_with
from tests.check.answers.generic import flat, stops_with
from tests.check.answers.scaled_dot_product_attention import attend, right_attention
from tests.check.answers.shared import softmax
from tests.check.verdicts import WRONG_CASES, verdict_on


def printed_by(name, function):
    """What the check printed, and its verdict."""
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        verdict = getattr(check, name)(function)
    return screen.getvalue(), verdict


@pytest.mark.parametrize("name, found, function", WRONG_CASES[::25])
def test_message_is_printed_once_and_the_same_again(name, found, function):
    first, verdict = printed_by(name, function)
    again, second = printed_by(name, function)
    assert (first, verdict) == (again, second)
    assert first.split("\n\nYour function printed:")[0].strip() == verdict.message
    assert not re.search("0x[0-9a-f]", first) and all(len(line) < 400 for line in first.splitlines())
    assert 1 <= len(verdict.message.splitlines()) <= 6


def test_errors_and_objects_show_no_memory_address():
    class Thing:
        __qualname__ = "Thing"

    def stops(a, b):
        raise ValueError(f"cannot use {Thing()}")

    first, _ = printed_by("dot_product", stops)
    again, _ = printed_by("dot_product", stops)
    assert first == again and "Thing object at 0x...>" in first
    assert "Thing object at 0x...>" in printed_by("dot_product", lambda a, b: Thing())[0]
    assert "0x" not in printed_by("dot_product", Thing())[0]
    assert "Thing object at 0x...>" in printed_by("dot_product", lambda a, b: print(Thing()))[0]


@pytest.mark.parametrize("sort", [True, False])
def test_prints_of_the_function_do_not_bury_the_verdict(sort):
    def talks(scores):
        for i in range(1000):
            print(f"{i}: {'scores ' * 1000}", file=None if sort else sys.stderr)
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


def test_html_says_what_the_plain_text_says(shell):
    def talks(scores):
        print("<b>scores & $x$</b>")
        return scores

    with capture_output() as captured:
        verdict = check.softmax(talks)
    (bundle,) = [output.data for output in captured.outputs]
    text = html.unescape(re.sub("<[^>]*>", "", bundle["text/html"]))
    assert text.split() == bundle["text/plain"].replace("`", "").split()
    assert bundle["text/plain"].startswith(verdict.message)
    assert "&lt;b&gt;" in bundle["text/html"] and "<b>" not in bundle["text/html"]


def test_html_shows_a_line_of_the_learner_as_it_stands(shell):
    def compares(scores):
        return scores[scores <b_is_no_name>0]  # fmt: skip # noqa

    with capture_output() as captured:
        check.softmax(compares)
    page = captured.outputs[0].data["text/html"]
    assert "scores &lt;b_is_no_name&gt;0]" in page and "<b" not in page


def test_html_keeps_code_and_prose_apart_if_an_error_has_a_backtick(shell):
    def stops(scores):
        raise ValueError("use `q` and `k")

    with capture_output() as captured:
        check.softmax(stops)
    page = captured.outputs[0].data["text/html"]
    assert "<code>ValueError: use 'q' and 'k</code>" in page and "`" not in page


def test_html_stands_on_any_page(shell):
    """No colour but the bar's, no background, and nothing that an untrusted page would drop."""
    bars = set()
    for answer in (softmax, lambda x: x, ...):
        with capture_output() as captured:
            check.softmax(answer)
        page = captured.outputs[0].data["text/html"]
        assert not re.search(r"var\(|background|[^-]color:|class=|id=|<script|<style", page)
        bars |= set(re.findall("#[0-9a-f]{6}", page))
    assert bars == {"#2f8f4e", "#d9480f", "#808080"}


def test_outside_ipython_the_verdict_is_printed(capsys):
    InteractiveShell.clear_instance()
    verdict = check.softmax(softmax)
    assert capsys.readouterr().out == verdict.message + "\n"


def test_verdict_shows_nothing_when_it_is_shown_again(capsys):
    _, verdict = printed_by("softmax", softmax)
    assert verdict._ipython_display_() is None
    assert capsys.readouterr() == ("", "")
    with pytest.raises(AttributeError):
        verdict.passed = False
    assert (verdict.passed, verdict.mistake, verdict.also) == (True, None, ())


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


def test_without_threads_a_check_says_nothing_and_works(monkeypatch):
    def no_threads(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Timer, "start", no_threads)
    assert verdict_on("softmax", softmax).passed


def test_interrupting_leaves_numpy_and_random_numbers_as_they_were():
    def meddles(scores):
        np.seterr(all="raise")
        np.set_printoptions(precision=1)
        np.random.seed(1)
        random.seed(1)
        raise KeyboardInterrupt

    before = state(), random.getstate()
    with pytest.raises(KeyboardInterrupt):
        check.softmax(meddles)
    assert (state(), random.getstate()) == before


def state():
    kind, keys, *rest = np.random.get_state()
    numpy = np.geterr(), np.geterrcall(), np.get_printoptions(), (kind, keys.tolist(), rest)
    return [*numpy, list(warnings.filters), warnings.showwarning, sys.stdout, sys.stderr, sys.getprofile()]


def test_checks_in_several_threads_run_at_once_and_keep_their_prints_apart():
    """They leave the one screen that all threads have as it was, whichever ends first."""
    all_are_calling = threading.Barrier(4)
    verdicts = {}

    def check_quietly(name):
        def answer(scores):
            all_are_calling.wait(timeout=600)
            print(name)
            return softmax(scores)

        verdicts[name] = verdict_of(replace(EXERCISES["softmax"], name=name), answer)

    before = state()
    threads = [threading.Thread(target=check_quietly, args=[name]) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state() == before
    assert all(verdicts[name].passed and set(verdicts[name].printed) == {name, "..."} for name in "abcd")


def test_interrupt_in_a_notebook_shows_one_line(shell, capsys):
    shell.run_cell("from lesson import check")
    with capture_output() as captured:
        shell.run_cell(
            "def endless(scores):\n    raise KeyboardInterrupt\n\n\ncheck.softmax(endless)",
            store_history=False,
        )
    shown = captured.stdout + captured.stderr
    assert "The check was interrupted" in shown and "grade.py" not in shown and len(shown.splitlines()) < 4


# Those whose function gets the arrays of a probe, and not one token of them after the other.
ARRAYS_IN = [name for name in EXERCISES if name != "causal_mask" and not EXERCISES[name].in_a_row]


@pytest.mark.parametrize("name", ARRAYS_IN)
def test_arguments_are_copies(name):
    """A function that ruins its arguments is called with the same numbers as any other, now and later."""
    probes = EXERCISES[name].probes
    before = [[np.copy(a) for a in flat(probe.args)] for probe in probes]
    received = []

    def ruins(*args):
        received.append([np.copy(a) for a in flat(args)])
        result = answer_with(name)(*args)
        for a in flat(args):
            if isinstance(a, np.ndarray):
                assert a.flags.writeable and a.flags.owndata
                a[...] = 0
            elif isinstance(a, list):
                a.clear()
        return result

    assert verdict_on(name, ruins).mistake == "input-changed"
    for args in (received[: len(probes)], [flat(probe.args) for probe in probes]):
        assert all(
            np.array_equal(a, b)
            for old, new in zip(before, args, strict=True)
            for a, b in zip(old, new, strict=True)
        )
    again = verdict_on(name, answer_with(name))
    assert again.mistake in {None, "library-used"}  # every number is right


def test_input_changed_says_which_argument_and_comes_before_other_causes():
    def changes_k(q, k, v, mask=None):
        scores = q @ k.mT
        k += 1
        return attend(scores, v, mask)

    verdict = verdict_on("scaled_dot_product_attention", changes_k)
    assert (verdict.mistake, verdict.also) == ("input-changed", ("not-scaled",))
    assert "Your function changes its argument k." in verdict.message


def test_numpy_and_warnings_are_left_as_they_were():
    def meddles(scores):
        np.seterr(all="raise")
        np.set_printoptions(precision=1, suppress=True)
        np.random.seed(1)
        random.seed(1)
        warnings.simplefilter("error")
        warnings.warn("now", stacklevel=1)
        print("to the screen")
        print("to the other screen", file=sys.stderr)
        return softmax(scores) * np.random.rand()

    with np.errstate(over="ignore", divide="warn"), contextlib.redirect_stdout(io.StringIO()):
        before = state()
        check.softmax(meddles)
        check.softmax(softmax)
        assert state() == before
        random.seed(0)
        python = random.getstate()
        check.softmax(lambda scores: scores)
        assert random.getstate() == python


def test_a_check_warns_of_nothing(recwarn):
    verdict_on("softmax", lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True))
    verdict_on(
        "scaled_dot_product_attention", answer_with("scaled_dot_product_attention", softmax=lambda x: x / 0)
    )
    assert not recwarn.list


@pytest.mark.parametrize("name", EXERCISES)
def test_interrupting_passes_through_and_leaving_does_not(name):
    screen = sys.stdout
    with pytest.raises(KeyboardInterrupt):
        verdict_on(name, stops_with(KeyboardInterrupt()))
    assert sys.stdout is screen
    for error in (SystemExit("bye"), RecursionError("deep"), MemoryError(), StopIteration()):
        assert verdict_on(name, stops_with(error)).mistake == "raises"


def test_warning_of_the_check_is_not_shown(recwarn):
    for found in (np.inf, np.nan, 1e308):
        verdict_on("softmax", lambda x, found=found: np.full(x.shape, found))
        verdict_on("dot_product", lambda a, b, found=found: found * a[0])
    assert not recwarn.list


def test_huge_result_is_refused_before_it_is_compared():
    calls = []

    def huge(scores):
        calls.append(scores)
        return np.broadcast_to(1.0, (10**6, 10**6))

    verdict = verdict_on("softmax", huge)
    assert (verdict.mistake, len(calls)) == ("wrong-shape", 1)
    assert "the shape is (1000000, 1000000) but should be (4, 6)" in verdict.message


def overwrites(scores, buffer=np.empty(10_000)):  # noqa: B008
    result = buffer[: scores.size].reshape(scores.shape)
    result[...] = softmax(scores)
    return result


def appends(scores, found=[]):  # noqa: B006
    found.append(softmax(scores).tolist())
    return found


@pytest.mark.parametrize("answer", [overwrites, appends])
def test_result_that_later_calls_change_is_told(answer):
    verdict = verdict_on("softmax", answer)
    assert not verdict.passed and "A later call changed" in verdict.message


PARTS_OF_THE_GRADER = ["find_mistakes", "unnamed"]


def break_part(name, monkeypatch):
    def fails(*args):
        raise NameError("a fault of the checker")

    monkeypatch.setattr(f"lesson.check.grading.reasons.{name}", fails)


@pytest.mark.parametrize("part", PARTS_OF_THE_GRADER)
def test_fault_in_the_checker_never_reaches_a_learner(part, monkeypatch):
    monkeypatch.delenv("LESSON_RAISE_ERRORS")
    break_part(part, monkeypatch)
    assert verdict_on("softmax", WRONG["softmax", "different"][0]).mistake == "different"
    assert verdict_on("softmax", RIGHT_ANSWER["softmax"]).passed


@pytest.mark.parametrize("part", PARTS_OF_THE_GRADER)
def test_fault_in_the_checker_is_raised_in_tests(part, monkeypatch):
    break_part(part, monkeypatch)
    with pytest.raises(NameError, match="a fault of the checker"):
        verdict_on("softmax", WRONG["softmax", "different"][0])


def fails(*args):
    raise NameError("a fault of the checker")


def test_function_of_numpy_that_was_given_another_value_is_named(monkeypatch):
    monkeypatch.delenv("LESSON_RAISE_ERRORS")
    monkeypatch.setattr(np, "tri", 5)
    verdict = verdict_on("causal_mask", lambda n: n)
    assert not verdict.passed and "`np.tri` is no longer what it is" in verdict.message


@pytest.mark.parametrize("part", ["recipe", "make_probes", "real"])
@pytest.mark.parametrize("answer", [right_attention, lambda *args: attend(args[0] @ args[1].mT, args[2])])
def test_fault_in_an_exercise_lets_nothing_pass(part, answer, monkeypatch):
    monkeypatch.delenv("LESSON_RAISE_ERRORS")
    broken = replace(EXERCISES["scaled_dot_product_attention"], **{part: fails})
    with contextlib.redirect_stdout(io.StringIO()):
        verdict = verdict_of(broken, answer)
    assert not verdict.passed and verdict.mistake != "not-started"
    assert "NameError" not in verdict.message


def test_fault_in_a_variant_is_raised_in_tests(monkeypatch):
    monkeypatch.setitem(
        vars(EXERCISES["softmax"]),
        "ordinary_variants",
        [(check.MISTAKES[0], {"softmax": lambda x: x.nonsense})],
    )
    with pytest.raises(AttributeError, match="nonsense"):
        verdict_on("softmax", lambda x: x)


def test_wrong_number_of_arguments_says_what_it_was_called_with():
    verdict = verdict_on("scaled_dot_product_attention", lambda q: q)
    assert verdict.mistake == "raises"
    assert (
        "TypeError" in verdict.message and "takes 1 positional argument but 3 were given" in verdict.message
    )
    assert "Called with q (4, 5), k (6, 5), v (6, 7), your function stopped" in verdict.message
    assert "Called with n = 5, your function stopped" in verdict_on("causal_mask", lambda: 1).message


def test_error_that_cannot_be_told_is_told_by_its_type():
    class Mute(ValueError):
        def __str__(self):
            raise RuntimeError

    verdict = verdict_on("dot_product", stops_with(Mute()))
    assert verdict.mistake == "raises" and "Mute" in verdict.message


def filled_in_a_loop(n):
    mask = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


NUMBER_MASKS = [
    ("causal_mask", filled_in_a_loop),
    ("causal_mask", lambda n: [[int(j <= i) for j in range(n)] for i in range(n)]),
    ("padding_mask", lambda lengths, n: al.padding_mask(lengths, n).astype(int)),
]


@pytest.mark.parametrize("name, function", NUMBER_MASKS)
def test_mask_of_numbers_is_wrong_type_with_the_reason(name, function):
    verdict = verdict_on(name, function)
    assert (verdict.passed, verdict.mistake, verdict.also) == (False, "wrong-type", ())
    assert "opposite things in different libraries" in verdict.message and "should be bool" in verdict.message


def test_mask_of_numbers_turned_around_is_not_called_one_to_be_added():
    message = verdict_on("causal_mask", lambda n: ~np.triu(np.ones((n, n), int), 1)).message
    assert "0 and 1 into -1 and -2" in message and "additive" not in message


def test_empty_mask_is_not_told_of_its_dtype():
    verdict = verdict_on(
        "causal_mask", lambda n: np.array([[j <= i for j in range(1, n)] for i in range(1, n)])
    )
    assert verdict.mistake == "wrong-shape" and "(4, 4) but should be (5, 5)" in verdict.message


def test_mask_to_be_added_is_wrong_type_too():
    verdict = verdict_on("causal_mask", lambda n: np.where(np.tri(n), 0.0, -np.inf))
    assert verdict.mistake == "wrong-type"
    assert "dtype is float64" in verdict.message and "additive mask" in verdict.message


def test_mask_of_numbers_that_is_also_wrong_is_named_by_the_mistake():
    verdict = verdict_on("causal_mask", lambda n: np.triu(np.ones((n, n))))
    assert (verdict.mistake, verdict.also) == ("transposed", ("wrong-type",))


NO_FUNCTIONS = [None, ..., 0, "softmax", [al.softmax], np.ones(3), int, dict, object()]
ASKED = {str: "without the quotes", type: "What was given is a class.", np.ndarray: "Is it called already?"}


@pytest.mark.parametrize("given", NO_FUNCTIONS, ids=lambda given: type(given).__name__)
def test_anything_may_be_given_to_a_check(given):
    verdict = verdict_on("softmax", given)
    assert not verdict.passed
    if given is None or given is ...:
        assert verdict.mistake == "not-started"
    else:
        assert verdict.mistake == "wrong-type" and ASKED.get(type(given), "") in verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_check_explains_itself(name):
    function = getattr(check, name)
    assert function.__name__ == name and f"`{name}(" in function.__doc__ and "`Verdict`" in function.__doc__


def test_list_that_is_sorted_in_place_is_told():
    def sorts(lengths, max_length):
        mask = np.arange(max_length) < np.asarray(lengths)[:, None, None]
        if isinstance(lengths, list):
            lengths.sort()
        return mask

    verdict = verdict_on("padding_mask", sorts)
    assert verdict.mistake == "input-changed" and "its argument lengths" in verdict.message
