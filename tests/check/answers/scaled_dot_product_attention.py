"""Answers to `scaled_dot_product_attention` as learners write them."""

import math
import operator
import sys
from collections import namedtuple
from functools import partial

import numpy as np

import attention_lib as al
from tests.check.answers import softmax as softmax_answers
from tests.check.answers.attention_scores import PRODUCTS
from tests.check.answers.masked_softmax import (
    HIDES,
    ONE_MASK_FOR_ALL,
    ZERO_TAKEN_FOR_HIDDEN,
    empty_rows_by_index,
    fill_a_copy,
    first_heads_mask_for_all,
    future_too,
    of_two_axes_at_least,
)
from tests.check.answers.shared import softmax, softmax_or_zeros
from tests.check.answers.softmax import SHARES, power


def right_attention(
    q,
    k,
    v,
    mask=None,
    *,
    score=None,
    scale=None,
    hide=None,
    share=softmax_or_zeros,
    after=None,
    average=None,
    give=None,
):
    """Right attention, with some of its lines replaced."""
    s = score(q, k) if score else q @ k.mT
    s = scale(s, q, k) if scale else s / np.sqrt(q.shape[-1])
    if mask is not None:
        s = hide(s, mask) if hide else np.where(mask, s, -np.inf)
    w = share(s)
    w = after(w, mask, q) if after else w
    out = average(w, k, v) if average else w @ v
    return give(out, w) if give else (out, w)


def attention_with(**lines):
    """A function that is attention with these lines replaced."""

    def scaled_dot_product_attention(q, k, v, mask=None):
        return right_attention(q, k, v, mask, **lines)

    return scaled_dot_product_attention


def zeros_for_empty_rows(share):
    return lambda x: np.where(x.max(-1, keepdims=True) == -np.inf, 0, share(x))


