"""What the checker says where no mistake fits: for each of its sentences an answer that gets it."""

import numpy as np
import pytest

import attention_lib as al
from lesson.check import relations
from lesson.check.where_it_fails import TRAITS as LISTED_TRAITS
from tests.check.answers import RIGHT_ANSWER
from tests.check.answers.shared import softmax
from tests.check.verdicts import ATTENTION, verdict_on

scores, split, merge, attention = (
    al.scaled_scores,
    al.split_heads,
    al.merge_heads,
    al.scaled_dot_product_attention,
)


def project(change):
    return lambda x, table, bias, n_heads: change(split(x @ table + bias, n_heads))


def changed(rows, change):
    """A copy with something done to these rows of each table."""
    rows = rows.copy()
    change(rows)
    return rows


def zero_the_last_row(table):
    table[..., -1, :] = 0


def unscaled_and_divided_twice(q, k, v, mask=None):
    """The shares of unscaled scores, divided by the sum of their table."""
    weights = al.masked_softmax(q @ k.mT, mask)
    weights = weights / weights.sum((-1, -2), keepdims=True)
    return weights @ v, weights


def into_one_list(x):
    """The vectors of the heads side by side, with one list as all rows of a table."""
    rows = merge(x)
    return np.repeat(rows[..., -1:, :], rows.shape[-2], axis=-2)


SHAPES = {
    "These shapes are right, and in another order": (
        "attention_gradients",
        lambda q, k, v, weights, upstream: (v**3, k**3, q**3),
    ),
    "There is an axis of length 1 too many": ("softmax", lambda x: softmax(x)[None]),
    "An axis of length 1 is missing": ("split_heads", lambda x, n: split(x, n)[0] if n == 1 else split(x, n)),
    "their axes stand in another order": ("split_heads", lambda x, n: np.moveaxis(split(x, n), -1, -3)),
    "Only the first of several": ("split_heads", lambda x, n: split(x, n)[..., 0, :, :]),
    "in an array of another shape": ("softmax", lambda x: softmax(x).ravel()),
    "The axes have the right lengths, in another order": (
        "split_heads",
        lambda x, n: np.moveaxis(split(x, n), -1, -3) ** 2,
    ),
    "not all have the right length": ("causal_mask", lambda n: np.tri(n + 1, dtype=bool)),
    "There are fewer axes": ("softmax", lambda x: softmax(x).max(-1)),
    "There are more axes": ("softmax", lambda x: np.stack([softmax(x)] * 2)),
    "The axes are not those": (
        "softmax",
        lambda x: np.stack([softmax(x)] * 2) if x.ndim > 2 else softmax(x).max(-1),
    ),
    "The exercise asks for two arrays": (ATTENTION, lambda *given: 2 * attention(*given).output),
}
VALUES = {
    "All rows are alike": ("merge_heads", into_one_list),
    "All columns are alike": (
        "scaled_scores",
        lambda q, k: scores(q, np.repeat(k[..., -1:, :], k.shape[-2], -2)),
    ),
    "All tables are alike": ("split_heads", lambda x, n: split(x, n)[..., [-1] * n, :, :]),
    "Some rows are 0": ("scaled_scores", lambda q, k: changed(scores(q, k), zero_the_last_row)),
    "Some numbers are 0, and all others are right": (
        "scaled_scores",
        lambda q, k: scores(q, k) * (np.arange(k.shape[-2]) < k.shape[-2] - 1),
    ),
    "in other places": ("scaled_scores", lambda q, k: np.sort(scores(q, k))),
    "which is not the same for all inputs": ("merge_heads", lambda x: merge(x) * x.shape[-1]),
    "nearly right": ("scaled_scores", lambda q, k: scores(q + 1e-4, k)),
}
WEIGHTS = {
    "The shares of a whole table add up to 1": (ATTENTION, unscaled_and_divided_twice),
    "Scores that differ got the same share": ("softmax", lambda x: softmax(np.clip(x, -500, 500))),
    "Hidden keys get weight": (
        "masked_softmax",
        lambda x, mask: softmax(np.where(mask, x, x.min() - 10)),  # nearly right
    ),
    "do not add up to 1": ("softmax", lambda x: softmax(x) ** 2),
}
BY_ONE_NUMBER = {
    "as if something small was added": ("merge_heads", lambda x: 1.001 * merge(x)),
    "Each wrong number is 3 times": ("split_heads", lambda x, n: 3 * split(x, n)),
    "Each wrong number is -1 times": ("merge_heads", lambda x: -merge(x)),
    "Each wrong number is off by 0.5": ("merge_heads", lambda x: merge(x) + 0.5),
    "Every number is 0.5, with every input tried": ("softmax", lambda x: np.full(x.shape, 0.5)),
    "Where the answer is wrong, every number is 0": (
        "softmax",
        lambda x: softmax(x) * (x.shape[-1] == 1),
    ),
    "were cut to whole ones": ("project", project(lambda x: x.astype(int))),
}


def where(condition):
    """Attention that is right, but for a factor where this holds of the mask: () if none is given."""

    def answer(q, k, v, *mask):
        wrong = 1.7 if condition(*mask) else 1
        return tuple(wrong * part for part in attention(q, k, v, *mask))

    return answer


