"""Answers that are right almost everywhere. None may pass: each breaks what its statement demands."""

import math

import numpy as np
import pytest

import attention_lib as al
from attention_lib.check import EXERCISES
from tests.check import layer_answers
from tests.check.answers import ATTENTION, DEAR, heads, judged, masking, safe, softmax, with_lines

TRICKY = dict(layer_answers.TRICKY)


def tricky(*names):
    """Adds an answer to the table, under its own name."""

    def add(function):
        for name in names:
            assert (name, function.__name__) not in TRICKY
            TRICKY[name, function.__name__] = function
        return function

    return add


def add_lambdas(name, **functions):
    TRICKY.update({(name, what): function for what, function in functions.items()})


SCORES = {"attention_scores": lambda s, q: s, "scaled_scores": lambda s, q: s / np.sqrt(q.shape[-1])}


def einsum_up_to_four(q, k):
    letters = {2: "id,jd->ij", 3: "bid,bjd->bij", 4: "bhid,bhjd->bhij"}[q.ndim]
    return np.einsum(letters, q, k)


def unrolled(q, k):
    """Five products, however long the vectors are."""
    return sum(q[..., :, None, i] * k[..., None, :, i] for i in range(min(5, q.shape[-1])))


def one_table_for_all(q, k):
    first = q.reshape(-1, *q.shape[-2:])[0] @ k.reshape(-1, *k.shape[-2:])[0].T
    return np.broadcast_to(first, (*q.shape[:-1], k.shape[-2])) if q.ndim > 4 else q @ k.mT


def into_the_type_of_q(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]), dtype=q.dtype)
    scores[...] = q @ k.mT / np.sqrt(q.shape[-1])
    return scores


for exercise, end in SCORES.items():
    add_lambdas(
        exercise,
        einsum_up_to_four=lambda q, k, end=end: end(einsum_up_to_four(q, k), q),
        squeezed=lambda q, k, end=end: np.squeeze(end(q @ k.mT, q)),
        squeezed_in_front=lambda q, k, end=end: end((q @ k.mT)[0] if len(q) == 1 else q @ k.mT, q),
        flat_for_one_query=lambda q, k, end=end: end((q @ k.mT).ravel() if q.shape[-2] == 1 else q @ k.mT, q),
        flat_for_one_key=lambda q, k, end=end: end((q @ k.mT)[..., 0] if k.shape[-2] == 1 else q @ k.mT, q),
        unrolled=lambda q, k, end=end: end(unrolled(q, k), q),
        one_table_for_all=lambda q, k, end=end: end(one_table_for_all(q, k), q),
        transposed_by_number=lambda q, k, end=end: end(
            q @ (k.T if k.ndim == 2 else k.transpose(0, 2, 1) if k.ndim == 3 else k.transpose(0, 1, 3, 2)), q
        ),
        one_digit_too_few=lambda q, k, end=end: end(np.round(q @ k.mT, 4) + 1e-4 * (q.shape[-1] == 40), q),
    )
add_lambdas(
    "scaled_scores",
    into_the_type_of_q=into_the_type_of_q,
    divided_in_place=lambda q, k: np.divide(s := q @ k.mT, np.sqrt(q.shape[-1]), out=s),
    root_of_a_table=lambda q, k: q @ k.mT / [1, 1, 2**0.5, 3**0.5, 2, 5**0.5, 6**0.5][min(q.shape[-1], 6)],
)
add_lambdas(
    "dot_product",
    four_products=lambda a, b: sum(a[i] * b[i] for i in range(min(4, len(a)))),
    two_decimals=lambda a, b: round(float(a @ b), 2),
    of_the_first_ten=lambda a, b: a[:10] @ b[:10],
    in_eight_bits=lambda a, b: a.astype(np.int8) @ b.astype(np.int8) if a.dtype == int else round(a @ b, 3),
    one_decimal_each=lambda a, b: np.round(a, 1) @ np.round(b, 1),
    never_above_ten=lambda a, b: min(float(a @ b), 10.0) if len(a) < 9 else float(a @ b) // 1,
)


# Softmax


