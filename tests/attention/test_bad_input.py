"""Bad input raises a ValueError or TypeError that names the argument; unusual input gets the right answer.

A row of the tables has a function, the arguments that differ from good ones, the error and words of its message.
"""

import datetime
import re
import warnings

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data

INF, NAN = np.inf, np.nan
DRAW = np.random.default_rng(3)
Q, K, V = DRAW.normal(size=(2, 4, 5)), DRAW.normal(size=(2, 6, 5)), DRAW.normal(size=(2, 6, 7))
SCORES = DRAW.normal(size=(2, 4, 6))

# Good arguments of every public function; a row of the table replaces some of them.
GOOD = {
    "attention_scores": {"q": Q, "k": K},
    "scaled_scores": {"q": Q, "k": K, "scale": None},
    "softmax": {"x": SCORES, "axis": -1},
    "masked_softmax": {"scores": SCORES, "mask": None},
    "causal_mask": {"n_queries": 4, "n_keys": 6},
    "padding_mask": {"lengths": [2, 3], "max_length": 6},
    "scaled_dot_product_attention": {"q": Q, "k": K, "v": V, "mask": None, "is_causal": False, "scale": None},
    "attention_in_blocks": {
        "q": Q,
        "k": K,
        "v": V,
        "mask": None,
        "is_causal": False,
        "scale": None,
        "block_size": 3,
    },
    "split_heads": {"x": np.ones((4, 6)), "n_heads": 3},
    "merge_heads": {"x": np.ones((3, 4, 2))},
    "load": {"name": "word_vectors"},
}
FUNCTIONS = {name: getattr(al, name, None) or getattr(data, name) for name in GOOD}

with warnings.catch_warnings():
    warnings.simplefilter("ignore", PendingDeprecationWarning)
    MATRIX = np.matrix([[1.0, 2.0], [3.0, 4.0]])
RAGGED = [[1.0, 2.0], [3.0]]
MASKED = np.ma.array(np.ones((2, 2)), mask=np.eye(2, dtype=bool))


