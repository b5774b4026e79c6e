"""The steps that exercises are made of, done right. A mistake is one or more of them done wrong."""

import functools
from types import SimpleNamespace

import numpy as np

from attention_lib import attention as al


def swap(x):
    return np.swapaxes(x, -1, -2)


def root(q):
    """The square root of d_k."""
    return q.shape[-1] ** 0.5


RIGHT = {
    # one pair of vectors
    "vectors": lambda a, b: (a, b),
    "dot": lambda a, b: (a * b).sum(),
    # from queries and keys to scores
    "roles": lambda q, k, v: (q, k, v),
    "score": lambda q, k: q @ swap(k),
    "early": lambda scores, q, k: scores,  # whatever is done to scores before their scale
    "scale": lambda scores, q, k: scores / root(q),
    # from scores to weights
    "hide": lambda scores, mask: np.where(mask, scores, -np.inf),
    "unhidden": lambda scores: scores,  # the branch of a function that was given no mask
    "share": al.softmax,
    "after": lambda weights, mask: weights,  # whatever is done to weights because of a mask
    "late": lambda weights, q: weights,  # whatever is done to weights because of d_k
    # from weights to an answer
    "average": lambda weights, k, v: weights @ v,
    "give": lambda output, weights, scores: (output, weights),
    # the two masks
    "causal": lambda n: np.tri(n, dtype=bool),
    "turn": lambda mask: mask,
    "flip": lambda mask: mask,
    "real": lambda lengths, n: np.arange(n) < lengths[:, None],
    "lay": lambda real: real[:, None, :],
    # heads
    "cut": al.split_heads,
    "place": lambda heads: heads,
    "glue": al.merge_heads,
    # a layer: from vectors to heads, and back
    "times": lambda x, table, name: x @ table,
    "shift": lambda x, bias, name: x + bias,
    "deal": al.split_heads,
    "see": lambda scores: scores,  # whatever is hidden, though no mask was asked for
    "take": lambda output, weights: output,
    "join": al.merge_heads,
    "send": lambda merged, table, n: merged @ table,
    "finish": lambda sent, bias, n: sent + bias,
    "rest": lambda added, x: added,
}


def steps(wrong=None):
    """All steps, with the wrong ones in the places of the right ones."""
    return SimpleNamespace(**RIGHT | (wrong or {}))


class Remembered:
    """All steps, each of which is taken once for the same arguments.

    Two wrong ways at a time make thousands of combinations. Most of them begin alike.
    """

    def __init__(self):
        self.once = functools.cache(remembering)
        self.right = {name: self.once(step) for name, step in RIGHT.items()}

    def steps(self, wrong):
        """All steps, with the wrong ones in the places of the right ones."""
        return SimpleNamespace(
            **self.right | {name: self.once(step) for name, step in wrong.items()}
        )


def remembering(step):
    """The step, which gives for the same arguments, not equal ones, what it gave before."""
    results = {}

    def take(*args):
        key = tuple(map(id, args))
        if key not in results:  # the arguments are kept, so that ids are theirs
            results[key] = step(*args), args
        return results[key][0]

    return take


def attention(s, q, k, v, mask=None):
    q, k, v = s.roles(q, k, v)
    scores = s.scale(s.score(q, k), q, k)
    hidden = s.unhidden(scores) if mask is None else s.hide(scores, mask)
    weights = s.late(s.after(s.share(hidden), mask), q)
    return s.give(s.average(weights, k, v), weights, scores)


def project(s, x, table, bias, n_heads, name="q"):
    return s.deal(s.shift(s.times(x, table, name), bias, name), n_heads)


def multi_head(s, x, tables, n):
    made = (project(s, x, tables[f"w_{name}"], tables[f"b_{name}"], n, name) for name in "qkv")
    q, k, v = s.roles(*made)
    weights = s.late(s.share(s.see(s.scale(s.score(q, k), q, k))), q)
    output = s.take(s.average(weights, k, v), weights)
    sent = s.send(s.join(output), tables["w_o"], n)
    return s.rest(s.finish(sent, tables["b_o"], n), x)
