"""Answers to `multi_head` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers.project import split
from tests.check.answers.shared import softmax


def merge(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)


def attend(q, k, v):
    return softmax(q @ k.mT / q.shape[-1] ** 0.5) @ v


def multi_head(x, tables, n_heads, split=split, attend=attend, merge=merge):
    q, k, v = (split(x @ tables["w_" + name] + tables["b_" + name], n_heads) for name in "qkv")
    return merge(attend(q, k, v)) @ tables["w_o"] + tables["b_o"]


def multi_head_with(**lines):
    return lambda x, tables, n_heads: multi_head(x, tables, n_heads, **lines)


def with_tables(change):
    """The right answer, with other tables in the places of some."""
    return lambda x, tables, n_heads: multi_head(x, {**tables, **change(tables)}, n_heads)


def turned(names):
    return with_tables(lambda tables: {f"w_{name}": tables[f"w_{name}"].T for name in names})


def times_biases(factor, names):
    return with_tables(lambda tables: {f"b_{name}": factor * tables[f"b_{name}"] for name in names})


def unprojected(name):
    """The vectors themselves in the place of this product."""
    return with_tables(lambda tables: {f"w_{name}": np.eye(len(tables["w_o"])), f"b_{name}": 0})


def dealt(x, n):
    """The numbers of the last axis, as n heads take them in turns."""
    return np.concatenate([x[..., h::n] for h in range(n)], axis=-1)


def dealt_tables(x, tables, n):
    of_projections = {key: dealt(table, n) for key, table in tables.items() if not key.endswith("o")}
    return multi_head(x, {**tables, **of_projections}, n)


def merged_in_turns(x, tables, n):
    return multi_head(x, {**tables, "w_o": dealt(tables["w_o"].T, n).T}, n)


def dealt_and_merged_in_turns(x, tables, n):
    return dealt_tables(x, {**tables, "w_o": dealt(tables["w_o"].T, n).T}, n)


def reshaped(x, n):
    return x.reshape(*x.shape[:-2], n, x.shape[-2], -1)


def head_by_head(x, tables, n_heads):
    """The output of each head, cut out of the long tables by its columns."""
    outputs = []
    for h in range(n_heads):
        small = []
        for name in "qkv":
            w, b = tables["w_" + name], tables["b_" + name]
            d = w.shape[1] // n_heads
            small.append(x @ w[:, h * d : (h + 1) * d] + b[h * d : (h + 1) * d])
        outputs.append(attend(*small))
    return outputs


def products_per_head(x, tables, n):
    """Each head's output times its own rows of W_O."""
    rows = np.split(tables["w_o"], n)
    return [output @ w for output, w in zip(head_by_head(x, tables, n), rows)]


def weights_too(x, tables, n_heads):
    return multi_head(x, tables, n_heads), x @ x.mT


def normed(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


def with_biases(order):
    """The biases of other tables in the places of those of Q, K and V."""
    return with_tables(
        lambda tables: {f"b_{name}": tables[f"b_{other}"] for name, other in zip("qkv", order)}
    )


def through_w_o_again(x, tables, n_heads):
    return multi_head(x, tables, n_heads) @ tables["w_o"] + tables["b_o"]


def causal(q, k, v):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return softmax(np.where(np.tri(scores.shape[-1]), scores, -np.inf)) @ v


WRONG = {
    "bias-forgotten": [
        times_biases(0, "o"),
        times_biases(0, "qkvo"),
    ],
    "bias-subtracted": [times_biases(-1, "qkv"), times_biases(-1, "o"), times_biases(-1, "qkvo")],
    "bias-twice": [times_biases(2, "o")],
    "bias-of-another": [
        with_biases("kkv"),
    ],
    "output-table-twice": [through_w_o_again],
    "layer-norm": [
        lambda x, tables, n: multi_head(normed(x), tables, n),
        lambda x, tables, n: normed(multi_head(x, tables, n)),
    ],
    "outputs-merged-wrong-axes": [
        multi_head_with(merge=lambda x: np.reshape(x.swapaxes(0, 1), (*x.shape[:-3], x.shape[-2], -1)))
    ],
    "projection-missing": [unprojected("v")],
    "projection-in-turns": [merged_in_turns, dealt_and_merged_in_turns],
    "outputs-not-merged": [multi_head_with(merge=lambda x: x.swapaxes(-2, -3))],
    "normalised-over-queries": [
        multi_head_with(attend=lambda q, k, v: softmax(q @ k.mT / q.shape[-1] ** 0.5, -2) @ v)
    ],
    "weights-transposed": [
        multi_head_with(attend=lambda q, k, v: softmax(q @ k.mT / q.shape[-1] ** 0.5).mT @ v)
    ],
    "output-table-missing": [
        unprojected("o"),
        lambda x, tables, n: np.concatenate(head_by_head(x, tables, n), -1) + tables["b_o"],
    ],
    "output-per-head": [
        lambda x, t, n: np.concatenate(products_per_head(x, t, n), axis=-1),
    ],
    "weights-merged": [
        multi_head_with(attend=lambda q, k, v: al.scaled_dot_product_attention(q, k, v).weights)
    ],
    "wrong-type": [weights_too],
}


def one_joint_table(x, tables, n_heads):
    joint = np.concatenate([tables["w_q"], tables["w_k"], tables["w_v"]], axis=-1)
    biases = np.concatenate([tables["b_q"], tables["b_k"], tables["b_v"]])
    q, k, v = (split(part, n_heads) for part in np.split(x @ joint + biases, 3, axis=-1))
    return merge(attend(q, k, v)) @ tables["w_o"] + tables["b_o"]


RIGHT = [
    multi_head,
    times_biases(0, "k"),
    one_joint_table,
    multi_head_with(attend=lambda q, k, v: al.scaled_dot_product_attention(q, k, v).output),
]


def tables_of_x(x, tables, n_heads):
    return multi_head(x, {name: a.astype(x.dtype) for name, a in tables.items()}, n_heads).astype(x.dtype)


ALMOST_RIGHT = {
    "tables_of_x": tables_of_x,
    "squeezed": lambda x, t, n: np.squeeze(multi_head(x, t, n)),
    "four_axes_at_most": lambda x, t, n: multi_head(x if x.ndim < 4 else x[0], t, n),
    "of_64_tokens": lambda x, t, n: np.where(np.arange(x.shape[-2])[:, None] < 64, multi_head(x, t, n), 0),
    "d_k_up_to_64": multi_head_with(
        attend=lambda q, k, v: softmax(q @ k.mT / min(q.shape[-1], 64) ** 0.5) @ v
    ),
}
