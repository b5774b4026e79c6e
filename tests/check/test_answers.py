"""The exercise checks against wrong answers that they must name and right answers that they must accept."""

import itertools

import numpy as np
import pytest

import attention_lib as al
from attention_lib import check
from attention_lib.check import EXERCISES
from tests.check import layer_answers
from tests.check.answers import (
    ATTENTION,
    BY_DEFAULT,
    CASES,
    HIDES,
    LIBRARY,
    RIGHT,
    SOFTMAXES,
    TABLES,
    WRONG,
    enough,
    heads,
    judged,
    known,
    masking,
    mostly_slow,
    safe,
    softmax,
    with_lines,
    with_silent_infinity,
)

# The ids that each exercise must name -------------------------------------------------------------

SCORES = """queries-and-keys-swapped reshaped-not-transposed batches-paired all-axes-reversed"""
MORE_SCORES = "not-multiplied pairs-only not-transposed axes-counted-from-the-front one-vector-twice shared-already standardised"
SCALES = """not-scaled divided-by-d_k multiplied-by-sqrt-d_k scaled-by-length"""
SHARES = """normalised-over-queries normalised-over-everything keepdims-missing overflows one-maximum-for-all
    not-normalised softmax-twice divided-without-exp"""
MASKS = """polarity-inverted masked-after-softmax filled-with-zero fill-too-small zero-times-infinity plus-infinity
    empty-row mask-ignored filled-with-nan scores-ignored"""
REQUIRED = {
    "dot_product": "not-summed not-multiplied cosine one-vector-twice sign-lost rounded",
    "attention_scores": f"{SCORES} {MORE_SCORES} not-summed scaled-already cosine sign-lost rounded",
    "scaled_scores": f"{SCORES} {MORE_SCORES} {SCALES}"
    " scaled-by-another-root scaled-by-size scaled-by-vector-length scaled-by-a-constant root-of-scores rounded",
    "softmax": f"{SHARES} sigmoid-not-softmax sign-turned sign-lost other-base winner-takes-all logarithm-of-shares"
    " scores-ignored exp-of-a-part standardised underflows",
    "causal_mask": "polarity-inverted diagonal-hidden future-leaks transposed past-hidden rows-upside-down"
    " everything-hidden",
    "padding_mask": "polarity-inverted off-by-one queries-masked axis-missing axis-misplaced one-true-each"
    " padded-at-the-front padding-not-hidden everything-hidden sentences-confused"
    " minus-zero-slice empty-sentence-seen max_length-ignored",
    "masked_softmax": f"{SHARES} {MASKS} one-mask-for-all zero-taken-for-hidden hidden-without-a-mask renormalised-after-mask zeros-if-any-nan underflows sign-turned library-used",
    "scaled_dot_product_attention": f"{SCORES} {SCALES} {SHARES} {MASKS}"
    " scaled-after-softmax return-order output-only keys-as-values weights-transposed"
    " scores-returned roles-exchanged averaged-otherwise zero-taken-for-hidden scaled-by-d_v hidden-without-a-mask one-mask-for-all",
    "split_heads": "axes-not-swapped interleaved heads-in-front tokens-cut sizes-exchanged",
    "merge_heads": "axes-not-swapped interleaved merged-wrong-axes heads-mixed",
    "multi_head": "table-transposed bias-forgotten bias-per-head axes-not-swapped interleaved heads-not-cut"
    " sizes-exchanged output-table-missing output-per-head residual-added return-order not-scaled divided-by-d_k scaled-by-size"
    " normalised-over-queries keys-as-values queries-and-keys-swapped roles-exchanged weights-transposed",
    "project": "table-transposed bias-forgotten axes-not-swapped interleaved heads-in-front heads-not-cut"
    " sizes-exchanged",
}
EVERYWHERE = "not-started nothing-returned raises wrong-type wrong-shape not-finite different"


def required(name):
    changed = [] if name == "causal_mask" else ["input-changed"]  # no array goes in there
    return REQUIRED[name].split() + EVERYWHERE.split() + changed


