"""What the learner's functions are called with: arguments on which right and wrong answers differ.

Sizes differ wherever a wrong axis could go unnoticed, and are equal, or 1, where only that shows a mistake.
"""

from dataclasses import dataclass

import numpy as np

from attention_lib.attention import split_heads
from attention_lib.check import edges


@dataclass(frozen=True)
class Probe:
    name: str  # finishes the sentence "Seen: With ..."
    args: tuple
    edge: edges.Edge | None = None  # what wrong rows show, if exact numbers say little
    may_raise: bool = False  # an error is no fault here: better than a wrong number

    @property
    def ordinary(self):
        """Whether exact numbers are compared: an edge is judged row by row."""
        return self.edge is None


def probe(name, *args, edge=None, may_raise=False):
    return Probe(name, args, edge, may_raise)


def draw(seed, *shape):
    return np.round(np.random.default_rng(seed).normal(0, 1.2, shape), 2)


def qkv(*leading, lq=4, lk=6, d_k=5, d_v=7):
    return draw(1, *leading, lq, d_k), draw(2, *leading, lk, d_k), draw(3, *leading, lk, d_v)


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
BY_SENTENCE = MASK[[1, 3, 0]][:, None, None]  # (3, 1, 1, 6): what a padding mask looks like

WHOLE = np.array([[1, 0, 2], [-3, 1, 1]])
WHOLE_MASK = mask_of("110", "011")
WITH_ZERO = np.array([[0.0, 1, -1, 2], [1.0, 0, 2, -1]])
WITH_ZERO_MASK = mask_of("1101", "1110")
# Scores of the edges. LARGE: only the subtraction of each row's own maximum helps.
LARGE = np.array([[-2000.0, 999, 998, 1000, -1900], [0.0, -1, -2, -4, 3]])
LARGE_MASK = mask_of("11111", "11110")
FAR_BELOW = np.array([[-2000.0, -2001, -1999, -2003], [-1500.0, -1502, -1501, -1500]])
FAR_BELOW_MASK = mask_of("1101", "1110")
FAR_ABOVE = np.array([[1.0, 3, 1000, 2], [2.0, 900, 1, 0]])  # with the highest hidden
FAR_BEYOND = np.array([[1.0, 3, 1e12, 2], [2.0, 1, 0, 1]])  # where adding -1e9 hides nothing
FAR_ABOVE_MASK = mask_of("1101", "1011")
LOW = np.array([[-50.0, -52, 3, 7, -51, 1], [1, 2, 0, -1, 3, 1]])
LOW_MASK = mask_of("110010", "101111")
TWO_ROWS = np.array([[1.0, 3, 2, 0], [2.0, 1, 0, 3]])
FIRST_EMPTY = mask_of("0000", "1101")
BOTH_EMPTY = mask_of("0000", "0000")
FOURTH_OF_SIX_EMPTY = np.stack([mask_of("1101", "0111"), mask_of("1011", "0000"), mask_of("0110", "1111")])


def with_scores(scores):
    """q, k and v of d_k = 4 with exactly these two rows of scaled scores, whole number or half."""
    shift = scores[:, :1]
    rows = 2 * (scores - shift)  # 2 is the square root of d_k
    q = np.c_[shift, np.eye(2), np.zeros(2)]
    k = np.c_[np.full(scores.shape[1], 2.0), rows.T, np.zeros(scores.shape[1])]
    return q, k, draw(4, scores.shape[1], 3)


def pairs_of_vectors():
    a, b = draw(11, 40), draw(12, 40)
    return [
        probe("three numbers", np.array([1.0, 2, 3]), np.array([4.0, 0, -1])),
        probe("four numbers", np.array([0.5, -1.5, 2, 1]), np.array([2.0, 1, -1, 3])),
        probe("one number", np.array([3.0]), np.array([-2.0])),
        probe("a right angle", np.array([1.0, 2]), np.array([2.0, -1])),
        probe("whole numbers", np.array([2, -3, 4, 1, 5]), np.array([1, 0, 2, 7, -2])),
        probe("equal products", np.array([1.0, 0.5, 1, 2]), np.array([1.5, 2, 1.5, 0.5])),
        probe("forty numbers", a, b),
    ]


