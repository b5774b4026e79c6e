"""Answers to `attend` as learners write them."""

import numpy as np

import attention_lib as al
from attention_lib import today


def turned(x, positions):
    return today.rotate(x, positions, base=100_000)


def behind(past, new):
    return np.concatenate([past, new], axis=1)


def in_front(past, new):
    return np.concatenate([new, past], axis=1)


def last_rows(n, length):
    return al.causal_mask(n + length)[n:]


def weighed(q, k, v, mask):
    times = q.shape[0] // k.shape[0]
    return al.scaled_dot_product_attention(
        q, today.repeat_heads(k, times), today.repeat_heads(v, times), mask
    ).output


def from_n(n, length):
    return np.arange(n, n + length)


def plain(
    q,
    k,
    v,
    past=None,
    positions_of=from_n,
    rotate_q=turned,
    rotate_k=turned,
    rotate_v=lambda v, positions: v,
    join_keys=behind,
    join_values=behind,
    mask_of=last_rows,
    attend=weighed,
):
    n = 0 if past is None else past[0].shape[1]
    positions = positions_of(n, q.shape[1])
    q, k, v = rotate_q(q, positions), rotate_k(k, positions), rotate_v(v, positions)
    if past is not None:
        k, v = join_keys(past[0], k), join_values(past[1], v)
    return attend(q, k, v, mask_of(n, q.shape[1])), (k, v)


def plain_with(**lines):
    return lambda *given: plain(*given, **lines)


def with_past(change):
    """The right output, and a past that was changed."""

    def answer(*given):
        output, past = plain(*given)
        return output, change(*past)

    return answer


def for_all(rotate):
    return {"rotate_q": rotate, "rotate_k": rotate}


def as_given(x, positions):
    return x


# Right ones


def query_by_query(q, k, v, past):
    """Loops over heads and queries; the past is a list."""
    length = q.shape[1]
    n = 0 if past is None else past[0].shape[1]
    rotated = turned(k, from_n(n, length))
    keys = rotated if past is None else behind(past[0], rotated)
    values = v if past is None else behind(past[1], v)
    output = np.empty(q.shape)
    for head in range(len(q)):
        shared = head * len(k) // len(q)
        for i in range(length):
            query = turned(q[head, i : i + 1], [n + i])[0]
            scores = keys[shared, : n + i + 1] @ query / np.sqrt(len(query))
            output[head, i] = al.softmax(scores) @ values[shared, : n + i + 1]
    return output, [keys, values]


def grouped(q, k, v, past):
    """Without repeating heads; the past is one array."""
    n = 0 if past is None else past[0].shape[1]
    heads, length, d = q.shape
    q, k = (turned(x, from_n(n, length)) for x in (q, k))
    kept = np.stack([k, v]) if past is None else np.concatenate([past, np.stack([k, v])], axis=2)
    groups = q.reshape(len(k), -1, length, d)
    scores = groups @ kept[0][:, None].swapaxes(-1, -2) / d**0.5
    mask = np.arange(n + length) <= np.arange(n, n + length)[:, None]
    output = al.masked_softmax(scores, mask) @ kept[1][:, None]
    return output.reshape(heads, length, d), kept


# Wrong ones


def counts_heads(q, k, v, past):
    n = 0 if past is None else len(past[0])
    length = q.shape[1]
    q, k = (turned(x, from_n(n, length)) for x in (q, k))
    if past is not None:
        k, v = behind(past[0], k), behind(past[1], v)
    return weighed(q, k, v, al.causal_mask(k.shape[1])[-length:]), (k, v)


def rotates_all_again(q, k, v, past):
    n = 0 if past is None else past[0].shape[1]
    if past is not None:
        k, v = behind(past[0], k), behind(past[1], v)
    q, k = turned(q, from_n(n, q.shape[1])), turned(k, None)
    return weighed(q, k, v, last_rows(n, q.shape[1])), (k, v)


def keeps_unrotated_keys(q, k, v, past):
    n = 0 if past is None else past[0].shape[1]
    if past is not None:
        k, v = behind(past[0], k), behind(past[1], v)
    q, rotated = turned(q, from_n(n, q.shape[1])), turned(k, None)
    return weighed(q, rotated, v, last_rows(n, q.shape[1])), (k, v)


def repeats_before_joining(q, k, v, past):
    """The past that it gets has fewer heads than it keeps."""
    n = 0 if past is None else past[0].shape[1]
    times = len(q) // len(k)
    q, k = (turned(x, from_n(n, q.shape[1])) for x in (q, k))
    k, v = today.repeat_heads(k, times), today.repeat_heads(v, times)
    if past is not None:
        k, v = behind(past[0], k), behind(past[1], v)
    return weighed(q, k, v, last_rows(n, q.shape[1])), (k, v)


def repeats_after_joining(q, k, v, past):
    output, (keys, values) = plain(q, k, v, past)
    times = len(q) // len(k)
    return output, (today.repeat_heads(keys, times), today.repeat_heads(values, times))


def tiled(q, k, v, mask):
    times = len(q) // len(k)
    return weighed(q, np.tile(k, (times, 1, 1)), np.tile(v, (times, 1, 1)), mask)


def unscaled(q, k, v, mask):
    return weighed(q * q.shape[-1] ** 0.5, k, v, mask)


def scaled_twice(q, k, v, mask):
    return weighed(q / q.shape[-1] ** 0.5, k, v, mask)