def test_every_wrong_answer_is_a_case():
    # An answer written below the list would never be tried.
    assert len(CASES) == sum(map(len, WRONG.values()))


@pytest.mark.parametrize("name, found, function", mostly_slow(CASES, BY_DEFAULT))
def test_wrong_answer_is_named(name, found, function):
    verdict = known(name, function)
    assert (verdict.passed, verdict.mistake) == (False, found), verdict.message
    assert found not in verdict.also and len(set(verdict.also)) == len(verdict.also)


@pytest.mark.parametrize("name", EXERCISES)
def test_every_message_of_a_wrong_answer_has_a_next_step(name):
    """What was seen, a cause, one question at the end; and no blame and no code in it."""
    for found in [id for exercise, id in WRONG if exercise == name]:
        message = known(name, WRONG[name, found][0]).message
        labels = [line.split(":")[0] for line in message.splitlines()]
        if found == "not-started":
            assert labels[:2] == ["Not started", "Next"]
        else:
            assert labels[:3] == ["Not yet", "Seen", "Perhaps"] and labels[-1] == "Ask yourself"
            assert message.endswith((".", "?"))
        assert not any(
            word in message.lower() for word in ("stupid", "obviously", "simply", "just ", "np.where(")
        )


def softmax_of_empty(x):
    top = x.max(-1, keepdims=True)
    e = np.exp(x - np.where(top == -np.inf, 0, top))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def forgets_that_mask_may_be_none(fill):
    def attention(q, k, v, mask=None):
        weights = softmax_of_empty(np.where(mask, q @ k.mT / q.shape[-1] ** 0.5, fill))
        return weights @ v, weights

    return attention


@pytest.mark.parametrize(
    "dtype, closeness", [(np.float64, "to 1e-5."), (np.float16, "as closely as float16 allows.")]
)
def test_closeness_to_the_real_model_is_the_one_that_was_met(dtype, closeness):
    def attention(q, k, v, mask=None):
        return tuple(part.astype(dtype) for part in heads(q, k, v, mask))

    verdict = judged(ATTENTION, attention)
    assert verdict.passed and verdict.message.endswith(f"all 72 heads, {closeness}")


@pytest.mark.parametrize(
    "name, function, mistake, cause",
    [
        (
            ATTENTION,
            forgets_that_mask_may_be_none(-np.inf),
            "hidden-without-a-mask",
            "no mask was given, everything was hidden",
        ),
        (
            ATTENTION,
            forgets_that_mask_may_be_none(-1e9),
            "hidden-without-a-mask",
            "no mask was given, everything was hidden",
        ),
        (
            "scaled_scores",
            lambda q, k: q @ k.mT / np.sqrt(32),
            "scaled-by-a-constant",
            "The same number was used for every d_k",
        ),
        (
            "scaled_scores",
            lambda q, k: q @ k.mT / 8,
            "scaled-by-a-constant",
            "The same number was used for every d_k",
        ),
        ("masked_softmax", lambda x, mask: softmax_of_empty(x + mask), "fill-too-small", "added as 1 and 0"),
    ],
)
def test_cause_without_a_name_of_its_own_is_said(name, function, mistake, cause):
    verdict = judged(name, function)
    assert verdict.mistake == mistake and cause in verdict.message


@pytest.mark.parametrize("name", EXERCISES)
def test_table_has_two_wrong_answers_for_each_id(name):
    assert name in REQUIRED, f"REQUIRED of this file does not say which mistakes {name} must name"
    few = [found for found in required(name) if len(WRONG.get((name, found), [])) < 2]
    assert not few, f"check_answers.py has fewer than two wrong answers to {name} for {few}"
    unasked = {found for exercise, found in WRONG if exercise == name} - set(required(name))
    assert not unasked, f"REQUIRED of this file does not list {unasked} for {name}"
    assert RIGHT.get(name), f"check_answers.py has no right answers to {name} in unusual form"


