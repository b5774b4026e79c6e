"""Attention functions with a mistake inside, for the model of llama.py, and how they are measured.

BUGS has them by name. PROSE was written for this: the model cannot have learned it.
"""

import numpy as np

import attention_lib as al
from attention_lib import today
from lesson import llama

PROSE = """The ferry left the harbour a little after six, when the lamps along the quay were still burning. There were only
four passengers: a nurse on her way home, two boys with a basket of eggs, and an old man who slept before the ropes were
untied. The captain knew all of them by name. He had crossed the bay every morning for twenty years, and he said that no
two crossings were alike. Today the water was flat and grey, and the gulls sat on it as if it were a field. Halfway
across, the engine coughed and stopped. Nobody was worried. The boys leaned over the rail to look for fish, and the nurse
opened her book. The captain went below with a lantern, and for some minutes they heard him talking to the engine, first
kindly and then less so. When it started again, the old man woke up and asked whether they had arrived. Not yet, said one
of the boys, but we can see the church.""".replace("\n", " ")
IN_A_ROW = (0, 0, 0, 1, 1, 1, 2, 2, 2)  # the head of keys and values that each head of queries uses


def loss(model, ids, attend=llama.attend, begin=0):
    """The mean of -log p of the ids behind `begin`, where p is the probability that the model gives to each."""
    chances = al.softmax(llama.read(model, ids[:-1], attend=attend)[begin:])
    return -np.log(chances[np.arange(len(chances)), ids[begin + 1 :]]).mean()


def up_to_itself(n, past):
    """Query i of n, behind `past` tokens, sees its own position and those before: (n, past + n)."""
    return al.causal_mask(past + n)[past:]


def newest(size, kept=()):
    """A mask that hides all but the newest `size` tokens, and those at the positions in `kept`."""

    def mask(n, past):
        allowed = up_to_itself(n, past) & ~np.tri(n, past + n, past - size, dtype=bool)
        allowed[:, list(kept)] = up_to_itself(n, past)[:, list(kept)]
        return allowed

    return mask


def attend_with(base=100_000, mask=up_to_itself, scale=None, heads=IN_A_ROW, pairs="halves"):
    """llama.attend with one thing otherwise."""

    def attend(q, k, v, past):
        n = 0 if past is None else past[0].shape[1]
        positions = np.arange(n, n + q.shape[1])
        q, k = (today.rotate(x, positions, base=base, pairs=pairs) for x in (q, k))
        if past is not None:
            k, v = (np.concatenate(both, axis=1) for both in zip(past, (k, v)))
        allowed = mask(q.shape[1], n)
        output, _ = al.scaled_dot_product_attention(q, k[list(heads)], v[list(heads)], allowed, scale=scale)
        return output, (k, v)

    return attend


BUGS = {
    "no mistake": attend_with(),
    "base 10,000": attend_with(base=10_000),
    "pairs of neighbours": attend_with(pairs="neighbours"),
    "mask one ahead": attend_with(mask=lambda n, past: np.tri(n, past + n, past + 1, dtype=bool)),
    "no mask": attend_with(mask=lambda n, past: np.ones((n, past + n), dtype=bool)),
    "not scaled": attend_with(scale=1.0),
    "key heads 0 1 2 0 1 2": attend_with(heads=[0, 1, 2] * 3),
}
