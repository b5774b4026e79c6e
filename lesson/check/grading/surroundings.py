"""What surrounds a check: warnings are left as they were, and a slow call is told."""

import contextlib
import sys
import threading
import warnings

import numpy as np

from lesson.check.mistakes import general


@contextlib.contextmanager
def surroundings():
    """Without warnings; what a function sets of them is put back at its end."""
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
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
    with contextlib.suppress(RuntimeError):
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