def test_required_ids_are_those_that_the_checker_lists():
    listed = {m.id for m in check.MISTAKES} | {"library-used"}
    listed -= {"different"}  # a cause without a name of its own, said in words
    required_ids = set(" ".join(REQUIRED.values()).split())
    assert required_ids <= listed, f"no entry in mistakes/ for {required_ids - listed}"
    assert listed <= required_ids, f"REQUIRED of this file lists nowhere {listed - required_ids}"
    assert set(REQUIRED) <= set(EXERCISES), "REQUIRED speaks of an exercise that is not there"


RIGHT_CASES = [
    pytest.param(name, function, id=f"{name}-{i}")
    for name in EXERCISES
    for i, function in enumerate([LIBRARY[name], *RIGHT.get(name, [])])
]


@pytest.mark.parametrize("name, function", RIGHT_CASES)
def test_right_answer_passes(name, function):
    verdict = judged(name, function)
    assert (verdict.passed, verdict.mistake, verdict.also) == (True, None, ()), verdict.message
    probes = EXERCISES[name].probes
    tried = int(verdict.message.removeprefix("✓ Right\nTried: ").split()[0])
    assert 0 <= len(probes) - tried <= sum(probe.may_raise for probe in probes)
    assert verdict.message.startswith(f"✓ Right\nTried: {tried} inputs, and every answer was right.")
    assert all(probe.name in verdict.message for probe in probes if not probe.ordinary)


def test_right_attention_ends_with_the_real_model():
    verdict = judged(ATTENTION, heads)
    assert verdict.lines[-1] == (
        "The real model",
        "your function gives the weights and outputs of all 72 heads, to 1e-5.",
    )


# Where the library has no function of that name: one that does the work beside what is allowed.
BY_THE_LIBRARY = {
    "dot_product": lambda a, b: float(al.attention_scores([a], [b])[0, 0]),
    "project": lambda x, w, b, n: al.split_heads(al.attention_scores(x, np.swapaxes(w, 0, 1)) + b, n),
}


@pytest.mark.parametrize("name", [name for name in EXERCISES if name != "multi_head"])  # it may use all
def test_library_in_the_answer_is_remarked_on_or_refused(name):
    """A right answer of one's own is praised without a remark."""
    verdict = judged(name, BY_THE_LIBRARY[name] if name in BY_THE_LIBRARY else getattr(al, name))
    if EXERCISES[name].forbids:
        assert (verdict.passed, verdict.mistake, verdict.also) == (False, "library-used", ())
        assert f"`al.{name}` of the library" in verdict.message
    else:
        assert verdict.passed and verdict.lines[-1][0] == "Remark"
    own = judged(name, RIGHT[name][0])
    assert own.passed and "Remark" not in own.message


def with_the_library(q, k, v, mask=None):
    weights = al.masked_softmax(al.scaled_scores(q, k), mask)
    return weights @ v, weights


@pytest.mark.parametrize(
    "name, function",
    [
        ("scaled_scores", lambda q, k: al.attention_scores(q, k) / q.shape[-1] ** 0.5),
        (ATTENTION, with_the_library),
        ("multi_head", layer_answers.with_the_library),
        ("project", lambda x, w, b, n: al.split_heads(x @ w + b, n)),
    ],
)
def test_what_the_statement_allows_is_not_remarked_on(name, function):
    message = judged(name, function).message
    assert "Remark" not in message and "library" not in message


def test_right_on_the_probes_and_wrong_on_the_real_model():
    def only_small(q, k, v, mask=None):
        output, weights = al.scaled_dot_product_attention(q, k, v, mask)
        return (output + 1, weights) if q.shape[-1] == 32 else (output, weights)

    verdict = judged("scaled_dot_product_attention", only_small)
    assert (verdict.passed, verdict.mistake) == (False, "different")
    assert "the real model" in verdict.message


# Two mistakes at once -----------------------------------------------------------------------------