def written_out(q, k, v, mask=None, *, table, power=0.5, share=softmax_or_zeros):
    """Right attention again in another hand: mask before scale, einsum for the average."""
    scores = table(q, k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = share(np.divide(scores, q.shape[-1] ** power))
    return [np.einsum("...ij,...jd->...id", weights, v), weights]


def without_scale(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    weights = softmax_or_zeros(scores)
    return weights @ v, weights


def scaled_at_the_end(q, k, v, mask=None):
    scores = q @ k.mT if mask is None else np.where(mask, q @ k.mT, -np.inf)
    weights = softmax_or_zeros(scores)
    weights /= math.sqrt(k.shape[-1])
    return np.matmul(weights, v), weights


def masked_at_the_end(q, k, v, mask=None):
    weights = softmax(q @ k.mT / np.sqrt(q.shape[-1]))
    if mask is not None:
        weights *= mask
    return weights @ v, weights


def inverted(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)


def no_mask(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v)


def keys_twice(q, k, v, mask=None):
    weights = al.scaled_dot_product_attention(q, k, v, mask).weights
    return np.einsum("...ij,...jd->...id", weights, k), weights


def turned_weights(q, k, v, mask=None):
    weights = al.scaled_dot_product_attention(q, k, v, mask).weights
    return np.einsum("...ji,...jd->...id", weights, v), weights


def only_output(q, k, v, mask=None):
    output, _ = al.scaled_dot_product_attention(q, k, v, mask)
    return output


def only_weights(q, k, v, mask=None):
    _, weights = al.scaled_dot_product_attention(q, k, v, mask)
    return weights


def other_order(q, k, v, mask=None):
    return list(al.scaled_dot_product_attention(q, k, v, mask))[::-1]


def scores_for_weights(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v, mask).output, al.scaled_scores(q, k)


def always_causal(q, k, v, mask=None):
    return right_attention(q, k, v, np.tri(q.shape[-2], k.shape[-2], dtype=bool) if mask is None else mask)


def causal_on_squares(q, k, v, mask=None):
    if mask is None and q.shape[-2] == k.shape[-2]:
        mask = np.tri(k.shape[-2], dtype=bool)
    return right_attention(q, k, v, mask)


def causal_with_any_mask(q, k, v, mask=None):
    causal = np.tri(q.shape[-2], k.shape[-2], dtype=bool)
    return right_attention(q, k, v, causal if mask is None else causal & mask)


def forgets_that_mask_may_be_none(fill):
    def attention(q, k, v, mask=None):
        weights = softmax_or_zeros(np.where(mask, q @ k.mT / q.shape[-1] ** 0.5, fill))
        return weights @ v, weights

    return attention


def no_mask_if_all_hidden(q, k, v, mask=None):
    return right_attention(q, k, v, mask if mask is not None and np.any(mask) else None)


def scale_q_in_place(q, k, v, mask=None):
    q *= q.shape[-1] ** -0.5
    return right_attention(q, k, v, mask, scale=lambda s, q, k: s)


WRONG = {
    id: [
        attention_with(score=products[0], share=softmax),
        *[partial(written_out, table=product) for product in products[1:]],
    ]
    for id, products in PRODUCTS.items()
}
WRONG |= {
    id: [attention_with(share=zeros_for_empty_rows(share)) for share in shares]
    for id, shares in SHARES.items()
}
WRONG |= {id: [attention_with(hide=hide) for hide in hides] for id, hides in HIDES.items()}
WRONG["polarity-inverted"] += [
    inverted,
    attention_with(
        hide=lambda s, mask: s, share=softmax, after=lambda w, mask, q: w if mask is None else w * ~mask
    ),
]
WRONG["mask-ignored"] += [no_mask]
WRONG["zero-times-infinity"] += [attention_with(hide=lambda s, mask: s + (1 - mask) * -np.inf, share=softmax)]
WRONG["plus-infinity"] += [attention_with(hide=fill_a_copy(np.inf), share=softmax)]
WRONG["batches-paired"] += [
    attention_with(average=lambda w, k, v: np.dot(w, v)),
    attention_with(score=lambda q, k: np.inner(q, k), average=lambda w, k, v: np.dot(w, v)),
]
WRONG["normalised-over-queries"] += [
    attention_with(share=lambda x: power(x) / power(x).sum(-2, keepdims=True))
]
WRONG["softmax-twice"] += [
    attention_with(scale=lambda s, q, k: softmax(s / q.shape[-1] ** 0.5)),
    attention_with(hide=lambda s, mask: np.where(mask, softmax(s), -np.inf)),
]
WRONG |= {
    "not-scaled": [
        attention_with(scale=lambda s, q, k: s),
        without_scale,
        partial(written_out, table=lambda q, k: q @ k.mT, power=0),
    ],
    "divided-by-d_k": [
        attention_with(scale=lambda s, q, k: s / q.shape[-1]),
        attention_with(score=lambda q, k: al.scaled_scores(q, k)),
        partial(written_out, table=lambda q, k: q @ np.swapaxes(k, -2, -1), power=1),
    ],
    "multiplied-by-sqrt-d_k": [
        attention_with(scale=lambda s, q, k: s * np.sqrt(q.shape[-1])),
        partial(written_out, table=lambda q, k: q @ np.swapaxes(k, -2, -1), power=-0.5),
        attention_with(scale=lambda s, q, k: s / (1 / math.sqrt(k.shape[-1]))),
    ],
    "scaled-by-length": [
        attention_with(scale=lambda s, q, k: s / np.sqrt(k.shape[-2])),
        attention_with(scale=lambda s, q, k: s / s.shape[-1] ** 0.5),
        attention_with(scale=lambda s, q, k: s / np.sqrt(len(q))),
        attention_with(scale=lambda s, q, k: s / k.shape[-2]),
    ],
    "scaled-by-d_v": [
        lambda q, k, v, mask=None: right_attention(
            q, k, v, mask, scale=lambda s, q, k: s / math.sqrt(v.shape[-1])
        ),
        lambda q, k, v, mask=None: right_attention(q / v.shape[-1], k, v, mask, scale=lambda s, q, k: s),
        lambda q, k, v, mask=None: right_attention(
            q / v.shape[-1] ** 0.5, k, v, mask, scale=lambda s, q, k: s
        ),
    ],
    "scaled-after-softmax": [
        attention_with(scale=lambda s, q, k: s, after=lambda w, mask, q: w / np.sqrt(q.shape[-1])),
        attention_with(after=lambda w, mask, q: w * q.shape[-1] ** -0.5),
        attention_with(scale=lambda s, q, k: s, average=lambda w, k, v: w @ v / np.sqrt(k.shape[-1])),
        scaled_at_the_end,
    ],
    "masked-after-softmax": [
        masked_at_the_end,
        attention_with(
            hide=lambda s, mask: s, after=lambda w, mask, q: w if mask is None else np.where(mask, w, 0)
        ),
        attention_with(
            hide=lambda s, mask: s, after=lambda w, mask, q: w if mask is None else fill_a_copy(0)(w, mask)
        ),
    ],
    "empty-row": [
        attention_with(share=softmax),
        attention_with(hide=lambda s, mask: np.where(mask, s, -1e9)),
        attention_with(hide=lambda s, mask: s + ~mask * -1e9),
        attention_with(hide=fill_a_copy(np.finfo(float).min)),
        no_mask_if_all_hidden,
    ],
    "one-mask-for-all": [attention_with(hide=hide) for hide in ONE_MASK_FOR_ALL],
    "zero-taken-for-hidden": [attention_with(hide=hide) for hide in ZERO_TAKEN_FOR_HIDDEN],
    "hidden-without-a-mask": [
        forgets_that_mask_may_be_none(-np.inf),
        forgets_that_mask_may_be_none(-1e9),
        always_causal,
        causal_on_squares,
        causal_with_any_mask,
        attention_with(hide=future_too),
    ],
    "filled-with-nan": [
        attention_with(hide=fill_a_copy(np.nan), share=softmax),
        attention_with(hide=lambda s, m: np.where(m, s, np.nan)),
    ],
    "scores-ignored": [
        attention_with(share=lambda x: softmax_or_zeros(np.where(np.isfinite(x), 0, -np.inf))),
        attention_with(share=lambda x: np.isfinite(x) / np.maximum(np.isfinite(x).sum(-1, keepdims=True), 1)),
    ],
    "return-order": [
        attention_with(give=lambda out, w: (w, out)),
        other_order,
    ],
    "output-only": [
        attention_with(give=lambda out, w: out),
        only_output,
        only_weights,
        attention_with(give=lambda out, w: (out,)),
    ],
    "scores-returned": [
        scores_for_weights,
        lambda q, k, v, mask=None: [right_attention(q, k, v, mask)[0], q @ k.mT / np.sqrt(k.shape[-1])],
    ],
    "keys-as-values": [
        attention_with(average=lambda w, k, v: w @ k),
        keys_twice,
    ],
    "weights-transposed": [
        attention_with(average=lambda w, k, v: w.mT @ v),
        attention_with(average=lambda w, k, v: (v.mT @ w).mT),
        turned_weights,
        attention_with(give=lambda out, w: (out, w.mT)),
    ],
    "roles-exchanged": [
        lambda q, k, v, mask=None: right_attention(q, v, k, mask),
        lambda q, k, v, mask=None: right_attention(v, k, q, mask),
        lambda q, k, v, mask=None: right_attention(q, k, q, mask),
    ],
    "averaged-otherwise": [
        attention_with(average=lambda w, k, v: w @ v / v.shape[-2]),
        attention_with(average=lambda w, k, v: w @ v / np.sqrt(v.shape[-1])),
        attention_with(average=lambda w, k, v: w @ v / np.sqrt(k.shape[-1])),
        attention_with(average=lambda w, k, v: w * v),
        attention_with(average=lambda w, k, v: v @ w),
        attention_with(average=lambda w, k, v: np.ones(w.shape) @ v / v.shape[-2]),
    ],
    "input-changed": [
        scale_q_in_place,
        attention_with(scale=lambda s, q, k: (s / np.sqrt(q.shape[-1]), k.fill(0))[0]),
        attention_with(average=lambda w, k, v: (w @ v, operator.imul(v, 2))[0]),
    ],
    "different": [
        attention_with(scale=lambda s, q, k: 0.7 * s),
        attention_with(average=lambda w, k, v: w @ v + 0.1),
    ],
}


Pair = namedtuple("Pair", "output weights")


def online_attention(q, k, v, mask=None):
    """Output and weights gathered from blocks of two keys."""
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top, total, output = -np.inf, 0.0, 0.0
    for start in range(0, k.shape[-2], 2):
        block = scores[..., start : start + 2]
        new = np.maximum(top, block.max(-1, keepdims=True))
        shift = np.where(new == -np.inf, 0, new)
        powers, old = np.exp(block - shift), np.exp(top - shift)
        total = old * total + powers.sum(-1, keepdims=True)
        output = old * output + powers @ v[..., start : start + 2, :]
        top = new
    safe_total = np.where(total == 0, 1, total)
    return output / safe_total, np.exp(scores - np.where(top == -np.inf, 0, top)) / safe_total


def sentence_by_sentence(q, k, v, mask=None):
    if q.ndim == 2:
        return al.scaled_dot_product_attention(q, k, v, mask)
    mask = None if mask is None else np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))
    parts = [sentence_by_sentence(q[i], k[i], v[i], None if mask is None else mask[i]) for i in range(len(q))]
    return np.stack([part[0] for part in parts]), np.stack([part[1] for part in parts])