def joins_heads(q, k, v, past):
    n = 0 if past is None else past[0].shape[1]
    q, k = (turned(x, from_n(n, q.shape[1])) for x in (q, k))
    if past is not None:
        k, v = np.concatenate([past[0], k]), np.concatenate([past[1], v])
    return weighed(q, k, v, al.causal_mask(q.shape[1])), (k, v)


def in_front_with_a_mask_for_it(q, k, v, past):
    """Its outputs are right."""

    def mask_of(n, length):
        return np.hstack([al.causal_mask(length), np.ones((length, n), bool)])

    return plain(q, k, v, past, join_keys=in_front, join_values=in_front, mask_of=mask_of)


def forgets_the_past(q, k, v, past):
    return plain(q, k, v, None, positions_of=lambda n, length: from_n(len_of(past), length))


def len_of(past):
    return 0 if past is None else past[0].shape[1]


def uses_the_past_alone(q, k, v, past):
    new = plain(q, k, v, past)[1]
    n = len_of(past)
    if n == 0:
        return plain(q, k, v, past)
    return weighed(turned(q, from_n(n, q.shape[1])), *past, np.ones((q.shape[1], n), bool)), new


def takes_values_for_keys(q, k, v, past):
    return plain(q, k, v, past if past is None else (past[1], past[0]))


def keeps_the_new_alone(q, k, v, past):
    length = k.shape[1]
    output, (keys, values) = plain(q, k, v, past)
    return output, (keys[:, -length:], values[:, -length:])


def rotates_in_place(q, k, v, past):
    if past is not None:
        past[0][...] = past[0] * 1.0001
    return plain(q, k, v, past)


WRONG = {
    "positions-restart": [
        plain_with(**for_all(lambda x, positions: today.rotate(x, base=100_000))),
        plain_with(positions_of=lambda n, length: np.arange(length)),
    ],
    "past-miscounted": [counts_heads],
    "positions-lost": [plain_with(**for_all(as_given))],
    "query-position-lost": [plain_with(rotate_q=as_given)],
    "key-positions-lost": [plain_with(rotate_k=as_given)],
    "another-rotary-base": [
        plain_with(**for_all(today.rotate)),
        plain_with(rotate_q=today.rotate),
        plain_with(rotate_k=today.rotate),
    ],
    "other-pairs": [
        plain_with(
            **for_all(lambda x, positions: today.rotate(x, positions, base=100_000, pairs="neighbours"))
        )
    ],
    "one-position-for-all": [plain_with(positions_of=lambda n, length: [n])],
    "positions-from-one": [plain_with(positions_of=lambda n, length: from_n(n + 1, length))],
    "old-keys-rotated-again": [rotates_all_again],
    "past-not-rotated": [keeps_unrotated_keys],
    "rotated-backwards": [plain_with(**for_all(lambda x, positions: turned(x, -np.array(positions))))],
    "query-and-key-apart": [
        plain_with(rotate_k=lambda x, positions: turned(x, None)),
        plain_with(rotate_q=lambda x, positions: turned(x, None)),
    ],
    "value-rotated": [plain_with(rotate_v=turned)],
    "heads-tiled": [plain_with(attend=tiled)],
    "repeated-heads-kept": [repeats_before_joining, repeats_after_joining],
    "mask-at-the-upper-left": [plain_with(mask_of=lambda n, length: al.causal_mask(n + length)[:length])],
    "no-mask": [plain_with(mask_of=lambda n, length: None)],
    "mask-one-ahead": [plain_with(mask_of=lambda n, length: np.tri(length, n + length, n + 1, dtype=bool))],
    "own-key-hidden": [plain_with(mask_of=lambda n, length: np.tri(length, n + length, n - 1, dtype=bool))],
    "past-lost": [forgets_the_past, keeps_the_new_alone],
    "newest-left-out": [uses_the_past_alone],
    "joined-along-heads": [joins_heads],
    "newest-in-front": [plain_with(join_keys=in_front, join_values=in_front), in_front_with_a_mask_for_it],
    "keys-for-values": [takes_values_for_keys, with_past(lambda keys, values: (values, keys))],
    "keys-and-values-out-of-order": [plain_with(join_keys=in_front), plain_with(join_values=in_front)],
    "scores-of-newest-unscaled": [plain_with(attend=unscaled)],
    "scores-divided-by-d": [plain_with(attend=scaled_twice)],
    "input-changed": [rotates_in_place],
    "wrong-shape": [lambda *given: plain(*given)[0], lambda *given: plain(*given)[1]],
    "wrong-type": [with_past(lambda keys, values: {"k": keys, "v": values})],
}
RIGHT = [plain, query_by_query, grouped]
ALMOST_RIGHT = {
    "repeated_twice_whatever_the_heads": plain_with(
        attend=lambda q, k, v, mask: (
            weighed(q, today.repeat_heads(k, 2), today.repeat_heads(v, 2), mask)
            if len(q) == 2 * len(k)
            else weighed(q, k[:1], v[:1], mask)
        )
    ),
    "scaled_for_eight_numbers": plain_with(
        attend=lambda q, k, v, mask: weighed(q * (q.shape[-1] / 8) ** 0.5, k, v, mask)
    ),
    "last_64_of_the_past": plain_with(
        attend=lambda q, k, v, mask: weighed(q, k[:, -64:], v[:, -64:], mask[:, -64:])
    ),
}