def shares(top=None, total=None):
    def share(x):
        e = np.exp(x - (top(x) if top else x.max(-1, keepdims=True)))
        return e / (total(e) if total else e.sum(-1, keepdims=True))

    return share


def axis_two(x):
    axis = 2 if x.ndim > 2 else -1
    return softmax(x, axis)


def by_number_of_axes(x):
    return softmax(x, {1: 0, 2: 1, 3: 2}.get(x.ndim, 1))


SHARES = {
    "squeezed": lambda x: np.squeeze(softmax(x)),
    "axis_two": axis_two,
    "by_number_of_axes": by_number_of_axes,
    "minus_700": lambda x: (
        softmax(x) if x.max() > 0 else np.exp(x - 700) / np.exp(x - 700).sum(-1)[..., None]
    ),
    "maximum_from_zero": shares(top=lambda x: x.max(-1, keepdims=True, initial=0)),
    "clipped": lambda x: softmax(np.clip(x, -500, 500)),
    "clipped_below": lambda x: softmax(np.maximum(x, -1000)),
    "one_maximum_a_table": shares(top=lambda x: x.max((-1, -2), keepdims=True) if x.ndim > 1 else x.max()),
    "never_zero": shares(total=lambda e: e.sum(-1, keepdims=True) + 1e-4),
    "first_of_four_axes": lambda x: softmax(x) if x.ndim < 4 else softmax(x, 1),
    "one_key_is_no_key": lambda x: softmax(x) if x.shape[-1] > 1 else np.zeros(x.shape),
    "first_sentence_of_one": lambda x: softmax(x)[0] if x.ndim == 3 and len(x) == 1 else softmax(x),
}
for what, share in SHARES.items():
    TRICKY["softmax", what] = share


def hidden_with(share):
    """The same, with hidden scores at -inf and empty rows seen to."""

    def masked_softmax(scores, mask):
        hidden = np.where(mask, scores, -np.inf)
        some = np.any(np.broadcast_to(mask, scores.shape), -1, keepdims=True)
        hidden = np.where(some, hidden, 0.0)
        w = share(hidden)
        some = some if w.shape == hidden.shape else True
        return np.where(some, w, 0)

    return masked_softmax


for what, share in SHARES.items():
    if what not in ("clipped", "clipped_below", "minus_700"):
        TRICKY["masked_softmax", what] = hidden_with(share)


def mask_as_index(scores, mask):
    if np.shape(mask) != scores.shape:
        mask = np.broadcast_to(mask, scores.shape[-2:])
        mask = np.broadcast_to(mask, scores.shape)
    return safe(np.where(mask, scores, -np.inf))


def only_full_masks(scores, mask):
    return masking()(scores, mask) if mask.ndim in (2, 4) else softmax(scores)


def empty_only_in_tables(scores, mask):
    if scores.ndim == 2:
        return masking()(scores, mask)
    return softmax(np.where(mask, scores, -np.inf))


def first_mask_for_all(scores, mask):
    return masking()(scores, mask if mask.ndim < 3 or mask.ndim == 4 else mask[:1])


def handles_empty_tables_alone(scores, mask):
    w = softmax(np.where(mask, scores, -1e30))
    return w * np.any(mask) if np.ndim(mask) > 2 else np.where(mask.any(-1, keepdims=True), w, 0)


def of_forty_keys(scores, mask):
    """Masks longer than 32 keys are cut."""
    mask = np.array(np.broadcast_to(mask, scores.shape))
    mask[..., 32:] = True
    return masking()(scores, mask)


add_lambdas(
    "masked_softmax",
    mask_as_index=mask_as_index,
    only_full_masks=only_full_masks,
    empty_only_in_tables=empty_only_in_tables,
    first_mask_for_all=first_mask_for_all,
    handles_empty_tables_alone=handles_empty_tables_alone,
    of_forty_keys=of_forty_keys,
    low_maximum=masking(share=lambda x: safe(np.maximum(x, -1e5))),
    max_over_all_keys=lambda s, m: (
        (e := np.exp(s - s.max(-1, keepdims=True)) * m) / np.where((t := e.sum(-1, keepdims=True)) == 0, 1, t)
    ),
    the_librarys=lambda s, m: al.softmax(np.where(m, s, -np.inf)),
    the_librarys_too=lambda s, m: al.masked_softmax(s, m),
    the_librarys_in_a_wrapper=lambda s, m: np.asarray(al.masked_softmax(np.array(s), np.array(m)).tolist()),
    tiny_leak=lambda s, m: np.where(m, masking()(s, m), 1e-6 * (np.any(m, -1, keepdims=True))),
)


