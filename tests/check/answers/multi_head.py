"""Answers to `multi_head` as learners write them."""

import operator

import numpy as np

import attention_lib as al
from tests.check.answers.project import (
    in_turns,
    in_turns_by_reshape,
    left_as_they_are,
    project,
    reshaped,
    reshaped_in_a_loop,
    split,
    turned,
    turned_by_einsum,
)
from tests.check.answers.shared import softmax


def merge(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)


def scaled(q, k):
    return q @ k.mT / q.shape[-1] ** 0.5


def affine(x, w, b):
    return x @ w + b


def multi_head_with(
    project=affine,
    of="qkv",
    split=split,
    score=scaled,
    share=softmax,
    average=None,
    merge=merge,
    send=affine,
    give=None,
):
    """Right multi_head, with some of its lines replaced; `of` says which of q, k and v `project` makes."""

    def multi_head(x, tables, n_heads):
        made = {}
        for name in "qkv":
            line = project if name in of else affine
            made[name] = split(line(x, tables["w_" + name], tables["b_" + name]), n_heads)
        weights = share(score(made["q"], made["k"]))
        output = average(weights, made["k"], made["v"]) if average else weights @ made["v"]
        added = send(merge(output), tables["w_o"], tables["b_o"])
        return give(added, x) if give else added

    return multi_head


multi_head = multi_head_with()


def head_by_head(x, tables, n_heads, table=lambda w: w, bias=lambda b: b, of="qkv", scale=None, unite=None):
    """One head after the other, cut out of the long tables by its columns."""
    outputs = []
    for h in range(n_heads):
        small = {}
        for name in "qkv":
            w, b = tables["w_" + name], tables["b_" + name]
            w, b = (table(w), bias(b)) if name in of else (w, b)
            d = w.shape[1] // n_heads
            small[name] = x @ w[:, h * d : (h + 1) * d] + b[h * d : (h + 1) * d]
        d_k = small["q"].shape[-1]
        scores = np.einsum("...id,...jd->...ij", small["q"], small["k"])
        outputs.append(softmax(scores / (scale(d_k, n_heads) if scale else d_k**0.5)) @ small["v"])
    if unite:
        return unite(outputs, tables)
    return np.concatenate(outputs, axis=-1) @ tables["w_o"] + tables["b_o"]


def head_by_head_with(**lines):
    return lambda x, tables, n_heads: head_by_head(x, tables, n_heads, **lines)


def rows_of(w_o, n):
    return np.split(w_o, n, axis=0)


def summed_per_head(outputs, tables):
    added = tables["b_o"]
    for output, rows in zip(outputs, rows_of(tables["w_o"], len(outputs))):
        added = added + output @ rows
    return added


def concatenated_per_head(outputs, tables):
    return np.concatenate([o @ w for o, w in zip(outputs, rows_of(tables["w_o"], len(outputs)))], axis=-1)


def finished_per_head(outputs, tables):
    rows = rows_of(tables["w_o"], len(outputs))
    return np.concatenate([o @ w + tables["b_o"] for o, w in zip(outputs, rows)], axis=-1)


def finished_and_summed(outputs, tables):
    return sum(o @ w + tables["b_o"] for o, w in zip(outputs, rows_of(tables["w_o"], len(outputs))))


def not_summed(outputs, tables):
    rows = rows_of(tables["w_o"], len(outputs))
    return np.stack([o @ w for o, w in zip(outputs, rows)], axis=-3) + tables["b_o"]


def block_by_block(outputs, tables):
    n, w = len(outputs), tables["w_o"]
    r, c = w.shape[0] // n, w.shape[1] // n
    parts = [o @ w[h * r : h * r + r, h * c : h * c + c] for h, o in enumerate(outputs)]
    return np.concatenate(parts, -1) + tables["b_o"]


