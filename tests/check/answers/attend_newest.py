"""Answers to `attend_newest` as learners write them."""

import numpy as np

import attention_lib as al
from attention_lib import today


def plain(q, k, v, place, past):
    q, k = today.rotate(q, [place]), today.rotate(k, [place])
    if past is not None:
        k = np.concatenate([past[0], k], axis=1)
        v = np.concatenate([past[1], v], axis=1)
    return al.scaled_dot_product_attention(q, k, v).output, (k, v)


# Three that look wrong, and whose outputs are right.


def keys_kept_as_they_were(q, k, v, place, past):
    keys = k if past is None else np.concatenate([past[0], k], axis=1)
    values = v if past is None else np.concatenate([past[1], v], axis=1)
    rotated = today.rotate(keys, np.arange(place + 1))
    return al.scaled_dot_product_attention(today.rotate(q, [place]), rotated, values).output, (keys, values)


def one_place_too_late(q, k, v, place, past):
    return plain(q, k, v, place + 1, past)


def newest_in_front(q, k, v, place, past):
    q, k = today.rotate(q, [place]), today.rotate(k, [place])
    if past is not None:
        k, v = np.concatenate([k, past[0]], axis=1), np.concatenate([v, past[1]], axis=1)
    return al.scaled_dot_product_attention(q, k, v).output, (k, v)


def past_of_another_form(q, k, v, place, past):
    """What it keeps is a dict of lists."""
    kept = {"keys": [], "values": []} if past is None else past
    kept = {"keys": [*kept["keys"], today.rotate(k, [place])], "values": [*kept["values"], v]}
    keys, values = (np.concatenate(kept[name], axis=1) for name in ("keys", "values"))
    weights = al.softmax(today.rotate(q, [place]) @ keys.swapaxes(1, 2) / np.sqrt(q.shape[-1]))
    return [weights @ values, kept]


# Wrong ones


def with_rotate(rotate_q, rotate_k):
    def answer(q, k, v, place, past):
        q, k = rotate_q(q, place), rotate_k(k, place)
        if past is not None:
            k, v = (np.concatenate(pair, axis=1) for pair in zip(past, (k, v)))
        return al.scaled_dot_product_attention(q, k, v).output, (k, v)

    return answer


def turned(x, place):
    return today.rotate(x, [place])


def all_by_the_newest_place(q, k, v, place, past):
    if past is not None:
        k, v = (np.concatenate(pair, axis=1) for pair in zip(past, (k, v)))
    q, keys = today.rotate(q, [place]), today.rotate(k, [place])
    return al.scaled_dot_product_attention(q, keys, v).output, (k, v)


def all_again(q, k, v, place, past):
    if past is not None:
        k, v = (np.concatenate(pair, axis=1) for pair in zip(past, (k, v)))
    q, k = today.rotate(q, [place]), today.rotate(k, [place])
    return al.scaled_dot_product_attention(q, k, v).output, (k, v)


def only_the_newest_key(q, k, v, place, past):
    keys, values = k, v
    if past is not None:
        keys, values = (np.concatenate(pair, axis=1) for pair in zip(past, (k, v)))
    used = keys.astype(float)
    used[:, -1:] = today.rotate(k, [place])
    return al.scaled_dot_product_attention(today.rotate(q, [place]), used, values).output, (keys, values)


def causal(q, k, v, place, past):
    q, k = today.rotate(q, [place]), today.rotate(k, [place])
    if past is not None:
        k, v = (np.concatenate(pair, axis=1) for pair in zip(past, (k, v)))
    return al.scaled_dot_product_attention(q, k, v, is_causal=True).output, (k, v)


def old_past(q, k, v, place, past):
    output, _ = plain(q, k, v, place, past)
    return output, past


def newest_value_repeated(q, k, v, place, past):
    keys, values = plain(q, k, v, place, past)[1]
    weights = al.softmax(turned(q, place) @ keys.mT / q.shape[-1] ** 0.5)
    return weights @ np.repeat(v, keys.shape[1], axis=1), (keys, values)


def newest_past(q, k, v, place, past):
    output, (keys, values) = plain(q, k, v, place, past)
    return output, (keys[:, -1:], values[:, -1:])


def past_alone(q, k, v, place, past):
    new = plain(q, k, v, place, past)[1]
    keys, values = new if past is None else past
    return al.scaled_dot_product_attention(turned(q, place), keys, values).output, new


def along_heads(q, k, v, place, past):
    q, k = turned(q, place), turned(k, place)
    if past is not None:
        k, v = np.concatenate([past[0], k]), np.concatenate([past[1], v])
    return al.scaled_dot_product_attention(q, k, v).output, (k, v)


def values_first(q, k, v, place, past):
    output, (keys, values) = plain(q, k, v, place, past)
    return output, (values, keys)


def in_place(q, k, v, place, past):
    """Writes into a past with room for four tokens, and keeps how many there are."""
    if past is None:
        past = [np.zeros((len(k), 4, k.shape[-1])), np.zeros((len(v), 4, v.shape[-1]))]
    past[0][:, place], past[1][:, place] = turned(k, place)[:, 0], v[:, 0]
    keys, values = past[0][:, : place + 1], past[1][:, : place + 1]
    return al.scaled_dot_product_attention(turned(q, place), keys, values).output, past


def of_six_numbers(q, k, v, place, past):
    """Scores divided by the root of 6, whatever d is."""
    return plain(q * (q.shape[-1] / 6) ** 0.5, k, v, place, past)


WRONG = {
    "positions-lost": [
        with_rotate(lambda q, place: today.rotate(q), lambda k, place: today.rotate(k)),
        all_by_the_newest_place,
    ],
    "query-position-lost": [with_rotate(lambda q, place: q, turned)],
    "key-positions-lost": [with_rotate(turned, lambda k, place: k)],
    "old-keys-rotated-again": [all_again],
    "old-keys-not-rotated": [only_the_newest_key],
    "oldest-key-alone": [causal],
    "past-lost": [old_past, newest_value_repeated],
    "past-of-one-token": [newest_past],
    "newest-left-out": [past_alone],
    "joined-along-heads": [along_heads],
    "keys-for-values": [values_first],
    "input-changed": [in_place],
    "wrong-shape": [
        lambda *args: plain(*args)[0],
        lambda *args: (plain(*args)[0], *plain(*args)[1]),
    ],
}
RIGHT = [plain, keys_kept_as_they_were, one_place_too_late, newest_in_front, past_of_another_form]
ALMOST_RIGHT = {"scaled for six numbers": of_six_numbers}
