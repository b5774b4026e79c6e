"""What the learner's functions are called with: arguments on which right and wrong answers differ.

Sizes differ wherever a wrong axis could go unnoticed, and are equal, or 1, where only that shows a mistake.
"""

from dataclasses import dataclass

import numpy as np

from attention_lib.attention import masked_softmax, softmax, split_heads


@dataclass(frozen=True)
class Probe:
    name: str  # finishes the sentence "Seen: With ..."
    args: tuple
    # Numbers are compared; on an extreme probe the fates of rows, as many mistakes end in NaN.
    ordinary: bool = True
    may_raise: bool = False  # an error is no fault here: better than a wrong number


def probes(ordinary, extreme=None, may_raise=None):
    """Probes from {name: arguments}, and the name of one that may raise: a softmax in place cannot take it.

    Extreme ones have extreme scores, rows in which all is hidden, or a list in the place of an array.
    """
    made = [Probe(name, tuple(args), may_raise=name == may_raise) for name, args in ordinary.items()]
    for name, args in (extreme or {}).items():
        made.append(Probe(name, tuple(args), ordinary=False))
    return made


def draw(seed, *shape):
    return np.round(np.random.default_rng(seed).normal(0, 1.2, shape), 2)


def with_all_digits(seed, *shape):
    """Numbers that change if they are rounded, sorted or made positive."""
    return np.random.default_rng(seed).normal(0, 1.2, shape)


def qkv(*leading, lq=4, lk=6, d_k=5, d_v=7, first_seed=1, numbers=draw):
    q = numbers(first_seed, *leading, lq, d_k)
    k = numbers(first_seed + 1, *leading, lk, d_k)
    v = numbers(first_seed + 2, *leading, lk, d_v)
    return q, k, v


def others(*leading, **sizes):
    """Other queries, keys and values of the same sizes."""
    return qkv(*leading, **sizes, first_seed=71, numbers=with_all_digits)


def single(arrays):
    """The same in float32."""
    return tuple(x.astype(np.float32) for x in arrays)


def whole(arrays):
    """The same in whole numbers, as the small examples of the notebooks have them."""
    return tuple((3 * x).astype(int) for x in arrays)


def mask_of(*rows):
    """A boolean mask: 1 is True."""
    return np.array([[letter == "1" for letter in row] for row in rows])


def mixed_mask(*shape):
    """A mask in which every row of every table differs, and has both kinds of keys."""
    mask = draw(10, *shape) > 0
    mask[..., 0] |= ~mask.any(-1)
    mask[..., -1] &= ~mask.all(-1)
    return mask


CUBE = {"lq": 4, "lk": 4, "d_k": 4, "d_v": 4}
MASK = mask_of("111111", "101101", "010010", "110110")
SQUARE_MASK = mask_of("1111", "1011", "0110", "1101")
PADDING_MASK = MASK[[1, 3, 0]][:, None]  # (3, 1, 6)
BY_SENTENCE = PADDING_MASK[:, None]  # (3, 1, 1, 6)