def rows_by_reshape(x, tables, n_heads):
    context = head_by_head(x, tables, n_heads, unite=lambda outputs, _: np.stack(outputs, axis=-3))
    rows = tables["w_o"].reshape(n_heads, -1, tables["w_o"].shape[1])
    parts = context @ rows
    return parts.swapaxes(-2, -3).reshape(*x.shape[:-1], -1)


def merged_alone(x, tables, n_heads):
    q, k, v = (al.split_heads(x @ tables["w_" + c] + tables["b_" + c], n_heads) for c in "qkv")
    output, _ = al.scaled_dot_product_attention(q, k, v)
    return al.merge_heads(output)


def weights_first(x, tables, n_heads):
    q, k, v = (al.split_heads(x @ tables["w_" + c] + tables["b_" + c], n_heads) for c in "qkv")
    _, output = al.scaled_dot_product_attention(q, k, v)
    return al.merge_heads(output) @ tables["w_o"] + tables["b_o"]


def weights_last(x, tables, n_heads):
    q, k, v = (project(x, tables["w_" + c], tables["b_" + c], n_heads) for c in "qkv")
    weights = al.scaled_dot_product_attention(q, k, v)[-1]
    return np.matmul(merge(weights), tables["w_o"]) + tables["b_o"]


def weights_too(x, tables, n_heads):
    q, k, v = (project(x, tables["w_" + c], tables["b_" + c], n_heads) for c in "qkv")
    output, weights = al.scaled_dot_product_attention(q, k, v)
    return merge(output) @ tables["w_o"] + tables["b_o"], weights


def one_for_all(x, tables, n_heads):
    """n_heads is never asked."""
    q, k, v = (x @ tables["w_" + c] + tables["b_" + c] for c in "qkv")
    output, _ = al.scaled_dot_product_attention(q, k, v)
    return output @ tables["w_o"] + tables["b_o"]


def without_bias(x, w, b):
    return x @ w


def with_table(name, other):
    return lambda x, t, n: multi_head(x, {**t, f"w_{name}": t[f"w_{other}"]}, n)


def minus_bias(x, w, b):
    return x @ w - b


def merged_in_turns(x):
    return np.stack(list(np.moveaxis(x, -3, 0)), axis=-1).reshape(*x.shape[:-3], x.shape[-2], -1)


