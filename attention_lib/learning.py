"""The five steps of attention backwards; one head, and layers of attention, that learn with them.

A gradient has the shape of what it belongs to, and says how much a loss would grow if a number of it grew by a
little. Shapes are written as in attention.py. The two gradients keep dtypes as there: float16 is computed in
float32. The gradients of head_step and layers_step and the matrices of train_head are float64. Inputs are
never changed.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import arguments
from attention_lib.attention import merge_heads, scaled_dot_product_attention, split_heads
from attention_lib.today import rotate


class Gradients(NamedTuple):
    """What attention_gradients returns: the gradients of q, of k and of v."""

    q: NDArray[np.floating]
    k: NDArray[np.floating]
    v: NDArray[np.floating]


class Step(NamedTuple):
    """What head_step returns: how wrong the head is, the share of right answers, its weights, and the gradients."""

    loss: float
    right: float
    weights: NDArray[np.floating]
    gradients: dict[str, NDArray[np.floating]]  # one for each matrix


class LayersStep(NamedTuple):
    """What layers_step returns: how wrong the layers are, their scores of all tokens, and the gradients."""

    loss: float
    scores: NDArray[np.floating]
    gradients: dict[str, NDArray[np.floating]]  # one for each name of the matrices


class Trained(NamedTuple):
    """What train_head returns: the matrices at the end, and of each step the loss and the share of right answers."""

    matrices: dict[str, NDArray[np.floating]]
    losses: NDArray[np.floating]
    right: NDArray[np.floating]


@arguments.quiet
def softmax_gradient(weights: ArrayLike, upstream: ArrayLike) -> NDArray[np.floating]:
    """The gradient of the scores, from the gradient of the weights that softmax made of them.

    Shapes: weights (..., Lq, Lk), upstream, the gradient of the weights, the same -> (..., Lq, Lk). A row
    adds up to 0 if its weights add up to 1 or are all 0, and a key of weight 0 gets 0.

    Raises ValueError if weights has no axis, or upstream another shape; TypeError if an argument does not hold
    real numbers.

    Source: Bridle 1990, Probabilistic interpretation of feedforward classification network outputs, with
    relationships to statistical pattern recognition, section 3: the derivatives of softmax.
    """
    dtype, weights, upstream = arguments.real_arrays(weights=weights, upstream=upstream)
    arguments.check_axes(weights, upstream, weights="... Lk", upstream="... Lk")
    row_mean = (weights * upstream).sum(axis=-1, keepdims=True)  # weighted, since a row's weights add up to 1
    return (weights * (upstream - row_mean)).astype(dtype, copy=False)


@arguments.quiet
def attention_gradients(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    weights: ArrayLike,
    upstream: ArrayLike,
    scale: float | None = None,
) -> Gradients:
    """The gradients of queries, keys and values, from the gradient of attention's output.

    Shapes: q (..., Lq, d_k), k (..., Lk, d_k), v (..., Lk, d_v), the weights that attention returned
    (..., Lq, Lk), upstream, the gradient of its output, (..., Lq, d_v) -> the shapes of q, k and v. Leading
    axes are the same in all. `scale` is that of the scores, 1/sqrt(d_k) unless given.

    Raises ValueError if shapes do not agree, d_k is 0, or `scale` is not finite; TypeError if an argument does
    not hold real numbers, or `scale` is not one real number.

    Source: Dao et al. 2022, FlashAttention, arXiv:2205.14135, appendix B.2: the backward pass of attention.
    """
    dtype, q, k, v, weights, upstream, scale = arguments.gradient_arguments(q, k, v, weights, upstream, scale)
    of_v = weights.mT @ upstream
    of_weights = upstream @ v.mT
    of_scores = softmax_gradient(weights, of_weights) * scale
    of_q, of_k = of_scores @ k, of_scores.mT @ q
    return Gradients(*(gradient.astype(dtype, copy=False) for gradient in (of_q, of_k, of_v)))


@arguments.quiet
@arguments.checked(gradients="function")
def head_step(
    matrices: dict[str, NDArray[np.floating]],
    askers: ArrayLike,
    tokens: ArrayLike,
    targets: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    gradients: Callable[..., Any] = attention_gradients,
) -> Step:
    """One head forwards and backwards on a batch: how wrong it is, and which way is better.

    Shapes: B sequences; askers (B, Lq, d), whose queries look at the keys and values of tokens (B, Lk, d);
    targets (B, Lq), the class that each asker should name. matrices are `w_q` and `w_k` (d, d_k), `w_v`
    (d, d_v), and `w_o` (d_v, classes), which makes a score for each class. mask and `scale` as in
    `scaled_dot_product_attention`. `gradients` is attention_gradients or another function of its arguments.
    The loss is the mean of -log(the probability of the right class).

    Raises ValueError if a matrix is missing, shapes do not agree or hold a 0, a target is not one of the
    classes, or `scale` is not finite; TypeError if an argument does not hold real numbers, targets are not
    integers, `gradients` is not a function or does not return three arrays, or mask is refused by
    `scaled_dot_product_attention`.

    Source: Rumelhart, Hinton and Williams 1986, Learning representations by back-propagating errors, Nature
    323.
    """
    batch = arguments.head_arguments(matrices, askers, tokens, targets)
    return _head_step(batch, mask, scale, gradients)


def _head_step(batch, mask, scale, gradients):
    """head_step, when its matrices, askers, tokens and targets are checked."""
    matrices, askers, tokens, targets = batch
    q, k, v = askers @ matrices["w_q"], tokens @ matrices["w_k"], tokens @ matrices["w_v"]
    output, weights = scaled_dot_product_attention(q, k, v, mask, scale=scale)
    scores = output @ matrices["w_o"]
    loss, of_scores = _loss_and_gradient(scores, targets)
    right = (scores.argmax(axis=-1) == targets).mean()

    given = (q, k, v, weights, of_scores @ matrices["w_o"].T)
    returned = gradients(*given) if scale is None else gradients(*given, scale)
    parts = zip(("of_q", "of_k", "of_v"), arguments.parts("gradients", returned, "of_q of_k of_v"), (q, k, v))
    of_q, of_k, of_v = (arguments.part("gradients", name, x, of.shape) for name, x, of in parts)
    pairs = {"w_q": (askers, of_q), "w_k": (tokens, of_k), "w_v": (tokens, of_v), "w_o": (output, of_scores)}
    of_matrices = {name: _of_matrix(*pair) for name, pair in pairs.items()}
    return Step(loss, float(right), weights, of_matrices)


def _loss_and_gradient(scores, targets):
    """The mean of -log(the probability of the right class), and the gradient of the scores (..., classes)."""
    log_probabilities = scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    wanted = np.eye(scores.shape[-1])[targets]  # 1 at the right class, 0 elsewhere
    loss = -(log_probabilities * wanted).sum(axis=-1).mean()
    of_scores = (np.exp(log_probabilities) - wanted) / targets.size  # softmax and -log backwards, in one
    return float(loss), of_scores


def _of_matrix(x, gradient):
    """The gradient of a matrix, from its inputs x (B, L, d) and the gradient of x @ matrix, summed over B and L."""
    return x.reshape(-1, x.shape[-1]).T @ gradient.reshape(-1, gradient.shape[-1])


@arguments.quiet
@arguments.checked(draw="function", steps="count", rate="finite", until="finite", gradients="function")
def train_head(
    matrices: dict[str, NDArray[np.floating]],
    draw: Callable[[], tuple[ArrayLike, ArrayLike, ArrayLike]],
    steps: int,
    rate: float = 1.0,
    until: float | None = None,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    gradients: Callable[..., Any] = attention_gradients,
) -> Trained:
    """Moves the matrices of a head `steps` times a little against their gradients, each time on a new batch.

    draw() returns the askers, tokens and targets of a batch; mask, `scale` and `gradients` are those of head_step.
    A step changes each matrix by -rate times its gradient. Given `until`, it ends when that share is right.

    Raises ValueError or TypeError as `head_step`, and if draw is not a function or does not return three
    arrays, steps is not a whole number, or rate or `until` is not one finite number.

    Source: plain stochastic gradient descent: Robbins and Monro 1951.
    """
    matrices, _ = arguments.matrices_of(matrices, arguments.MATRICES_OF_HEAD)
    losses, right = [], []
    for _ in range(steps):
        drawn = arguments.parts("draw", draw(), "askers tokens targets")
        batch = arguments.head_arguments(matrices, *drawn, of=" of draw()")
        step = _head_step(batch, mask, scale, gradients)
        losses.append(step.loss)
        right.append(step.right)
        if until is not None and step.right >= until:
            break
        for name, gradient in step.gradients.items():
            matrices[name] -= rate * gradient
    return Trained(matrices, np.array(losses), np.array(right))


@arguments.checked(n_tokens="size", d_model="size", n_layers="size", rng="generator")
def start_layers(
    n_tokens: int, d_model: int, n_layers: int, rng: np.random.Generator
) -> dict[str, NDArray[np.floating]]:
    """Random matrices of layers that predict the next token, drawn from the generator that is given.

    Shapes: n_tokens is the size of the vocabulary -> `embedding` (n_tokens, d_model); `w_q`, `w_k`, `w_v` and
    `w_o` (n_layers, d_model, d_model), a matrix for each layer; `unembedding` (d_model, n_tokens). Their standard
    deviation is 1 / sqrt(d_model); that of the embedding is 1, and that of `w_o` is half as large as the others',
    so that x changes little in each layer. (With the same for all, more runs of training end in NaN.)

    Raises ValueError if a size is less than 1, or d_model is odd; TypeError if a size is not an integer, or rng
    is not a generator of NumPy.

    Source: LeCun et al. 1998, Efficient BackProp, section 4.6: the standard deviation.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, to make pairs of, got {d_model}")
    shapes: dict[str, tuple[int, ...]] = {"embedding": (n_tokens, d_model)}
    shapes |= dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (n_layers, d_model, d_model))
    shapes |= {"unembedding": (d_model, n_tokens)}
    deviations = {"embedding": 1.0, "w_o": 0.5 * d_model**-0.5}
    return {name: rng.normal(0, deviations.get(name, d_model**-0.5), shape) for name, shape in shapes.items()}


