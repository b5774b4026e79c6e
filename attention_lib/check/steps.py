"""The steps that exercises are made of, done right. A mistake is one or more of them done wrong."""

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
    "glue": al.merge_heads,
}


def steps(wrong=None):
    """All steps, with the wrong ones in the places of the right ones."""
    return SimpleNamespace(**RIGHT | (wrong or {}))


class Remembered:
    """All steps, each of which is taken once for the same arguments.

    Two wrong ways at a time make thousands of combinations. Most of them begin alike.
    """

    def __init__(self):
        self.wrong, self.known = {}, {}

    def __getattr__(self, name):
        step = self.wrong.get(name) or RIGHT[name]

        def take(*args):
            key = (step, *map(id, args))
            if key not in self.known:
                self.known[key] = (
                    step(*args),
                    args,
                )  # the arguments are kept, so that ids are theirs
            return self.known[key][0]

        return take


def attention(s, q, k, v, mask=None):
    q, k, v = s.roles(q, k, v)
    scores = s.scale(s.score(q, k), q, k)
    hidden = s.unhidden(scores) if mask is None else s.hide(scores, mask)
    weights = s.late(s.after(s.share(hidden), mask), q)
    return s.give(s.average(weights, k, v), weights, scores)
