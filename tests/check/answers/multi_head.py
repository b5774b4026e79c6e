"""Answers to `multi_head` as learners write them."""

import numpy as np

import attention_lib as al
from tests.check.answers.generic import zeros_where
from tests.check.answers.project import split
from tests.check.answers.shared import softmax


def merge(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)


def attend(q, k, v):
    return softmax(q @ k.mT / q.shape[-1] ** 0.5) @ v


def multi_head(x, parameters, n_heads, attend=attend, merge=merge):
    q, k, v = (split(x @ parameters["w_" + name] + parameters["b_" + name], n_heads) for name in "qkv")
    return merge(attend(q, k, v)) @ parameters["w_o"] + parameters["b_o"]


def with_parameters(change):
    """The right answer, with other parameters in the places of some."""
    return lambda x, parameters, n_heads: multi_head(x, {**parameters, **change(parameters)}, n_heads)


def normed(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


def through_w_o_again(x, parameters, n_heads):
    return multi_head(x, parameters, n_heads) @ parameters["w_o"] + parameters["b_o"]


WRONG = {
    "bias-subtracted": [
        with_parameters(lambda parameters, names=names: {f"b_{n}": -parameters[f"b_{n}"] for n in names})
        for names in ("qkv", "o", "qkvo")
    ],
    "bias-twice": [with_parameters(lambda parameters: {"b_o": 2 * parameters["b_o"]})],
    "bias-of-another": [with_parameters(lambda parameters: {"b_q": parameters["b_k"]})],
    "output-table-twice": [through_w_o_again],
    "layer-norm": [lambda x, parameters, n: normed(multi_head(x, parameters, n))],
    "outputs-merged-wrong-axes": [
        lambda *given: multi_head(
            *given, merge=lambda x: x.swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1)
        )
    ],
    "projection-missing": [
        with_parameters(lambda parameters: {"w_v": np.eye(len(parameters["w_o"])), "b_v": 0})
    ],
    "outputs-not-merged": [lambda *given: multi_head(*given, merge=lambda x: x.swapaxes(-2, -3))],
    "weights-merged": [
        lambda *given: multi_head(*given, lambda q, k, v: al.scaled_dot_product_attention(q, k, v).weights)
    ],
}
RIGHT = [multi_head]
ALMOST_RIGHT = {
    "in_the_dtype_of_x": lambda x, t, n: multi_head(x, t, n).astype(x.dtype),
    "two_axes_in_front": zeros_where(lambda x, *others: x.ndim == 4, multi_head),
    "many_tokens": zeros_where(lambda x, *others: x.shape[-2] > 64, multi_head),
    "long_heads": zeros_where(lambda x, t, n: x.shape[-1] // n > 64, multi_head),
}
