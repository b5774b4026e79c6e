"""Bad input raises a ValueError or TypeError that names the argument; unusual input gets the right answer.

A row of the tables has a function, the arguments that differ from good ones, the error and words of its message.
"""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attention_lib as al
from attention_lib import learning, today

INF, NAN = np.inf, np.nan
INT = np.dtype(int).name  # int32 in a browser
DRAW = np.random.default_rng(3)


def draw(*shape):
    """Numbers that float16 holds exactly."""
    return DRAW.normal(size=shape).astype(np.float16).astype(float)


# All sizes differ, so that a wrong axis fails.
Q, K, V, SCORES, OUTPUT = draw(2, 4, 5), draw(2, 6, 5), draw(2, 6, 7), draw(2, 4, 6), draw(2, 4, 7)
ATTENTION = {"q": Q, "k": K, "v": V, "mask": None, "is_causal": False, "scale": None}

# Good arguments of the public functions. A row of the table replaces some of them.
GOOD = {
    "attention_scores": {"q": Q, "k": K},
    "scaled_scores": {"q": Q, "k": K, "scale": None},
    "softmax": {"x": SCORES, "axis": -1},
    "masked_softmax": {"scores": SCORES, "mask": None},
    "causal_mask": {"n_queries": 4, "n_keys": 6},
    "padding_mask": {"lengths": [2, 3], "max_length": 6},
    "scaled_dot_product_attention": ATTENTION,
    "attention_in_blocks": ATTENTION | {"block_size": 3},
    "split_heads": {"x": draw(4, 6), "n_heads": 3},
    "merge_heads": {"x": draw(3, 4, 2)},
    "rotate": {"x": draw(2, 3, 4), "positions": None, "base": 10_000.0, "pairs": "halves"},
    "repeat_heads": {"x": draw(3, 4, 2), "n": 2},
    "merge": {
        "output_a": draw(2, 4, 3),
        "log_sum_a": draw(2, 4),
        "output_b": draw(2, 4, 3),
        "log_sum_b": draw(2, 4),
    },
    "softmax_gradient": {"weights": SCORES, "upstream": draw(2, 4, 6)},
    "attention_gradients": {"q": Q, "k": K, "v": V, "weights": SCORES, "upstream": OUTPUT, "scale": None},
}
LAYERS = learning.start_layers(5, 8, 2, np.random.default_rng(0))
TOKENS = np.arange(6).reshape(2, 3) % 5
CLASSES = np.arange(8).reshape(2, 4) % 4
MATRICES = {"w_q": draw(5, 3), "w_k": draw(5, 3), "w_v": draw(5, 2), "w_o": draw(2, 4)}
BATCH = Q, K, CLASSES
for array in (*LAYERS.values(), *MATRICES.values(), *BATCH, TOKENS):
    array.setflags(write=False)
# These take sizes or a dict: test_contract.py has nothing for them.
GOOD_OF_LEARNING = {
    "head_step": dict(zip(("matrices", "askers", "tokens", "targets"), (MATRICES, *BATCH)))
    | {"mask": None, "scale": None, "gradients": learning.attention_gradients},
    "train_head": {"matrices": MATRICES, "draw": lambda: BATCH, "steps": 1, "rate": 1.0, "until": None},
    "start_layers": {"n_tokens": 5, "d_model": 8, "n_layers": 2, "rng": np.random.default_rng(0)},
    "layers_step": {"matrices": LAYERS, "tokens": TOKENS, "targets": TOKENS, "n_heads": 2},
}
FUNCTIONS = {name: (vars(al) | vars(today) | vars(learning))[name] for name in GOOD | GOOD_OF_LEARNING}
ATTENDS = ("scaled_dot_product_attention", "attention_in_blocks")