WHOLE = np.array([[1, 0, 2], [-3, 1, 1]])
WITH_ZERO = np.array([[0.0, 1, -1, 2], [1.0, 0, 2, -1]])
# Scores of extreme probes. LARGE: only the subtraction of each row's own maximum helps.
LARGE = np.array([[-2000.0, 999, 998, 1000, -1900], [0.0, -1, -2, -4, 3]])
FAR_BELOW = np.array([[-2000.0, -2001, -1999, -2003], [-1500.0, -1502, -1501, -1500]])
FIVE_MILLION = np.array([[0.0, -1, -4, -2, 1], [-1, 0, 1, -2, -3]])
FIVE_MILLION[0] += 5e6
FIVE_MILLION[1] -= 5e6
FIVE_MILLION_MASK = mask_of("11110", "10111")
FAR_ABOVE = np.array([[1.0, 3, 1000, 2], [2.0, 900, 1, 0]])  # with the highest hidden
FAR_BEYOND = np.array([[1.0, 3, 1e300, 2], [2.0, 1, 0, 1]])  # where adding -1e9 hides nothing
FAR_ABOVE_MASK = mask_of("1101", "1011")
LOW = np.array([[-50.0, -52, 3, 7, -51, 1], [1, 2, 0, -1, 3, 1]])
LOW_MASK = mask_of("110010", "101111")
TWO_ROWS = np.array([[1.0, 3, 2, 0], [2.0, 1, 0, 3]])
SECOND_OF_THREE_EMPTY = mask_of("1101", "0000", "0111")[:, None, None]  # (3, 1, 1, 4): an empty sentence
FOURTH_OF_SIX_EMPTY = np.stack([mask_of("1101", "0111"), mask_of("1011", "0000"), mask_of("0110", "1111")])

MASKED_EXTREMES = {  # scores and mask
    "a hidden score far above": (FAR_ABOVE, FAR_ABOVE_MASK),
    "scores of ±5 million": (FIVE_MILLION, FIVE_MILLION_MASK),
    "an allowed score of -50": (LOW, LOW_MASK),
    "scores around -200000": (LOW - 200_000, LOW_MASK),
    "a fully masked row": (TWO_ROWS, mask_of("0000", "1101")),
    "everything hidden": (TWO_ROWS, mask_of("0000", "0000")),
    "a fully masked row in a batch": (np.stack([TWO_ROWS, TWO_ROWS + 1, TWO_ROWS - 1]), FOURTH_OF_SIX_EMPTY),
    "an empty sentence": (draw(23, 3, 2, 2, 4), SECOND_OF_THREE_EMPTY),
    "a mask of one column": (TWO_ROWS, mask_of("1", "0")),
}


def with_scores(scores):
    """q, k and v of d_k = 4 with exactly these scaled scores, if they are whole numbers: two rows in each table."""
    *leading, _, n_keys = scores.shape
    shift = scores[..., :1]
    # q·k = 2 shift + 2 (scores - shift), and the root of d_k is 2.
    which_row = np.broadcast_to(np.eye(2, 3), (*leading, 2, 3))
    twos = np.full((*leading, n_keys, 1), 2.0)
    differences = 2 * (scores - shift).mT
    zeros = np.zeros((*leading, n_keys, 1))
    q = np.concatenate([shift, which_row], -1)
    k = np.concatenate([twos, differences, zeros], -1)
    v = draw(4, *leading, n_keys, 3)
    return q, k, v


# Small enough for work by hand
TWO_OF_EACH = (
    np.array([[1.0, 2], [0, -1]]),
    np.array([[2.0, 1], [-1, 0]]),
    np.array([[3.0], [5]]),
)


def pairs_of_vectors():
    a, b = with_all_digits(11, 40), with_all_digits(12, 40)
    pairs = {
        "three numbers": ([1.0, 2, 3], [4.0, 0, -1]),
        "four numbers": ([0.5, 0, 2, 1.5], [2.0, 1, -1, 3]),
        "one number": ([3.0], [-2.0]),
        "a right angle": ([1.0, 2], [2.0, -1]),
        "whole numbers": ([2, -3, 2, 1, 5], [1, 0, 2, 7, -2]),
        "equal products": ([1.0, 0.5, 1, 2], [1.5, 2, 1.5, 0.5]),
        "forty numbers": (a, b),
        "large numbers": ([3000.1, -2000, 1500], [40.3, 10, 20]),
        "numbers of float32": single([a[:7], b[:7]]),
        "two hundred numbers": (with_all_digits(70, 200), with_all_digits(71, 200)),
    }
    arrays = {name: [np.array(a), np.array(b)] for name, (a, b) in pairs.items()}
    return probes(arrays)


