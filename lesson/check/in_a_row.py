"""Calls a function on one token after the other, each with the past that its call before has returned.

Only the outputs are compared: a past may have any form that the function itself can read.
"""

from contextlib import suppress
from copy import deepcopy

import numpy as np


def ask_in_a_row(function, q, k, v, run=None):
    """The outputs of all tokens, and copies of them made at once; or what came back instead of an output and a past.

    At the end token 1 is asked for again, with the past that it had: this second output takes the place of the first.
    A Run notes the arguments of the last call, without the past, and the first argument that a call changed.
    """
    outputs, copies, pasts = {}, {}, [None]
    for place in [*range(q.shape[-2]), 1]:
        past = pasts[place]
        given = {"q": q[:, [place]], "k": k[:, [place]], "v": v[:, [place]], "place": place, "past": past}
        kept = {name: copy_of(value) for name, value in given.items()}
        if run:
            run.called_with = tuple(kept[name] for name in ("q", "k", "v", "place"))
        returned = function(*given.values())
        for name in given:
            if run and not equal(given[name], kept[name]):
                run.changed_argument = run.changed_argument or name
        if not isinstance(returned, (tuple, list)) or len(returned) != 2 or isinstance(returned[0], tuple):
            return returned, returned
        outputs[place], following = returned
        copies[place] = copy_of(outputs[place])
        pasts.append(following)
    return tuple(outputs.values()), tuple(copies.values())


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
    return not isinstance(one, (np.ndarray, np.generic, int, float)) or np.array_equal(one, other)