# One row for each rule of arguments.py: tests/project/test_wrong_inputs.py tries every argument of every function.
# A row has the function, the arguments, the error, and words of the message with " | " between them.
SINGLE = {"q": Q.astype("f4"), "k": K.astype("f4"), "v": V.astype("f4")}
ATTEND, STEP, HEAD = "scaled_dot_product_attention", "layers_step", "head_step"
TABLE = [
    # shapes that must agree
    (ATTEND, {"q": np.ones(5)}, ValueError, "q | two axes | (5,)"),
    (ATTEND, {"k": np.ones((2, 6, 4))}, ValueError, "q | k | d_k | (2, 4, 5) | (2, 6, 4)"),
    (ATTEND, {"q": [[]], "k": [[]]}, ValueError, "q | k | d_k | (1, 0)"),
    (ATTEND, {"v": np.ones((2, 1, 7))}, ValueError, "k | v | Lk | (2, 6, 5) | (2, 1, 7)"),
    (ATTEND, {"v": np.ones((3, 6, 7))}, ValueError, "leading | v | (2, 6, 5) | (3, 6, 7)"),
    (ATTEND, {"mask": np.ones((6, 4), bool)}, ValueError, "mask | stretching | (6, 4) | (2, 4, 6)"),
    # v has the leading axis of 2, and the scores have none
    (ATTEND, {"q": Q[0], "k": K[0], "mask": np.ones((2, 4, 6), bool)}, ValueError, "mask | (4, 6)"),
    ("softmax", {"x": 3.0}, ValueError, "x | axis | ()"),
    ("softmax", {"axis": -4}, ValueError, "axis -4 | x | (2, 4, 6)"),
    ("split_heads", {"n_heads": 4}, ValueError, "n_heads = 4 | (4, 6)"),
    ("merge_heads", {"x": np.ones((4, 6))}, ValueError, "x | (..., H, L, d) | (4, 6)"),
    ("rotate", {"x": np.ones(4)}, ValueError, "x | (..., L, d) | (4,)"),
    ("rotate", {"x": np.ones((3, 5))}, ValueError, "x | even | (3, 5)"),
    ("rotate", {"pairs": "half"}, ValueError, "pairs | halves | neighbours | 'half'"),
    ("softmax_gradient", {"upstream": SCORES[0]}, ValueError, "weights | upstream | (2, 4) | (4, 6)"),
    ("attention_gradients", {"k": K[:1]}, ValueError, "k | q | (2,) | (1, 6, 5)"),
    (HEAD, {"tokens": V}, ValueError, "tokens | (B, Lk, d) | (2, 6, 7) | w_q"),
    (HEAD, {"gradients": lambda *given: given[1:4]}, ValueError, "gradients | of_q | (2, 4, 3) | (2, 6, 3)"),
    ("train_head", {"draw": lambda: (*BATCH[:2], CLASSES + 3)}, ValueError, "targets | draw | 0 to 3 | 6"),
    (STEP, {"matrices": LAYERS | {"w_q": Q[0]}}, ValueError, 'matrices["w_q"] | (4, 5) | d_model is 8'),
    (STEP, {"tokens": TOKENS[:0], "targets": TOKENS[:0]}, ValueError, "tokens | (0, 3)"),
    (STEP, {"n_heads": 8}, ValueError, "n_heads | even | 8"),
    ("start_layers", {"d_model": 7}, ValueError, "d_model | even | 7"),
    # one number
    ("scaled_scores", {"scale": NAN}, ValueError, "scale | finite | nan"),
    ("scaled_scores", {"scale": 10**400}, ValueError, "scale | finite"),
    ("scaled_scores", {"scale": True}, TypeError, "scale | one real number | bool"),
    ("scaled_scores", {"q": SINGLE["q"], "k": SINGLE["k"], "scale": 1e300}, ValueError, "scale | float32"),
    ("rotate", {"base": 0}, ValueError, "base | positive | 0"),
    ("causal_mask", {"n_queries": -1}, ValueError, "n_queries | 0 | -1"),
    ("repeat_heads", {"n": 0}, ValueError, "n | 1 | 0"),
    ("causal_mask", {"n_keys": True}, TypeError, "n_keys | integer | bool"),
    (ATTEND, {"is_causal": 1}, TypeError, "is_causal | True or False | int"),
    # masks
    (ATTEND, {"mask": np.ones((4, 6), int)}, TypeError, f"mask | {INT} | mask == 0 | mask != 0"),
    (
        ATTEND,
        {"mask": np.tri(4, 6)},
        TypeError,
        "mask | float64 | at least one 1 | mask != 0 | scores + mask",
    ),
    (ATTEND, {"mask": [[NAN, INF, 0.0, 0.0, 0.0, 0.0]]}, ValueError, "mask | +inf"),
    (ATTEND, SINGLE | {"mask": np.full(6, 1e39)}, ValueError, "mask | +inf | float32"),
    # lengths, tokens and classes
    ("padding_mask", {"lengths": [[2, 3]]}, ValueError, "lengths | (B,) | (1, 2)"),
    ("padding_mask", {"lengths": [2, -1]}, ValueError, "lengths | whole numbers | -1"),
    ("padding_mask", {"lengths": [2, 7]}, ValueError, "lengths | max_length | 6"),
    ("padding_mask", {"lengths": [2.5]}, ValueError, "lengths | whole numbers"),
    ("padding_mask", {"lengths": [10**15], "max_length": None}, ValueError, "lengths"),
    ("padding_mask", {"lengths": [True, False]}, TypeError, "lengths | booleans"),
    (HEAD, {"targets": CLASSES - 1}, ValueError, "targets | -1"),
    # no arrays of real numbers
    ("softmax", {"x": [["1", "2"]]}, TypeError, "real numbers | <U1"),
    ("softmax", {"x": np.ma.array(np.eye(2), mask=np.eye(2, dtype=bool))}, TypeError, "x | masked array"),
]