def queries_and_keys():
    arrays = {
        "unequal sizes": qkv(),
        "as many queries as keys": qkv(lq=6, d_k=3),
        "a batch": qkv(3, d_k=8),
        "heads of several sentences": qkv(3, 2),
        "sizes all equal": qkv(4, **CUBE),
        "four equal axes": qkv(4, 4, **CUBE),
        "three axes in front": qkv(2, 3, 2, lq=3, d_k=16),
        "one query": qkv(lq=1, d_k=64),
        "one key": [x / 4 for x in qkv(lk=1, d_k=128)],
        "one sentence": qkv(1, d_k=32),
        "one sentence of one token": qkv(1, 1, lq=1, lk=1),
        "vectors of one number": qkv(d_k=1),
        "long vectors": [x / 8 for x in qkv(d_k=256)],
        "whole numbers": whole(qkv()),
        "numbers of 16 digits": others(),
        "numbers of float32": single(others(3, lq=5)),
        "many queries": others(lq=150, lk=3),
        "many keys": others(lq=3, lk=150),
        "two queries with two keys": TWO_OF_EACH,
    }
    return probes({name: (q, k) for name, (q, k, _) in arrays.items()})


def tables_of_scores():
    with_infinity = np.array([[1.0, -1, 0.5], [-1, 2.0, 0.2], [0.0, 0.3, 0.1], [-1, -1, 1.5]])
    with_infinity[with_infinity == -1] = -np.inf
    ordinary = {
        "unequal sizes": draw(5, 4, 6),
        "a square matrix": draw(6, 5, 5),
        "one row": draw(7, 6),
        "a batch": draw(8, 3, 4, 6),
        "heads of several sentences": draw(13, 3, 2, 4, 6),
        "sizes all equal": draw(9, 4, 4, 4),
        "three axes in front": draw(14, 2, 3, 2, 3, 5),
        "one query": draw(15, 1, 6),
        "one key": draw(16, 4, 1),
        "one sentence": draw(17, 1, 4, 6),
        "whole numbers": WHOLE,
        "a score of -inf": with_infinity,
        "numbers of 16 digits": with_all_digits(72, 4, 6),
        "scores far apart": 5 * with_all_digits(79, 4, 6),
        "numbers of float32": with_all_digits(73, 3, 4, 5).astype(np.float32),
        "many queries": with_all_digits(74, 150, 3),
        "many keys": with_all_digits(75, 3, 150),
    }
    extreme = {
        "large scores": LARGE,
        "scores far below zero": FAR_BELOW,
        "scores of ±5 million beside -inf": np.where(FIVE_MILLION_MASK, FIVE_MILLION, -np.inf),
    }
    ordinary = {name: [scores] for name, scores in ordinary.items()}
    extreme = {name: [scores] for name, scores in extreme.items()}
    return probes(ordinary, extreme, may_raise="whole numbers")


def tables_with_masks():
    ordinary = {
        "unequal sizes": (draw(5, 4, 6), MASK),
        "a square matrix": (draw(6, 4, 4), SQUARE_MASK),
        "a mask for each sentence": (draw(7, 3, 2, 4, 6), BY_SENTENCE),
        "one mask for all heads": (draw(18, 3, 2, 4, 6), MASK),
        "a mask for each head": (draw(24, 3, 2, 4, 6), mixed_mask(3, 2, 4, 6)),
        "a mask of three axes": (draw(19, 3, 4, 6), mixed_mask(3, 4, 6)),
        "a padding mask": (draw(20, 3, 4, 6), PADDING_MASK),
        "sizes all equal": (draw(9, 4, 4, 4), SQUARE_MASK),
        "three axes in front": (draw(14, 2, 3, 2, 3, 5), mixed_mask(3, 5)),
        "one query": (draw(15, 1, 6), MASK[1:2]),
        "one key": (draw(16, 4, 1), np.ones((4, 1), bool)),
        "one sentence": (draw(17, 1, 4, 6), MASK[None]),
        "a mask of one row": (draw(22, 3, 4, 6), MASK[3]),
        "whole numbers": (WHOLE, mask_of("110", "011")),
        "numbers of 16 digits": (with_all_digits(72, 4, 6), MASK[::-1]),
        "scores far apart": (5 * with_all_digits(79, 4, 6), MASK),
        "numbers of float32": (with_all_digits(73, 3, 4, 6).astype(np.float32), mixed_mask(3, 4, 6)),
        "many queries": (with_all_digits(74, 150, 3), mixed_mask(150, 3)),
        "many keys": (with_all_digits(75, 3, 150), mixed_mask(3, 150)),
    }
    extreme = {
        "large scores": (LARGE, mask_of("11111", "11110")),
        "scores far below zero": (FAR_BELOW, mask_of("1101", "1110")),
        "a hidden score of 1e300": (FAR_BEYOND, FAR_ABOVE_MASK),
        **MASKED_EXTREMES,
    }
    return probes(ordinary, extreme, may_raise="whole numbers")


