"""The remark after a right answer, said where it is true. tests/notebooks asks for none of the solutions."""

import numpy as np
import pytest

from attention_lib import today
from tests.check.answers.derived import answer_with
from tests.check.answers.shared import softmax
from tests.check.verdicts import verdict_on


def rows_until(n):
    mask, i = np.zeros((n, n), bool), 0
    while i < n:
        mask[i, : i + 1] = True
        i += 1
    return mask


def filled(scores, mask):
    return softmax(np.where(mask, scores, -1e9)) * mask


REMARKS = [
    (
        "softmax",
        lambda x: (today.repeat_heads(np.zeros((1, 1, 1)), 2), softmax(x))[1],
        "`today.repeat_heads` of the library was called",
    ),
    ("causal_mask", rows_until, "without a loop"),
    ("causal_mask", lambda n: [[key <= query for key in range(n)] for query in range(n)], "is no array"),
    ("masked_softmax", filled, "such as -1e9"),
    (
        "masked_softmax",
        answer_with("masked_softmax", softmax=lambda x: np.nan_to_num(softmax(x))),
        "a NaN among the scores",
    ),
]


@pytest.mark.parametrize("name, answer, said", REMARKS)
def test_right_answer_that_could_be_shorter_or_safer_is_remarked_on(name, answer, said):
    verdict = verdict_on(name, answer)
    (remark,) = [text for label, text in verdict.lines if label == "Remark"]
    assert verdict.passed and said in remark