# Unusual input that is accepted: function, arguments, the right answer.
HALF = [[0.5, 0.5], [0.5, 0.5]]
RIGHT = [
    ("attention_scores", {"q": [[np.uint8(200)]], "k": [[np.uint8(200)]]}, [[40000]]),
    ("scaled_scores", {"q": [[1, 2]], "k": [[3, 4]], "scale": -(10**30)}, [[-11e30]]),
    ("softmax", {"x": [[], []]}, np.ones((2, 0))),
    ("softmax", {"x": [[-INF, -INF], [1e308, -1e308], [-1e308, -INF]]}, [[0, 0], [1, 0], [1, 0]]),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": True}, HALF),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": -INF}, np.zeros((2, 2))),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": [[NAN], [0.0]]}, [[NAN, NAN], [0.5, 0.5]]),
    ("masked_softmax", {"scores": [[1, NAN]], "mask": [[0, -INF]]}, [[NAN, NAN]]),
    ("masked_softmax", {"scores": np.ones((2, 2)), "mask": np.zeros((2, 2))}, HALF),
    ("masked_softmax", {"scores": [[INF, NAN, 0]], "mask": [False, False, True]}, [[0, 0, 1]]),
    ("masked_softmax", {"scores": np.ones((1, 2)), "mask": [1e39, 0.0]}, [[1, 0]]),
    ("causal_mask", {"n_queries": 2, "n_keys": 4}, np.array([[1, 0, 0, 0], [1, 1, 0, 0]], bool)),
    ("padding_mask", {"lengths": [], "max_length": None}, np.ones((0, 1, 0), bool)),
    ("padding_mask", {"lengths": [0.0, 2.0], "max_length": 2}, [[[False, False]], [[True, True]]]),
    ("padding_mask", {"lengths": np.uint8([1, 2]), "max_length": None}, [[[True, False]], [[True, True]]]),
]
RIGHT_OF_ATTENTION = [
    ({"q": [[0]], "k": [[1], [2]], "v": [[2], [4]], "is_causal": np.True_}, [[2]]),
    # a NaN in a mask above the diagonal
    ({"q": HALF, "k": HALF, "v": HALF, "mask": [[0, NAN], [0, 0]], "is_causal": True}, HALF),
    # a floating mask that holds a 1, and another number beside 0 and 1
    ({"q": [[0]], "k": [[1], [2]], "v": [[2], [4]], "mask": [1, -INF]}, [[2]]),
    ({"q": Q[:, :0], "is_causal": True}, np.zeros((2, 0, 7))),
    ({"q": Q[:0], "k": K[:0], "v": V[:0]}, np.zeros((0, 4, 7))),
]
RIGHT += [(attend, *row) for attend in ATTENDS for row in RIGHT_OF_ATTENTION]


def row_id(row):
    return "-".join([row[0], *row[1]])


@pytest.mark.parametrize("row", TABLE, ids=row_id)
def test_bad_input_is_refused_with_a_message(row):
    function, arguments, error, words = row
    with pytest.raises(error) as caught:
        FUNCTIONS[function](**(GOOD | GOOD_OF_LEARNING)[function] | arguments)
    for word in words.split(" | "):
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", str(caught.value)), word


@pytest.mark.parametrize("row", RIGHT, ids=row_id)
def test_unusual_input_gets_the_right_answer(row):
    function, arguments, expected = row
    result = FUNCTIONS[function](**GOOD[function] | arguments)
    result = result.output if isinstance(result, al.Attention) else result
    assert type(result) is np.ndarray and result.shape == np.shape(expected)
    assert result.dtype == (bool if function in ("causal_mask", "padding_mask") else np.float64)
    assert_allclose(result, expected, rtol=1e-12)