def attention_arguments():
    batch = qkv(3, 2)
    ordinary = {
        "unequal sizes": qkv(),
        "as many queries as keys": qkv(lq=6, d_k=3, d_v=4),
        "a mask": (*qkv(), MASK),
        "a mask on a square matrix": (*qkv(**CUBE), SQUARE_MASK),
        "heads of several sentences": batch,
        "a mask for each sentence": (*batch, BY_SENTENCE),
        "one mask for all heads": (*batch, MASK),
        "a mask for each head": (*batch, mixed_mask(3, 2, 4, 6)),
        "a mask of three axes": (*qkv(3), mixed_mask(3, 4, 6)),
        "a padding mask": (*qkv(3, d_k=8), PADDING_MASK),
        "mask=None": (*qkv(), None),
        "a score of 0": (*with_scores(WITH_ZERO), mask_of("1101", "1110")),
        "sizes all equal": qkv(4, **CUBE),
        "three axes in front": (*qkv(2, 3, 2, lq=3, d_k=16), mixed_mask(3, 6)),
        "one query": qkv(lq=1, d_k=64),
        "one key": qkv(lk=1),
        "one sentence": (*qkv(1, d_k=32), MASK),
        "values of one number": qkv(d_k=128, d_v=1),
        "long vectors": [x / 4 for x in qkv(d_k=256, lk=30)],
        "whole numbers": whole(qkv()),
        "a mask of one row": (*qkv(3), MASK[3]),
        "numbers of 16 digits": others(),
        "scores far apart": (5 * draw(25, 4, 5), *qkv()[1:]),
        "a mask that hides nothing": (*others(), np.ones((4, 6), bool)),
        "numbers of float32": (*single(others(3, lq=5)), mixed_mask(3, 5, 6)),
        "many queries": others(lq=150, lk=3),
        "many keys": (*others(lq=3, lk=150, d_v=70), mixed_mask(3, 150)),
        "two queries with two keys": TWO_OF_EACH,
    }
    extreme = {
        "large scores": with_scores(LARGE),
        "scores far below zero": with_scores(FAR_BELOW),
        **{name: (*with_scores(scores), mask) for name, (scores, mask) in MASKED_EXTREMES.items()},
    }
    return probes(ordinary, extreme)


def numbers_of_tokens():
    return probes(
        {
            "5 tokens": [5],
            "8 tokens": [8],
            "one token": [1],
            "2 tokens": [2],
            "23 tokens": [23],
            "260 tokens": [260],
        }
    )


