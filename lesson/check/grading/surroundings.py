"""What all threads of a process share, left as it was: the screen, warnings, the state of random numbers."""

import contextlib
import random
import sys
import threading
import warnings
from contextvars import ContextVar

import numpy as np

OUTPUT = ContextVar("output", default=None)  # where this thread prints, if a check is calling its function


class Screen:
    """In the place of sys.stdout or sys.stderr: a function that is checked prints to its check, all others go on."""

    screen = None

    def __getattr__(self, name):
        return getattr(OUTPUT.get() or self.screen, name)


# Made once: print holds no reference to the screen that it writes to, and another thread may take it away.
STDOUT, STDERR = Screen(), Screen()


@contextlib.contextmanager
def printing_to(file):
    """What this thread prints goes to this file."""
    token = OUTPUT.set(file)
    try:
        yield
    finally:
        OUTPUT.reset(token)


class Surroundings:
    """Entered by each check. The first of those that run at once notes what is there, the last one puts it back."""

    def __init__(self):
        self.lock, self.checks, self.stack = threading.Lock(), 0, contextlib.ExitStack()

    def __enter__(self):
        with self.lock:
            self.checks += 1
            if self.checks == 1:
                STDOUT.screen, STDERR.screen = sys.stdout, sys.stderr
                self.stack.enter_context(contextlib.redirect_stdout(STDOUT))
                self.stack.enter_context(contextlib.redirect_stderr(STDERR))
                self.stack.enter_context(warnings.catch_warnings(action="ignore"))
                self.stack.callback(np.random.set_state, np.random.get_state())
                self.stack.callback(random.setstate, random.getstate())

    def __exit__(self, *_):
        with self.lock:
            self.checks -= 1
            if self.checks == 0:
                self.stack.close()


SURROUNDINGS = Surroundings()
