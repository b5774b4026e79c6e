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


def multi_head(x, parameters, n_heads, split=split, attend=attend, merge=merge):
    q, k, v = (split(x @ parameters["w_" + name] + parameters["b_" + name], n_heads) for name in "qkv")
    return merge(attend(q, k, v)) @ parameters["w_o"] + parameters["b_o"]


def multi_head_with(**lines):
    return lambda x, parameters, n_heads: multi_head(x, parameters, n_heads, **lines)


def with_parameters(change):
    """The right answer, with other parameters in the places of some."""
    return lambda x, parameters, n_heads: multi_head(x, {**parameters, **change(parameters)}, n_heads)


def times_biases(factor, names):
    return with_parameters(
        lambda parameters: {f"b_{name}": factor * parameters[f"b_{name}"] for name in names}
    )


def unprojected(name):
    """The vectors themselves in the place of this product."""
    return with_parameters(lambda parameters: {f"w_{name}": np.eye(len(parameters["w_o"])), f"b_{name}": 0})


def dealt(x, n):
    """The numbers of the last axis, as n heads take them in turns."""
    return np.concatenate([x[..., h::n] for h in range(n)], axis=-1)


def dealt_parameters(x, parameters, n):
    of_projections = {key: dealt(table, n) for key, table in parameters.items() if not key.endswith("o")}
    return multi_head(x, {**parameters, **of_projections}, n)


def merged_in_turns(x, parameters, n):
    return multi_head(x, {**parameters, "w_o": dealt(parameters["w_o"].T, n).T}, n)


def dealt_and_merged_in_turns(x, parameters, n):
    return dealt_parameters(x, {**parameters, "w_o": dealt(parameters["w_o"].T, n).T}, n)


def weights_too(x, parameters, n_heads):
    return multi_head(x, parameters, n_heads), x @ x.mT


def normed(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


def with_biases(order):
    """The biases of other parameters in the places of those of Q, K and V."""
    return with_parameters(
        lambda parameters: {f"b_{name}": parameters[f"b_{other}"] for name, other in zip("qkv", order)}
    )


def through_w_o_again(x, parameters, n_heads):
    return multi_head(x, parameters, n_heads) @ parameters["w_o"] + parameters["b_o"]


WRONG = {
    "bias-subtracted": [times_biases(-1, "qkv"), times_biases(-1, "o"), times_biases(-1, "qkvo")],
    "bias-twice": [times_biases(2, "o")],
    "bias-of-another": [
        with_biases("kkv"),
    ],
    "output-table-twice": [through_w_o_again],
    "layer-norm": [
        lambda x, parameters, n: multi_head(normed(x), parameters, n),
        lambda x, parameters, n: normed(multi_head(x, parameters, n)),
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
    "weights-merged": [
        multi_head_with(attend=lambda q, k, v: al.scaled_dot_product_attention(q, k, v).weights)
    ],
    "wrong-type": [weights_too],
}


def one_joint_matrix(x, parameters, n_heads):
    joint = np.concatenate([parameters["w_q"], parameters["w_k"], parameters["w_v"]], axis=-1)
    biases = np.concatenate([parameters["b_q"], parameters["b_k"], parameters["b_v"]])
    q, k, v = (split(part, n_heads) for part in np.split(x @ joint + biases, 3, axis=-1))
    return merge(attend(q, k, v)) @ parameters["w_o"] + parameters["b_o"]


RIGHT = [
    multi_head,
    times_biases(0, "k"),
    one_joint_matrix,
    multi_head_with(attend=lambda q, k, v: al.scaled_dot_product_attention(q, k, v).output),
]


def parameters_of_x(x, parameters, n_heads):
    return multi_head(x, {name: a.astype(x.dtype) for name, a in parameters.items()}, n_heads).astype(x.dtype)


ALMOST_RIGHT = {
    "parameters_of_x": parameters_of_x,
    "squeezed": lambda x, t, n: np.squeeze(multi_head(x, t, n)),
    "four_axes_at_most": lambda x, t, n: multi_head(x if x.ndim < 4 else x[0], t, n),
    "of_64_tokens": lambda x, t, n: np.where(np.arange(x.shape[-2])[:, None] < 64, multi_head(x, t, n), 0),
    "d_k_up_to_64": multi_head_with(
        attend=lambda q, k, v: softmax(q @ k.mT / min(q.shape[-1], 64) ** 0.5) @ v
    ),
}