def lengths_of_sentences():
    arguments = {
        "three sentences": ([6, 2, 4], 7),
        "a full sentence": ([3, 5], 5),
        "an empty sentence": ([4, 0, 1, 2], 6),
        "one sentence": ([2], 4),
        "as many sentences as keys": ([1, 3, 2], 3),
        "long sentences": ([30, 7, 19, 24, 1, 32, 2, 11], 32),
        "very long sentences": ([257, 130, 3], 260),
        "three other sentences": ([7, 1, 7], 7),
    }
    arrays = {name: (np.array(lengths), n) for name, (lengths, n) in arguments.items()}
    as_a_list = {"a list of lengths": ([5, 2, 7, 4], 8)}
    return probes(arrays, as_a_list)


def stamped(*leading, tokens, features):
    """Numbers that tell their place: 1000 for each sentence, 100 for each token, 1 for each feature."""
    n_sentences = np.prod(leading, dtype=int)
    sentence = np.arange(n_sentences).reshape(*leading, 1, 1)
    token = np.arange(tokens)[:, None]
    feature = np.arange(features)
    return 1000.0 * sentence + 100 * token + feature


def tables_to_split():
    table = stamped(tokens=4, features=6)
    return probes(
        {
            "two heads": (table, 2),
            "three heads": (table, 3),
            "one head": (table, 1),
            "as many heads as tokens": (stamped(tokens=3, features=9), 3),
            "one token": (stamped(tokens=1, features=6), 2),
            "a batch": (stamped(3, tokens=5, features=8), 4),
            "one sentence": (stamped(1, tokens=4, features=6), 3),
            "two axes in front": (stamped(2, 3, tokens=5, features=8), 4),
            "three axes in front": (stamped(2, 3, 2, tokens=4, features=6), 3),
            "sizes all equal": (stamped(3, tokens=3, features=9), 3),
            "fractions of both signs": (with_all_digits(76, 4, 6), 2),
            "numbers of float32": (with_all_digits(77, 3, 5, 20).astype(np.float32), 4),
            "a large matrix": (with_all_digits(78, 70, 96), 12),
        }
    )


def heads_to_merge():
    return probes({split.name: [split_heads(*split.args)] for split in tables_to_split()})


# Layers. x, W_Q, W_K, W_V and W_O of multi_head have one width, as in most models: a right answer may put the
# three matrices together and cut their product in three, or take the size of a head from x.


def small_table(seed, *shape):
    """Numbers so small that a product with it is no longer than the vectors were."""
    return 0.8 * draw(seed, *shape) / shape[0] ** 0.5


def layer(*leading, length=5, heads=2, d_k=4, first_seed=30):
    """x, the eight parameters of a layer, and its number of heads."""
    width = heads * d_k
    parameters = {}
    for seed, name in enumerate("qkvo", start=first_seed):
        parameters[f"w_{name}"] = small_table(seed, width, width)
        parameters[f"b_{name}"] = with_all_digits(10 + seed, width) / 2
    x = draw(first_seed + 20, *leading, length, width)
    return x, parameters, heads


