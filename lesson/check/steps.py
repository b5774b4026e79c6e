"""The steps that exercises are made of, done right, and the recipes of more than one line.

A recipe is a function of the steps and an exercise's arguments: `lambda s, q, k: s.scale(s.score(q, k), q, k)`.
Some steps do nothing: they stand where people do too much, as `adjust_scores`.
"""

from functools import partial
from types import SimpleNamespace

import numpy as np

from attention_lib.attention import merge_heads, softmax, split_heads
from attention_lib.learning import softmax_gradient


def swap(x):
    """The transpose of each matrix."""
    return x.swapaxes(-1, -2)


def root(q):
    """The square root of d_k."""
    return q.shape[-1] ** 0.5


def angles(positions, n, base=10_000.0):
    """By how much each of n pairs of numbers is rotated at each position."""
    speeds = base ** (-np.arange(n) / n)
    return np.asarray(positions)[..., None] * speeds


def halves(x):
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def leave_out(logits, kept, probabilities):
    """-inf for all logits but those with these indices."""
    return np.where(np.isin(np.arange(len(logits)), kept), logits, -np.inf)


def attend_to_all(q, keys, values, mask):
    scores = np.where(mask, q @ swap(keys) / root(q), -np.inf)
    return softmax(scores) @ values


def at(positions, x, base=100_000.0, **steps):
    """Vectors rotated by their positions."""
    return rotate(steps_with({"angles": partial(angles, base=base), **steps}), x, positions)


def join(past, new):
    return np.concatenate([past, new], axis=1)


def join_past(past, k, v, positions):
    if past is None:
        return k, v
    keys, values = past
    return join(keys, k), join(values, v)


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
    "weigh_values": lambda weights, values: weights @ values,  # the same step where there are no keys
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
    "choose_matrix": lambda name: name,  # whose weight matrix projects to queries, keys or values
    "choose_bias": lambda name: name,  # whose bias is added to that product
    "apply_matrix": lambda x, matrix, bias, name: x @ matrix,
    "add_bias": lambda product, bias, name: product + bias,
    "split_projection": split_heads,
    "hide_unasked": lambda scores: scores,  # whatever is hidden, though the layer has no mask
    "choose_result": lambda output, weights: output,
    "merge_outputs": merge_heads,
    "apply_output_matrix": lambda merged, matrix, bias, n: merged @ matrix,
    "add_output_bias": lambda product, bias, n: product + bias,
    "leave_out_x": lambda added, x: added,
    # rotary positions
    "angles": angles,
    "pair": halves,
    "turn": lambda a, b, cos, sin: (a * cos - b * sin, a * sin + b * cos),
    "join": lambda first, second: np.concatenate([first, second], axis=-1),
    # two parts of a row
    "share_parts": lambda a, b: softmax(np.stack([a, b]), axis=0),
    "weigh": lambda a, output_a, b, output_b: a[..., None] * output_a + b[..., None] * output_b,
    "add_sums": np.logaddexp,
    # the steps backwards
    "values_backwards": lambda w, upstream: swap(w) @ upstream,  # -> the gradient of v
    "average_backwards": lambda upstream, v, w: upstream @ swap(v),  # -> the gradient of the weights
    "softmax_backwards": softmax_gradient,
    "scale_backwards": lambda s, q: s / root(q),
    "queries_backwards": lambda s, q, k: s @ k,
    "keys_backwards": lambda s, q, k: swap(s) @ q,
    "order_gradients": lambda of_q, of_k, of_v: (of_q, of_k, of_v),
    # from scores to the next token
    "take_largest": lambda scores, draw: scores.argmax(),  # at temperature 0
    "temper": lambda scores, temperature: scores / temperature,
    "make_probabilities": softmax,
    # whatever is done to probabilities because of the temperature
    "after_softmax": lambda probabilities, temperature: probabilities,
    "find_stretch": lambda probabilities, draw: (probabilities.cumsum() <= draw).sum(),
    "keep_inside": lambda index, n: min(index, n - 1),
    "hand_back": lambda index, probabilities, scores: index,
    # the most probable tokens alone
    "sort_tokens": lambda probabilities, logits: np.argsort(-probabilities),
    "count_kept": lambda ends, p: (ends < p).sum() + 1,
    # whatever is done to the indices that are kept
    "choose_kept": lambda kept, probabilities, logits, p: kept,
    "leave_out": leave_out,
    # new tokens, and what was kept of those before
    "count_past": lambda past: 0 if past is None else past[0].shape[1],
    "positions": lambda n, length: np.arange(n, n + length),
    "rotate_new": lambda q, k, positions: (at(positions, q), at(positions, k)),
    "rotate_values": lambda v, positions: v,  # whatever is done to values because of their positions
    "join_past": join_past,
    "rotate_joined": lambda keys: keys,  # whatever is done to the keys before the scores
    "mask_future": lambda n, length: np.tri(length, n + length, n, dtype=bool),
    "repeat_heads": lambda x, n: np.repeat(x, n, axis=0),
    "attend_to_all": attend_to_all,
    "keep": lambda keys, values, past, k, v, times: (keys, values),  # k is not rotated
    # the weights of a text that comes twice
    "choose_diagonal": lambda weights, n: np.diagonal(weights, 1 - n, -2, -1),
    "leave_out_first": lambda diagonal: diagonal[..., 1:],
    "average_diagonal": lambda diagonal, n: diagonal.sum(-1) / diagonal.shape[-1],
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
    weights = s.mask_weights(s.softmax(masked), mask)
    weights = s.scale_weights(weights, q)
    output = s.average(weights, k, v)
    returned = s.return_both(output, weights, scores)
    return s.order_results(*returned)


