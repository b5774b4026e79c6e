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


def normed(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


def through_w_o_again(x, parameters, n_heads):
    return multi_head(x, parameters, n_heads) @ parameters["w_o"] + parameters["b_o"]


WRONG = {
    "bias-subtracted": [
        with_parameters(lambda parameters: {f"b_{name}": -parameters[f"b_{name}"] for name in "qkv"}),
        with_parameters(lambda parameters: {f"b_{name}": -parameters[f"b_{name}"] for name in "qkvo"}),
        with_parameters(lambda parameters: {"b_o": -parameters["b_o"]}),
    ],
    "bias-twice": [with_parameters(lambda parameters: {"b_o": 2 * parameters["b_o"]})],
    "bias-of-another": [with_parameters(lambda parameters: {"b_q": parameters["b_k"]})],
    "output-table-twice": [through_w_o_again],
    "layer-norm": [
        lambda x, parameters, n: normed(multi_head(x, parameters, n)),
        lambda x, parameters, n: multi_head(normed(x), parameters, n),
    ],
    "outputs-merged-wrong-axes": [
        multi_head_with(merge=lambda x: np.reshape(x.swapaxes(0, 1), (*x.shape[:-3], x.shape[-2], -1)))
    ],
    "projection-missing": [
        with_parameters(lambda parameters: {"w_v": np.eye(len(parameters["w_o"])), "b_v": 0})
    ],
    "outputs-not-merged": [multi_head_with(merge=lambda x: x.swapaxes(-2, -3))],
    "normalised-over-queries": [
        multi_head_with(attend=lambda q, k, v: softmax(q @ k.mT / q.shape[-1] ** 0.5, -2) @ v)
    ],
    "weights-merged": [
        multi_head_with(attend=lambda q, k, v: al.scaled_dot_product_attention(q, k, v).weights)
    ],
    "weights-transposed": [
        multi_head_with(attend=lambda q, k, v: softmax(q @ k.mT / q.shape[-1] ** 0.5).mT @ v)
    ],
}


def one_joint_matrix(x, parameters, n_heads):
    joint = np.concatenate([parameters["w_q"], parameters["w_k"], parameters["w_v"]], axis=-1)
    biases = np.concatenate([parameters["b_q"], parameters["b_k"], parameters["b_v"]])
    q, k, v = (split(part, n_heads) for part in np.split(x @ joint + biases, 3, axis=-1))
    return merge(attend(q, k, v)) @ parameters["w_o"] + parameters["b_o"]


RIGHT = [multi_head, one_joint_matrix]


def parameters_of_x(x, parameters, n_heads):
    return multi_head(x, {name: a.astype(x.dtype) for name, a in parameters.items()}, n_heads).astype(x.dtype)


ALMOST_RIGHT = {
    "parameters_of_x": parameters_of_x,
    "four_axes_at_most": lambda x, t, n: multi_head(x if x.ndim < 4 else x[0], t, n),
    "of_64_tokens": lambda x, t, n: np.where(np.arange(x.shape[-2])[:, None] < 64, multi_head(x, t, n), 0),
    "d_k_up_to_64": multi_head_with(
        attend=lambda q, k, v: softmax(q @ k.mT / min(q.shape[-1], 64) ** 0.5) @ v
    ),
}