def reshaped_back(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


def flat_at_the_end(x):
    return x.reshape(*x.shape[:-2], -1)


def tables_in_place(x, tables, n_heads):
    result = multi_head(x, tables, n_heads)
    tables["w_o"] *= 2
    return result


def table_turned_for_good(x, tables, n_heads):
    result = multi_head(x, tables, n_heads)
    tables["w_o"] = tables["w_o"].T
    tables["b_o"] = 0
    return result


def x_in_place(x, tables, n_heads):
    result = multi_head(x, tables, n_heads)
    x -= 1
    return result


def normed(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


def plus(added, x):
    return operator.add(x, added)


WRONG = {
    "table-transposed": [
        multi_head_with(project=turned, send=turned),
        multi_head_with(project=turned_by_einsum, send=turned_by_einsum),
        multi_head_with(project=turned),
        head_by_head_with(table=np.transpose),
        multi_head_with(send=turned),
        multi_head_with(send=lambda x, w, b: (w @ x.mT).mT + b),
        *(multi_head_with(project=turned, of=name) for name in "qkv"),
        *(head_by_head_with(table=np.transpose, of=name) for name in "qkv"),
    ],
    "bias-forgotten": [
        *(multi_head_with(project=without_bias, of=names) for names in ("qkv", "qv", "q", "v", "kv", "qk")),
        multi_head_with(send=without_bias),
        head_by_head_with(unite=lambda outputs, t: np.concatenate(outputs, -1).dot(t["w_o"])),
        *(multi_head_with(project=without_bias, of=names, send=without_bias) for names in ("qkv", "q", "v")),
        head_by_head_with(bias=np.zeros_like),
    ],
    "table-used-twice": [
        *(with_table(name, other) for name, other in ("vk", "vq", "qk", "qv", "kv")),
    ],
    "projection-missing": [
        multi_head_with(project=lambda x, w, b: x),
        multi_head_with(project=lambda x, w, b: x, of="v"),
    ],
    "bias-subtracted": [
        *(multi_head_with(project=minus_bias, of=names) for names in ("qkv", "q", "v")),
        multi_head_with(send=minus_bias),
        multi_head_with(project=minus_bias, send=minus_bias),
    ],
    "heads-not-merged": [
        multi_head_with(merge=lambda x: x),
        multi_head_with(merge=lambda x: x.swapaxes(-2, -3)),
    ],
    "softmax-twice": [
        multi_head_with(share=lambda s: softmax(softmax(s))),
        multi_head_with(score=lambda q, k: softmax(scaled(q, k))),
    ],
    "bias-per-head": [
        head_by_head_with(unite=finished_and_summed),
        lambda x, t, n: multi_head(x, t, n) + (n - 1) * t["b_o"],
    ],
    "axes-not-swapped": [
        multi_head_with(split=reshaped),
        multi_head_with(split=reshaped_in_a_loop),
        multi_head_with(merge=reshaped_back),
        multi_head_with(split=reshaped, merge=reshaped_back),
        multi_head_with(split=left_as_they_are, merge=flat_at_the_end),
        multi_head_with(split=left_as_they_are),
        multi_head_with(merge=lambda x: np.array(x.tolist()).reshape(*x.shape[:-3], x.shape[-2], -1)),
    ],
    "interleaved": [
        multi_head_with(split=in_turns),
        multi_head_with(split=in_turns_by_reshape, merge=merged_in_turns),
        multi_head_with(merge=merged_in_turns),
    ],
    "heads-not-cut": [
        one_for_all,
        lambda x, tables, n_heads: multi_head(x, tables, 1),
    ],
    "sizes-exchanged": [
        multi_head_with(split=lambda x, n: split(x, x.shape[-1] // n)),
        multi_head_with(split=lambda x, n: x.reshape(*x.shape[:-1], -1, n).swapaxes(-2, -3)),
    ],
    "output-table-missing": [
        merged_alone,
        multi_head_with(send=lambda x, w, b: x + b),
        head_by_head_with(unite=lambda outputs, tables: np.concatenate(outputs, -1)),
    ],
    "output-per-head": [
        head_by_head_with(unite=concatenated_per_head),
        head_by_head_with(unite=finished_per_head),
        head_by_head_with(unite=not_summed),
        head_by_head_with(unite=block_by_block),
        rows_by_reshape,
    ],
    "residual-added": [
        multi_head_with(give=plus),
        lambda x, t, n: x + head_by_head(x, t, n),
        lambda x, t, n: np.add(multi_head(x, t, n), x),
        lambda x, t, n: normed(x + multi_head(x, t, n)),
    ],
    "return-order": [weights_first, weights_last],
    "not-scaled": [
        multi_head_with(score=lambda q, k: q @ k.mT),
        head_by_head_with(scale=lambda d, n: 1),
    ],
    "divided-by-d_k": [
        multi_head_with(score=lambda q, k: q @ k.mT / q.shape[-1]),
        head_by_head_with(scale=lambda d, n: d),
    ],
    "scaled-by-size": [
        multi_head_with(score=lambda q, k: q @ k.mT / np.sqrt(q.shape[-1] * q.shape[-3])),
        head_by_head_with(scale=lambda d, n: (d * n) ** 0.5),
    ],
    "normalised-over-queries": [
        multi_head_with(share=lambda s: softmax(s, -2)),
        multi_head_with(share=lambda s: np.exp(s) / np.exp(s).sum(axis=-2, keepdims=True)),
    ],
    "keys-as-values": [
        multi_head_with(average=lambda w, k, v: w @ k),
        lambda x, t, n: multi_head(x, {**t, "w_v": t["w_k"], "b_v": t["b_k"]}, n),
    ],
    "queries-and-keys-swapped": [
        multi_head_with(score=lambda q, k: scaled(k, q)),
        multi_head_with(score=lambda q, k: scaled(q, k).mT),
        lambda x, t, n: multi_head(
            x, {**t, "w_q": t["w_k"], "b_q": t["b_k"], "w_k": t["w_q"], "b_k": t["b_q"]}, n
        ),
    ],
    "roles-exchanged": [
        lambda x, t, n: multi_head(x, {**t, "w_v": t["w_q"], "b_v": t["b_q"]}, n),
        lambda x, t, n: multi_head(
            x, {**t, "w_v": t["w_k"], "b_v": t["b_k"], "w_k": t["w_v"], "b_k": t["b_v"]}, n
        ),
    ],
    "weights-transposed": [
        multi_head_with(average=lambda w, k, v: w.mT @ v),
        multi_head_with(average=lambda w, k, v: np.einsum("...ij,...id->...jd", w, v)),
    ],
    "wrong-type": [weights_too, lambda *args: list(weights_too(*args))],
    "input-changed": [tables_in_place, table_turned_for_good, x_in_place],
    "different": [
        lambda x, t, n: multi_head(x, t, n) ** 2,
        lambda x, t, n: multi_head(x, t, n) + 1,
        lambda x, t, n: np.tanh(multi_head(x, t, n)),
        multi_head_with(share=lambda s: softmax(np.where(np.tri(s.shape[-1]), s, -np.inf))),
    ],
}


def twelve_small_tables(x, tables, n_heads):
    """A loop over heads, in whichever order, with tables of their own; W_O row by row."""
    small = {key: np.split(tables[key], n_heads, axis=-1) for key in tables if not key.endswith("o")}
    rows = tables["w_o"].reshape(n_heads, -1, x.shape[-1])
    added = np.zeros(x.shape) + tables["b_o"]
    for h in reversed(range(n_heads)):
        q, k, v = (x @ small["w_" + c][h] + small["b_" + c][h] for c in "qkv")
        added += al.scaled_dot_product_attention(q, k, v).output @ rows[h]
    return added


def by_einsum(x, tables, n_heads):
    q, k, v = (
        np.einsum("...li,iho->...hlo", x, tables["w_" + c].reshape(x.shape[-1], n_heads, -1))
        + tables["b_" + c].reshape(n_heads, 1, -1)
        for c in "qkv"
    )
    weights = softmax(np.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5)
    rows = tables["w_o"].reshape(n_heads, -1, x.shape[-1])
    return np.einsum("...hqk,...hkd,hdm->...qm", weights, v, rows) + tables["b_o"]


def bias_as_a_row(x, tables, n_heads):
    """Biases as one more row of their tables, and one more 1 in each vector."""
    ones = np.concatenate([x, np.ones((*x.shape[:-1], 1))], -1)
    q, k, v = (split(ones @ np.vstack([tables["w_" + c], tables["b_" + c]]), n_heads) for c in "qkv")
    merged = merge(softmax(scaled(q, k)) @ v)
    ones = np.concatenate([merged, np.ones((*x.shape[:-1], 1))], -1)
    return ones @ np.vstack([tables["w_o"], tables["b_o"]])


def bias_of_values_at_the_end(x, tables, n_heads):
    """The weights of a row add up to 1, so the bias of the values may be added after them."""
    zeros = {**tables, "b_v": 0 * tables["b_v"], "b_k": 0 * tables["b_k"]}
    return multi_head(x, zeros, n_heads) + tables["b_v"] @ tables["w_o"]


def all_three_at_once(x, tables, n_heads):
    together = np.hstack([tables["w_q"], tables["w_k"], tables["w_v"]])
    bias = np.concatenate([tables["b_q"], tables["b_k"], tables["b_v"]])
    ends = np.cumsum([tables["w_q"].shape[1], tables["w_k"].shape[1]])
    q, k, v = (split(part, n_heads) for part in np.split(x @ together + bias, ends, axis=-1))
    return merge(softmax(scaled(q, k)) @ v) @ tables["w_o"] + tables["b_o"]


def one_joint_table(x, tables, n_heads):
    joint = np.concatenate([tables["w_q"], tables["w_k"], tables["w_v"]], axis=-1)
    biases = np.concatenate([tables["b_q"], tables["b_k"], tables["b_v"]])
    q, k, v = (split(part, n_heads) for part in np.split(x @ joint + biases, 3, axis=-1))
    return merge(softmax(scaled(q, k)) @ v) @ tables["w_o"] + tables["b_o"]


def heads_of_d_model(x, tables, n_heads):
    """The size of a head from the size of x."""
    d = x.shape[-1]

    def heads(name):
        w, b = (tables[f"{kind}_{name}"].reshape(-1, n_heads, d // n_heads) for kind in "wb")
        return np.einsum("...ld,dhk->...hlk", x, w) + b.swapaxes(0, 1)

    weights = softmax(np.einsum("...qd,...kd->...qk", heads("q"), heads("k")) / (d // n_heads) ** 0.5)
    rows = tables["w_o"].reshape(n_heads, d // n_heads, d)
    return np.einsum("...hqk,...hkd,hdm->...qm", weights, heads("v"), rows) + tables["b_o"]


def with_the_library(x, tables, n_heads):
    q, k, v = (al.split_heads(x @ tables["w_" + c] + tables["b_" + c], n_heads) for c in "qkv")
    output, _ = al.scaled_dot_product_attention(q, k, v)
    return al.merge_heads(output) @ tables["w_o"] + tables["b_o"]


def unpacked(x, tables, n_heads):
    """Relies on the order of the entries, and empties its dict."""
    tables = dict(tables)
    w_o, b_o = tables.pop("w_o"), tables.pop("b_o")
    return multi_head(x, {**tables, "w_o": w_o, "b_o": b_o}, n_heads).tolist()


def sentence_by_sentence(x, tables, n_heads):
    if x.ndim > 2:
        return np.stack([sentence_by_sentence(y, tables, n_heads) for y in x])
    return multi_head(x, tables, n_heads)


RIGHT = [
    multi_head,
    twelve_small_tables,
    head_by_head,
    by_einsum,
    head_by_head_with(unite=summed_per_head),
    multi_head_with(project=without_bias, of="k"),
    bias_as_a_row,
    bias_of_values_at_the_end,
    all_three_at_once,
    one_joint_table,
    heads_of_d_model,
    with_the_library,
    unpacked,
    sentence_by_sentence,
]


def of_the_first_sentence(x, tables, n_heads):
    added = multi_head(x, tables, n_heads)
    return (
        added[:1]
        if x.ndim > 2 and len(x) == 1
        else np.broadcast_to(added[:1], x.shape)
        if x.ndim > 3
        else added
    )


def tables_of_x(x, tables, n_heads):
    return multi_head(x, {name: a.astype(x.dtype) for name, a in tables.items()}, n_heads).astype(x.dtype)


ALMOST_RIGHT = {
    "of_the_first_sentence": of_the_first_sentence,
    "tables_of_x": tables_of_x,
    "squeezed": lambda x, t, n: np.squeeze(multi_head(x, t, n)),
    "turned_if_square": lambda x, t, n: multi_head(
        x, {k: a.T if a.ndim == 2 and len(a) == a.shape[1] else a for k, a in t.items()}, n
    ),
    "four_axes_at_most": lambda x, t, n: multi_head(x if x.ndim < 4 else x[0], t, n),
    "of_64_tokens": lambda x, t, n: np.where(np.arange(x.shape[-2])[:, None] < 64, multi_head(x, t, n), 0),
    "d_k_up_to_64": multi_head_with(score=lambda q, k: q @ k.mT / min(q.shape[-1], 64) ** 0.5),
    "d_k_of_the_real_layer": multi_head_with(score=lambda q, k: q @ k.mT / 32**0.5),
    "d_k_from_the_model": multi_head_with(score=lambda q, k: q @ k.mT / min(q.shape[-1], 12) ** 0.5),
}