# Steps that are independent of each other, and one wrong form of each id in them.
STEPS = {
    "score": {found: tables[0] for found, tables in TABLES.items()},
    "scale": {
        "not-scaled": lambda s, q, k: s,
        "divided-by-d_k": lambda s, q, k: s / q.shape[-1],
        "multiplied-by-sqrt-d_k": lambda s, q, k: s * q.shape[-1] ** 0.5,
        "scaled-by-length": lambda s, q, k: s / np.sqrt(k.shape[-2]),
    },
    "hide": {found: hides[0] for found, hides in HIDES.items()},
    "share": {found: shares[0] for found, shares in SOFTMAXES.items()} | {"empty-row": softmax},
    "after": {"scaled-after-softmax": lambda w, mask, q: w / np.sqrt(q.shape[-1])},
    "mix": {"keys-as-values": lambda w, k, v: w @ k, "weights-transposed": lambda w, k, v: w.mT @ v},
    "give": {"return-order": lambda out, w: (w, out), "output-only": lambda out, w: out},
    "real": {
        "polarity-inverted": lambda lengths, n: np.arange(n) >= lengths[:, None],
        "off-by-one": lambda lengths, n: np.arange(n) <= lengths[:, None],
    },
    "lay": {"queries-masked": lambda real: real[:, :, None], "axis-missing": lambda real: real},
}


def built(name, **lines):
    """An exercise with some lines replaced."""
    if name == "masked_softmax":
        return masking(**lines)
    if name == "scaled_dot_product_attention":
        return with_lines(**lines)
    if name == "padding_mask":
        real = lines.get("real", lambda lengths, n: np.arange(n) < lengths[:, None])
        lay = lines.get("lay", lambda real: real[:, None])
        return lambda lengths, n: lay(real(lengths, n))
    score, scale = (
        lines.get("score", lambda q, k: q @ k.mT),
        lines.get("scale", lambda s, q, k: s / q.shape[-1] ** 0.5),
    )
    return lambda q, k: scale(score(q, k), q, k)


LINES = {
    "scaled_scores": ["score", "scale"],
    "padding_mask": ["real", "lay"],
    "masked_softmax": ["hide", "share"],
    "scaled_dot_product_attention": ["score", "scale", "hide", "share", "after", "mix", "give"],
}
COMBINED = [
    pytest.param(name, {one: STEPS[one][a], other: STEPS[other][b]}, {a, b}, id=f"{name}-{a}-{b}")
    for name, lines in LINES.items()
    for one, other in itertools.combinations(lines, 2)
    for a, b in itertools.product(STEPS[one], STEPS[other])
]
PAIRS = [
    case for i, case in enumerate(COMBINED) if i % 3 == 0 or case.values[0] != "scaled_dot_product_attention"
]
# Here the NaN of one mistake wipes out what would show the other.
ERASED = [
    {"plus-infinity", "normalised-over-everything"},
    {"plus-infinity", "one-maximum-for-all"},
    {"polarity-inverted", "divided-without-exp"},
]


ENOUGH = [case for name in LINES for case in enough([c for c in PAIRS if c.values[0] == name])]


@pytest.mark.parametrize("name, lines, two", mostly_slow(PAIRS, ENOUGH))
def test_two_mistakes_are_not_passed_and_one_of_them_is_named(name, lines, two):
    verdict = judged(name, built(name, **lines))
    assert not verdict.passed
    assert two in ERASED or two & {verdict.mistake, *verdict.also}, verdict.message


# Both are known, and so is what one of them entails: all that a verdict names, in its order.
TOGETHER = [
    ("softmax", "normalised-over-queries overflows", lambda x: np.exp(x) / np.exp(x).sum(0)),
    ("softmax", "not-normalised overflows", lambda x: np.exp(x)),
    ("softmax", "not-normalised one-maximum-for-all", lambda x: np.exp(x - x.max())),
    ("masked_softmax", "polarity-inverted", lambda x, mask: softmax(np.where(mask, -np.inf, x))),
    ("masked_softmax", "plus-infinity", with_silent_infinity),
]


@pytest.mark.parametrize("name, named, function", TOGETHER)
def test_verdict_names_what_was_done_and_not_what_follows_from_it(name, named, function):
    verdict = judged(name, function)
    assert [verdict.mistake, *verdict.also] == named.split(), verdict.message


# Not misnamed -------------------------------------------------------------------------------------


