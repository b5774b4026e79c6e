"""Alt texts tell what the drawings compute, with other numbers than those of the notebooks."""

import numpy as np
import pytest

import attention_lib as al
from attention_lib import today
from tests.drawings.examples import (
    AXES,
    CONTEXTS,
    CORNERS,
    DOTS,
    KEYS,
    STAMPED,
    THREE_K,
    THREE_Q,
    THREE_V,
    K,
    Q,
    V,
    draw,
)


def described(drawing, **changes):
    """The alt text, with hyphens in the place of minus signs."""
    return draw(drawing, **changes).alt.replace("−", "-")


def test_attention_map():
    q, k = np.array([[4, 0], [0, 2]]), np.array([[0, -1], [2, 0], [1.5, 1]])
    q, k, mask = q @ np.eye(2, 4), k @ np.eye(2, 4), np.array([[True, False, True], [True, True, False]])
    steps = ("values", "softmax")
    assert described("attention_map", q=q, k=k, v=V[:3], tokens="xy", mask=mask, step=steps) == (
        "Map of attention. Scores: Q (2, 4) times Kᵀ (4, 3) is (2, 3) from -2 to 8. "
        "Scale: divided by √4, from -1 to 4. Mask: 2 of 6 hidden. Softmax: weights, the largest 0.95 from "
        "query 0 x to key 2. Times V (3, 32): output (2, 32). Marked: softmax, values."
    )


@pytest.mark.parametrize("mask, told", [(None, "nothing"), (al.causal_mask(3), "all above the diagonal")])
def test_five_steps(mask, told):
    scaled = al.scaled_scores(THREE_Q, THREE_K) + 0.0
    output, weights = al.scaled_dot_product_attention(THREE_Q, THREE_K, THREE_V, mask)
    drawn = draw("five_steps", mask=mask)
    alt = drawn.alt.replace("−", "-")
    for title, values, decimals in (
        ("Q", THREE_Q, 0),
        ("K", THREE_K, 0),
        ("V", THREE_V, 0),
        ("Scores", THREE_Q @ THREE_K.T, 0),
        ("Divided by √2", scaled, 2),
        ("Weights", weights, 2),
        ("Output", output, 1),
    ):
        rows = [[f"{x:.{decimals}f}" for x in row] for row in values]
        if title == "Weights" and mask is not None:
            rows = [row[: i + 1] for i, row in enumerate(rows)]
        i, have, cats = map(", ".join, rows)
        assert f" {title}: i {i}; have {have}; cats {cats}." in alt
    assert f"Hidden: {told}." in alt


def test_row_through_steps():
    scores = Q[8] @ K.T
    exponentials = np.exp(scores / 32**0.5)
    told = described("row_through_steps")
    i = 4
    steps = f"{scores[i]:.1f}, {scores[i] / 32**0.5:.2f}, {exponentials[i]:.1f}, {exponentials[i] / exponentials.sum():.2f}"
    assert f"; cat {steps}; " in told and "; i (6) " in told
    output = exponentials @ V / exponentials.sum()
    assert told.endswith(
        f"The sum of exp is {exponentials.sum():.1f}. Output (32,), from {output.min():.2f} to {output.max():.2f}."
    )


def test_cross_attention():
    changes = {"weights": [0.125, 0.875], "keys": ["b2", "c7"], "query": "c", "tokens": "two cards"}
    assert described("cross_attention", **changes) == (
        "Cross-attention. Query c, from the translation. Keys, from two cards, with their weights: b2 0.12, c7 0.88."
    )


def test_row_times_column():
    q, k = np.array([[9, 9, 9], [2, -3, 4]]), np.array([[7, 7, 7], [5, 6, -1], [8, 8, 8], [0, 0, 1]])
    assert described("row_times_column", q=q, k=k, query=1, key=1) == (
        "Row 1 of Q (2, 3) times column 1 of Kᵀ (3, 4) is one cell of the scores (2, 4). In pairs: 2 · 5 = 10; "
        "-3 · 6 = -18; 4 · (-1) = -4. Added: 10 - 18 - 4 = -12, in row 1, column 1."
    )