def queries_and_keys():
    return [
        probe("unequal sizes", *qkv()[:2]),
        probe("as many queries as keys", *qkv(lq=6, d_k=3)[:2]),
        probe("a batch", *qkv(3)[:2]),
        probe("sentences and heads", *qkv(3, 2)[:2]),
        probe("sizes all equal", *qkv(4, **CUBE)[:2]),
        probe("four axes, all equal", *qkv(4, 4, **CUBE)[:2]),
        probe("three axes in front", *qkv(2, 3, 2, lq=3, d_k=4)[:2]),
        probe("one query", *qkv(lq=1)[:2]),
        probe("one key", *qkv(lk=1)[:2]),
        probe("one sentence", *qkv(1)[:2]),
        probe("one sentence of one token", *qkv(1, 1, lq=1, lk=1)[:2]),
        probe("vectors of one number", *qkv(d_k=1)[:2]),
        probe("long vectors", *qkv(d_k=40)[:2]),
        probe("whole numbers", *whole(qkv()[:2])),
    ]


def tables_of_scores():
    hidden = np.array([[1.0, -1, 0.5], [0.2, 2.0, -1], [0.0, 0.3, 0.1], [1.0, 1.5, -1]])
    return [
        probe("unequal sizes", draw(5, 4, 6)),
        probe("a square table", draw(6, 5, 5)),
        probe("one row", draw(7, 6)),
        probe("a batch", draw(8, 3, 4, 6)),
        probe("sentences and heads", draw(13, 3, 2, 4, 6)),
        probe("sizes all equal", draw(9, 4, 4, 4)),
        probe("three axes in front", draw(14, 2, 3, 2, 3, 5)),
        probe("one query", draw(15, 1, 6)),
        probe("one key", draw(16, 4, 1)),
        probe("one sentence", draw(17, 1, 4, 6)),
        probe("whole numbers", WHOLE, may_raise=True),
        probe("a score of -inf", np.where(hidden == -1, -np.inf, hidden)),
        probe("large scores", LARGE, edge=edges.LARGE),
        probe("scores far below zero", FAR_BELOW, edge=edges.FAR_BELOW),
    ]


def tables_with_masks():
    return [
        probe("unequal sizes", draw(5, 4, 6), MASK),
        probe("a square table", draw(6, 4, 4), SQUARE_MASK),
        probe("a mask for each sentence", draw(7, 3, 2, 4, 6), BY_SENTENCE),
        probe("one mask for all heads", draw(18, 3, 2, 4, 6), MASK),
        probe("a mask of three axes", draw(19, 3, 4, 6), mixed_mask(3, 4, 6)),
        probe("a padding mask", draw(20, 3, 4, 6), MASK[[1, 3, 0]][:, None]),
        probe("sizes all equal", draw(9, 4, 4, 4), SQUARE_MASK),
        probe("three axes in front", draw(14, 2, 3, 2, 3, 5), mixed_mask(3, 5)),
        probe("one query", draw(15, 1, 6), MASK[1:2]),
        probe("one key", draw(16, 4, 1), np.ones((4, 1), bool)),
        probe("one sentence", draw(17, 1, 4, 6), MASK[None]),
        probe("a long row", draw(21, 3, 40), mixed_mask(3, 40)),
        probe("whole numbers", WHOLE, WHOLE_MASK, may_raise=True),
        probe("large scores", LARGE, LARGE_MASK, edge=edges.LARGE),
        probe("scores far below zero", FAR_BELOW, FAR_BELOW_MASK, edge=edges.FAR_BELOW),
        probe("a hidden score far above", FAR_ABOVE, FAR_ABOVE_MASK, edge=edges.FAR_ABOVE),
        probe("a hidden score of 1e12", FAR_BEYOND, FAR_ABOVE_MASK, edge=edges.FAR_ABOVE),
        probe("an allowed score of -50", LOW, LOW_MASK, edge=edges.LOW),
        probe("scores around -200000", LOW - 200_000, LOW_MASK, edge=edges.LOW),
        probe("an empty row", TWO_ROWS, FIRST_EMPTY, edge=edges.FIRST_EMPTY),
        probe("everything hidden", TWO_ROWS, BOTH_EMPTY, edge=edges.BOTH_EMPTY),
        probe(
            "an empty row in a batch",
            np.stack([TWO_ROWS, TWO_ROWS + 1, TWO_ROWS - 1]),
            FOURTH_OF_SIX_EMPTY,
            edge=edges.FOURTH_OF_SIX_EMPTY,
        ),
    ]


