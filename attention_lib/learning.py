"""The five steps of attention backwards, and one head that learns with them.

A gradient has the shape of what it belongs to, and says how much a loss would grow if a number of it grew by a
little. Shapes are written as in attention.py. The two gradients keep dtypes as there: float16 is computed in
float32. The gradients of head_step and the matrices of train_head are float64. Inputs are never changed.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import arguments
from attention_lib.attention import scaled_dot_product_attention


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

    Raises
    ------
    ValueError
        If weights has no axis, or upstream another shape.
    TypeError
        If an argument does not hold real numbers.

    References
    ----------
    Bridle 1990, Probabilistic interpretation of feedforward classification network outputs, with
    relationships to statistical pattern recognition, section 3: the derivatives of softmax.
    """
    dtype, weights, upstream = arguments.real_arrays(weights=weights, upstream=upstream)
    arguments.check_same_shape(weights=weights, upstream=upstream)
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

    Raises
    ------
    ValueError
        If shapes do not agree, d_k is 0, or `scale` is not finite.
    TypeError
        If an argument does not hold real numbers, or `scale` is not one real number.

    References
    ----------
    Dao et al. 2022, FlashAttention, arXiv:2205.14135, appendix B.2: the backward pass of attention.
    """
    dtype, q, k, v, weights, upstream, scale = arguments.gradient_arguments(q, k, v, weights, upstream, scale)
    of_v = weights.mT @ upstream
    of_weights = upstream @ v.mT
    of_scores = softmax_gradient(weights, of_weights) * scale
    of_q, of_k = of_scores @ k, of_scores.mT @ q
    return Gradients(*(gradient.astype(dtype, copy=False) for gradient in (of_q, of_k, of_v)))


@arguments.quiet
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

    Raises
    ------
    ValueError, TypeError
        As `scaled_dot_product_attention`.

    References
    ----------
    Rumelhart, Hinton and Williams 1986, Learning representations by back-propagating errors, Nature 323.
    """
    askers, tokens, targets = np.asarray(askers), np.asarray(tokens), np.asarray(targets)
    q, k, v = askers @ matrices["w_q"], tokens @ matrices["w_k"], tokens @ matrices["w_v"]
    output, weights = scaled_dot_product_attention(q, k, v, mask, scale=scale)
    scores = output @ matrices["w_o"]
    log_probabilities = scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    wanted = np.eye(scores.shape[-1])[targets]  # 1 at the right class, 0 elsewhere
    loss = -(log_probabilities * wanted).sum(axis=-1).mean()
    right = (scores.argmax(axis=-1) == targets).mean()

    of_scores = (np.exp(log_probabilities) - wanted) / targets.size  # softmax and -log backwards, in one
    given = (q, k, v, weights, of_scores @ matrices["w_o"].T)
    of_q, of_k, of_v = gradients(*given) if scale is None else gradients(*given, scale)
    pairs = {"w_q": (askers, of_q), "w_k": (tokens, of_k), "w_v": (tokens, of_v), "w_o": (output, of_scores)}
    of_matrices = {name: _of_matrix(*pair) for name, pair in pairs.items()}
    return Step(float(loss), float(right), weights, of_matrices)


def _of_matrix(x, gradient):
    """The gradient of a matrix, from its inputs x (B, L, d) and the gradient of x @ matrix, summed over B and L."""
    return x.reshape(-1, x.shape[-1]).T @ np.reshape(gradient, (-1, np.shape(gradient)[-1]))


def train_head(
    matrices: dict[str, NDArray[np.floating]],
    draw: Callable[[], tuple[ArrayLike, ArrayLike, ArrayLike]],
    steps: int,
    rate: float = 1.0,
    until: float | None = None,
    **options: Any,
) -> Trained:
    """Moves the matrices of a head `steps` times a little against their gradients, each time on a new batch.

    draw() returns the askers, tokens and targets of a batch; `options` are those of head_step. A step
    changes each matrix by -rate times its gradient. Given `until`, it ends when that share is right.

    Raises
    ------
    ValueError, TypeError
        As `head_step`, and if steps is not a whole number.

    References
    ----------
    Plain stochastic gradient descent: Robbins and Monro 1951.
    """
    matrices = {name: np.array(matrix, np.float64) for name, matrix in matrices.items()}
    losses, right = [], []
    for _ in range(arguments.count("steps", steps)):
        step = head_step(matrices, *draw(), **options)
        losses.append(step.loss)
        right.append(step.right)
        if until is not None and step.right >= until:
            break
        for name, gradient in step.gradients.items():
            matrices[name] -= rate * gradient
    return Trained(matrices, np.array(losses), np.array(right))
