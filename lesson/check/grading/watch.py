"""Watches a call from outside: the library's functions that it calls, how long it takes, the line that stops it."""

import contextlib
import linecache
import os.path
import sys
import sysconfig
import threading
from functools import cache

import attention_lib
import lesson
from attention_lib import attention, learning, plain_python, today

SLOW = (
    "The check has been calling your function for three seconds, and a call may never end. To interrupt it, "
    "press the square (stop) above the notebook, or Ctrl+C in a terminal. "
    "Does a loop of yours never stop?"
)
LIBRARY_FILES = (attention.__file__, plain_python.__file__, today.__file__, learning.__file__)
LIBRARY_NAMES = {  # functions of the library, and what the notebooks import them from
    **dict.fromkeys(attention_lib.__all__, "al"),
    **dict.fromkeys(["rotate", "repeat_heads", "merge"], "today"),
    **dict.fromkeys(["softmax_gradient", "attention_gradients"], "learning"),
}


@contextlib.contextmanager
def watch_calls(run):
    """Notes on the run which public functions of the library are called."""

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_name in LIBRARY_NAMES and code.co_filename in LIBRARY_FILES:
            run.library_calls.add(code.co_name)

    if sys.getprofile() is not None:  # a profiler or a coverage tool is at work: leave it alone
        yield
        return
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def called_functions(runs):
    """The names of the library's functions that were called in any of the runs."""
    return set().union(*(run.library_calls for run in runs))


@contextlib.contextmanager
def notice_when_slow(seconds=3.0):
    """Prints after some seconds that the function may never end, and how to interrupt it.

    A thread prints it, and not a signal: Windows has no alarm, and a front end may not run this in
    the main thread. Where there are no threads (Python in a browser), nothing is printed.
    """
    timer = threading.Timer(seconds, print, (SLOW,), {"file": sys.stdout, "flush": True})
    timer.daemon = True
    with contextlib.suppress(RuntimeError):
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def plain(path):
    """A path in one spelling: some of Python's own begin with two slashes."""
    return os.path.realpath(path.replace("//", "/"))


NOT_THE_LEARNERS = (
    *(plain(os.path.dirname(package.__file__)) for package in (attention_lib, lesson)),
    *(plain(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")),
)


def learners_line(error):
    """The last line of the learner's own code on the way to the error, or ""."""
    line, trace = "", error.__traceback__
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if not (plain(file).startswith(NOT_THE_LEARNERS) or file.startswith("<__array_function__")):
            found = linecache.getline(file, trace.tb_lineno).strip()
            # An endless call may stop before the first line, at `def`.
            if "return" in found or not found.startswith("def "):
                line = found or line
        trace = trace.tb_next
    return line