def attention_arguments():
    batch, cube = qkv(3, 2), qkv(4, **CUBE)
    return [
        probe("unequal sizes", *qkv()),
        probe("as many queries as keys", *qkv(lq=6, d_k=3, d_v=4)),
        probe("a mask", *qkv(), MASK),
        probe("a mask on a square table", *qkv(**CUBE), SQUARE_MASK),
        probe("sentences and heads", *batch),
        probe("a mask for each sentence", *batch, BY_SENTENCE),
        probe("one mask for all heads", *batch, MASK),
        probe("a mask of three axes", *qkv(3), mixed_mask(3, 4, 6)),
        probe("a padding mask", *qkv(3), MASK[[1, 3, 0]][:, None]),
        probe("mask=None", *qkv(), None),
        probe("a score of 0", *with_scores(WITH_ZERO), WITH_ZERO_MASK),
        probe("sizes all equal", *cube),
        probe("three axes in front", *qkv(2, 3, 2, lq=3, d_k=4), mixed_mask(3, 6)),
        probe("one query", *qkv(lq=1)),
        probe("one key", *qkv(lk=1)),
        probe("one sentence", *qkv(1), MASK),
        probe("values of one number", *qkv(d_v=1)),
        probe("long vectors", *qkv(d_k=40, lk=30)),
        probe("whole numbers", *whole(qkv())),
        probe("large scores", *with_scores(LARGE), edge=edges.LARGE),
        probe("scores far below zero", *with_scores(FAR_BELOW), edge=edges.FAR_BELOW),
        probe("an allowed score of -50", *with_scores(LOW), LOW_MASK, edge=edges.LOW),
        probe("scores around -200000", *with_scores(LOW - 200_000), LOW_MASK, edge=edges.LOW),
        probe("an empty row", *with_scores(TWO_ROWS), FIRST_EMPTY, edge=edges.FIRST_EMPTY),
        probe("everything hidden", *with_scores(TWO_ROWS), BOTH_EMPTY, edge=edges.BOTH_EMPTY),
        probe(
            "an empty row in a batch",
            *map(np.stack, zip(*(with_scores(TWO_ROWS + i) for i in range(3)), strict=True)),
            FOURTH_OF_SIX_EMPTY,
            edge=edges.FOURTH_OF_SIX_EMPTY,
        ),
    ]


def numbers_of_tokens():
    return [probe("one token" if n == 1 else f"{n} tokens", n) for n in (5, 8, 1, 2, 23, 260)]


def lengths_of_sentences():
    return [
        probe("three sentences", np.array([6, 2, 4]), 7),
        probe("a full sentence", np.array([3, 5]), 5),
        probe("an empty sentence", np.array([4, 0, 1, 2]), 6),
        probe("one sentence", np.array([2]), 4),
        probe("as many sentences as keys", np.array([1, 3, 2]), 3),
        probe("long sentences", np.array([30, 7, 19, 24, 1]), 32),
        probe("very long sentences", np.array([257, 130, 3]), 260),
    ]


def stamped(*leading, tokens, features):
    """Numbers that tell their place: 1000 for each sentence, 100 for each token, 1 for each feature."""
    sentences = np.arange(np.prod(leading, dtype=int)).reshape(*leading, 1, 1)
    return 1000.0 * sentences + 100 * np.arange(tokens)[:, None] + np.arange(features)


