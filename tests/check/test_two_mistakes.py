"""Answers with two mistakes at once: none may pass, and one of the two is named."""

import itertools

import numpy as np
import pytest

from tests.check.answers.attention_scores import PRODUCTS
from tests.check.answers.masked_softmax import HIDES, masked_softmax_with
from tests.check.answers.multi_head import (
    merged_in_turns,
    multi_head_with,
    plus,
    reshaped_back,
    scaled,
    without_bias,
)
from tests.check.answers.project import in_turns, reshaped, split, turned
from tests.check.answers.scaled_dot_product_attention import attention_with
from tests.check.answers.shared import softmax
from tests.check.answers.softmax import SHARES
from tests.check.verdicts import ATTENTION, cover_each_mistake, mark_slow_except, verdict_on


def scaled_scores_with(score=lambda q, k: q @ k.mT, scale=lambda s, q, k: s / q.shape[-1] ** 0.5):
    return lambda q, k: scale(score(q, k), q, k)


def padding_mask_with(
    real=lambda lengths, n: np.arange(n) < lengths[:, None], lay=lambda real: real[:, None]
):
    return lambda lengths, n: lay(real(lengths, n))


# Lines of an answer that are independent of each other, and a wrong form of each for some ids.
LINES = {
    "score": {id: products[0] for id, products in PRODUCTS.items()},
    "scale": {
        "not-scaled": lambda s, q, k: s,
        "divided-by-d_k": lambda s, q, k: s / q.shape[-1],
        "multiplied-by-sqrt-d_k": lambda s, q, k: s * q.shape[-1] ** 0.5,
        "scaled-by-length": lambda s, q, k: s / np.sqrt(k.shape[-2]),
    },
    "hide": {id: hides[0] for id, hides in HIDES.items()},
    "share": {id: shares[0] for id, shares in SHARES.items()} | {"empty-row": softmax},
    "after": {"scaled-after-softmax": lambda w, mask, q: w / np.sqrt(q.shape[-1])},
    "average": {"keys-as-values": lambda w, k, v: w @ k, "weights-transposed": lambda w, k, v: w.mT @ v},
    "give": {"return-order": lambda out, w: (w, out), "output-only": lambda out, w: out},
    "real": {
        "polarity-inverted": lambda lengths, n: np.arange(n) >= lengths[:, None],
        "off-by-one": lambda lengths, n: np.arange(n) <= lengths[:, None],
    },
    "lay": {"queries-masked": lambda real: real[:, :, None], "axis-missing": lambda real: real},
}
# {exercise: (a function that makes an answer with some lines replaced, the lines)}
ANSWERS = {
    "scaled_scores": (scaled_scores_with, ["score", "scale"]),
    "padding_mask": (padding_mask_with, ["real", "lay"]),
    "masked_softmax": (masked_softmax_with, ["hide", "share"]),
    ATTENTION: (attention_with, ["score", "scale", "hide", "share", "after", "average", "give"]),
}


def pairs_of(name):
    """Cases (exercise, answer, its two ids): each two lines, each wrong form of one with each of the other."""
    answer_with, lines = ANSWERS[name]
    return [
        pytest.param(
            name, answer_with(**{one: LINES[one][a], other: LINES[other][b]}), {a, b}, id=f"{name}-{a}-{b}"
        )
        for one, other in itertools.combinations(lines, 2)
        for a, b in itertools.product(LINES[one], LINES[other])
    ]


PAIRS = {name: pairs_of(name) for name in ANSWERS}
PAIRS[ATTENTION] = PAIRS[ATTENTION][1::3]  # a third of them: a verdict takes long
BY_DEFAULT = [case for pairs in PAIRS.values() for case in cover_each_mistake(pairs)]
# Of these two, the NaN that one makes hides the other.
HIDDEN_BY_NAN = [
    {"plus-infinity", "normalised-over-everything"},
    {"plus-infinity", "one-maximum-for-all"},
    {"polarity-inverted", "divided-without-exp"},
]


@pytest.mark.parametrize(
    "name, function, two", mark_slow_except(itertools.chain(*PAIRS.values()), BY_DEFAULT)
)
def test_two_mistakes_are_not_passed_and_one_of_them_is_named(name, function, two):
    verdict = verdict_on(name, function)
    assert not verdict.passed
    assert two in HIDDEN_BY_NAN or two & {verdict.mistake, *verdict.also}, verdict.message


BOTH_NAMED = [({"scale": id, "hide": "plus-infinity"}) for id in LINES["scale"]]


@pytest.mark.parametrize("ids", BOTH_NAMED, ids=lambda ids: ids["scale"])
def test_both_mistakes_are_named_where_one_of_them_gives_nothing_but_nan(ids):
    verdict = verdict_on(ATTENTION, attention_with(**{line: LINES[line][id] for line, id in ids.items()}))
    assert {verdict.mistake, *verdict.also} == {*ids.values()}, verdict.message


# multi_head and project

LAYER_LINES = {
    "project": {"table-transposed": turned, "bias-forgotten": without_bias},
    "split": {"axes-not-swapped": reshaped, "interleaved": in_turns},
    "score": {
        "not-scaled": lambda q, k: q @ k.mT,
        "divided-by-d_k": lambda q, k: q @ k.mT / q.shape[-1],
        "queries-and-keys-swapped": lambda q, k: scaled(k, q),
    },
    "share": {"normalised-over-queries": lambda s: softmax(s, -2)},
    "average": {"keys-as-values": lambda w, k, v: w @ k, "weights-transposed": lambda w, k, v: w.mT @ v},
    "merge": {"axes-not-swapped": reshaped_back, "interleaved": merged_in_turns},
    "send": {
        "table-transposed": turned,
        "bias-forgotten": without_bias,
        "output-table-missing": lambda x, w, b: x,
    },
    "give": {"residual-added": plus},
}
LAYER_PAIRS = [
    pytest.param(
        {one: LAYER_LINES[one][a], other: LAYER_LINES[other][b]}, {a, b}, id=f"{one}-{a}-{other}-{b}"
    )
    for one, other in itertools.combinations(LAYER_LINES, 2)
    for a, b in itertools.product(LAYER_LINES[one], LAYER_LINES[other])
][::3]  # a third, again
# Any two of these together give the numbers of the third.
TRIANGLE = {"queries-and-keys-swapped", "normalised-over-queries", "weights-transposed"}


@pytest.mark.parametrize("lines, two", mark_slow_except(LAYER_PAIRS, cover_each_mistake(LAYER_PAIRS)[::2]))
def test_two_mistakes_of_multi_head_are_not_passed_and_one_of_them_is_named(lines, two):
    verdict = verdict_on("multi_head", multi_head_with(**lines))
    expected = TRIANGLE - two if two < TRIANGLE else two
    assert not verdict.passed and expected & {verdict.mistake, *verdict.also}, verdict.message


TRANSPOSED_WITHOUT_BIAS = [
    lambda x, w, b, n: split(x @ w.T, n),
    lambda x, w, b, n: split(np.einsum("...i,oi->...o", x, w), n),
]


@pytest.mark.parametrize("function", TRANSPOSED_WITHOUT_BIAS)
def test_two_mistakes_of_one_projection_are_both_named(function):
    verdict = verdict_on("project", function)
    assert {verdict.mistake, *verdict.also} == {"table-transposed", "bias-forgotten"}
