"""Answers to `attend_newest` as learners write them."""

import numpy as np

import attention_lib as al
from attention_lib import today


def turned(x, place):
    return today.rotate(x, [place])


def joined(past, newest):
    return np.concatenate([past, newest], axis=1)


def attend(q, k, v):
    return al.scaled_dot_product_attention(q, k, v).output


def plain(q, k, v, place, past, rotate_q=turned, rotate_k=turned, join=joined, attend=attend):
    q, k = rotate_q(q, place), rotate_k(k, place)
    if past is not None:
        k, v = join(past[0], k), join(past[1], v)
    return attend(q, k, v), (k, v)


def plain_with(**lines):
    return lambda *given: plain(*given, **lines)


# Three that look wrong, and whose outputs are right.


def keys_kept_as_they_were(q, k, v, place, past):
    keys = k if past is None else joined(past[0], k)
    values = v if past is None else joined(past[1], v)
    return attend(turned(q, place), today.rotate(keys, np.arange(place + 1)), values), (keys, values)


def one_place_too_late(q, k, v, place, past):
    return plain(q, k, v, place + 1, past)


def newest_in_front(past, newest):
    return np.concatenate([newest, past], axis=1)


def past_of_another_form(q, k, v, place, past):
    """What it keeps is a dict of lists."""
    kept = {"keys": [], "values": []} if past is None else past
    kept = {"keys": [*kept["keys"], turned(k, place)], "values": [*kept["values"], v]}
    keys, values = (np.concatenate(kept[name], axis=1) for name in ("keys", "values"))
    weights = al.softmax(turned(q, place) @ keys.swapaxes(1, 2) / np.sqrt(q.shape[-1]))
    return [weights @ values, kept]


# Wrong ones


def only_the_newest_key(q, k, v, place, past):
    keys = k if past is None else joined(past[0], k)
    values = v if past is None else joined(past[1], v)
    used = keys.astype(float)
    used[:, -1:] = turned(k, place)
    return attend(turned(q, place), used, values), (keys, values)


def causal(q, k, v):
    return al.scaled_dot_product_attention(q, k, v, is_causal=True).output


def past_alone(q, k, v, place, past):
    new = plain(q, k, v, place, past)[1]
    keys, values = new if past is None else past
    return attend(turned(q, place), keys, values), new


def values_first(*given):
    output, (keys, values) = plain(*given)
    return output, (values, keys)


def of_six_numbers(q, k, v, place, past):
    """Scores divided by the root of 6, whatever d is."""
    return plain(q * (q.shape[-1] / 6) ** 0.5, k, v, place, past)


WRONG = {
    "positions-lost": [
        plain_with(rotate_q=lambda q, place: today.rotate(q), rotate_k=lambda k, place: today.rotate(k))
    ],
    "query-position-lost": [plain_with(rotate_q=lambda q, place: q)],
    "key-positions-lost": [plain_with(rotate_k=lambda k, place: k)],
    "old-keys-not-rotated": [only_the_newest_key],
    "oldest-key-alone": [plain_with(attend=causal)],
    "past-lost": [lambda q, k, v, place, past: (plain(q, k, v, place, past)[0], past)],
    "newest-left-out": [past_alone],
    "joined-along-heads": [plain_with(join=lambda past, newest: np.concatenate([past, newest]))],
    "keys-for-values": [values_first],
    "wrong-shape": [lambda *given: plain(*given)[0]],
}
RIGHT = [
    plain,
    keys_kept_as_they_were,
    one_place_too_late,
    plain_with(join=newest_in_front),
    past_of_another_form,
]
ALMOST_RIGHT = {"scaled for six numbers": of_six_numbers}
