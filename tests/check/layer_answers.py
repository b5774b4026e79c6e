"""Answers to multi_head and project as learners write them. check_answers.py takes them in."""

import operator

import numpy as np

import attention_lib as al


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def cut(x, n):
    return x.reshape(*x.shape[:-1], n, -1).swapaxes(-2, -3)


def glue(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)


def scaled(q, k):
    return q @ k.mT / q.shape[-1] ** 0.5


def affine(x, w, b):
    return x @ w + b


def project(x, w, b, n_heads):
    return cut(x @ w + b, n_heads)


def layer(
    make=affine, makes=None, cut=cut, score=scaled, share=softmax, mix=None, glue=glue, end=affine, give=None
):
    """Right multi_head, with some of its lines replaced; makes says which of q, k and v `make` makes."""

    def multi_head(x, tables, n_heads):
        q, k, v = (
            cut(
                (make if name in (makes or "qkv") else affine)(x, tables["w_" + name], tables["b_" + name]),
                n_heads,
            )
            for name in "qkv"
        )
        weights = share(score(q, k))
        merged = glue(mix(weights, k, v) if mix else weights @ v)
        added = end(merged, tables["w_o"], tables["b_o"])
        return give(added, x) if give else added

    return multi_head


multi_head = layer()


def by_slices(x, tables, n_heads, table=lambda w: w, bias=lambda b: b, of="qkv", scale=None, unite=None):
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


def sliced(**lines):
    return lambda x, tables, n_heads: by_slices(x, tables, n_heads, **lines)


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
    context = by_slices(x, tables, n_heads, unite=lambda outputs, _: np.stack(outputs, axis=-3))
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
    return np.matmul(glue(weights), tables["w_o"]) + tables["b_o"]


def weights_too(x, tables, n_heads):
    q, k, v = (project(x, tables["w_" + c], tables["b_" + c], n_heads) for c in "qkv")
    output, weights = al.scaled_dot_product_attention(q, k, v)
    return glue(output) @ tables["w_o"] + tables["b_o"], weights


def one_for_all(x, tables, n_heads):
    """n_heads is never asked."""
    q, k, v = (x @ tables["w_" + c] + tables["b_" + c] for c in "qkv")
    output, _ = al.scaled_dot_product_attention(q, k, v)
    return output @ tables["w_o"] + tables["b_o"]


def turned(x, w, b):
    return x @ w.T + b


def turned_by_einsum(x, w, b):
    return np.einsum("...i,oi->...o", x, w) + b


def without_bias(x, w, b):
    return x @ w


def in_turns(x, n):
    return np.stack([x[..., h::n] for h in range(n)], axis=-3)


def in_turns_by_reshape(x, n):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3)


def glued_in_turns(x):
    return np.stack(list(np.moveaxis(x, -3, 0)), axis=-1).reshape(*x.shape[:-3], x.shape[-2], -1)


def reshaped(x, n):
    return x.reshape(*x.shape[:-2], n, x.shape[-2], -1)