def vectors_and_parameters():
    small = {"length": 4, "heads": 3, "d_k": 2}
    x, *parameters_and_heads = layer(**small)
    return probes(
        {
            "unequal sizes": layer(),
            "more heads than numbers in a head": layer(**small),
            "a batch": layer(3),
            "a batch of long vectors": layer(2, heads=4, d_k=8),
            "two axes in front": layer(2, 3, length=4, d_k=5),
            "one head": layer(heads=1, d_k=64),
            "as many tokens as numbers in a value": layer(length=4),
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


def vectors_and_a_table():
    def arguments(*leading, length=5, d_in=6, heads=2, d=4, first_seed=60):
        x = draw(first_seed, *leading, length, d_in)
        w = small_table(first_seed + 1, d_in, heads * d)
        b = with_all_digits(first_seed + 2, heads * d) / 2
        return x, w, b, heads

    square = {"length": 4, "d_in": 6, "heads": 3, "d": 2}
    x, w, b, heads = arguments(**square)
    *arrays, two = arguments(2, length=6, d_in=5)
    return probes(
        {
            "unequal sizes": arguments(),
            "a square matrix": (x, w, b, heads),
            "one head": arguments(d_in=3, heads=1),
            "as many heads as tokens": arguments(length=3, d_in=5, heads=3),
            "one number per head": arguments(length=4, d_in=5, heads=6, d=1),
            "one token": arguments(length=1),
            "a batch": arguments(3, d_in=8, heads=4, d=2),
            "one sentence": arguments(1, **square),
            "two axes in front": arguments(2, 3, heads=4, d=2),
            "sizes all equal": arguments(3, length=3, d_in=9, heads=3, d=3),
            "whole numbers": (np.sign(x).astype(int), w, b, heads),
            "unequal sizes with other numbers": arguments(first_seed=64),
            "numbers of float32": (*single(arrays), two),
            "a large matrix": arguments(length=70, d_in=80, heads=12, d=7),
            "two tokens of two numbers": arguments(length=2, d_in=2, d=1),
        }
    )


def vectors_and_positions():
    return probes(
        {
            "two vectors of four numbers": (draw(61, 2, 4), np.arange(2)),
            "four vectors": (draw(62, 4, 6), np.arange(4)),
            "positions that begin at 9": (draw(63, 3, 4), np.arange(9, 12)),
            "positions out of order": (draw(64, 4, 4), np.array([5, 0, 30, 2])),
            "positions around 2000": (draw(73, 4, 4), np.arange(1998, 2002)),
            "one vector at position 7": (draw(65, 1, 8), np.array([7])),
            "heads": (draw(66, 3, 5, 4), np.arange(5)),
            "heads of several sentences": (draw(67, 2, 3, 4, 6), np.arange(1, 5)),
            "as many vectors as pairs": (draw(68, 3, 6), np.arange(3)),
            "one pair": (draw(69, 3, 2), np.arange(3)),
            "whole numbers": (*whole([draw(61, 2, 4)]), np.arange(2)),
            "numbers of float32": (with_all_digits(62, 4, 6).astype(np.float32), np.arange(4)),
            "numbers of 16 digits": (with_all_digits(71, 4, 6), np.arange(2, 6)),
            "long vectors": (with_all_digits(72, 6, 70), np.arange(40, 46)),
        }
    )


def two_parts(seed, *shape, numbers=draw):
    """The four arguments of merge, for outputs of this shape."""
    rows = shape[:-1]
    output_a = numbers(seed, *shape)
    log_sum_a = numbers(seed + 1, *rows)
    output_b = numbers(seed + 2, *shape)
    log_sum_b = numbers(seed + 3, *rows)
    return output_a, log_sum_a, output_b, log_sum_b


def parts_of_a_row():
    a, sum_a, b, sum_b = two_parts(81, 3, 4)
    apart = np.array([1000, 0, -1000])
    return probes(
        {
            "three queries": (a, sum_a, b, sum_b),
            "log sums of 0": (a, np.zeros(3), b, np.zeros(3)),
            "as many queries as numbers in a value": two_parts(85, 4, 4),
            "one query": two_parts(89, 1, 5),
            "heads": two_parts(93, 2, 3, 5),
            "heads of several sentences": two_parts(97, 2, 3, 4, 5),
            "values of one number": two_parts(101, 3, 1),
            "numbers of float32": single(two_parts(105, 3, 4, numbers=with_all_digits)),
            "numbers of 16 digits": two_parts(109, 3, 4, numbers=with_all_digits),
            "many queries": two_parts(113, 70, 3, numbers=with_all_digits),
            "log sums of a thousand": (a, sum_a + apart, b, sum_b + apart),
            "log sums far apart": (a, sum_a - 800, b, sum_b + 800),
            "a part that saw nothing": (
                a * [[1], [0], [1]],
                np.array([0.5, -np.inf, 2]),
                b * [[0], [1], [1]],
                np.array([-np.inf, 0.5, 1]),
            ),
            "a query for which both parts saw nothing": (
                a[:2],
                np.array([-np.inf, 1]),
                b[:2],
                np.array([-np.inf, 2]),
            ),
        }
    )


def weights_and_their_gradient():
    def given(seed, *shape, numbers=draw):
        weights = softmax(numbers(seed, *shape))
        upstream = numbers(seed + 1, *shape)
        return weights, upstream

    return probes(
        {
            "two rows of three weights": given(121, 2, 3),
            "four rows": given(123, 4, 6),
            "as many rows as weights": given(125, 4, 4),
            "one query": given(129, 1, 6),
            "heads": given(131, 3, 4, 6),
            "heads of several sentences": given(133, 2, 3, 4, 5),
            "three axes in front": given(135, 2, 3, 2, 3, 5),
            "sizes all equal": given(137, 4, 4, 4),
            "a hidden key beside a row that has decided": (
                np.array([[0.25, 0, 0.75], [1, 0, 0]]),
                np.array([[2.0, -1, 1], [3, 1, -2]]),
            ),
            "many queries": given(147, 150, 3),
            "many keys": given(149, 3, 150),
            "numbers of float32": single(given(139, 4, 6, numbers=with_all_digits)),
            "numbers of 16 digits": given(141, 4, 6, numbers=with_all_digits),
        }
    )


def matrices_and_gradients():
    def given(seed, rate, *shape, numbers=draw):
        matrix = numbers(seed, *shape)
        gradient = numbers(seed + 1, *shape)
        return matrix, gradient, rate

    *small, _ = given(159, 1, 2, 3)
    *with_digits, _ = given(169, 0.7, 3, 4, numbers=with_all_digits)
    return probes(
        {
            "two rows of three numbers": given(151, 0.1, 2, 3),
            "a rate of 1": given(153, 1.0, 4, 3),
            "a rate of 3": given(155, 3, 3, 5),
            "a rate of 0.001": given(157, 0.001, 20, 16),
            "a square matrix": given(161, 0.7, 4, 4),
            "one number": given(163, 0.25, 1, 1),
            "one row": given(165, 0.5, 1, 5),
            "a gradient of 0": (draw(167, 2, 3), np.zeros((2, 3)), 0.5),
            "whole numbers": (*whole(small), 0.5),
            "numbers of float32": (*single(with_digits), 0.7),
            "numbers of 16 digits": given(171, 0.7, 4, 4, numbers=with_all_digits),
            "a large matrix": given(173, 0.7, 70, 80, numbers=with_all_digits),
        },
        may_raise="whole numbers",
    )


def attention_and_its_gradient():
    def given(arrays, seed=143, mask=True):
        q, k, v = arrays
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = masked_softmax(scores, np.asarray(mask))
        upstream = draw(seed, *q.shape[:-1], v.shape[-1])
        return q, k, v, weights, upstream

    return probes(
        {
            "two queries with three keys": given(qkv(lq=2, lk=3, d_k=4, d_v=2)),
            "four queries with six keys": given(qkv()),
            "all sizes equal": given(qkv(**CUBE)),
            "one query": given(qkv(lq=1)),
            "heads": given(qkv(3)),
            "heads of several sentences": given(qkv(3, 2)),
            "weights of a mask": given(qkv(), 146, MASK),
            "many queries": given(qkv(lq=150, lk=3)),
            "many keys": given(qkv(lq=3, lk=150)),
            "numbers of float32": single(given(qkv(), 144)),
            "numbers of 16 digits": given(others(), 145),
        }
    )


def scores_and_draws():
    """Draws lie on a border between two tokens, where rounding moves nothing, or far enough from it."""
    inf = np.inf
    six = np.array([0.5, 2.0, -1.0, 1.0, 0.0, 1.5])
    others = np.array([2.0, -1.0, 0.5, 0.0, 1.0, -0.5])
    below_one = np.nextafter(1.0, 0.0)
    arguments = {
        "three scores": ([0.0, 1.0, -1.0], 1.0, 0.5),
        "a draw of 0.3 from six scores": (six, 1.0, 0.3),
        "a draw of 0.6 from six scores": (six, 1.0, 0.6),
        "a draw of 0.95 from six scores": (six, 1.0, 0.95),
        "a draw of 0.6 from six other scores": (others, 1.0, 0.6),
        "a temperature of 2": (six, 2.0, 0.6),
        "a draw of 0.85 at a temperature of 2": (six, 2.0, 0.85),
        "a temperature of 0.5": (six, 0.5, 0.05),
        "a draw of 0.9 at a temperature of 0.5": (others, 0.5, 0.9),
        "a temperature of 5": ([0.0, 5.0], 5.0, 0.2),
        "a draw of 0.26 at a temperature of 0.1": ([0.0, 0.1], 0.1, 0.26),
        "a draw of 0.28 at a temperature of 0.1": ([0.0, 0.1], 0.1, 0.28),
        "a temperature of 0.001": ([3.0, 1.0, 3.5, 2.0], 0.001, 0.4),
        "a temperature of 0": ([1.0, 0.0, 4.0, 3.0], 0, 0.1),
        "a draw of 0.99 at a temperature of 0": ([-1.0, 4.0, 3.0, 1.0], 0.0, 0.99),
        "nearly equal scores at a temperature of 0": ([1.0, 1.01, 0.0], 0, 0.0),
        "a score of -inf at a temperature of 0": ([-inf, -2.0, -1.0], 0, 0.5),
        "a draw of 0": (np.log([0.25, 0.5, 0.25]), 1.0, 0.0),
        "a draw at the border of two equal scores": ([0.0, 0.0], 1.0, 0.5),
        "a draw of 0.4996 from two equal scores": ([0.0, 0.0], 1.0, 0.4996),
        "a draw at the border of four equal scores": ([1.0, 1.0, 1.0, 1.0], 2.0, 0.75),
        "a draw of 0 where the first score is -inf": ([-inf, 1.0, 2.0], 1.0, 0.0),
        "a score of -inf in the middle": ([1.0, -inf, 1.0, -inf], 1.0, 0.5),
        "scores of 1000": ([1000.0, 999.0, 1001.0], 1.0, 0.9),
        "scores of -1000": ([-1000.0, -1001.0, -999.0], 1.0, 0.9),
        "one score": ([3.0], 1.0, 0.7),
        "whole numbers": (np.array([3, 1, 2]), 2, 0.6),
        "numbers of float32": (six.astype(np.float32), 0.7, 0.6),
        "twenty-seven scores": (with_all_digits(181, 27), 0.7, 0.6),
        "a draw of 0.9999999999999999 from ten equal scores": (np.zeros(10), 1.0, below_one),
    }
    given = {name: (np.array(scores), *others) for name, (scores, *others) in arguments.items()}
    return probes(given, may_raise="whole numbers")


IN_A_ROW = 8  # tokens, one after the other


def tokens_in_a_row():
    """q, k and v of all tokens, which the function gets one at a time."""

    def given(heads, d, first_seed=191, numbers=draw):
        return qkv(heads, lq=IN_A_ROW, lk=IN_A_ROW, d_k=d, d_v=d, first_seed=first_seed, numbers=numbers)

    return probes(
        {
            "two heads": given(2, 6),
            "one head": given(1, 4),
            "one pair of numbers": given(3, 2),
            "sizes all equal": given(4, 4),
            "whole numbers": whole(given(2, 2)),
            "numbers of float32": single(given(2, 6, numbers=with_all_digits)),
            "numbers of 16 digits": given(2, 6, 195, numbers=with_all_digits),
            "long heads": [x / 4 for x in given(2, 70, numbers=with_all_digits)],
            "many heads": given(70, 2, numbers=with_all_digits),
        }
    )