def test_arrows():
    assert described("arrows", a=[-3, 4], others=[[-6, 8], [4, 3], [-3, -4]]) == (
        "Arrows: a = (-3, 4) with b = (-6, 8), 0 degrees, dot product 50, positive; b = (4, 3), 90 degrees, "
        "dot product 0, zero; b = (-3, -4), 106 degrees, dot product -7, negative."
    )


def test_transpose_and_reshape():
    told = described("transpose_and_reshape")
    assert f"the transpose is {tuple(KEYS[0].tolist())}, key A." in told
    column = tuple(KEYS.reshape(5, 6)[:, 0].tolist())
    assert f"the reshape is {column}, from the keys A, B, C, D, E." in told


def test_spreads():
    told = described("spreads")
    for d_k, dots in DOTS.items():
        raw, divided = f"{dots.std():.3g}", f"{dots.std() / d_k**0.5:.2f}"
        assert f" {d_k}: {raw} raw, {divided} divided" in told


def test_score_exp_weight():
    scores = np.array([1.5, -0.5, 0])
    told = described("score_exp_weight", scores=scores)
    for key, score, exponential, weight in zip("abc", scores, np.exp(scores), al.softmax(scores)):
        assert f" {key}: {score:.1f}, {exponential:.2f}, {weight:.3f}" in told


def test_mixture():
    weights = np.array([0.25, 0.25, 0.5])
    x, y = weights @ CORNERS
    assert described("mixture", weights=weights) == (
        f"A triangle of three values. Inside it the output ({x:.2f}, {y:.2f}): 0.25 of x (10, 0), "
        "0.25 of y (0, 10), 0.50 of z (0, 2). Further outputs as dots: 3."
    )


@pytest.mark.parametrize("mask_shape", [(2, 1, 11), (2, 1, 1, 11), (11,), (1, 11, 1), (2, 1, 11, 12), ()])
def test_axes_line_up_as_numpy_broadcasts(mask_shape):
    scores_shape = (2, 3, 11, 11)
    told = described("line_up", mask_shape=mask_shape, mask_names=AXES[4 - len(mask_shape) :])
    try:
        fits = np.broadcast_shapes(scores_shape, mask_shape) == scores_shape
    except ValueError:
        fits = False
    assert ("does not fit" in told) != fits
    assert told.count("meets nothing, which counts as 1") == 4 - len(mask_shape)


def test_axes_that_count_other_things_fit_by_accident():
    told = described("line_up", scores_shape=(2, 2, 11, 11))  # two sentences meet two heads
    assert told.count("head 2 meets sentence 2, fits by accident") == told.count("accident") == 1


def test_block_of_rows():
    assert described("block_of_rows", n_queries=10, n_keys=2000, block=4) == (
        "The table of scores with rows 4 to 7 marked. "
        "The whole table: 10 × 2,000 = 20,000 scores, 3 blocks; one block: 4 × 2,000 = 8,000 scores at a time."
    )


def test_turning_pair():
    turned = today.rotate([[3, 4]] * 4, [0, 1, 2, 5])
    hands = ", ".join(f"({x:.2f}, {y:.2f})".replace(".00", "") for x, y in turned)
    assert described("turning_pair", pair=[3, 4], speeds=[1], places=[0, 1, 2, 5]) == (
        f"The pair (3, 4) at positions 0, 1, 2, 5. Rotated by 1 radian per position: {hands}."
    )


def test_cut_and_swap():
    told = described("cut_and_swap", n_heads=3)
    right, wrong = al.split_heads(STAMPED, 3), STAMPED.reshape(3, 4, 2)
    for table in (right, wrong):
        assert f"{', '.join(str(tuple(map(int, row))) for row in table[0])}." in told


def test_way_back():
    longest = np.linalg.norm(CONTEXTS, axis=1).argmax()
    assert f"the longest of head {longest}," in described("way_back")


def test_probability_lines():
    # The probabilities are 1/6, 1/3, 1/2 at temperature 1, and 1/14, 4/14, 9/14 at 1/2.
    logits = np.log([1, 2, 3])
    assert described("probability_lines", logits=logits, tokens="xyz", temperatures=[0.5, 1], draw=0.4) == (
        "Probabilities end to end on a line from 0 to 1, with a draw at 0.4. "
        "Temperature 0.5: x 0.07, y 0.29, z 0.64; draws z. Temperature 1: x 0.17, y 0.33, z 0.50; draws y."
    )