class NoArray:
    """Claims to be an array and fails when it is converted."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array today")


# Rows: function, arguments, error, words of the message with " | " between them.

SHAPES = [
    ("attention_scores", {"q": np.ones(5)}, ValueError, "q | two axes | (5,)"),
    ("attention_scores", {"q": 3.0}, ValueError, "q | two axes | ()"),
    ("attention_scores", {"q": []}, ValueError, "q | two axes | (0,)"),
    ("attention_scores", {"k": np.ones(5)}, ValueError, "k | two axes | (5,)"),
    ("attention_scores", {"k": np.ones((2, 6, 4))}, ValueError, "q | k | d_k | (2, 4, 5) | (2, 6, 4)"),
    ("attention_scores", {"k": K.swapaxes(-1, -2)}, ValueError, "q | k | d_k | (2, 4, 5) | (2, 5, 6)"),
    ("attention_scores", {"k": np.ones((3, 6, 5))}, ValueError, "q | k | leading | (2, 4, 5) | (3, 6, 5)"),
    ("attention_scores", {"q": np.ones((4, 0)), "k": np.ones((6, 0))}, ValueError, "d_k | (4, 0) | (6, 0)"),
    ("attention_scores", {"q": [[]], "k": [[]]}, ValueError, "d_k | (1, 0)"),
    ("scaled_scores", {"q": np.ones(5)}, ValueError, "q | two axes | (5,)"),
    ("scaled_scores", {"k": 0}, ValueError, "k | two axes | ()"),
    ("scaled_scores", {"k": np.ones((6, 4))}, ValueError, "q | k | d_k | (2, 4, 5) | (6, 4)"),
    ("scaled_scores", {"k": np.ones((3, 6, 5))}, ValueError, "leading | (2, 4, 5) | (3, 6, 5)"),
    ("scaled_scores", {"q": np.ones((4, 0)), "k": np.ones((6, 0))}, ValueError, "d_k | (4, 0)"),
    ("scaled_scores", {"q": np.ones((4, 0)), "k": np.ones((6, 0)), "scale": 1}, ValueError, "d_k | (4, 0)"),
    ("softmax", {"x": 3.0}, ValueError, "x | axis | ()"),
    ("softmax", {"x": np.array(3)}, ValueError, "x | axis | ()"),
    ("masked_softmax", {"scores": 3.0}, ValueError, "scores | axis | ()"),
    ("masked_softmax", {"scores": 3.0, "mask": True}, ValueError, "scores | ()"),
    ("masked_softmax", {"mask": np.ones(4, bool)}, ValueError, "mask | stretch | (4,) | (2, 4, 6)"),
    ("masked_softmax", {"mask": np.ones((4, 7), bool)}, ValueError, "mask | stretch | (4, 7) | (2, 4, 6)"),
    ("masked_softmax", {"mask": np.ones((3, 4, 6))}, ValueError, "mask | stretch | (3, 4, 6) | (2, 4, 6)"),
    ("masked_softmax", {"mask": np.ones((1, 2, 4, 6))}, ValueError, "mask | (1, 2, 4, 6) | (2, 4, 6)"),
    ("masked_softmax", {"mask": []}, ValueError, "mask | (0,) | (2, 4, 6)"),
    (
        "masked_softmax",
        {"scores": SCORES[:, :1], "mask": np.ones((4, 6), bool)},
        ValueError,
        "mask | stretch",
    ),
    ("masked_softmax", {"scores": [1.0], "mask": [True, True]}, ValueError, "mask | stretch | (2,) | (1,)"),
    *(
        row
        for attend in ("scaled_dot_product_attention", "attention_in_blocks")
        for row in (
            (attend, {"q": np.ones(5)}, ValueError, "q | two axes | (5,)"),
            (attend, {"k": np.ones(5)}, ValueError, "k | two axes | (5,)"),
            (attend, {"v": np.ones(6)}, ValueError, "v | two axes | (6,)"),
            (attend, {"v": 1.0}, ValueError, "v | two axes | ()"),
            (attend, {"q": []}, ValueError, "q | two axes | (0,)"),
            (attend, {"k": np.ones((2, 6, 4))}, ValueError, "q | k | d_k | (2, 4, 5) | (2, 6, 4)"),
            (attend, {"q": K, "k": Q}, ValueError, "k | v | Lk | (2, 4, 5) | (2, 6, 7)"),
            (attend, {"v": np.ones((2, 5, 7))}, ValueError, "k | v | Lk | (2, 6, 5) | (2, 5, 7)"),
            (attend, {"v": np.ones((2, 1, 7))}, ValueError, "k | v | Lk | (2, 6, 5) | (2, 1, 7)"),
            (attend, {"v": V.swapaxes(-1, -2)}, ValueError, "k | v | Lk | (2, 7, 6)"),
            (attend, {"k": np.ones((3, 6, 5))}, ValueError, "leading | q | (2, 4, 5) | (3, 6, 5)"),
            (attend, {"v": np.ones((3, 6, 7))}, ValueError, "leading | v | (2, 6, 5) | (3, 6, 7)"),
            (
                attend,
                {"q": np.ones((4, 0)), "k": np.ones((6, 0))},
                ValueError,
                "q | k | d_k | (4, 0) | (6, 0)",
            ),
            (attend, {"mask": np.ones((2, 6), bool)}, ValueError, "mask | stretch | (2, 6) | (2, 4, 6)"),
            (attend, {"mask": np.ones((6, 4), bool)}, ValueError, "mask | stretch | (6, 4) | (2, 4, 6)"),
            (attend, {"mask": np.ones((1, 1, 4, 6), bool)}, ValueError, "mask | (1, 1, 4, 6) | (2, 4, 6)"),
            (attend, {"mask": np.ones((4, 6, 1), bool)}, ValueError, "mask | (4, 6, 1) | (2, 4, 6)"),
            (attend, {"mask": np.ones((2, 4, 7))}, ValueError, "mask | (2, 4, 7) | (2, 4, 6)"),
            (attend, {"mask": np.ones((2, 4, 0))}, ValueError, "mask | (2, 4, 0) | (2, 4, 6)"),
            (
                attend,
                {"q": Q[:1], "k": K[:1], "mask": np.ones((2, 1, 6), bool)},
                ValueError,
                "mask | stretch",
            ),
            (attend, {"q": Q[:, :1], "mask": np.ones((4, 6), bool)}, ValueError, "mask | (4, 6) | (2, 1, 6)"),
            (attend, {"q": Q[:, :0], "mask": np.ones((4, 6), bool)}, ValueError, "mask | (4, 6) | (2, 0, 6)"),
        )
    ),
    ("split_heads", {"x": np.ones(6)}, ValueError, "x | (..., L, H * d) | (6,)"),
    ("split_heads", {"x": 6}, ValueError, "x | (..., L, H * d) | ()"),
    ("split_heads", {"n_heads": 4}, ValueError, "n_heads = 4 | (4, 6)"),
    ("split_heads", {"n_heads": 12}, ValueError, "n_heads = 12 | (4, 6)"),
    ("merge_heads", {"x": np.ones((4, 6))}, ValueError, "x | (..., H, L, d) | (4, 6)"),
    ("merge_heads", {"x": 1}, ValueError, "x | (..., H, L, d) | ()"),
    ("padding_mask", {"lengths": 3}, ValueError, "lengths | (B,) | ()"),
    ("padding_mask", {"lengths": [[2, 3]]}, ValueError, "lengths | (B,) | (1, 2)"),
    ("padding_mask", {"lengths": [[]]}, ValueError, "lengths | (B,) | (1, 0)"),
]

SCALES = [
    row
    for scaled in ("scaled_scores", "scaled_dot_product_attention", "attention_in_blocks")
    for row in (
        (scaled, {"scale": NAN}, ValueError, "scale | finite | nan"),
        (scaled, {"scale": INF}, ValueError, "scale | finite | inf"),
        (scaled, {"scale": -INF}, ValueError, "scale | finite | -inf"),
        (scaled, {"scale": 10**400}, ValueError, "scale | finite"),
        (scaled, {"scale": "0.5"}, TypeError, "scale | str"),
        (scaled, {"scale": b"1"}, TypeError, "scale"),
        (scaled, {"scale": 1j}, TypeError, "scale | complex"),
        (scaled, {"scale": True}, TypeError, "scale | one real number | bool"),
        (scaled, {"scale": np.False_}, TypeError, "scale | one real number | bool"),
        (scaled, {"scale": [0.5]}, TypeError, "scale | one real number | (1,)"),
        (scaled, {"scale": np.ones((1, 1))}, TypeError, "scale | one real number | (1, 1)"),
        (scaled, {"scale": []}, TypeError, "scale | one real number | (0,)"),
        (scaled, {"scale": np.ma.masked}, TypeError, "scale | masked"),
        (scaled, {"scale": np.timedelta64(1)}, TypeError, "scale"),
        (scaled, {"scale": RAGGED}, ValueError, "scale"),
        (scaled, {"scale": {}}, TypeError, "scale | dict"),
    )
]
SCALES.append(
    (
        "scaled_scores",
        {"q": Q.astype("f4"), "k": K.astype("f4"), "scale": 1e300},
        ValueError,
        "scale | float32",
    )
)

MASKS = [
    row
    for masked in ("masked_softmax", "scaled_dot_product_attention", "attention_in_blocks")
    for row in (
        (masked, {"mask": np.ones((4, 6), int)}, TypeError, "mask | int64 | mask == 0 | mask != 0"),
        (masked, {"mask": np.ones((4, 6), np.uint8)}, TypeError, "mask | uint8 | mask == 0 | mask != 0"),
        (masked, {"mask": [[1, 0, 1, 0, 1, 1]]}, TypeError, "mask | int64 | different libraries"),
        (masked, {"mask": 1}, TypeError, "mask | int64"),
        (masked, {"mask": [[True, 0, 1, 0, 1, 1]]}, TypeError, "mask | int64"),
        (masked, {"mask": np.full((4, 6), INF)}, ValueError, "mask | +inf"),
        (masked, {"mask": [[NAN, INF, 0.0, 0.0, 0.0, 0.0]]}, ValueError, "mask | +inf"),
        (masked, {"mask": INF}, ValueError, "mask | +inf"),
        (masked, {"mask": "causal"}, TypeError, "mask | str"),
        (masked, {"mask": np.ma.array(np.ones((4, 6), bool), mask=False)}, TypeError, "mask | masked"),
        (masked, {"mask": np.ones((4, 6), object)}, TypeError, "mask | object"),
        (masked, {"mask": np.ones((4, 6), complex)}, TypeError, "mask | complex"),
        (masked, {"mask": [[True] * 6, [True]]}, ValueError, "mask"),
        (masked, {"mask": [[None] * 6]}, TypeError, "mask | object"),
        (masked, {"mask": {True}}, TypeError, "mask | set"),
        (masked, {"mask": slice(3)}, TypeError, "mask | slice"),
        (masked, {"mask": np.ones((4, 6), "m8[s]")}, TypeError, "mask"),
        (masked, {"mask": NoArray()}, ValueError, "mask | no array today"),
    )
]
SINGLE = {"q": Q.astype("f4"), "k": K.astype("f4"), "v": V.astype("f4"), "mask": np.full(6, 1e39)}
MASKS += [
    ("scaled_dot_product_attention", SINGLE, ValueError, "mask | +inf | float32"),
    ("attention_in_blocks", SINGLE, ValueError, "mask | +inf | float32"),
    ("masked_softmax", {"scores": SINGLE["q"], "mask": 1e39}, ValueError, "mask | +inf | float32"),
]

WHOLE_NUMBERS = [
    row
    for function, argument, least in (
        ("causal_mask", "n_queries", 0),
        ("causal_mask", "n_keys", 0),
        ("padding_mask", "max_length", 0),
        ("attention_in_blocks", "block_size", 1),
        ("split_heads", "n_heads", 1),
    )
    for row in (
        (function, {argument: least - 1}, ValueError, f"{argument} | {least} | {least - 1}"),
        (function, {argument: -(2**70)}, ValueError, f"{argument} | {least}"),
        (function, {argument: 2**70}, ValueError, argument),
        (function, {argument: 2**63}, ValueError, argument),
        (function, {argument: 2.0}, TypeError, f"{argument} | integer | float"),
        (function, {argument: NAN}, TypeError, f"{argument} | integer | float"),
        (function, {argument: "2"}, TypeError, f"{argument} | integer | str"),
        (function, {argument: True}, TypeError, f"{argument} | integer | bool"),
        (function, {argument: np.True_}, TypeError, f"{argument} | integer | bool"),
        (function, {argument: [2]}, TypeError, f"{argument} | integer | list"),
        (function, {argument: (2, 3)}, TypeError, f"{argument} | integer | tuple"),
        (function, {argument: np.array([2])}, TypeError, f"{argument} | integer | ndarray"),
        (function, {argument: 2j}, TypeError, f"{argument} | integer | complex"),
        (function, {argument: Q}, TypeError, f"{argument} | integer | ndarray"),
    )
]
WHOLE_NUMBERS += [
    ("causal_mask", {"n_queries": None}, TypeError, "n_queries | integer | NoneType"),
    ("attention_in_blocks", {"block_size": None}, TypeError, "block_size | integer | NoneType"),
    ("split_heads", {"n_heads": None}, TypeError, "n_heads | integer | NoneType"),
    ("softmax", {"axis": None}, TypeError, "axis | integer | NoneType"),
    ("softmax", {"axis": (0, 1)}, TypeError, "axis | integer | tuple"),
    ("softmax", {"axis": 1.0}, TypeError, "axis | integer | float"),
    ("softmax", {"axis": "1"}, TypeError, "axis | integer | str"),
    ("softmax", {"axis": True}, TypeError, "axis | integer | bool"),
    ("softmax", {"axis": 3}, ValueError, "axis 3 | x | (2, 4, 6)"),
    ("softmax", {"axis": -4}, ValueError, "axis -4 | x | (2, 4, 6)"),
    ("softmax", {"axis": 2**70}, ValueError, "axis | x | (2, 4, 6)"),
]

LENGTHS = [
    ("padding_mask", {"lengths": [2, -1]}, ValueError, "lengths | whole numbers | -1"),
    ("padding_mask", {"lengths": [2, -1], "max_length": None}, ValueError, "lengths | -1"),
    ("padding_mask", {"lengths": [2, 7]}, ValueError, "lengths | max_length | 6 | 7"),
    ("padding_mask", {"lengths": [2.5]}, ValueError, "lengths | whole numbers | 2.5"),
    ("padding_mask", {"lengths": [2.5], "max_length": None}, ValueError, "lengths | 2.5"),
    ("padding_mask", {"lengths": [NAN, 2]}, ValueError, "lengths | nan"),
    ("padding_mask", {"lengths": [NAN], "max_length": None}, ValueError, "lengths | nan"),
    ("padding_mask", {"lengths": [INF]}, ValueError, "lengths | inf"),
    ("padding_mask", {"lengths": [INF], "max_length": None}, ValueError, "lengths | inf"),
    ("padding_mask", {"lengths": [1e300], "max_length": None}, ValueError, "lengths"),
    ("padding_mask", {"lengths": [10**15], "max_length": None}, ValueError, "lengths"),
    ("padding_mask", {"lengths": [True, False]}, TypeError, "lengths | boolean"),
    ("padding_mask", {"lengths": None}, TypeError, "lengths"),
]

FLAGS = [
    row
    for attend in ("scaled_dot_product_attention", "attention_in_blocks")
    for row in (
        (attend, {"is_causal": 1}, TypeError, "is_causal | True or False | int"),
        (attend, {"is_causal": None}, TypeError, "is_causal | NoneType"),
        (attend, {"is_causal": "yes"}, TypeError, "is_causal | str"),
        (attend, {"is_causal": al.causal_mask(4, 6)}, TypeError, "is_causal | ndarray"),
        (attend, {"is_causal": NAN}, TypeError, "is_causal | float"),
    )
]

NAMES = [
    ("load", {"name": "cat"}, ValueError, "name | cat_sentence | word_vectors | 'cat'"),
    ("load", {"name": None}, ValueError, "name | None"),
    ("load", {"name": 3}, ValueError, "name | 3"),
    ("load", {"name": ["word_vectors"]}, ValueError, "name | ['word_vectors']"),
    ("load", {"name": np.array(["word_vectors"])}, ValueError, "name | cat_sentence"),
    ("load", {"name": "../data/word_vectors"}, ValueError, "name | ../data"),
]

# Values that are not arrays of real numbers. One function checks all arrays: softmax tries the whole list, and the
# last three rows show that every other argument is checked by it.
NO_NUMBERS = [
    (None, TypeError, "real numbers | NoneType"),
    ("hello", TypeError, "real numbers | str"),
    ([["1", "2"], ["3", "4"]], TypeError, "real numbers | <U1"),
    ([[b"1", b"2"]] * 2, TypeError, "real numbers | |S1"),
    (np.ones((2, 2), object), TypeError, "real numbers | object"),
    ([[1, None], [2, 3]], TypeError, "real numbers | object"),
    ([[10**30, 1], [1, 1]], TypeError, "real numbers | object"),
    ([[1j, 0], [0, 0]], TypeError, "real numbers | complex"),
    (np.ones((2, 2), "M8[D]"), TypeError, "real numbers | datetime64"),
    (np.ones((2, 2), "m8[s]"), TypeError, "real numbers | timedelta64"),
    ([[datetime.date(2017, 6, 12)]], TypeError, "real numbers | object"),
    (np.zeros((2, 2), [("a", float)]), TypeError, "real numbers"),
    ({"a": 1}, TypeError, "real numbers | dict"),
    ({1.0, 2.0}, TypeError, "real numbers | set"),
    ((n for n in [1, 2]), TypeError, "real numbers | generator"),
    (len, TypeError, "real numbers | builtin"),
    (RAGGED, ValueError, "array"),
    ([np.ones(2), np.ones(3)], ValueError, "array"),
    (np.ma.masked, TypeError, "masked array"),
    (np.ones((2, 2), complex), TypeError, "real numbers | complex"),
    (MASKED, TypeError, "masked array"),
    (NoArray(), ValueError, "no array today"),
]
ARRAYS = [
    (function, {argument: value}, error, f"{argument} | {words}")
    for function, arguments in GOOD.items()
    for argument in arguments
    if argument in ("q", "k", "v", "x", "scores", "lengths")
    for value, error, words in (NO_NUMBERS if function == "softmax" else NO_NUMBERS[-3:])
]

TABLE = SHAPES + SCALES + MASKS + WHOLE_NUMBERS + LENGTHS + FLAGS + NAMES + ARRAYS

# Unusual input that is accepted: function, arguments, the right answer.
HALF = [[0.5, 0.5], [0.5, 0.5]]
RIGHT = [
    ("attention_scores", {"q": [[1, 2]], "k": [[3, 4], [5, 6]]}, [[11, 17]]),
    ("attention_scores", {"q": MATRIX, "k": MATRIX}, [[5, 11], [11, 25]]),
    ("attention_scores", {"q": [[True, False]], "k": [[True, True]]}, [[1]]),
    ("attention_scores", {"q": np.ones((0, 5)), "k": np.ones((6, 5))}, np.ones((0, 6))),
    ("attention_scores", {"q": range(0), "k": K}, ValueError),
    ("attention_scores", {"q": [[np.uint8(200)]], "k": [[np.uint8(200)]]}, [[40000]]),
    ("attention_scores", {"q": memoryview(np.ones((1, 2))), "k": [[1, 2]]}, [[3]]),
    ("scaled_scores", {"q": [[1, 2]], "k": [[3, 4]], "scale": 0}, [[0]]),
    ("scaled_scores", {"q": [[1, 2]], "k": [[3, 4]], "scale": -(10**30)}, [[-11e30]]),
    ("scaled_scores", {"q": [[1, 2]], "k": [[3, 4]], "scale": np.array(2)}, [[22]]),
    ("scaled_scores", {"q": MATRIX, "k": MATRIX, "scale": np.float16(2)}, [[10, 22], [22, 50]]),
    ("softmax", {"x": [], "axis": 0}, []),
    ("softmax", {"x": [[], []]}, np.ones((2, 0))),
    ("softmax", {"x": range(1)}, [1]),
    ("softmax", {"x": [-INF, 0, -INF]}, [0, 1, 0]),
    ("softmax", {"x": [NAN, 1]}, [NAN, NAN]),
    ("softmax", {"x": np.array([7, 7], np.int8), "axis": np.int64(0)}, [0.5, 0.5]),
    ("softmax", {"x": np.full((2, 2), -1e308)}, HALF),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": True}, HALF),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": np.False_}, np.zeros((2, 2))),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": 0.0}, HALF),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": -INF}, np.zeros((2, 2))),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": [[NAN], [0.0]]}, [[NAN, NAN], [0.5, 0.5]]),
    ("masked_softmax", {"scores": [], "mask": [True]}, []),
    ("masked_softmax", {"scores": MATRIX, "mask": MATRIX > 9}, np.zeros((2, 2))),
    ("causal_mask", {"n_queries": 0, "n_keys": None}, np.ones((0, 0), bool)),
    ("causal_mask", {"n_queries": np.array(2), "n_keys": np.uint8(1)}, [[True], [True]]),
    ("padding_mask", {"lengths": [], "max_length": None}, np.ones((0, 1, 0), bool)),
    ("padding_mask", {"lengths": [0], "max_length": 0}, np.ones((1, 1, 0), bool)),
    ("padding_mask", {"lengths": [-0.0, 1.0], "max_length": 2}, [[[False, False]], [[True, False]]]),
    ("padding_mask", {"lengths": np.array([1], np.uint64), "max_length": 2}, [[[True, False]]]),
    ("split_heads", {"x": MATRIX, "n_heads": 2}, [[[1], [3]], [[2], [4]]]),
    ("split_heads", {"x": [[]], "n_heads": 2}, np.ones((2, 1, 0))),
    ("merge_heads", {"x": [[[1], [3]], [[2], [4]]]}, [[1, 2], [3, 4]]),
    *(
        row
        for attend in ("scaled_dot_product_attention", "attention_in_blocks")
        for row in (
            (attend, {"q": [[0, 0]], "k": [[1, 2], [3, 4]], "v": [[2], [4]]}, [[3]]),
            (attend, {"q": [[0]], "k": [[1], [2]], "v": [[2], [4]], "mask": [False, True]}, [[4]]),
            (attend, {"q": [[0]], "k": [[1], [2]], "v": [[2], [4]], "mask": [False, False]}, [[0]]),
            (attend, {"q": [[0]], "k": [[1], [2]], "v": [[2], [4]], "is_causal": np.True_}, [[2]]),
            (attend, {"q": [[0]], "k": np.ones((0, 1)), "v": np.ones((0, 3))}, [[0, 0, 0]]),
            (attend, {"q": [[NAN]], "k": [[1], [2]], "v": [[2], [4]]}, [[NAN]]),
            (attend, {"q": MATRIX * 0, "k": MATRIX, "v": MATRIX}, [[2, 3], [2, 3]]),
        )
    ),
]


def snapshot(value):
    """A value in a form that can be compared later, to see that it has not changed."""
    if isinstance(value, np.ma.MaskedArray):
        return np.ma.getdata(value).tobytes(), np.ma.getmaskarray(value).tobytes()
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.shape, value.dtype, value.tobytes()
    return repr(value)


def call(function, arguments):
    """The result or the error, with warnings as errors, and the names of arguments that changed."""
    arguments = GOOD[function] | arguments
    before = {name: snapshot(value) for name, value in arguments.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = FUNCTIONS[function](**arguments)
    except Exception as error:
        result = error
    return result, [name for name, value in arguments.items() if snapshot(value) != before[name]]


def fault_of_error(function, arguments, expected, words):
    """What is wrong with the error for a bad row, or None."""
    error, changed = call(function, arguments)
    if type(error) is not expected:
        return f"expected {expected.__name__}, got {error!r}"
    message = str(error)
    missing = [word for word in words.split(" | ") if word not in message]
    if missing or not any(re.search(rf"\b{name}\b", message) for name in arguments):
        return f"the message lacks {missing or 'the argument'}: {message}"
    return f"changed its inputs {changed}" if changed else None


def fault_of_answer(function, arguments, expected):
    """What is wrong with the answer to an unusual row, or None."""
    result, changed = call(function, arguments)
    if expected is ValueError:
        return None if type(result) is ValueError else f"expected ValueError, got {result!r}"
    if isinstance(result, Exception):
        return f"raised {result!r}"
    result = result.output if isinstance(result, al.Attention) else result
    right = np.asarray(expected)
    if type(result) is not np.ndarray or result.shape != right.shape:
        return f"expected shape {right.shape}, got {result!r}"
    if result.dtype != (bool if function in ("causal_mask", "padding_mask") else np.float64):
        return f"wrong dtype {result.dtype}"
    if not np.allclose(result, right.astype(float), rtol=1e-12, atol=0, equal_nan=True):
        return f"expected {expected!r}, got {result!r}"
    return f"changed its inputs {changed}" if changed else None


def row_id(row):
    return "-".join([row[0], *row[1]])


@pytest.mark.parametrize("row", TABLE, ids=row_id)
def test_bad_input_is_refused_with_a_message(row):
    assert fault_of_error(*row) is None


@pytest.mark.parametrize("row", RIGHT, ids=row_id)
def test_unusual_input_gets_the_right_answer(row):
    assert fault_of_answer(*row) is None


def test_every_argument_has_rows_and_good_ones_pass():
    for function in GOOD:
        result, changed = call(function, {})
        assert not isinstance(result, Exception) and not changed, function
    tried = {(function, argument) for function, arguments, *_ in TABLE for argument in arguments}
    assert tried == {(function, argument) for function, arguments in GOOD.items() for argument in arguments}
    assert set(GOOD) == set(al.__all__) - {"Attention"} | {"load"}


def test_traceback_has_no_frame_of_numpy():
    # NumPy's own decorator would stand between a learner's line and the error.
    with pytest.raises(ValueError) as caught:
        al.scaled_scores(np.ones((2, 3)), np.ones((2, 4)))
    assert not [entry for entry in caught.traceback if "numpy" in str(entry.path)]
