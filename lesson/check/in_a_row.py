"""Calls a function on one token after the other, each with the past that its call before has returned.

Only the outputs are compared: a past may have any form that the function itself can read.
"""

from contextlib import suppress
from copy import deepcopy

import numpy as np


def call_in_a_row(function, q, k, v, run=None):
    """The outputs of all tokens, and copies of them made at once; or what came back instead of an output and a past.

    At the end token 1 is asked for again, with the past that it had: its second output comes last.
    A Run notes the arguments of the last call until all were made, the first argument that a call changed, and each
    past with a copy of it.
    """
    outputs, copies, pasts = [], [], [None]
    for place in [*range(q.shape[-2]), 1]:
        newest = [x[:, [place]] for x in (q, k, v)]
        given = [*newest, place, pasts[place]]
        kept = [copy_of(value) for value in given] if run else []  # without a Run nothing is compared
        if run:
            run.called_with = kept[:-1]
            run.pasts.append((pasts[place], kept[-1]))
        returned = function(*given)
        for name, value, copy in zip(("q", "k", "v", "place", "past"), given, kept):
            if not equal(value, copy):
                run.changed_argument = run.changed_argument or name
        if not is_output_and_past(returned):
            return returned, returned
        output, following = returned
        outputs.append(output)
        copies.append(copy_of(output))
        pasts.append(following)
    if run:
        run.called_with = ()
    return tuple(outputs), tuple(copies)


def is_output_and_past(returned):
    """Whether two things came back, of which the first may be an array."""
    in_two = isinstance(returned, (tuple, list)) and len(returned) == 2
    return in_two and not isinstance(returned[0], tuple)


def copy_of(value):
    """A copy; of what cannot be copied, such as a generator, the thing itself."""
    with suppress(Exception):
        return deepcopy(value)
    return value


def equal(one, other):
    """Whether two arguments hold the same numbers; nothing else is compared."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(equal, one, other))
    holds_numbers = isinstance(one, (np.ndarray, np.generic, int, float))
    return np.array_equal(one, other) if holds_numbers else True
