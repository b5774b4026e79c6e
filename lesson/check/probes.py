"""What the learner's functions are called with: arguments on which right and wrong answers differ.

Sizes differ wherever a wrong axis could go unnoticed, and are equal, or 1, where only that shows a mistake.
A name stands in sentences of a verdict: your function is right with "one query", but wrong with "a batch".

Each draw starts from a fixed seed, so the numbers stay the same when a probe is added or removed.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from attention_lib import today
from attention_lib.attention import masked_softmax, softmax, split_heads


@dataclass(frozen=True)
class Probe:
    name: str  # finishes the sentence "Seen: With ..."
    args: tuple
    # Numbers are compared; on an extreme probe the fates of rows, as many mistakes end in NaN.
    ordinary: bool = True
    may_raise: bool = False  # an error is no fault here: better than a wrong number


def probes(ordinary, extreme=None, may_raise=None):
    """Probes from {name: arguments in their order}; what is called "numbers of 16 digits" comes in float32, too.

    Extreme ones have extreme scores, rows in which all is hidden, or a list in the place of an array. `may_raise` is
    the ordinary one on which an error is no fault: what works in place cannot take whole numbers.
    """
    if digits := ordinary.get("numbers of 16 digits"):
        ordinary = {**ordinary, "numbers of float32": single(tuple(digits))}
    made = []
    for name, args in ordinary.items():
        made.append(Probe(name, tuple(args), may_raise=name == may_raise))
    for name, args in (extreme or {}).items():
        made.append(Probe(name, tuple(args), ordinary=False))
    return made


def draw(seed, *shape):
    """Numbers of two decimals, as messages show them."""
    return np.round(with_all_digits(seed, *shape), 2)


def with_all_digits(seed, *shape):
    """Numbers that change if they are rounded, sorted or made positive."""
    return np.random.default_rng(seed).normal(0, 1.2, shape)


def drawn(first_seed, *shapes, numbers=draw):
    """An array of each shape, from seeds that follow each other."""
    return [numbers(seed, *shape) for seed, shape in enumerate(shapes, first_seed)]


def qkv(*sizes, numbers=draw):
    """Queries, keys and values: (..., Lq, d_k), (..., Lk, d_k) and (..., Lk, d_v) for sizes as in SIZES."""
    *leading, n_queries, n_keys, d_k, d_v = sizes
    shapes = (*leading, n_queries, d_k), (*leading, n_keys, d_k), (*leading, n_keys, d_v)
    return drawn(1, *shapes, numbers=numbers)


def scores_of(*sizes):
    """Scores (..., Lq, Lk) for sizes as in SIZES."""
    *shape, _, _ = sizes
    return draw(5, *shape)


def of_all_sizes(make):
    """{name: make(*sizes)} for each row of SIZES."""
    return {name: make(*sizes) for name, sizes in SIZES.items()}


def single(x):
    """An array of fractions in float32, and each in a tuple; lists, numbers and dicts stay as they are."""
    if isinstance(x, tuple):
        return tuple(map(single, x))
    of_fractions = isinstance(x, np.ndarray) and x.dtype.kind == "f"
    return x.astype(np.float32) if of_fractions else x


def whole(arrays):
    """The same in whole numbers, as the small examples of the notebooks have them."""
    return tuple((3 * x).astype(int) for x in arrays)


def mask_of(*rows):
    """A boolean mask: 1 is True."""
    return np.array([[letter == "1" for letter in row] for row in rows])


def mixed_mask(*shape):
    """A mask whose rows differ, as far as that is possible. Each has both kinds of keys, if there are two."""
    mask = draw(80, *shape) > 0
    mask[..., -1] &= ~mask.all(-1)
    mask[..., 0] |= ~mask.any(-1)
    return mask


# (..., Lq, Lk, d_k, d_v): axes in front, queries, keys, numbers in a query or key, numbers in a value.
# Exercises on queries and keys, and on matrices of scores or weights, are tried with all of them, by of_all_sizes.
# d_k takes many values: an answer may divide by a number that is right for one of them.
SIZES = {
    "unequal sizes": (4, 6, 5, 7),  # an axis taken for another one has a wrong length
    "as many queries as keys": (6, 6, 3, 4),  # queries and keys can change places without an error
    "a batch": (3, 4, 6, 8, 7),  # the last two axes are not 0 and 1
    "heads of several sentences": (3, 2, 4, 6, 5, 7),  # and not 1 and 2
    # Any axis can be taken for any other without an error: only the numbers tell.
    "sizes all equal": (4, 4, 4, 4, 4),
    "four equal axes": (4, 4, 4, 4, 4, 4),
    "three axes in front": (2, 3, 2, 3, 6, 16, 7),  # more than an answer may have loops for
    # An axis of length 1 is lost by squeeze, and broadcasts where it should not.
    "one query": (1, 6, 64, 7),
    "one key": (7, 1, 128, 7),
    "one sentence": (1, 4, 6, 32, 7),
    # Longer than a size that is written into an answer, such as 128 in a mask.
    "many queries": (150, 3, 5, 7),
    "many keys": (3, 150, 5, 70),
}
UNEQUAL = qkv(*SIZES["unequal sizes"])
OTHERS = qkv(*SIZES["unequal sizes"], numbers=with_all_digits)
HEADS = qkv(*SIZES["heads of several sentences"])

MASK = mask_of("111111", "101101", "010010", "110110")
BY_SENTENCE = MASK[[1, 3, 0]][:, None, None]  # (3, 1, 1, 6)

WHOLE = np.array([[1, 0, 2], [-3, 1, 1]])
WITH_ZERO = np.array([[0.0, 1, -1, 2], [1.0, 0, 2, -1]])
# Scores of extreme probes. LARGE: only the subtraction of each row's own maximum helps.
LARGE = np.array([[-2000.0, 999, 998, 1000, -1900], [0.0, -1, -2, -4, 3]])
# FAR_BELOW: exp is 0 in the first row, and in the second a number of few digits.
FAR_BELOW = np.array([[-2000.0, -2001, -1999, -2003], [-742, -744, -743, -742]])
FIVE_MILLION = np.array([[0, -1, -4, -2, 1], [-1, 0, 1, -2, -3]]) + np.array([[5e6], [-5e6]])
FIVE_MILLION_MASK = mask_of("11110", "10111")
FAR_ABOVE = np.array([[1.0, 3, 30_000, 2], [2.0, 900, 1, 0]])  # with the highest hidden
FAR_BEYOND = np.array([[1.0, 3, 1e300, 2], [2.0, 1, 0, 1]])  # adding -1e9 does not hide 1e300
FAR_ABOVE_MASK = mask_of("1101", "1011")
LOW = np.array([[-50.0, -52, 3, 7, -51, 1], [1, 2, 0, -1, 3, 1]]) - 200_000
LOW_MASK = mask_of("110010", "101111")
TWO_ROWS = np.array([[1.0, 3, 2, 0], [2.0, 1, 0, 3]])
SECOND_OF_THREE_EMPTY = mask_of("1101", "0000", "0111")[:, None, None]  # (3, 1, 1, 4): an empty sentence

MASKED_EXTREMES = {  # scores and mask
    "a hidden score far above": (FAR_ABOVE, FAR_ABOVE_MASK),
    "scores of ±5 million": (FIVE_MILLION, FIVE_MILLION_MASK),
    "scores around -200000": (LOW, LOW_MASK),
    "a fully masked row": (TWO_ROWS, mask_of("0000", "1101")),
    "everything hidden": (TWO_ROWS, mask_of("0000", "0000")),
    "a mask of one column": (TWO_ROWS, mask_of("1", "0")),
}


def with_scores(scores):
    """q, k and v of d_k = 4 with exactly these two rows of scaled scores, if they are whole numbers."""
    n_keys = scores.shape[1]
    shift = scores[:, :1]
    # q·k = 2 shift + 2 (scores - shift), and the root of d_k is 2.
    q = np.column_stack([shift, np.eye(2, 3)])
    k = np.column_stack([np.full(n_keys, 2.0), 2 * (scores - shift).T, np.zeros(n_keys)])
    return q, k, draw(4, n_keys, 3)


# Small enough for work by hand
TWO_OF_EACH = (
    np.array([[1.0, 2], [0, -1]]),
    np.array([[2.0, 1], [-1, 0]]),
    np.array([[3.0], [5]]),
)


def pairs_of_vectors():
    """a, b: (n,) each."""
    pairs = {
        "three numbers": ([1.0, 2, 3], [4.0, 0, -1]),
        # np.zeros_like(a) holds no fractions, and `a *= b` raises
        "whole numbers beside fractions": ([2, 1, -1, 3], [0.5, 0, 2, 1.5]),
        "one number": ([3.0], [-2.0]),
        "whole numbers": ([2, -3, 2, 1, 5], [1, 0, 2, 7, -2]),
        # a set of the products keeps one of two equal ones
        "equal products": ([1.0, 0.5, 1, 2], [1.5, 2, 1.5, 0.5]),
        "large numbers": ([3000.1, -2000, 1500], [40.3, 10, 20]),
        "numbers of 16 digits": (with_all_digits(11, 40), with_all_digits(12, 40)),
        "two hundred numbers": (with_all_digits(70, 200), with_all_digits(71, 200)),
    }
    arrays = {name: [np.array(a), np.array(b)] for name, (a, b) in pairs.items()}
    return probes(arrays, may_raise="whole numbers beside fractions")


def queries_and_keys():
    """q (..., Lq, d_k), k (..., Lk, d_k)."""
    arrays = {
        **of_all_sizes(qkv),
        "one sentence of one token": qkv(1, 1, 1, 1, 5, 7),
        "vectors of one number": qkv(4, 6, 1, 7),
        # scores beyond 100
        "long vectors": [8 * x for x in qkv(4, 6, 256, 7)],
        "whole numbers": whole(UNEQUAL),
        "whole numbers beside fractions": (whole(UNEQUAL)[0], *UNEQUAL[1:]),
        "numbers of 16 digits": OTHERS,
        "two queries with two keys": TWO_OF_EACH,
    }
    return probes({name: (q, k) for name, (q, k, _) in arrays.items()})


def matrices_of_scores():
    """scores (..., Lk)."""
    with_infinity = np.array([[1.0, -inf, 0.5], [-inf, 2.0, 0.2], [0.0, 0.3, 0.1], [-inf, -inf, 1.5]])
    ordinary = {
        **of_all_sizes(lambda *sizes: [scores_of(*sizes)]),
        "one row": [draw(7, 6)],
        "whole numbers": [WHOLE],
        "a score of -inf": [with_infinity],
        "scores far apart": [5 * with_all_digits(79, 4, 6)],
        "numbers of 16 digits": [with_all_digits(72, 4, 6)],
    }
    extreme = {
        "large scores": [LARGE],
        "scores far below zero": [FAR_BELOW],
        "scores of ±5 million beside -inf": [np.where(FIVE_MILLION_MASK, FIVE_MILLION, -inf)],
    }
    return probes(ordinary, extreme, may_raise="whole numbers")


def weights_and_values():
    """weights (..., Lq, Lk), values (..., Lk, d_v)."""

    def given(*sizes):
        _, _, values = qkv(*sizes)
        return softmax(scores_of(*sizes)), values

    _, _, values = OTHERS
    return probes(
        {
            "three keys": (
                np.array([[0.5, 0.25, 0.25], [0, 0.5, 0.5]]),
                np.array([[8.0, 0], [0, 4], [4, 12]]),
            ),
            **of_all_sizes(given),
            "whole numbers beside fractions": (softmax(draw(7, 4, 6)), *whole([values])),
            "numbers of 16 digits": (softmax(with_all_digits(72, 4, 6)), values),
        },
    )


def scores_and_masks():
    """scores (..., Lk), and a mask that broadcasts to them."""
    batch, heads = scores_of(*SIZES["a batch"]), scores_of(*SIZES["heads of several sentences"])
    ordinary = {
        **of_all_sizes(lambda *sizes: (scores_of(*sizes), mixed_mask(*sizes[-4:-2]))),
        "a mask for each sentence": (heads, BY_SENTENCE),
        "a mask for each head": (heads, mixed_mask(*heads.shape)),
        "a padding mask": (batch, BY_SENTENCE[:, 0]),
        "a mask of one row": (batch, MASK[3]),
        "whole numbers": (WHOLE, mask_of("110", "011")),
        "scores far apart": (5 * with_all_digits(79, 4, 6), MASK),
        "numbers of 16 digits": (with_all_digits(72, 4, 6), MASK[::-1]),
    }
    extreme = {
        "large scores": (LARGE, mask_of("11111", "11110")),
        "scores far below zero": (FAR_BELOW, mask_of("1101", "1110")),
        "a hidden score of 1e300": (FAR_BEYOND, FAR_ABOVE_MASK),
        **MASKED_EXTREMES,
        "an empty sentence": (draw(23, 3, 2, 2, 4), SECOND_OF_THREE_EMPTY),
    }
    return probes(ordinary, extreme, may_raise="whole numbers")


def attention_arguments():
    """q (..., Lq, d_k), k (..., Lk, d_k), v (..., Lk, d_v), and in some a mask."""
    ordinary = {
        "no mask": UNEQUAL,
        "heads without a mask": HEADS,
        **of_all_sizes(lambda *sizes: (*qkv(*sizes), mixed_mask(*sizes[-4:-2]))),
        "a mask for each sentence": (*HEADS, BY_SENTENCE),
        "a mask for each head": (*HEADS, mixed_mask(3, 2, 4, 6)),
        "a padding mask": (*qkv(*SIZES["a batch"]), BY_SENTENCE[:, 0]),
        "a mask of one row": (*qkv(*SIZES["a batch"]), MASK[3]),
        "a mask that hides nothing": (*OTHERS, np.ones((4, 6), bool)),
        "mask=None": (*UNEQUAL, None),
        "a score of 0": (*with_scores(WITH_ZERO), mask_of("1101", "1110")),
        "scores far apart": (5 * draw(25, 4, 5), *UNEQUAL[1:]),
        "whole numbers": whole(UNEQUAL),
        "numbers of 16 digits": (*qkv(3, 5, 6, 5, 7, numbers=with_all_digits), mixed_mask(3, 5, 6)),
        "two queries with two keys": TWO_OF_EACH,
    }
    extreme = {
        "large scores": with_scores(LARGE),
        "scores far below zero": with_scores(FAR_BELOW),
        **{name: (*with_scores(scores), mask) for name, (scores, mask) in MASKED_EXTREMES.items()},
        "an empty sentence": (*qkv(3, 2, 2, 4, 5, 7), SECOND_OF_THREE_EMPTY),
    }
    return probes(ordinary, extreme)


def numbers_of_tokens():
    # 49: np.arange(0, 1, 1 / n) has 50 entries. 260: more than 8 bits hold.
    several = {f"{n} tokens": [n] for n in (5, 8, 2, 23, 49, 260)}
    return probes({**several, "one token": [1]})


def lengths_of_sentences():
    """lengths (sentences,), and the length that all are padded to."""
    arguments = {
        "three sentences": ([6, 2, 4], 7),
        "a full sentence": ([3, 5], 5),
        "an empty sentence": ([4, 0, 1, 2], 6),
        "one sentence": ([2], 4),
        "as many sentences as keys": ([1, 3, 2], 3),
        "long sentences": ([30, 7, 19, 24, 1, 32, 2, 11], 32),
        "very long sentences": ([257, 130, 3], 260),
        "three other sentences": ([5, 2, 5], 7),
    }
    arrays = {name: (np.array(lengths), n) for name, (lengths, n) in arguments.items()}
    return probes(arrays, {"a list of lengths": ([5, 2, 7, 4], 8)})


def stamped(*shape):
    """Numbers that tell their place: 1000 for each sentence, 100 for each token, 1 for each feature."""
    *leading, tokens, features = shape
    n_sentences = np.prod(leading, dtype=int)
    sentence = np.arange(n_sentences).reshape(*leading, 1, 1)
    token = np.arange(tokens)[:, None]
    feature = np.arange(features)
    return 1000.0 * sentence + 100 * token + feature


def matrices_to_split():
    """x (..., tokens, heads * features), and the number of heads."""
    matrix = stamped(4, 6)
    return probes(
        {
            "two heads": (matrix, 2),
            "one head": (matrix, 1),
            "as many heads as tokens": (stamped(3, 9), 3),
            "one token": (stamped(1, 6), 2),
            "a batch": (stamped(3, 5, 8), 4),
            "one sentence": (stamped(1, 4, 6), 6),
            "two axes in front": (stamped(2, 3, 5, 8), 4),
            "three axes in front": (stamped(2, 3, 2, 4, 6), 3),
            "sizes all equal": (stamped(3, 3, 9), 3),
            "numbers of 16 digits": (with_all_digits(76, 4, 6), 2),
            "many tokens and heads": (with_all_digits(78, 70, 24), 12),
        }
    )


def heads_to_merge():
    """x (..., heads, tokens, features)."""
    return probes({split.name: [split_heads(*split.args)] for split in matrices_to_split()})


# Layers. x, W_Q, W_K, W_V and W_O of multi_head have one width, as in most models: a right answer may put the
# three matrices together and cut their product in three, or take the size of a head from x.


def small_matrix(seed, *shape):
    """A matrix whose products are about as long as the vectors, if it is square."""
    return 0.8 * draw(seed, *shape) / shape[0] ** 0.5


def layer(*leading, length=5, heads=2, d_k=4, first_seed=30):
    """x, the eight parameters of a layer, and its number of heads."""
    width = heads * d_k
    parameters = {}
    for seed, name in enumerate("qkvo", start=first_seed):
        parameters[f"w_{name}"] = small_matrix(seed, width, width)
        parameters[f"b_{name}"] = with_all_digits(10 + seed, width) / 2
    x = draw(first_seed + 20, *leading, length, width)
    return x, parameters, heads


def vectors_and_parameters():
    """x (..., tokens, width), the parameters of a layer, and its number of heads."""
    small = {"length": 4, "heads": 3, "d_k": 2}
    x, *parameters_and_heads = layer(**small)
    return probes(
        {
            "unequal sizes": layer(),
            "a batch": layer(3),
            "two axes in front": layer(2, 3, length=4, d_k=5),
            "one head": layer(heads=1, d_k=64),
            "sizes all equal": layer(3, length=3, heads=3, d_k=3),
            "one token": layer(length=1, d_k=3),
            "one sentence": layer(1, **small),
            "whole numbers": (np.sign(x).astype(int), *parameters_and_heads),
            "unequal sizes with other numbers": layer(first_seed=80),
            "many tokens": layer(length=66, d_k=6),
            "long heads": layer(length=3, d_k=70),
            "two tokens of two numbers": layer(length=2, d_k=1),
        }
    )


def vectors_and_a_matrix():
    """x (..., tokens, d_in), w (d_in, width), b (width,), and the number of heads."""

    def arguments(*leading, length=5, d_in=6, heads=2, d=4, first_seed=60, numbers=draw):
        x = numbers(first_seed, *leading, length, d_in)
        w = small_matrix(first_seed + 1, d_in, heads * d)
        b = with_all_digits(first_seed + 2, heads * d) / 2
        return x, w, b, heads

    x, w, b, heads = arguments(length=4, d_in=6, heads=3, d=2)
    return probes(
        {
            "unequal sizes": arguments(),
            "a square matrix": (x, w, b, heads),
            "one head": arguments(d_in=3, heads=1),
            "one token": arguments(length=1),
            "a batch": arguments(3, d_in=8, heads=4, d=2),
            "two axes in front": arguments(2, 3, heads=4, d=2),
            "sizes all equal": arguments(3, length=3, d_in=9, heads=3, d=3),
            "whole numbers": (np.sign(x).astype(int), w, b, heads),
            "numbers of 16 digits": arguments(first_seed=64, numbers=with_all_digits),
            "many tokens": arguments(length=70),
            "two tokens of two numbers": arguments(length=2, d_in=2, d=1),
        }
    )


def vectors_and_positions():
    """x (..., tokens, an even number), positions (tokens,)."""
    return probes(
        {
            "two vectors of four numbers": (draw(61, 2, 4), np.arange(2)),
            "positions out of order": (draw(64, 4, 4), np.array([5, 0, 30, 2])),
            "positions around 2048": (draw(73, 4, 4), np.arange(2046, 2050)),
            "one vector at position 7": (draw(65, 1, 8), np.array([7])),
            "heads": (draw(66, 3, 5, 4), np.arange(5)),
            "heads of several sentences": (draw(67, 2, 3, 4, 6), np.arange(1, 5)),
            "one pair": (draw(69, 3, 2), np.arange(3)),
            "whole numbers": (*whole([draw(61, 2, 4)]), np.arange(2)),
            "numbers of 16 digits": (with_all_digits(71, 4, 6), np.arange(2, 6)),
            "long vectors": (with_all_digits(72, 6, 70), np.arange(40, 46)),
        }
    )


def two_parts(seed, *shape, numbers=draw):
    """The four arguments of merge, for outputs of this shape."""
    rows = shape[:-1]
    return drawn(seed, shape, rows, shape, rows, numbers=numbers)


def parts_of_a_row():
    """output_a (..., Lq, d_v), log_sum_a (..., Lq), and the same of b."""
    a, sum_a, b, sum_b = two_parts(81, 3, 4)
    c, sum_c, d, sum_d = two_parts(85, 4, 4)
    apart = np.array([1000, 0, -1000])
    return probes(
        {
            "three queries": (a, sum_a, b, sum_b),
            "as many queries as numbers in a value": (c, sum_c, d, sum_d),
            "one query": two_parts(89, 1, 5),
            "heads": two_parts(93, 2, 3, 5),
            "heads of several sentences": two_parts(97, 2, 3, 4, 5),
            "numbers of 16 digits": two_parts(109, 3, 4, numbers=with_all_digits),
            "many queries": two_parts(113, 70, 3),
            "log sums of a thousand": (a, sum_a + apart, b, sum_b + apart),
            "log sums far apart": (a, sum_a - 800, b, sum_b + 800),
            # In rows 0 and 1 one of them, in row 2 both
            "parts that saw nothing": (
                c * [[1], [0], [1], [1]],
                np.array([0.5, -inf, -inf, 1]),
                d * [[0], [1], [1], [1]],
                np.array([-inf, 0.5, -inf, 2]),
            ),
        }
    )


def weights_and_their_gradient():
    """weights (..., Lq, Lk), upstream (..., Lq, Lk)."""

    def given(seed, *shape, numbers=draw):
        scores, upstream = drawn(seed, shape, shape, numbers=numbers)
        return softmax(scores), upstream

    weights, upstream = given(127, 2, 3)
    return probes(
        {
            "two rows of three weights": given(121, 2, 3),
            **of_all_sizes(lambda *sizes: given(123, *sizes[:-2])),
            "weights of a mask": (masked_softmax(draw(125, 4, 6), MASK), draw(126, 4, 6)),
            "whole numbers beside fractions": (weights, *whole([upstream])),
            "numbers of 16 digits": given(141, 4, 6, numbers=with_all_digits),
        },
        may_raise="whole numbers beside fractions",
    )


def matrices_and_gradients():
    """matrix (n, m), gradient (n, m), rate."""

    def given(seed, rate, *shape, numbers=draw):
        return *drawn(seed, shape, shape, numbers=numbers), rate

    *small, _ = given(159, 1, 2, 3)
    return probes(
        {
            "two rows of three numbers": given(151, 0.1, 2, 3),
            "a rate of 3": given(155, 3, 3, 5),
            "a square matrix": given(161, 0.7, 4, 4),
            "whole numbers": (*whole(small), 0.5),
            "numbers of 16 digits": given(171, 0.7, 4, 4, numbers=with_all_digits),
            "a large matrix": given(173, 0.7, 70, 80),
        },
        may_raise="whole numbers",
    )


def attention_and_its_gradient():
    """q, k, v, weights (..., Lq, Lk), upstream (..., Lq, d_v)."""

    def given(q, k, v, mask=True):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = masked_softmax(scores, np.asarray(mask))
        upstream = draw(143, *q.shape[:-1], v.shape[-1])
        return q, k, v, weights, upstream

    return probes(
        {
            "two queries with three keys": given(*qkv(2, 3, 4, 2)),
            **of_all_sizes(lambda *sizes: given(*qkv(*sizes))),
            "weights of a mask": given(*UNEQUAL, MASK),
            "whole numbers": given(*whole(UNEQUAL)),
            "numbers of 16 digits": given(*OTHERS),
        }
    )


def scores_and_draws():
    """scores (n,), temperature, draw.

    Draws lie on a border between two tokens, where rounding moves nothing, or far enough from it. The last one lies
    where rounding has put the end.
    """
    six = np.array([0.5, 2.0, -1.0, 1.0, 0.0, 1.5])
    arguments = {
        "three scores": ([0.0, 1.0, -1.0], 1.0, 0.5),
        "a draw of 0.6 from six scores": (six, 1.0, 0.6),
        "a draw of 0.6 from six other scores": (six[::-1], 1.0, 0.6),
        "a draw of 0.95 from six scores": (six, 1.0, 0.95),
        # temperatures above and below 1
        "a temperature of 2": (six, 2.0, 0.6),
        "a temperature of 0.5": (six, 0.5, 0.05),
        "a temperature of 5": ([0.0, 5.0], 5.0, 0.2),
        "a draw of 0.26 at a temperature of 0.1": ([0.0, 0.1], 0.1, 0.26),
        "a temperature of 0.01": ([3.5, 1.0, 3.51, 2.0], 0.01, 0.2),
        # temperature 0: the largest score, whatever the draw
        "a temperature of 0": ([1.0, 0.0, 4.0, 3.0], 0, 0.1),
        "a draw of 0.99 at a temperature of 0": ([-1.0, 4.0, 3.0, 1.0], 0.0, 0.99),
        "a score of -inf at a temperature of 0": ([-inf, -2.0, -1.0], 0, 0.5),
        # a draw on a border belongs to the token after it
        "a draw at the border of four equal scores": ([1.0, 1.0, 1.0, 1.0], 2.0, 0.75),
        "a draw of 0 where the first score is -inf": ([-inf, 1.0, 2.0], 1.0, 0.0),
        "a score of -inf in the middle": ([1.0, -inf, 1.0, -inf], 1.0, 0.5),
        "scores of 1000": ([1000.0, 999.0, 1001.0], 1.0, 0.3),
        "whole numbers": (np.array([3, 1, 2]), 2, 0.6),
        "numbers of 16 digits": (with_all_digits(181, 27), 0.7, 0.6),
        "a draw of 0.9999999999999999 from ten equal scores": (np.zeros(10), 1.0, 0.9999999999999999),
    }
    given = {name: (np.array(scores), *rest) for name, (scores, *rest) in arguments.items()}
    return probes(given, may_raise="whole numbers")


def tokens_behind_a_past():
    """q (H, L, d), k and v (K, L, d) of new tokens, and the past of n others: None, or keys and values (K, n, d)."""

    def given(n, new, heads=4, key_heads=2, d=8, first_seed=191, numbers=draw):
        of_queries, of_keys = (heads, n + new, d), (key_heads, n + new, d)
        q, k, v = drawn(first_seed, of_queries, of_keys, of_keys, numbers=numbers)
        past = None
        if n:
            keys, values = k[:, :n], v[:, :n]
            past = (today.rotate(keys, base=100_000), values)
        return q[:, n:], k[:, n:], v[:, n:], past

    return probes(
        {
            "two tokens of two numbers": given(0, 2, heads=2, key_heads=1, d=2),
            "one token behind one": given(1, 1, heads=2, key_heads=1, d=2),
            "three tokens": given(0, 3),
            "three other tokens": given(0, 3, first_seed=198),
            "one behind these": given(3, 1),
            "keys that all heads share": given(2, 3, heads=3, key_heads=1, d=6),
            "three heads of queries for each of keys": given(2, 4, heads=6, key_heads=2, d=4),
            "sizes all equal": given(4, 4, heads=4, key_heads=4, d=4),
            "numbers of 16 digits": given(3, 2, first_seed=195, numbers=with_all_digits),
            "a past of 70 tokens": given(70, 3, d=6),
        }
    )


def weights_of_a_text_twice():
    """weights (..., 2n, 2n)."""

    def given(n, *leading, seed=201, numbers=draw):
        return [softmax(numbers(seed, *leading, 2 * n, 2 * n))]

    causal = masked_softmax(draw(203, 3, 8, 8), np.tri(8, dtype=bool))
    return probes(
        {
            "a text of two tokens, twice": given(2),
            "a text of one token, twice": given(1),
            "three heads": given(4, 3),
            "heads of two layers": given(3, 2, 4),
            "a causal mask": [causal],
            "sizes all equal": given(2, 4, 4),
            "one head of one layer": given(5, 1, 1),
            "three axes in front": given(2, 2, 3, 2),
            "whole numbers": [np.eye(6, k=-2, dtype=int)],
            "numbers of 16 digits": given(4, 2, seed=205, numbers=with_all_digits),
            "a long text": given(70),
        }
    )


def logits_and_shares():
    """logits (n,), p. Below p = 1 no two are equal, and no sum of the most probable ones lies close to p."""
    of_ten = np.log([0.02, 0.3, 0.04, 0.16, 0.01, 0.22, 0.08, 0.03, 0.09, 0.05])
    arguments = {
        "three tokens": (np.log([0.2, 0.5, 0.3]), 0.7),
        "ten tokens and p = 0.88": (of_ten, 0.88),
        "ten tokens and p = 0.5": (of_ten, 0.5),
        "ten tokens and p = 0.1": (of_ten, 0.1),
        "ten other tokens and p = 0.88": (of_ten[::-1] + 3, 0.88),
        "a logit of -inf": ([1.0, -inf, 0.0, 2.0], 0.8),
        "logits of 1000": ([1000.0, 999.0, 1001.0], 0.8),
        "one token": ([3.0], 0.7),
        "p = 1": ([1.0, 0.0, 8.0, 3.0], 1.0),
        "p = 1, which one token has alone": ([0.0, 1000.0, -1000.0], 1.0),
        "p = 1 where rounding leaves a sum of 0.9999999999999999": (np.ones(10), 1.0),
        "numbers of 16 digits": (with_all_digits(207, 27), 0.7),
        "a thousand tokens": (3 * with_all_digits(208, 1000), 0.75),
    }
    return probes({name: (np.array(logits), p) for name, (logits, p) in arguments.items()})