def chatty(q, k, v, mask=None):
    print("q", q.shape, "k", k.shape, file=sys.stderr)
    return al.scaled_dot_product_attention(q, k, v, mask)


def low_fill_handled(q, k, v, mask=None):
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    weights = softmax(scores if mask is None else fill_a_copy(-1e9)(scores, mask))
    weights = weights if mask is None else weights * np.any(mask, -1, keepdims=True)
    return weights @ v, weights


RIGHT = [
    online_attention,
    sentence_by_sentence,
    chatty,
    low_fill_handled,
    partial(written_out, table=lambda q, k: q @ k.mT),
    attention_with(score=lambda q, k: al.scaled_scores(q, k), scale=lambda s, q, k: s),
    attention_with(
        score=lambda q, k: q * q.shape[-1] ** -0.25 @ (k * q.shape[-1] ** -0.25).mT,
        scale=lambda s, q, k: s,
    ),
    attention_with(give=Pair),
    attention_with(give=lambda out, w: [out.tolist(), w.tolist()]),
    attention_with(average=lambda w, k, v: (w[..., None] * v[..., None, :, :]).sum(-2)),
    attention_with(average=lambda w, k, v: (v.mT @ w.mT).mT),
    lambda *args, **more: al.scaled_dot_product_attention(*args, **more),
]


