"""What surrounds a check: warnings and random numbers are left as they were, and a slow call is told."""

import contextlib
import random
import sys
import threading
import warnings

import numpy as np

from lesson.check.mistakes import general


@contextlib.contextmanager
def surroundings():
    """Puts back, at its end, NumPy's settings and random numbers as they were."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings(action="ignore"))
        stack.enter_context(np.errstate(all="ignore"))
        stack.enter_context(np.printoptions())
        stack.callback(np.random.set_state, np.random.get_state())
        stack.callback(random.setstate, random.getstate())
        yield


class Interrupted(KeyboardInterrupt):
    """The learner stopped the check. A notebook shows one line for it, and not the way through the checker."""

    def _render_traceback_(self):  # for IPython
        return [general.INTERRUPTED]


@contextlib.contextmanager
def notice_when_slow(seconds=3.0):
    """Prints after some seconds that the function may never end, and how to interrupt it."""
    # A thread, and no signal: Windows has no alarm. Python in a browser has no threads, and nothing is printed there.
    timer = threading.Timer(seconds, print, (general.SLOW,), {"file": sys.stdout, "flush": True})
    timer.daemon = True
    with contextlib.suppress(RuntimeError):
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
