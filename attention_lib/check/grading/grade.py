"""From a learner's function to a verdict: call it on every probe, explain what is wrong, say it."""

import os
import threading
import warnings
from dataclasses import replace

import numpy as np

from attention_lib.check.grading.call import call_on_every_probe, same_random_numbers
from attention_lib.check.grading.explain import explain
from attention_lib.check.grading.say import (
    FAULT,
    not_a_function,
    not_started,
    printed_lines,
    refused,
    say,
)
from attention_lib.check.grading.verdict import show

RAISE_ERRORS = "ATTENTION_LIB_RAISE_ERRORS"
ONE_AT_A_TIME = threading.RLock()  # a check redirects the one screen that all threads have


def grade(exercise, function):
    """Calls the function on all probes, shows the verdict and returns it."""
    if function is None or function is ...:
        return show(not_started(exercise, "Nothing here yet. Give the check your function, by its name."))
    if not callable(function):
        return show(refused(exercise, [not_a_function(function)]))
    with ONE_AT_A_TIME, warnings.catch_warnings(), np.errstate(all="ignore"), same_random_numbers():
        warnings.simplefilter("ignore")
        try:
            verdict = judge(exercise, function)
        except Exception:  # a learner is never shown an error of the checker; tests are
            if os.environ.get(RAISE_ERRORS) == "1":
                raise
            verdict = refused(exercise, [FAULT])
    return show(verdict)


def judge(exercise, function):
    """The Verdict on a function."""
    runs = call_on_every_probe(function, exercise)
    reasons = explain(exercise, runs)
    return replace(say(exercise, function, runs, reasons), printed=printed_lines(runs))
