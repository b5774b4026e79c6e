"""The remark after a right answer: said where it is true, and not of the notebooks' solutions."""

import numpy as np
import pytest

from tests.check.answers.derived import answer_with
from tests.check.answers.shared import softmax, softmax_or_zeros
from tests.check.verdicts import verdict_on
from tests.notebooks.test_exercises import every_exercise, exercise, run, solutions

IN_A_LOOP, A_FILL, A_NAN = "without a loop", "such as -1e9", "a NaN among the scores"


def position_by_position(n):
    mask, i = np.zeros((n, n), bool), 0
    while i < n:
        mask[i, : i + 1] = True
        i += 1
    return mask


def filled(hide_again):
    return lambda scores, mask: hide_again(softmax(np.where(mask, scores, -1e9)), mask)


def masked_row_by_row(scores, mask):
    mask, result = np.broadcast_to(mask, scores.shape), np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        result[row] = softmax_or_zeros(np.where(mask[row], scores[row], -np.inf))
    return result


def rotation_by_angles_of_float32(x, positions):
    """As a well-known library computes its frequencies, whatever the vectors are."""
    n = x.shape[-1] // 2
    angles = positions[:, None] * (10_000.0 ** (-np.arange(n) / n)).astype(np.float32)
    a, b = x[..., :n], x[..., n:]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


REMARKS = [
    ("softmax", lambda x: softmax(x.astype(np.float32)), "7 digits of float32"),
    ("rotate", rotation_by_angles_of_float32, "7 digits of float32"),
    ("causal_mask", position_by_position, IN_A_LOOP),
    ("causal_mask", lambda n: [[key <= query for key in range(n)] for query in range(n)], "is no array"),
    ("masked_softmax", masked_row_by_row, "needs a guard"),
    ("masked_softmax", filled(lambda weights, mask: weights * mask), A_FILL),
    ("masked_softmax", filled(lambda weights, mask: weights * mask.any(-1, keepdims=True)), A_FILL),
    ("masked_softmax", answer_with("masked_softmax", softmax=lambda x: np.nan_to_num(softmax(x))), A_NAN),
]


@pytest.mark.parametrize("name, answer, said", REMARKS)
def test_right_answer_that_could_be_shorter_or_safer_is_remarked_on(name, answer, said):
    verdict = verdict_on(name, answer)
    remarks = [text for label, text in verdict.lines if label == "Remark"]
    assert verdict.passed and len(remarks) == 1 and said in remarks[0], verdict.message


def test_fill_that_is_low_enough_is_not_remarked_on():
    verdict = verdict_on("masked_softmax", lambda x, mask: softmax(np.where(mask, x, -1e300)) * mask)
    assert verdict.passed and "Remark" not in verdict.message


@every_exercise
def test_solution_of_the_notebook_is_not_remarked_on(name, function):
    for _, folds in exercise(name, function):
        for source in solutions(folds, function):
            assert "Remark" not in verdict_on(function, run(source, function)).message