def project(s, x, matrix, bias, n_heads, name):
    product = s.apply_matrix(x, matrix, bias, name)
    projected = s.add_bias(product, bias, name)
    return s.split_projection(projected, n_heads)


def multi_head(s, x, parameters, n_heads):
    vectors = s.normalise_x(x)

    def heads_of(name):
        matrix = parameters[f"w_{s.choose_matrix(name)}"]
        bias = parameters[f"b_{s.choose_bias(name)}"]
        return project(s, vectors, matrix, bias, n_heads, name)

    q, k, v = s.assign_roles(heads_of("q"), heads_of("k"), heads_of("v"))
    scores = s.scale(s.score(q, k), q, k)
    weights = s.softmax(s.hide_unasked(scores))
    weights = s.scale_weights(weights, q)
    output = s.choose_result(s.average(weights, k, v), weights)
    merged = s.merge_outputs(output)
    matrix, bias = parameters["w_o"], parameters["b_o"]
    product = s.apply_output_matrix(merged, matrix, bias, n_heads)
    added = s.add_output_bias(product, bias, n_heads)
    return s.leave_out_x(added, x)


def rotate(s, x, positions):
    first, second = s.pair(x)
    angles = s.angles(positions, np.shape(x)[-1] // 2)
    turned = s.turn(first, second, np.cos(angles), np.sin(angles))
    return s.join(*turned)


def merge(s, output_a, log_sum_a, output_b, log_sum_b):
    a, b = s.share_parts(np.asarray(log_sum_a), np.asarray(log_sum_b))
    output = s.weigh(a, np.asarray(output_a), b, np.asarray(output_b))
    log_sum = s.add_sums(log_sum_a, log_sum_b)
    return s.order_results(output, log_sum)


def attention_gradients(s, q, k, v, weights, upstream):
    of_weights = s.average_backwards(upstream, v, weights)
    of_scaled = s.softmax_backwards(weights, of_weights)
    of_scores = s.scale_backwards(of_scaled, q)
    of_q = s.queries_backwards(of_scores, q, k)
    of_k = s.keys_backwards(of_scores, q, k)
    of_v = s.values_backwards(weights, upstream)
    return s.order_gradients(of_q, of_k, of_v)


def next_token(s, scores, temperature, draw):
    scores = np.asarray(scores)
    if temperature == 0:
        index = s.take_largest(scores, draw)
        return s.hand_back(index, softmax(scores), scores)
    tempered = s.temper(scores, temperature)
    probabilities = s.make_probabilities(tempered)
    probabilities = s.after_softmax(probabilities, temperature)
    index = s.find_stretch(probabilities, draw)
    index = s.keep_inside(index, len(scores))
    return s.hand_back(index, probabilities, scores)


def nucleus(s, logits, p):
    probabilities = softmax(logits)
    order = s.sort_tokens(probabilities, logits)
    n = s.count_kept(probabilities[order].cumsum(), p)
    kept = s.choose_kept(order[:n], probabilities, logits, p)
    return s.leave_out(logits, kept, probabilities)


def attend(s, q, k, v, past=None):
    length = q.shape[1]
    positions = s.positions(s.count_past(past), length)
    rotated_q, rotated_k = s.rotate_new(q, k, positions)
    v = s.rotate_values(v, positions)
    keys, values = s.join_past(past, rotated_k, v, positions)
    times = len(q) // len(keys)
    shared_keys = s.repeat_heads(s.rotate_joined(keys), times)
    shared_values = s.repeat_heads(values, times)
    mask = s.mask_future(keys.shape[1] - length, length)
    output = s.attend_to_all(rotated_q, shared_keys, shared_values, mask)
    return output, s.keep(keys, values, past, k, v, times)


def induction_score(s, weights):
    n = weights.shape[-1] // 2
    diagonal = s.leave_out_first(s.choose_diagonal(weights, n))
    return s.average_diagonal(diagonal, n)
