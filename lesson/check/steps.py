"""The steps that exercises are made of, done right, and the recipes of more than one line.

A recipe is a function of the steps and an exercise's arguments: `lambda s, q, k: s.scale(s.score(q, k), q, k)`.
Some steps do nothing: they stand where people do too much, as `adjust_scores`.
"""

from types import SimpleNamespace

import numpy as np


def swap(x):
    """The transpose of each matrix."""
    return x.swapaxes(-1, -2)


def root(q):
    """The square root of d_k."""
    return q.shape[-1] ** 0.5


# As in `al`, without its checks: a verdict may take a step thousands of times.


def softmax(x, axis=-1):
    """Weights along an axis. A row of nothing but -inf gets zeros."""
    top = x.max(axis, keepdims=True)
    top[top == -np.inf] = 0
    exponentials = np.exp(x - top)
    total = exponentials.sum(axis, keepdims=True)
    total[total == 0] = 1
    return exponentials / total


def split_heads(x, n):
    return swap_heads(x.reshape(*x.shape[:-1], n, x.shape[-1] // n))


def merge_heads(x):
    return swap_heads(x).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])


def swap_heads(x):
    """Heads and tokens change places."""
    return x.swapaxes(-2, -3)


def at(positions, x):
    """Vectors rotated by their positions, or all by one."""
    return rotate(steps_with(), x, np.atleast_1d(positions))


def join(past, newest):
    return np.concatenate([past, newest], axis=1)


RIGHT = {
    # one pair of vectors
    "choose_vectors": lambda a, b: (a, b),
    "dot": lambda a, b: (a * b).sum(),
    # from queries and keys to scores
    "assign_roles": lambda q, k, v: (q, k, v),
    "score": lambda q, k: q @ swap(k),
    "adjust_scores": lambda scores, q, k: scores,  # whatever is done to scores before their scale
    "scale": lambda scores, q, k: scores / root(q),
    # from scores to weights
    "apply_mask": lambda scores, mask: np.where(mask, scores, -np.inf),
    "go_without_mask": lambda scores: scores,  # where mask is None
    "softmax": softmax,
    "mask_weights": lambda weights, mask: weights,  # whatever is done to weights because of a mask
    "scale_weights": lambda weights, q: weights,  # whatever is done to weights because of d_k
    # from weights to an answer
    "average": lambda weights, k, v: weights @ v,
    "return_both": lambda output, weights, scores: (output, weights),
    "order_results": lambda first, second: (first, second),
    # the two masks
    "compare_positions": lambda n: np.tri(n, dtype=bool),
    "orient_mask": lambda mask: mask,  # whatever transposes or mirrors a causal mask
    "set_polarity": lambda mask: mask,  # whatever exchanges True and False
    "compare_with_lengths": lambda lengths, n: np.arange(n) < lengths[:, None],
    "add_query_axis": lambda real: real[:, None, :],
    # heads
    "split_heads": split_heads,
    "order_axes": lambda heads: heads,  # whatever is done to the axes of heads once they are split
    "merge_heads": merge_heads,
    # a layer: from vectors to heads, and back
    "normalise_x": lambda x: x,  # whatever is done to the vectors before the weight matrices
    "choose_table": lambda name: name,  # whose weight matrix projects to queries, keys or values
    "choose_bias": lambda name: name,  # whose bias is added to that product
    "apply_table": lambda x, table, bias, name: x @ table,
    "add_bias": lambda product, bias, name: product + bias,
    "split_projection": split_heads,
    "hide_unasked": lambda scores: scores,  # whatever is hidden, though the layer has no mask
    "choose_result": lambda output, weights: output,
    "merge_outputs": merge_heads,
    "apply_output_table": lambda merged, table, bias, n: merged @ table,
    "add_output_bias": lambda product, bias, n: product + bias,
    "leave_out_x": lambda added, x: added,
    # rotary positions
    "angles": lambda positions, n: np.asarray(positions)[..., None] * 10_000.0 ** (-np.arange(n) / n),
    "pair": lambda x: (x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]),
    "turn": lambda a, b, cos, sin: (a * cos - b * sin, a * sin + b * cos),
    "join": lambda first, second: np.concatenate([first, second], axis=-1),
    # two parts of a row
    "share_parts": lambda a, b: softmax(np.stack([a, b]), axis=0),
    "weigh": lambda a, output_a, b, output_b: a[..., None] * output_a + b[..., None] * output_b,
    "add_sums": np.logaddexp,
    # the steps backwards
    "values_backwards": lambda w, upstream: swap(w) @ upstream,  # -> the gradient of v
    "average_backwards": lambda upstream, v, w: upstream @ swap(v),  # -> the gradient of the weights
    "softmax_backwards": lambda w, a: w * (a - (w * a).sum(axis=-1, keepdims=True)),
    "scale_backwards": lambda s, q: s / root(q),
    "queries_backwards": lambda s, q, k: s @ k,
    "keys_backwards": lambda s, q, k: swap(s) @ q,
    "order_gradients": lambda of_q, of_k, of_v: (of_q, of_k, of_v),
    # from scores to the next token
    "take_largest": lambda scores, draw: scores.argmax(),  # at temperature 0
    "temper": lambda scores, temperature: scores / temperature,
    "make_probabilities": softmax,
    "after_softmax": lambda probabilities, temperature: (
        probabilities
    ),  # whatever is done to probabilities because of it
    "find_stretch": lambda probabilities, draw: (probabilities.cumsum() <= draw).sum(),
    "keep_inside": lambda index, n: min(index, n - 1),
    "hand_back": lambda index, probabilities, scores: index,
    # the newest token, and what was kept of those before
    "rotate_newest": lambda q, k, place: (at(place, q), at(place, k)),
    "choose_value": lambda v, place: v,
    "join_past": lambda past, k, v, place: (join(past[0], k), join(past[1], v)),
    "rotate_joined": lambda keys, place: keys,  # whatever is done to the keys before the scores
    "attend_to_all": lambda q, keys, values: softmax(q @ swap(keys) / root(q)) @ values,
    "keep": lambda keys, values, past, k, v: (keys, values),
    # a step of training
    "descend": lambda matrix, gradient, rate: matrix - rate * gradient,
}