def tables_to_split():
    table = stamped(tokens=4, features=6)
    return [
        probe("two heads", table, 2),
        probe("three heads", table, 3),
        probe("one head", table, 1),
        probe("as many heads as features", table, 6),
        probe("as many heads as tokens", stamped(tokens=3, features=9), 3),
        probe("one token", stamped(tokens=1, features=6), 2),
        probe("a batch", stamped(3, tokens=5, features=8), 4),
        probe("one sentence", stamped(1, tokens=4, features=6), 3),
        probe("two axes in front", stamped(2, 3, tokens=5, features=8), 4),
        probe("sizes all equal", stamped(3, tokens=3, features=9), 3),
    ]


def heads_to_merge():
    return [probe(split.name, split_heads(*split.args)) for split in tables_to_split()]


# Layers: a table that should have been transposed, or left alone, gives no error where it is square. So some
# tables are square, and the others say by their sizes which is which.


def small_table(seed, *shape):
    """Numbers so small that a product with it is no longer than the vectors were."""
    return np.round(0.8 * draw(seed, *shape) / shape[0] ** 0.5, 2)


def small_bias(seed, size):
    return np.round(0.5 * draw(seed, size), 2)


def layer(*leading, length, d_model, heads, d_k, d_v=None):
    """x, the eight tables of a layer, and its number of heads."""
    widths = {"q": heads * d_k, "k": heads * d_k, "v": heads * (d_v or d_k)}
    tables = {}
    for i, (name, width) in enumerate(widths.items(), start=30):
        tables |= {f"w_{name}": small_table(i, d_model, width), f"b_{name}": small_bias(10 + i, width)}
    tables |= {"w_o": small_table(33, widths["v"], d_model), "b_o": small_bias(43, d_model)}
    return draw(50, *leading, length, d_model), tables, heads


def vectors_and_tables():
    uneven = {"length": 5, "d_model": 6, "heads": 2, "d_k": 4, "d_v": 7}
    square = {"length": 4, "d_model": 6, "heads": 3, "d_k": 2}
    x, *tables_and_heads = layer(**square)
    return [
        probe("unequal sizes", *layer(**uneven)),
        probe("square tables", *layer(**square)),
        probe("square tables and a batch", *layer(2, length=5, d_model=12, heads=4, d_k=3)),
        probe("a batch", *layer(3, **uneven)),
        probe("two axes in front", *layer(2, 3, length=4, d_model=10, heads=2, d_k=3, d_v=5)),
        probe("one head", *layer(length=5, d_model=4, heads=1, d_k=4)),
        probe("as many tokens as numbers in a value", *layer(length=4, d_model=8, heads=2, d_k=4)),
        probe("sizes all equal", *layer(3, length=3, d_model=9, heads=3, d_k=3)),
        probe("one token", *layer(length=1, d_model=6, heads=2, d_k=3)),
        probe("one sentence", *layer(1, **square)),
        probe("longer vectors", *layer(length=9, d_model=24, heads=4, d_k=6)),
        probe("whole numbers", np.sign(x).astype(int), *tables_and_heads),
    ]


def vectors_and_a_table():
    def arguments(*leading, length, d_in, heads, d):
        x = draw(60, *leading, length, d_in)
        return x, small_table(61, d_in, heads * d), small_bias(62, heads * d), heads

    square = {"length": 4, "d_in": 6, "heads": 3, "d": 2}
    x, w, b, heads = arguments(**square)
    return [
        probe("unequal sizes", *arguments(length=5, d_in=6, heads=2, d=4)),
        probe("a square table", x, w, b, heads),
        probe("one head", *arguments(length=5, d_in=3, heads=1, d=4)),
        probe("as many heads as tokens", *arguments(length=3, d_in=5, heads=3, d=4)),
        probe("one number a head", *arguments(length=4, d_in=5, heads=6, d=1)),
        probe("one token", *arguments(length=1, d_in=6, heads=2, d=4)),
        probe("a batch", *arguments(3, length=5, d_in=8, heads=4, d=2)),
        probe("one sentence", *arguments(1, **square)),
        probe("two axes in front", *arguments(2, 3, length=5, d_in=6, heads=4, d=2)),
        probe("sizes all equal", *arguments(3, length=3, d_in=9, heads=3, d=3)),
        probe("whole numbers", np.sign(x).astype(int), w, b, heads),
    ]
