"""What the learner's functions are called with: arguments on which the right and the wrong part.

Sizes differ wherever a wrong axis could hide, and are equal, or 1, where only that shows a
mistake. An edge is a probe that says what a wrong row of it speaks for: `tells` by the row, `leak`
if a hidden key got weight. Plain Python stops where NumPy gives infinity or NaN: `stops` says what
an error of that kind speaks for.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Probe:
    what: str  # finishes the sentence "Seen with ..."
    args: tuple
    tells: dict = field(default_factory=dict)  # row of all tables, counted through -> id
    leak: str | None = None
    stops: dict = field(default_factory=dict)  # kind of error -> id
    may_stop: bool = False  # an error is no fault: better than a wrong number

    @property
    def ordinary(self):
        """Whether exact numbers can be compared: edges are judged row by row."""
        return not self.tells and not self.leak


def probe(what, *args, **edge):
    return Probe(what, args, **edge)


def all_rows(id, stops, n=2):
    """What a probe has to say each of whose n rows speaks for one mistake."""
    return {"tells": dict.fromkeys(range(n), id), "stops": dict.fromkeys(stops, id)}


LARGE_TELLS = {
    "tells": {0: "overflows", 1: "one-maximum-for-all"},
    "stops": {OverflowError: "overflows", ZeroDivisionError: "one-maximum-for-all"},
}
LOW_TELLS = {"leak": "fill-too-small"}
BELOW_TELLS = LOW_TELLS | all_rows("underflows", [ZeroDivisionError])
ABOVE_TELLS = LOW_TELLS | all_rows("renormalised-after-mask", [ZeroDivisionError])
EMPTY_STOPS = {ArithmeticError: "empty-row", ValueError: "empty-row"}
EMPTY_TELLS = {"tells": {0: "empty-row", 1: "zeros-if-any-nan"}, "stops": EMPTY_STOPS}
EMPTY_ROW = "empty-row"
ZEROED = "zeros-if-any-nan"
NOTHING_TELLS = all_rows(EMPTY_ROW, EMPTY_STOPS)
EMPTY_BATCH_TELLS = {
    "tells": dict.fromkeys(range(6), "zeros-if-any-nan") | {3: "empty-row"},
    "stops": EMPTY_STOPS,
}


def draw(seed, *shape):
    return np.round(np.random.default_rng(seed).normal(0, 1.2, shape), 2)


def qkv(*leading, lq=4, lk=6, d_k=5, d_v=7):
    return draw(1, *leading, lq, d_k), draw(2, *leading, lk, d_k), draw(3, *leading, lk, d_v)


def whole(arrays):
    """The same in whole numbers, as the toys of the notebooks have them."""
    return tuple((3 * x).astype(int) for x in arrays)


def yes_no(*rows):
    return np.array([[letter == "1" for letter in row] for row in rows])


def checkers(*shape):
    """A mask in which every row of every table differs, and has both kinds of keys."""
    mask = draw(10, *shape) > 0
    mask[..., 0] |= ~mask.any(-1)
    mask[..., -1] &= ~mask.all(-1)
    return mask


CUBE = {"lq": 4, "lk": 4, "d_k": 4, "d_v": 4}
MASK = yes_no("111111", "101101", "010010", "110110")
SQUARE_MASK = yes_no("1111", "1011", "0110", "1101")
BY_SENTENCE = MASK[[1, 3, 0]][:, None, None]  # (3, 1, 1, 6): what a padding mask looks like

# No shift but the row's own maximum helps.
LARGE = np.array([[-2000.0, 999, 998, 1000, -1900], [0.0, -1, -2, -4, 3]])
WHOLE = np.array([[1, 0, 2], [-3, 1, 1]])
WHOLE_MASK = yes_no("110", "011")
LARGE_MASK = yes_no("11111", "11110")
FAR_BELOW = np.array([[-2000.0, -2001, -1999, -2003], [-1500.0, -1502, -1501, -1500]])
FAR_BELOW_MASK = yes_no("1101", "1110")
FAR_ABOVE = np.array([[1.0, 3, 1000, 2], [2.0, 900, 1, 0]])  # with the highest hidden
FAR_ABOVE_MASK = yes_no("1101", "1011")
BEYOND = np.array([[1.0, 3, 1e12, 2], [2.0, 1, 0, 1]])  # where adding -1e9 hides nothing
LOW = np.array([[-50.0, -52, 3, 7, -51, 1], [1, 2, 0, -1, 3, 1]])
LOW_MASK = yes_no("110010", "101111")
EMPTY = np.array([[1.0, 3, 2, 0], [2.0, 1, 0, 3]])
EMPTY_MASK = yes_no("0000", "1101")
NOTHING_MASK = yes_no("0000", "0000")
WITH_ZERO = np.array([[0.0, 1, -1, 2], [1.0, 0, 2, -1]])
WITH_ZERO_MASK = yes_no("1101", "1110")
EMPTY_IN_BATCH = np.stack([yes_no("1101", "0111"), yes_no("1011", "0000"), yes_no("0110", "1111")])


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
        probe("whole numbers", WHOLE, may_stop=True),
        probe("a score of -inf", np.where(hidden == -1, -np.inf, hidden)),
        probe("large scores", LARGE, **LARGE_TELLS),
        probe("scores far below zero", FAR_BELOW, **BELOW_TELLS),
    ]


def tables_with_masks():
    return [
        probe("unequal sizes", draw(5, 4, 6), MASK),
        probe("a square table", draw(6, 4, 4), SQUARE_MASK),
        probe("a mask for each sentence", draw(7, 3, 2, 4, 6), BY_SENTENCE),
        probe("one mask for all heads", draw(18, 3, 2, 4, 6), MASK),
        probe("a mask of three axes", draw(19, 3, 4, 6), checkers(3, 4, 6)),
        probe("a padding mask", draw(20, 3, 4, 6), MASK[[1, 3, 0]][:, None]),
        probe("sizes all equal", draw(9, 4, 4, 4), SQUARE_MASK),
        probe("three axes in front", draw(14, 2, 3, 2, 3, 5), checkers(3, 5)),
        probe("one query", draw(15, 1, 6), MASK[1:2]),
        probe("one key", draw(16, 4, 1), np.ones((4, 1), bool)),
        probe("one sentence", draw(17, 1, 4, 6), MASK[None]),
        probe("a long row", draw(21, 3, 40), checkers(3, 40)),
        probe("whole numbers", WHOLE, WHOLE_MASK, may_stop=True),
        probe("large scores", LARGE, LARGE_MASK, **LARGE_TELLS),
        probe("scores far below zero", FAR_BELOW, FAR_BELOW_MASK, **BELOW_TELLS),
        probe("a hidden score far above", FAR_ABOVE, FAR_ABOVE_MASK, **ABOVE_TELLS),
        probe("a hidden score of 1e12", BEYOND, FAR_ABOVE_MASK, **ABOVE_TELLS),
        probe("an allowed score of -50", LOW, LOW_MASK, **LOW_TELLS),
        probe("scores around -200000", LOW - 200_000, LOW_MASK, **LOW_TELLS),
        probe("an empty row", EMPTY, EMPTY_MASK, **EMPTY_TELLS),
        probe("everything hidden", EMPTY, NOTHING_MASK, **NOTHING_TELLS),
        probe(
            "an empty row in a batch",
            np.stack([EMPTY, EMPTY + 1, EMPTY - 1]),
            EMPTY_IN_BATCH,
            **EMPTY_BATCH_TELLS,
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
        probe("a mask of three axes", *qkv(3), checkers(3, 4, 6)),
        probe("a padding mask", *qkv(3), MASK[[1, 3, 0]][:, None]),
        probe("mask=None", *qkv(), None),
        probe("a score of 0", *with_scores(WITH_ZERO), WITH_ZERO_MASK),
        probe("sizes all equal", *cube),
        probe("three axes in front", *qkv(2, 3, 2, lq=3, d_k=4), checkers(3, 6)),
        probe("one query", *qkv(lq=1)),
        probe("one key", *qkv(lk=1)),
        probe("one sentence", *qkv(1), MASK),
        probe("values of one number", *qkv(d_v=1)),
        probe("long vectors", *qkv(d_k=40, lk=30)),
        probe("whole numbers", *whole(qkv())),
        probe("large scores", *with_scores(LARGE), **LARGE_TELLS),
        probe("scores far below zero", *with_scores(FAR_BELOW), **BELOW_TELLS),
        probe("an allowed score of -50", *with_scores(LOW), LOW_MASK, **LOW_TELLS),
        probe("scores around -200000", *with_scores(LOW - 200_000), LOW_MASK, **LOW_TELLS),
        probe("an empty row", *with_scores(EMPTY), EMPTY_MASK, **EMPTY_TELLS),
        probe("everything hidden", *with_scores(EMPTY), NOTHING_MASK, **NOTHING_TELLS),
        probe("an empty row in a batch", *batch_of_empty(), **EMPTY_BATCH_TELLS),
    ]


def batch_of_empty():
    return *map(
        np.stack, zip(*(with_scores(EMPTY + i) for i in range(3)), strict=True)
    ), EMPTY_IN_BATCH


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
    """Numbers that say where they stand: 1000 a sentence, 100 a token, 1 a feature."""
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