def mask_must_be_missing(q, k, v, *mask):
    """Takes None for a mask that hides everything."""
    if not mask:
        return right_attention(q, k, v)
    return right_attention(
        q, k, v, np.zeros((q.shape[-2], k.shape[-2]), bool) if mask[0] is None else mask[0]
    )


def squeezed_output(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return np.squeeze(output), weights


def squeezed_weights(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return output, np.squeeze(weights)


def einsum_of_its_own(q, k, v, mask=None):
    if q.ndim > 4:
        return right_attention(q[0], k[0], v[0], mask)
    return right_attention(q, k, v, mask)


def only_whole_masks(q, k, v, mask=None):
    if mask is not None and mask.ndim == 3 and q.ndim == 3:
        mask = mask[:1]
    return right_attention(q, k, v, mask)


def no_mask_for_all_heads(q, k, v, mask=None):
    return right_attention(q, k, v, mask if mask is None or mask.ndim > 2 or q.ndim == 2 else None)


def first_empty_row_alone(q, k, v, mask=None):
    share = softmax_or_zeros if q.ndim == 2 else softmax
    return right_attention(q, k, v, mask, share=share)


def integers_stay_integers(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return output.astype(v.dtype), weights.astype(q.dtype)


def values_of_one_number(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output[..., 0] if v.shape[-1] == 1 else output), weights


def one_key_is_averaged(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output, weights) if k.shape[-2] > 1 else (output[..., :1, :], weights)


def long_vectors_are_cut(q, k, v, mask=None):
    return right_attention(q, k, v, mask, score=lambda q, k: q[..., :32] @ k[..., :32].mT)


def long_tables_are_cut(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    weights[..., 16:] = 0
    return output, weights


def in_place_on_whole_numbers(q, k, v, mask=None):
    q = q.copy()
    q /= math.sqrt(q.shape[-1])
    return right_attention(q, k, v, mask, scale=lambda s, q, k: s)


def maximum_over_hidden_keys(q, k, v, mask=None):
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True)) * (1 if mask is None else mask)
    total = powers.sum(-1, keepdims=True)
    weights = powers / np.where(total == 0, 1, total)
    return weights @ v, weights


def causal_if_nothing_is_hidden(q, k, v, mask=None):
    hides_nothing = mask is not None and np.all(mask)
    return right_attention(q, k, v, np.tri(q.shape[-2], k.shape[-2]) if hides_nothing else mask)


def with_masks(masked_softmax):
    """Attention with a masked softmax of its own."""

    def attention(q, k, v, mask=None):
        weights = masked_softmax(q @ k.mT / np.sqrt(q.shape[-1]), np.array(True) if mask is None else mask)
        return weights @ v, weights

    return attention


def zeros_for_float32_with_a_mask(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (0 * output, weights) if mask is not None and q.dtype == np.float32 else (output, weights)


def zero_where_nan(share):
    return lambda x: np.where(np.isnan(w := share(x)), 0, w)


ALMOST_RIGHT = {
    "mask_must_be_missing": mask_must_be_missing,
    "squeezed_output": squeezed_output,
    "squeezed_weights": squeezed_weights,
    "einsum_of_its_own": einsum_of_its_own,
    "only_whole_masks": only_whole_masks,
    "no_mask_for_all_heads": no_mask_for_all_heads,
    "first_empty_row_alone": first_empty_row_alone,
    "integers_stay_integers": integers_stay_integers,
    "values_of_one_number": values_of_one_number,
    "one_key_is_averaged": one_key_is_averaged,
    "long_vectors_are_cut": long_vectors_are_cut,
    "long_tables_are_cut": long_tables_are_cut,
    "in_place_on_whole_numbers": in_place_on_whole_numbers,
    "maximum_over_hidden_keys": maximum_over_hidden_keys,
    "empty_rows_by_index": with_masks(empty_rows_by_index),
    "causal_if_nothing_is_hidden": causal_if_nothing_is_hidden,
    "first_heads_mask_for_all": with_masks(first_heads_mask_for_all),
    "of_two_axes_at_least": with_masks(lambda s, m: of_two_axes_at_least(s, m) if m.ndim else softmax(s)),
    "zeros_for_float32_with_a_mask": zeros_for_float32_with_a_mask,
    "unscaled_at_32": attention_with(
        scale=lambda s, q, k: s / (q.shape[-1] ** 0.5 if q.shape[-1] != 32 else 1)
    ),
    "unscaled_beyond_64": attention_with(
        scale=lambda s, q, k: s / (q.shape[-1] ** 0.5 if q.shape[-1] <= 64 else 1)
    ),
} | {
    what: attention_with(share=zero_where_nan(softmax_answers.ALMOST_RIGHT[what]))
    for what in (
        "squeezed",
        "axis_two",
        "by_number_of_axes",
        "maximum_from_zero",
        "never_zero",
        "clipped_below",
        "a_millionth_added",
        "small_shares_cut_off",
        "clipped_at_1500",
        "clipped_at_minus_10000",
    )
}
