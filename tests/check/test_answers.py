"""The exercise checks against wrong answers that they must name and right answers that they must accept."""

import re

import numpy as np
import pytest

import attention_lib as al
from attention_lib import learning, today
from lesson import language, llama_heads
from lesson.check import EXERCISES
from lesson.check.exercises import LIBRARY
from tests.check.answers import RIGHT
from tests.check.answers.masked_softmax import masked_softmax
from tests.check.answers.scaled_dot_product_attention import attend, right_attention
from tests.check.answers.shared import softmax
from tests.check.verdicts import ALMOST_RIGHT_CASES, ATTENTION, WRONG_CASES, cached_verdict, verdict_on

# Wrong answers are named ---------------------------------------------------------------------------


@pytest.mark.parametrize("name, id, function", WRONG_CASES)
def test_wrong_answer_is_named(name, id, function):
    """An answer under an id that no mistake has, or to which no variant fits: CONTRIBUTING.md, Add a mistake."""
    verdict = cached_verdict(name, function)
    named = None if verdict.passed else verdict.mistake
    assert named == id, f"The check of {name} names {named} and not {id}. A learner reads:\n{verdict.message}"
    assert id not in verdict.also and len(set(verdict.also)) == len(verdict.also)


@pytest.mark.parametrize("name, id, function", WRONG_CASES)
def test_message_of_a_wrong_answer_leads_on(name, id, function):
    """It says what was seen and a cause, and ends with a question. It holds no blame and no code."""
    message = re.sub("in your line `[^`]*`", "", cached_verdict(name, function).message)
    labels = " ".join(line.split(":")[0] for line in message.splitlines())
    shape = "Not yet Seen (Tried )?Perhaps .*Ask yourself" if id != "not-started" else "Not started Next"
    assert re.fullmatch(shape, labels) and message.endswith((".", "?"))
    assert not re.search(r"stupid|obviously|simply|just |np\.where\(|0x[0-9a-f]", message.lower())


def changes_k_and_forgets_the_scale(q, k, v, mask=None):
    scores = q @ k.mT
    k += 1
    return attend(scores, v, mask)


# All ids that a verdict names, in its order. What only follows from another mistake is not among them.
CAUSES = [
    ("softmax", "normalised-over-queries overflows", lambda x: np.exp(x) / np.exp(x).sum(0)),
    ("masked_softmax", "polarity-inverted", lambda x, mask: softmax(np.where(mask, -np.inf, x))),
    ("masked_softmax", "softmax-missing", lambda x, mask: np.where(mask, x, 0)),
    ("causal_mask", "transposed wrong-type", lambda n: np.triu(np.ones((n, n)))),
    (ATTENTION, "input-changed not-scaled", changes_k_and_forgets_the_scale),
]


@pytest.mark.parametrize("name, named, function", CAUSES)
def test_verdict_names_causes_and_not_their_consequences(name, named, function):
    verdict = verdict_on(name, function)
    assert [verdict.mistake, *verdict.also] == named.split(), verdict.message


# Misleading ids are not given ----------------------------------------------------------------------


def nan_where_hidden(scores, mask):
    e = np.exp(np.where(mask, scores, np.nan))
    return e / np.nansum(e, axis=-1, keepdims=True)


# [(exercise, an id that would be false, answer)]
MISLEADING = [
    ("masked_softmax", "zero-times-infinity", lambda x, mask: np.zeros(x.shape)),
    ("attention_scores", "pairs-only", lambda q, k: np.squeeze(q @ k.mT)),
    ("softmax", "overflows", lambda x: np.where(np.isinf(x).any(-1, keepdims=True), np.nan, softmax(x))),
    ("masked_softmax", "overflows", lambda x, mask: masked_softmax(np.clip(x, -500, 500), mask)),
    ("masked_softmax", "lost-beside-epsilon", nan_where_hidden),
    ("softmax", "not-normalised", lambda x: softmax(x) * (1 + 0.1 * np.sin(x))),
]


@pytest.mark.parametrize("name, wrong, function", MISLEADING)
def test_misleading_id_is_not_given(name, wrong, function):
    verdict = verdict_on(name, function)
    assert not verdict.passed and wrong not in {verdict.mistake, *verdict.also}, verdict.message


# Right answers are accepted -------------------------------------------------------------------------

RIGHT_CASES = [
    pytest.param(name, function, id=f"{name}-{i}")
    for name in EXERCISES
    for i, function in enumerate(RIGHT[name])
]


@pytest.mark.parametrize("name, function", RIGHT_CASES)
def test_right_answer_passes(name, function):
    verdict, probes = cached_verdict(name, function), EXERCISES[name].probes
    also = ("library-used",) if "of the library was called" in verdict.message else ()
    assert (verdict.passed, verdict.mistake, verdict.also) == (True, None, also), verdict.message
    tried = re.match(r"✓ Right\nTried: (\d+) inputs, and every answer was right\.", verdict.message)[1]
    assert 0 <= len(probes) - int(tried) <= sum(probe.may_raise for probe in probes)
    assert all(probe.name in verdict.message for probe in probes if not probe.ordinary)


@pytest.mark.parametrize("name, what, function", ALMOST_RIGHT_CASES)
def test_almost_right_answer_does_not_pass(name, what, function):
    """Each breaks what its statement demands."""
    verdict = verdict_on(name, function)
    assert not verdict.passed, f"make_probes of {name} needs arguments for which this answer is wrong: {what}"
    assert verdict.mistake != "not-started"
    assert "has no name for" not in verdict.message, verdict.message


def test_verdict_on_a_right_answer_ends_with_the_real_model():
    last = "your function returns the weights and outputs of all 72 heads, to 1e-5."
    assert verdict_on(ATTENTION, right_attention).lines[-1] == ("The real model", last)


MODULES = {"al": al, "today": today, "learning": learning, "language": language, "llama_heads": llama_heads}
TO_BE_WRITTEN = [called for (_, name), called in LIBRARY.items() if name in EXERCISES]


@pytest.mark.parametrize("called", [one for one in TO_BE_WRITTEN if not one.startswith("plain_python")])
def test_function_of_the_library_that_is_to_be_written_is_refused(called):
    module, name = called.split(".")
    function = getattr(MODULES[module], name)
    verdict = verdict_on(name, lambda *args: function(*args))
    assert (verdict.passed, verdict.mistake, verdict.also) == (False, "library-used", ())
    assert f"the library's `{called}`" in verdict.message