# Attention


def wants(share=safe, score=None):
    return with_lines(share=share, **({"score": score} if score else {}))


def mask_must_be_missing(q, k, v, *mask):
    """Takes None for a mask that hides everything."""
    if not mask:
        return heads(q, k, v)
    return heads(q, k, v, np.zeros((q.shape[-2], k.shape[-2]), bool) if mask[0] is None else mask[0])


def squeezed_output(q, k, v, mask=None):
    output, weights = heads(q, k, v, mask)
    return np.squeeze(output), weights


def squeezed_weights(q, k, v, mask=None):
    output, weights = heads(q, k, v, mask)
    return output, np.squeeze(weights)


def einsum_of_its_own(q, k, v, mask=None):
    if q.ndim > 4:
        return heads(q[0], k[0], v[0], mask)
    return heads(q, k, v, mask)


def only_whole_masks(q, k, v, mask=None):
    if mask is not None and mask.ndim == 3 and q.ndim == 3:
        mask = mask[:1]
    return heads(q, k, v, mask)


def no_mask_for_all_heads(q, k, v, mask=None):
    return heads(q, k, v, mask if mask is None or mask.ndim > 2 or q.ndim == 2 else None)


def first_empty_row_alone(q, k, v, mask=None):
    share = safe if q.ndim == 2 else softmax
    return heads(q, k, v, mask, share=share)


def integers_stay_integers(q, k, v, mask=None):
    output, weights = heads(q, k, v, mask)
    return output.astype(v.dtype), weights.astype(q.dtype)


def values_of_one_number(q, k, v, mask=None):
    output, weights = heads(q, k, v, mask)
    return (output[..., 0] if v.shape[-1] == 1 else output), weights


def one_key_is_averaged(q, k, v, mask=None):
    output, weights = heads(q, k, v, mask)
    return (output, weights) if k.shape[-2] > 1 else (output[..., :1, :], weights)


def long_vectors_are_cut(q, k, v, mask=None):
    return heads(q, k, v, mask, score=lambda q, k: q[..., :32] @ k[..., :32].mT)


def long_tables_are_cut(q, k, v, mask=None):
    output, weights = heads(q, k, v, mask)
    weights[..., 16:] = 0
    return output, weights


def in_place_on_whole_numbers(q, k, v, mask=None):
    q = q.copy()
    q /= math.sqrt(q.shape[-1])
    return heads(q, k, v, mask, scale=lambda s, q, k: s)


@tricky("masked_softmax")
def next_to_nothing(scores, mask):
    """Hidden keys get 1e-11 where exactly 0 was asked for."""
    mask = np.broadcast_to(mask, scores.shape)
    lowest = np.min(scores, where=mask, initial=0.0)
    return safe(np.where(mask, scores, lowest - 25.0)) * mask.any(axis=-1, keepdims=True)


for function in (
    mask_must_be_missing,
    squeezed_output,
    squeezed_weights,
    einsum_of_its_own,
    only_whole_masks,
    no_mask_for_all_heads,
    first_empty_row_alone,
    integers_stay_integers,
    values_of_one_number,
    one_key_is_averaged,
    long_vectors_are_cut,
    long_tables_are_cut,
    in_place_on_whole_numbers,
):
    tricky(ATTENTION)(function)
for what in ("squeezed", "axis_two", "by_number_of_axes", "maximum_from_zero", "never_zero", "clipped_below"):
    TRICKY[ATTENTION, what] = with_lines(
        share=lambda x, share=SHARES[what]: np.where(np.isnan(w := share(x)), 0, w)
    )


# Masks and heads

