"""What models of today add to attention: rotary positions, grouped heads, and a row put together from parts.

Shapes are written as in attention.py, and dtypes are kept as there: float16 is computed in float32.
Inputs are never changed.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import arguments
from attention_lib.attention import softmax


@arguments.quiet
def rotate(
    x: ArrayLike,
    positions: ArrayLike | None = None,
    base: float = 10_000.0,
    pairs: str = "halves",
) -> NDArray[np.floating]:
    """Rotary positions: rotates each pair of a vector's numbers by an angle that grows with its position.

    The dot product of a rotated query with a rotated key depends on the signed difference of their positions alone.

    Shapes: x (..., L, d) with an even d -> (..., L, d); positions (L,), or what broadcasts to
    (..., L), are 0 to L - 1 unless given. Pair i is rotated by position * base**(-2 i / d). With pairs
    "halves", number i is paired with number i + d/2 (GPT-NeoX, Llama in Hugging Face Transformers); with
    "neighbours", 2i with 2i + 1 (the paper, GPT-J, Meta's own Llama).

    Raises ValueError if x has fewer than two axes or an odd d, if positions do not broadcast to (..., L), if
    `base` is not one positive number, or if `pairs` is neither "halves" nor "neighbours"; TypeError if x,
    positions or `base` do not hold real numbers.

    Source: Su et al. 2021, RoFormer, arXiv:2104.09864, equation 34.
    """
    dtype, x = arguments.real_arrays(x=x)
    arguments.check_pairs(x, pairs)
    d = x.shape[-1]
    speeds = arguments.positive("base", base) ** (-2 * np.arange(d // 2) / d)
    angles = arguments.positions_of(x, positions)[..., None] * speeds  # (..., L, d / 2)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = slice(0, d, 2), slice(1, d, 2)
    if pairs == "halves":
        first, second = slice(0, d // 2), slice(d // 2, d)
    rotated = np.empty(x.shape, x.dtype)
    rotated[..., first] = x[..., first] * cos - x[..., second] * sin
    rotated[..., second] = x[..., first] * sin + x[..., second] * cos
    return rotated.astype(dtype, copy=False)


def repeat_heads(x: ArrayLike, n: int) -> NDArray[np.floating]:
    """Gives each key head to n query heads in a row: heads 0, 1 become 0, 0, 1, 1 for n = 2.

    Shapes: x (..., H, L, d) -> (..., n * H, L, d).

    Raises ValueError if x has fewer than three axes, or n is less than 1; TypeError if x does not hold real
    numbers, or n is not an integer.

    Source: Ainslie et al. 2023, GQA, arXiv:2305.13245, section 2.2. Order as PyTorch's `enable_gqa`.
    """
    dtype, x = arguments.real_arrays(x=x)
    n = arguments.count("n", n, least=1)
    arguments.check_axes(x, x="... H L d")
    return np.repeat(x, n, axis=-3).astype(dtype, copy=False)


@arguments.quiet
def merge(
    output_a: ArrayLike, log_sum_a: ArrayLike, output_b: ArrayLike, log_sum_b: ArrayLike
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Attention over two sets of keys, from its output over each: their average, weighted by exp(log sum).

    A log sum is the logarithm of a row's summed exponentials, log(exp(scores).sum(axis=-1)), of scaled and
    masked scores.

    Shapes: outputs (..., Lq, d_v), log sums (..., Lq) -> output (..., Lq, d_v) and its log sum
    (..., Lq). The log sum of a side that saw no key is -inf; where neither saw one, the output is 0 and
    the log sum -inf. A side's output is multiplied by its weight even if that is 0, so a NaN there shows.

    Raises ValueError if the arguments do not agree in Lq and d_v, or their leading axes do not broadcast;
    TypeError if an argument does not hold real numbers.

    Source: Milakov and Gimelshein 2018, arXiv:1805.02867, section 3.1; Dao et al. 2022, FlashAttention,
    arXiv:2205.14135, section 3.1.
    """
    dtype, output_a, output_b = arguments.real_arrays(output_a=output_a, output_b=output_b)
    log_dtype, log_sum_a, log_sum_b = arguments.real_arrays(log_sum_a=log_sum_a, log_sum_b=log_sum_b)
    arguments.check_sides(output_a=output_a, log_sum_a=log_sum_a, output_b=output_b, log_sum_b=log_sum_b)
    weight_a, weight_b = softmax(np.stack(np.broadcast_arrays(log_sum_a, log_sum_b)), axis=0)[..., None]
    output = weight_a * output_a + weight_b * output_b
    log_sum = np.logaddexp(log_sum_a, log_sum_b)
    return output.astype(dtype, copy=False), log_sum.astype(log_dtype, copy=False)