def reshaped_in_a_loop(x, n):
    if x.ndim > 2:
        return np.stack([reshaped_in_a_loop(y, n) for y in x])
    return x.reshape(n, len(x), x.shape[1] // n)


def reshaped_back(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


def left_as_they_are(x, n):
    return x.reshape(*x.shape[:-1], n, x.shape[-1] // n)


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


def bias_in_place(x, w, b, n_heads):
    result = project(x, w, b, n_heads)
    b += 1
    return result


def bias_into_x(x, w, b, n_heads):
    result = project(x, w, b, n_heads)
    x[..., 0] = 1
    return result


def plus(added, x):
    return operator.add(x, added)


WRONG = {
    ("multi_head", "table-transposed"): [
        layer(make=turned, end=turned),
        layer(make=turned_by_einsum, end=turned_by_einsum),
        layer(make=turned),
        sliced(table=np.transpose),
        layer(end=turned),
        layer(end=lambda x, w, b: (w @ x.mT).mT + b),
        *(layer(make=turned, makes=name) for name in "qkv"),
        *(sliced(table=np.transpose, of=name) for name in "qkv"),
    ],
    ("multi_head", "bias-forgotten"): [
        *(layer(make=without_bias, makes=names) for names in ("qkv", "qv", "q", "v", "kv", "qk")),
        layer(end=without_bias),
        sliced(unite=lambda outputs, t: np.concatenate(outputs, -1).dot(t["w_o"])),
        *(layer(make=without_bias, makes=names, end=without_bias) for names in ("qkv", "q", "v")),
        sliced(bias=np.zeros_like),
    ],
    ("multi_head", "bias-per-head"): [
        sliced(unite=finished_and_summed),
        lambda x, t, n: multi_head(x, t, n) + (n - 1) * t["b_o"],
    ],
    ("multi_head", "axes-not-swapped"): [
        layer(cut=reshaped),
        layer(cut=reshaped_in_a_loop),
        layer(glue=reshaped_back),
        layer(cut=reshaped, glue=reshaped_back),
        layer(cut=left_as_they_are, glue=flat_at_the_end),
        layer(cut=left_as_they_are),
        layer(glue=lambda x: np.array(x.tolist()).reshape(*x.shape[:-3], x.shape[-2], -1)),
    ],
    ("multi_head", "interleaved"): [
        layer(cut=in_turns),
        layer(cut=in_turns_by_reshape, glue=glued_in_turns),
        layer(glue=glued_in_turns),
    ],
    ("multi_head", "heads-not-cut"): [
        one_for_all,
        lambda x, tables, n_heads: multi_head(x, tables, 1),
    ],
    ("multi_head", "sizes-exchanged"): [
        layer(cut=lambda x, n: cut(x, x.shape[-1] // n)),
        layer(cut=lambda x, n: x.reshape(*x.shape[:-1], -1, n).swapaxes(-2, -3)),
    ],
    ("multi_head", "output-table-missing"): [
        merged_alone,
        layer(end=lambda x, w, b: x + b),
        sliced(unite=lambda outputs, tables: np.concatenate(outputs, -1)),
    ],
    ("multi_head", "output-per-head"): [
        sliced(unite=concatenated_per_head),
        sliced(unite=finished_per_head),
        sliced(unite=not_summed),
        sliced(unite=block_by_block),
        rows_by_reshape,
    ],
    ("multi_head", "residual-added"): [
        layer(give=plus),
        lambda x, t, n: x + by_slices(x, t, n),
        lambda x, t, n: np.add(multi_head(x, t, n), x),
    ],
    ("multi_head", "return-order"): [weights_first, weights_last],
    ("multi_head", "not-scaled"): [
        layer(score=lambda q, k: q @ k.mT),
        sliced(scale=lambda d, n: 1),
    ],
    ("multi_head", "divided-by-d_k"): [
        layer(score=lambda q, k: q @ k.mT / q.shape[-1]),
        sliced(scale=lambda d, n: d),
    ],
    ("multi_head", "scaled-by-size"): [
        layer(score=lambda q, k: q @ k.mT / np.sqrt(q.shape[-1] * q.shape[-3])),
        sliced(scale=lambda d, n: (d * n) ** 0.5),
    ],
    ("multi_head", "normalised-over-queries"): [
        layer(share=lambda s: softmax(s, -2)),
        layer(share=lambda s: np.exp(s) / np.exp(s).sum(axis=-2, keepdims=True)),
    ],
    ("multi_head", "keys-as-values"): [
        layer(mix=lambda w, k, v: w @ k),
        lambda x, t, n: multi_head(x, {**t, "w_v": t["w_k"], "b_v": t["b_k"]}, n),
    ],
    ("multi_head", "queries-and-keys-swapped"): [
        layer(score=lambda q, k: scaled(k, q)),
        layer(score=lambda q, k: scaled(q, k).mT),
        lambda x, t, n: multi_head(
            x, {**t, "w_q": t["w_k"], "b_q": t["b_k"], "w_k": t["w_q"], "b_k": t["b_q"]}, n
        ),
    ],
    ("multi_head", "roles-exchanged"): [
        lambda x, t, n: multi_head(x, {**t, "w_v": t["w_q"], "b_v": t["b_q"]}, n),
        lambda x, t, n: multi_head(
            x, {**t, "w_v": t["w_k"], "b_v": t["b_k"], "w_k": t["w_v"], "b_k": t["b_v"]}, n
        ),
    ],
    ("multi_head", "weights-transposed"): [
        layer(mix=lambda w, k, v: w.mT @ v),
        layer(mix=lambda w, k, v: np.einsum("...ij,...id->...jd", w, v)),
    ],
    ("multi_head", "wrong-type"): [weights_too, lambda *args: list(weights_too(*args))],
    ("multi_head", "input-changed"): [tables_in_place, table_turned_for_good, x_in_place],
    ("multi_head", "different"): [
        lambda x, t, n: multi_head(x, t, n) ** 2,
        lambda x, t, n: multi_head(x, t, n) + 1,
        lambda x, t, n: np.tanh(multi_head(x, t, n)),
        layer(share=lambda s: softmax(np.where(np.tri(s.shape[-1]), s, -np.inf))),
    ],
    ("project", "table-transposed"): [
        lambda x, w, b, n: cut(x @ w.T + b, n),
        lambda x, w, b, n: cut(turned_by_einsum(x, w, b), n),
    ],
    ("project", "bias-forgotten"): [
        lambda x, w, b, n: cut(x @ w, n),
        lambda x, w, b, n: np.stack([x @ small for small in np.split(w, n, 1)], -3),
    ],
    ("project", "axes-not-swapped"): [
        lambda x, w, b, n: reshaped(x @ w + b, n),
        lambda x, w, b, n: left_as_they_are(x @ w + b, n),
        lambda x, w, b, n: np.stack(np.split(x @ w + b, n, axis=-1), axis=-2),
    ],
    ("project", "interleaved"): [
        lambda x, w, b, n: in_turns(x @ w + b, n),
        lambda x, w, b, n: np.stack([x @ w[:, h::n] + b[h::n] for h in range(n)], -3),
    ],
    ("project", "heads-in-front"): [
        lambda x, w, b, n: np.stack(np.split(x @ w + b, n, axis=-1)),
        lambda x, w, b, n: np.array([x @ v + c for v, c in zip(np.split(w, n, 1), np.split(b, n))]),
    ],
    ("project", "heads-not-cut"): [
        lambda x, w, b, n: x @ w + b,
        lambda x, w, b, n: np.dot(x, w) + b,
        lambda x, w, b, n: (x @ w + b)[..., None, :, :],
    ],
    ("project", "sizes-exchanged"): [
        lambda x, w, b, n: cut(x @ w + b, w.shape[-1] // n),
        lambda x, w, b, n: np.einsum("...lhd->...hdl", (x @ w + b).reshape(*x.shape[:-1], n, -1)),
        lambda x, w, b, n: project(x, w, b, n).mT,
    ],
    ("project", "input-changed"): [bias_in_place, bias_into_x],
    ("project", "different"): [
        lambda x, w, b, n: project(x, w, b, n) + 1,
        lambda x, w, b, n: project(x, w, b, n) ** 2,
    ],
}


# Right answers in unusual form --------------------------------------------------------------------


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
    q, k, v = (cut(ones @ np.vstack([tables["w_" + c], tables["b_" + c]]), n_heads) for c in "qkv")
    merged = glue(softmax(scaled(q, k)) @ v)
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
    q, k, v = (cut(part, n_heads) for part in np.split(x @ together + bias, ends, axis=-1))
    return glue(softmax(scaled(q, k)) @ v) @ tables["w_o"] + tables["b_o"]


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


RIGHT = {
    "multi_head": [
        twelve_small_tables,
        by_slices,
        by_einsum,
        sliced(unite=summed_per_head),
        layer(make=without_bias, makes="k"),
        bias_as_a_row,
        bias_of_values_at_the_end,
        all_three_at_once,
        with_the_library,
        unpacked,
        sentence_by_sentence,
        lambda x, t, n: multi_head(
            x.astype(np.float32), {name: a.astype(np.float32) for name, a in t.items()}, n
        ),
    ],
    "project": [
        lambda x, w, b, n: np.stack(
            [x @ v + c for v, c in zip(np.split(w, n, axis=1), np.split(b, n))], axis=-3
        ),
        lambda x, w, b, n: np.einsum("...li,iho->...hlo", x, w.reshape(len(w), n, -1)) + b.reshape(n, 1, -1),
        lambda x, w, b, n: x[..., None, :, :] @ np.stack(np.split(w, n, 1)) + b.reshape(n, 1, -1),
        lambda x, w, b, n: al.split_heads(x @ w + b, n),
        lambda x, w, b, n: cut((w.T @ x.mT).mT + b, n).tolist(),
    ],
}
LIBRARY = {"multi_head": multi_head, "project": project}

# Right almost everywhere ------------------------------------------------------------------------------


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


def values_as_long_as_keys(x, tables, n_heads):
    d = tables["w_q"].shape[1]
    return multi_head(
        x,
        {**tables, "w_v": tables["w_v"][:, :d], "b_v": tables["b_v"][:d], "w_o": tables["w_o"][:d]},
        n_heads,
    )


TRICKY = {
    ("multi_head", "of_the_first_sentence"): of_the_first_sentence,
    ("multi_head", "tables_of_x"): tables_of_x,
    ("multi_head", "values_as_long_as_keys"): values_as_long_as_keys,
    ("multi_head", "squeezed"): lambda x, t, n: np.squeeze(multi_head(x, t, n)),
    ("multi_head", "turned_if_square"): lambda x, t, n: multi_head(
        x, {k: a.T if a.ndim == 2 and len(a) == a.shape[1] else a for k, a in t.items()}, n
    ),
    ("multi_head", "four_axes_at_most"): lambda x, t, n: multi_head(x if x.ndim < 4 else x[0], t, n),
    ("multi_head", "d_k_of_the_real_layer"): layer(score=lambda q, k: q @ k.mT / 32**0.5),
    ("multi_head", "d_k_from_the_model"): layer(score=lambda q, k: q @ k.mT / min(q.shape[-1], 12) ** 0.5),
    ("project", "squeezed"): lambda x, w, b, n: np.squeeze(project(x, w, b, n)),
    ("project", "no_axis_for_one_head"): lambda x, w, b, n: project(x, w, b, n) if n > 1 else x @ w + b,
    ("project", "swap_one_and_two"): lambda x, w, b, n: (
        (x @ w + b).reshape(*x.shape[:-1], n, -1).swapaxes(*((0, 1) if x.ndim == 2 else (1, 2)))
    ),
    ("project", "whole_if_x_is"): lambda x, w, b, n: project(x, w, b, n).astype(x.dtype),
}