add_lambdas(
    "causal_mask",
    up_to_eight=lambda n: np.tri(n, dtype=bool) | (np.arange(n) >= 8)[:, None],
    window_of_ten=lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-10, dtype=bool),
    squeezed=lambda n: np.squeeze(np.tri(n, dtype=bool)),
    empty_for_one=lambda n: np.tri(n, dtype=bool) if n > 1 else np.array([[False]]),
)
add_lambdas(
    "padding_mask",
    squeezed=lambda lengths, n: np.squeeze(np.arange(n) < lengths[:, None, None]),
    no_axis_for_one=lambda lengths, n: (
        np.arange(n) < (lengths[:, None, None] if len(lengths) > 1 else lengths[:, None])
    ),
    at_least_one=lambda lengths, n: np.arange(n) < np.maximum(lengths, 1)[:, None, None],
    ten_at_most=lambda lengths, n: np.arange(n) < np.minimum(lengths, 10)[:, None, None],
    as_long_as_the_longest=lambda lengths, n: np.arange(max(lengths)) < lengths[:, None, None],
    square_is_a_table=lambda lengths, n: (
        np.arange(n)
        < (lengths[:, None, None] if len(lengths) != n else lengths[:, None] * np.ones((1, 1, 1)))
    ),
)


def cut_up_to_three_axes(x, n):
    if x.ndim == 2:
        return np.array(np.split(x, n, -1))
    return np.array([np.split(y, n, -1) for y in x])


def swap_one_and_two(x, n):
    x = x.reshape(*x.shape[:-1], n, -1)
    return x.swapaxes(0, 1) if x.ndim == 3 else x.swapaxes(1, 2)


def glue_up_to_four_axes(x):
    if x.ndim == 3:
        return np.concatenate(list(x), -1)
    return np.array([np.concatenate(list(y), -1) for y in x])


def glue_one_and_two(x):
    y = x.swapaxes(0, 1) if x.ndim == 3 else x.swapaxes(1, 2)
    return y.reshape(*y.shape[:-2], -1)


add_lambdas(
    "split_heads",
    cut_up_to_three_axes=cut_up_to_three_axes,
    swap_one_and_two=swap_one_and_two,
    squeezed=lambda x, n: np.squeeze(al.split_heads(x, n)),
    no_axis_for_one_head=lambda x, n: al.split_heads(x, n) if n > 1 else x,
    one_sentence_less=lambda x, n: al.split_heads(x[0] if x.ndim == 3 and len(x) == 1 else x, n),
)
add_lambdas(
    "merge_heads",
    glue_up_to_four_axes=glue_up_to_four_axes,
    glue_one_and_two=glue_one_and_two,
    squeezed=lambda x: np.squeeze(al.merge_heads(x)),
    one_token_is_flat=lambda x: al.merge_heads(x)[..., 0, :] if x.shape[-2] == 1 else al.merge_heads(x),
)


def loop_into_zeros(scores, mask=True):
    shares = np.zeros_like(scores)
    mask = np.broadcast_to(mask, scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        if mask[row].any():
            powers = np.exp(scores[row] - scores[row][mask[row]].max()) * mask[row]
            shares[row] = powers / powers.sum()
    return shares


def positions(dtype):
    return lambda n: np.arange(n).astype(dtype)[:, None] >= np.arange(n).astype(dtype)


add_lambdas("softmax", loop_into_zeros=loop_into_zeros)
add_lambdas("masked_softmax", loop_into_zeros=lambda s, m: loop_into_zeros(np.where(m, s, s.min()), m))
add_lambdas("causal_mask", in_eight_bits=positions(np.int8), in_eight_bits_unsigned=positions(np.uint8))


# By default a third of those whose verdicts take long.
SOME_SLOW = [
    pytest.param(*key, marks=pytest.mark.slow if key[0] in DEAR and i % 3 else ())
    for i, key in enumerate(sorted(TRICKY))
]


def test_there_are_enough_of_them():
    assert len(TRICKY) >= 60
    missing = set(EXERCISES) - {name for name, _ in TRICKY}
    assert not missing, f"which answers to {missing} are right almost everywhere?"


@pytest.mark.parametrize("name, what", SOME_SLOW)
def test_tricky_answer_does_not_pass(name, what):
    verdict = judged(name, TRICKY[name, what])
    assert not verdict.passed and verdict.mistake != "not-started"
    assert "has no name for" not in verdict.message, verdict.message
