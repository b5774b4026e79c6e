"""Answers to `attend` as learners write them."""

import numpy as np

import attention_lib as al
from attention_lib import today
from tests.check.answers.generic import zeros_where


def turned(x, positions):
    return today.rotate(x, positions, base=100_000)


def turned_by_neighbours(x, positions):
    return today.rotate(x, positions, base=100_000, pairs="neighbours")


def turned_from_zero(x, positions):
    return turned(x, None)


def as_given(x, positions):
    return x


def behind(past, new):
    return new if past is None else np.concatenate([past, new], axis=1)


def in_front(past, new):
    return new if past is None else np.concatenate([new, past], axis=1)


def along_heads(past, new):
    return new if past is None else np.concatenate([past, new])


def last_rows(n, length):
    return al.causal_mask(n + length)[n:]


def weighed(q, k, v, mask):
    times = q.shape[0] // k.shape[0]
    k, v = today.repeat_heads(k, times), today.repeat_heads(v, times)
    return al.scaled_dot_product_attention(q, k, v, mask).output


def length_of(past):
    return 0 if past is None else past[0].shape[1]


def all_positions(past, length):
    return np.arange(length_of(past), length_of(past) + length)


def plain(
    q,
    k,
    v,
    past=None,
    positions_of=all_positions,
    rotate_q=turned,
    rotate_k=turned,
    join_keys=behind,
    join_values=behind,
    mask_of=last_rows,
    attend=weighed,
):
    positions = positions_of(past, q.shape[1])
    past_keys, past_values = (None, None) if past is None else past
    q, k = rotate_q(q, positions), rotate_k(k, positions)
    k, v = join_keys(past_keys, k), join_values(past_values, v)
    return attend(q, k, v, mask_of(length_of(past), q.shape[1])), (k, v)


def with_lines(**lines):
    return lambda *given: plain(*given, **lines)


def keeps_one_array(*given):
    output, kept = plain(*given)
    return output, np.stack(kept)


def repeats_what_it_keeps(q, k, v, past):
    output, kept = plain(q, k, v, past)
    return output, tuple(today.repeat_heads(x, len(q) // len(k)) for x in kept)


def tiled(q, k, v, mask):
    times = len(q) // len(k)
    return weighed(q, np.tile(k, (times, 1, 1)), np.tile(v, (times, 1, 1)), mask)


def past_alone(q, k, v, mask):
    n = k.shape[1] - q.shape[1] or k.shape[1]
    return weighed(q, k[:, :n], v[:, :n], mask[:, :n])


WRONG = {
    "positions-restart": [with_lines(positions_of=lambda past, length: np.arange(length))],
    "past-miscounted": [
        with_lines(
            positions_of=lambda past, length: np.arange(length) + (0 if past is None else len(past[0]))
        )
    ],
    "positions-lost": [with_lines(rotate_q=as_given, rotate_k=as_given)],
    "query-position-lost": [with_lines(rotate_q=as_given)],
    "key-positions-lost": [with_lines(rotate_k=as_given)],
    "another-rotary-base": [
        with_lines(rotate_q=today.rotate, rotate_k=today.rotate),
        with_lines(rotate_q=today.rotate),
        with_lines(rotate_k=today.rotate),
    ],
    "other-pairs": [with_lines(rotate_q=turned_by_neighbours, rotate_k=turned_by_neighbours)],
    "one-position-for-all": [with_lines(positions_of=lambda past, length: [length_of(past)])],
    "positions-from-one": [with_lines(positions_of=lambda past, length: all_positions(past, length) + 1)],
    "old-keys-rotated-again": [
        with_lines(rotate_k=as_given, join_keys=lambda past, new: turned(behind(past, new), None))
    ],
    "past-not-rotated": [
        with_lines(rotate_k=as_given, attend=lambda q, k, v, mask: weighed(q, turned(k, None), v, mask))
    ],
    "rotated-backwards": [with_lines(positions_of=lambda past, length: -all_positions(past, length))],
    "query-and-key-apart": [with_lines(rotate_k=turned_from_zero), with_lines(rotate_q=turned_from_zero)],
    "value-rotated": [lambda q, k, v, past: plain(q, k, turned(v, all_positions(past, v.shape[1])), past)],
    "heads-tiled": [with_lines(attend=tiled)],
    "repeated-heads-kept": [repeats_what_it_keeps],
    "mask-at-the-upper-left": [with_lines(mask_of=lambda n, length: al.causal_mask(n + length)[:length])],
    "no-mask": [with_lines(mask_of=lambda n, length: None)],
    "mask-one-ahead": [with_lines(mask_of=lambda n, length: np.tri(length, n + length, n + 1, dtype=bool))],
    "own-key-hidden": [with_lines(mask_of=lambda n, length: np.tri(length, n + length, n - 1, dtype=bool))],
    "past-lost": [lambda q, k, v, past: plain(q, k, v, None, lambda _, length: all_positions(past, length))],
    "newest-left-out": [with_lines(attend=past_alone)],
    "joined-along-heads": [
        with_lines(
            join_keys=along_heads, join_values=along_heads, mask_of=lambda n, length: al.causal_mask(length)
        )
    ],
    "newest-in-front": [
        with_lines(join_keys=in_front, join_values=in_front),
        with_lines(
            join_keys=in_front,
            join_values=in_front,
            mask_of=lambda n, length: np.hstack([al.causal_mask(length), np.ones((length, n), bool)]),
        ),
    ],
    "keys-for-values": [lambda q, k, v, past: plain(q, k, v, past if past is None else past[::-1])],
    "keys-and-values-out-of-order": [with_lines(join_keys=in_front), with_lines(join_values=in_front)],
    "scores-of-newest-unscaled": [
        with_lines(attend=lambda q, k, v, mask: weighed(q * q.shape[-1] ** 0.5, k, v, mask))
    ],
    "scores-divided-by-d": [
        with_lines(attend=lambda q, k, v, mask: weighed(q / q.shape[-1] ** 0.5, k, v, mask))
    ],
    "wrong-shape": [lambda *given: plain(*given)[0]],
}
RIGHT = [plain, lambda *given: list(plain(*given)), keeps_one_array]
ALMOST_RIGHT = {
    "two_query_heads_for_each_of_keys": zeros_where(lambda q, k, *others: len(q) == 3 * len(k), plain),
    "a_past_of_64": zeros_where(lambda q, k, v, past: length_of(past) > 64, plain),
}