def softmax_but(condition):
    """A right softmax, but for a factor where this holds of the scores."""
    return "softmax", lambda x: softmax(x) * (1.3 if condition(x) else 1)


def with_products_kept():
    products = []

    def dot(a, b):
        products.extend(a * b)
        return sum(products)

    return dot


TRAITS = {
    "without a mask": (ATTENTION, where(lambda mask=None: mask is None)),
    "with a mask that is smaller than the table": (
        "masked_softmax",
        lambda x, mask: al.masked_softmax(x, mask) * (1 if mask.shape == x.shape else 1.3),
    ),
    "with a mask": (ATTENTION, where(lambda mask=None: mask is not None)),
    "with a batch of more than one": (
        "multi_head",
        lambda x, tables, n: RIGHT_ANSWER["multi_head"](x, tables, n) * (1.3 if x.shape[:-2] > (1,) else 1),
    ),
    "with more than one head": ("split_heads", lambda x, n: split(x, n) * (1.3 if n > 1 else 1)),
    "with whole numbers": softmax_but(lambda x: x.dtype.kind == "i"),
    "with -inf among the numbers": softmax_but(lambda x: np.isneginf(x).any()),
    "where an axis has length 1": (
        "split_heads",
        lambda x, n: split(x, n) * (1.3 if 1 in split(x, n).shape else 1),
    ),
}
ELSEWHERE = {
    "with other inputs than the first, three numbers": ("dot_product", with_products_kept()),
    "with more than one axis": softmax_but(lambda x: x.ndim > 1),
    "where an axis is longer than 5 (the next length tried is 8)": (
        "causal_mask",
        lambda n: (
            np.tri(n, dtype=bool) if n < 6 else np.tri(n, dtype=bool) ^ np.eye(n, k=3, dtype=bool)[::-1]
        ),
    ),
    "with a list of lengths": ("padding_mask", lambda lengths, n: np.arange(n) < lengths[:, None, None]),
    "where the last axis of q is longer than 5 (the next length tried is 8)": (
        "scaled_scores",
        lambda q, k: scores(q, k) * (1.3 if q.shape[-1] > 5 else 1),
    ),
    "with sizes all equal": softmax_but(lambda x: x.shape == (4, 4, 4)),
}
NOT_ALWAYS = {
    "with a mask and with a batch of more than one, though not in every such case": (
        ATTENTION,
        where(lambda mask=None: np.ndim(mask) == 3),
    ),
}
ALONE = {
    "What is wrong shows in the output": (
        ATTENTION,
        lambda *given: (attention(*given).output ** 3, attention(*given).weights),
    ),
}
MASKS = {
    "Too much is hidden": ("causal_mask", lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-3, dtype=bool)),
    "Too much is seen": ("causal_mask", lambda n: np.tri(n, dtype=bool) | (np.arange(n) == n - 1)),
}
SAID = SHAPES | MASKS | VALUES | WEIGHTS | BY_ONE_NUMBER | ALONE
WHERE = TRAITS | ELSEWHERE | NOT_ALWAYS


@pytest.mark.parametrize("sentence", SAID)
def test_message_says_what_was_done_to_the_right_numbers(sentence):
    exercise, function = SAID[sentence]
    verdict = verdict_on(exercise, function)
    assert verdict.mistake == ("wrong-shape" if sentence in SHAPES else "different"), verdict.message
    assert sentence in verdict.message


@pytest.mark.parametrize("where", WHERE)
def test_message_says_where_it_goes_wrong(where):
    message = verdict_on(*WHERE[where]).message
    assert f"Of the inputs tried, your function is wrong only {where}." in message, message


@pytest.mark.parametrize("sentence", ["Only the first of several", "are 0, and"])
def test_no_loop_is_assumed_in_an_answer_without_one(sentence):
    answer = next(answer for said, answer in SAID.items() if sentence in said)
    assert "your loop" not in verdict_on(*answer).message


def test_rows_of_zeros_are_not_the_cause_if_other_rows_are_wrong():
    message = verdict_on("scaled_scores", lambda q, k: changed(scores(q, k) ** 3, zero_the_last_row)).message
    assert "Some rows are 0" not in message


def powers_in_float32(x):
    """Shares that are wrong in their eighth digit."""
    powers = np.exp((x - x.max(-1, keepdims=True)).astype(np.float32)).astype(float)
    return powers / powers.sum(-1, keepdims=True)


def test_small_errors_are_called_small_and_nothing_else():
    assert "nearly right" in verdict_on("softmax", powers_in_float32).message


def test_one_wrong_number_is_not_called_a_multiple_of_the_right_one():
    verdict = verdict_on("scaled_scores", lambda q, k: scores(q, k) * (1 + (scores(q, k).size == 1)))
    assert not verdict.passed and "times" not in verdict.message


def test_each_relation_and_trait_has_an_answer_in_this_file():
    causes = [
        relation.cause
        for relation in [
            *relations.SHAPES,
            *relations.MASKS,
            *relations.VALUES,
            relations.HIDDEN_KEYS,
            *relations.WEIGHTS,
        ]
    ]
    missing = [cause for cause in causes if not any(sentence in cause for sentence in SAID)]
    assert not missing, f"no answer in test_describe.py gets {missing}"
    assert [trait.where for trait in LISTED_TRAITS] == list(TRAITS)