@arguments.quiet
def layers_step(
    matrices: dict[str, NDArray[np.floating]], tokens: ArrayLike, targets: ArrayLike, n_heads: int
) -> LayersStep:
    """Causal layers of attention forwards and backwards on a batch: how wrong they are, and which way is better.

    Each layer adds the output of its attention to x, which starts as the embedding of the tokens; queries and keys
    are rotated by `today.rotate`. There is no normalization and no feed-forward part.

    Shapes: B sequences of L tokens: tokens (B, L), whole numbers from 0 to n_tokens - 1; targets (B, L), the token
    that each position should predict; matrices as from start_layers -> scores (B, L, n_tokens), and gradients of
    the same names and shapes as matrices. The loss is the mean of -log(the probability of the right token).

    Raises ValueError if a matrix is missing, shapes do not agree, n_heads does not divide d_model into even
    parts, or a token is not in the vocabulary; TypeError if an argument does not hold real numbers, or tokens,
    targets or n_heads are not integers.

    Source: Vaswani et al. 2017, sections 3.2 and 3.4; Rumelhart, Hinton and Williams 1986, Learning
    representations by back-propagating errors, Nature 323.
    """
    matrices, tokens, targets, n_heads = arguments.layers_arguments(matrices, tokens, targets, n_heads)
    n_tokens, n_layers = len(matrices["embedding"]), len(matrices["w_q"])
    one_hot = np.eye(n_tokens)[tokens]
    x, forwards = matrices["embedding"][tokens], []  # x is (B, L, d_model)
    for layer in range(n_layers):
        q, k, v = (split_heads(x @ matrices[name][layer], n_heads) for name in ("w_q", "w_k", "w_v"))
        q, k = rotate(q), rotate(k)
        output, weights = scaled_dot_product_attention(q, k, v, is_causal=True)
        merged = merge_heads(output)
        forwards.append((x, q, k, v, weights, merged))
        x = x + merged @ matrices["w_o"][layer]
    scores = x @ matrices["unembedding"]

    loss, of_scores = _loss_and_gradient(scores, targets)
    gradients = {name: np.zeros(matrix.shape) for name, matrix in matrices.items()}
    gradients["unembedding"] = _of_matrix(x, of_scores)
    of_x = of_scores @ matrices["unembedding"].T
    back = -np.arange(tokens.shape[1])  # positions that undo a rotation
    for layer in reversed(range(n_layers)):
        x, q, k, v, weights, merged = forwards[layer]
        gradients["w_o"][layer] = _of_matrix(merged, of_x)
        of_output = split_heads(of_x @ matrices["w_o"][layer].T, n_heads)
        of_q, of_k, of_v = attention_gradients(q, k, v, weights, of_output)
        of_heads = {"w_q": rotate(of_q, back), "w_k": rotate(of_k, back), "w_v": of_v}
        for name, of_head in of_heads.items():
            of_product = merge_heads(of_head)
            gradients[name][layer] = _of_matrix(x, of_product)
            of_x = of_x + of_product @ matrices[name][layer].T
    gradients["embedding"] = _of_matrix(one_hot, of_x)
    return LayersStep(loss, scores, gradients)