def dropout(scores, mask):
    w = safe(np.where(mask, scores, -np.inf))
    kept = np.arange(w.size).reshape(w.shape) % 3 > 0
    return w * kept / (2 / 3)


def zeroes_the_smallest(scores, mask):
    w = safe(np.where(mask, scores, -np.inf))
    return np.where(w < 0.1, 0, w)


def uniform_if_a_row_is_empty(scores, mask):
    return safe(np.where(mask, scores, -np.inf)) if mask.any(-1).all() else mask / mask.shape[-1]


def logarithms_over_everything(scores, mask):
    e = np.exp(np.where(mask, np.log(scores), 0))
    return e / e.sum()


MISLEADING = [
    ("masked_softmax", "masked-after-softmax", dropout),
    ("masked_softmax", "masked-after-softmax", lambda x, m: safe(np.where(m, x, -np.inf)) - 0.1 * m),
    ("masked_softmax", "masked-after-softmax", zeroes_the_smallest),
    ("masked_softmax", "plus-infinity", masking(lambda s, m: np.where(m, s, np.nan))),
    ("masked_softmax", "zeros-if-any-nan", uniform_if_a_row_is_empty),
    ("masked_softmax", "standardised", logarithms_over_everything),
    ("masked_softmax", "polarity-inverted", lambda x, m: m / np.maximum(m.sum(-1, keepdims=True), 1) + 0 * x),
    ("softmax", "not-normalised", lambda x: softmax(x) * (1 + 0.1 * np.sin(x))),
    ("softmax", "not-normalised", lambda x: softmax(x) ** 2),
]


@pytest.mark.parametrize("name, wrong, function", MISLEADING)
def test_misleading_name_is_not_given(name, wrong, function):
    verdict = judged(name, function)
    assert not verdict.passed and wrong not in {verdict.mistake, *verdict.also}, verdict.message
    assert "has no name for" not in verdict.message


# Named by what shows, with something else wrong that has no name -----------------------------------

STRANGE = [
    ("scaled_scores", "queries-and-keys-swapped", lambda q, k: 0.7 * k @ q.mT),
    (
        "padding_mask",
        "axis-missing",
        lambda lengths, n: np.ones((len(lengths), 1), bool) * (np.arange(n) < 2),
    ),
    ("softmax", "normalised-over-everything", lambda x: np.exp(0.7 * x) / np.exp(0.7 * x).sum()),
    ("softmax", "normalised-over-queries", lambda x: softmax(0.7 * x, axis=-2 if x.ndim > 1 else -1)),
    ("softmax", "not-normalised", lambda x: 1.3 * np.exp(x)),
    ("masked_softmax", "masked-after-softmax", lambda scores, mask: softmax(0.7 * scores) * mask),
    ("masked_softmax", "polarity-inverted", lambda scores, mask: safe(np.where(mask, -np.inf, 0.7 * scores))),
    ("masked_softmax", "filled-with-zero", lambda scores, mask: softmax(np.where(mask, scores, 0.05))),
    ("masked_softmax", "fill-too-small", lambda scores, mask: softmax(np.where(mask, scores, -3.3))),
    (ATTENTION, "not-scaled", with_lines(scale=lambda s, q, k: s, mix=lambda w, k, v: w @ v + 1)),
    (
        ATTENTION,
        "divided-by-d_k",
        with_lines(scale=lambda s, q, k: s / q.shape[-1], mix=lambda w, k, v: w @ v + 1),
    ),
    (
        ATTENTION,
        "multiplied-by-sqrt-d_k",
        with_lines(scale=lambda s, q, k: s * q.shape[-1] ** 0.5, mix=lambda w, k, v: w @ v + 1),
    ),
    (
        ATTENTION,
        "scaled-after-softmax",
        with_lines(scale=lambda s, q, k: 0.7 * s, after=lambda w, mask, q: w / np.sqrt(q.shape[-1])),
    ),
]


@pytest.mark.parametrize(
    "name, found, function", STRANGE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_mistake_beside_an_unnamed_one_is_named_by_its_signs(name, found, function):
    verdict = judged(name, function)
    assert (verdict.passed, verdict.mistake) == (False, found), verdict.message