def steps_with(variant=None):
    """All steps, those of the variant in the places of the right ones."""
    return SimpleNamespace(**RIGHT | (variant or {}))


def attention(s, q, k, v, mask=None):
    q, k, v = s.assign_roles(q, k, v)
    scores = s.scale(s.score(q, k), q, k)
    masked = s.go_without_mask(scores) if mask is None else s.apply_mask(scores, mask)
    weights = s.scale_weights(s.mask_weights(s.softmax(masked), mask), q)
    return s.order_results(*s.return_both(s.average(weights, k, v), weights, scores))


def project(s, x, table, bias, n_heads, name="q"):
    return s.split_projection(s.add_bias(s.apply_table(x, table, bias, name), bias, name), n_heads)


def multi_head(s, x, parameters, n):
    vectors = s.normalise_x(x)
    of = {
        name: (parameters[f"w_{s.choose_table(name)}"], parameters[f"b_{s.choose_bias(name)}"])
        for name in "qkv"
    }
    q, k, v = s.assign_roles(*(project(s, vectors, *of[name], n, name) for name in "qkv"))
    weights = s.scale_weights(s.softmax(s.hide_unasked(s.scale(s.score(q, k), q, k))), q)
    output = s.choose_result(s.average(weights, k, v), weights)
    matrix, bias = parameters["w_o"], parameters["b_o"]
    product = s.apply_output_table(s.merge_outputs(output), matrix, bias, n)
    return s.leave_out_x(s.add_output_bias(product, bias, n), x)


def rotate(s, x, positions):
    first, second = s.pair(x)
    angles = s.angles(positions, np.shape(x)[-1] // 2)
    return s.join(*s.turn(first, second, np.cos(angles), np.sin(angles)))


def merge(s, output_a, log_sum_a, output_b, log_sum_b):
    a, b = s.share_parts(np.asarray(log_sum_a), np.asarray(log_sum_b))
    output = s.weigh(a, np.asarray(output_a), b, np.asarray(output_b))
    return s.order_results(output, s.add_sums(log_sum_a, log_sum_b))


def attention_gradients(s, q, k, v, weights, upstream):
    of_weights = s.average_backwards(upstream, v, weights)
    of_scores = s.scale_backwards(s.softmax_backwards(weights, of_weights), q)
    of_q, of_k = s.queries_backwards(of_scores, q, k), s.keys_backwards(of_scores, q, k)
    return s.order_gradients(of_q, of_k, s.values_backwards(weights, upstream))


def next_token(s, scores, temperature, draw):
    scores = np.asarray(scores)
    if temperature == 0:
        return s.hand_back(s.take_largest(scores, draw), softmax(scores), scores)
    probabilities = s.after_softmax(s.make_probabilities(s.temper(scores, temperature)), temperature)
    return s.hand_back(s.keep_inside(s.find_stretch(probabilities, draw), len(scores)), probabilities, scores)


def attend_newest(s, q, k, v, place, past):
    q, k = s.rotate_newest(q, k, place)
    v = s.choose_value(v, place)
    keys, values = (k, v) if past is None else s.join_past(past, k, v, place)
    output = s.attend_to_all(q, s.rotate_joined(keys, place), values)
    return output, s.keep(keys, values, past, k, v)
