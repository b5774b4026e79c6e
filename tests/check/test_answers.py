"""The exercise checks against wrong answers that they must name and right answers that they must accept."""

import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import attention_lib
import attention_lib as al
from attention_lib import learning, plain_python, today
from lesson import language
from lesson.check import EXERCISES
from lesson.check.exercises import LIBRARY
from tests.check import advice, answers
from tests.check.answers import RIGHT, RIGHT_ANSWER, WRONG
from tests.check.answers.masked_softmax import masked_softmax
from tests.check.answers.scaled_dot_product_attention import right_attention
from tests.check.answers.shared import softmax
from tests.check.verdicts import ATTENTION, WRONG_CASES, cached_verdict, verdict_on

# The answers are complete --------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise_has_answers(name):
    """Each has a right one and one that is almost right."""
    if missing := advice.missing_answers(name):
        pytest.fail(missing, pytrace=False)


def test_each_file_of_answers_belongs_to_an_exercise():
    files = {file.stem for file in Path(answers.__file__).parent.glob("*.py")}
    others = files - set(EXERCISES) - {"__init__", "generic", "derived", "shared"}
    assert not others, f"the answers in {others} are never tried: name the file after its exercise"


# Wrong answers are named ---------------------------------------------------------------------------


@pytest.mark.parametrize("name, id, function", WRONG_CASES)
def test_wrong_answer_is_named(name, id, function):
    verdict = cached_verdict(name, function)
    if verdict.passed or verdict.mistake != id:
        text = f"{advice.how_to_name(name, id, function, verdict)}\nWhat a learner reads:\n{verdict.message}"
        pytest.fail(text, pytrace=False)
    assert id not in verdict.also and len(set(verdict.also)) == len(verdict.also)


@pytest.mark.parametrize("name", EXERCISES)
def test_every_message_of_a_wrong_answer_has_a_next_step(name):
    """A message says what was seen and a cause, and ends with a question. It holds no blame and no code."""
    for found in [id for exercise, id in WRONG if exercise == name]:
        message = re.sub("in your line `[^`]*`", "", cached_verdict(name, WRONG[name, found][0]).message)
        labels = [line.split(":")[0] for line in message.splitlines()]
        if found == "not-started":
            assert labels[:2] == ["Not started", "Next"]
        else:
            assert (
                labels[:2] == ["Not yet", "Seen"]
                and "Perhaps" in labels[2:4]
                and labels[-1] == "Ask yourself"
            )
            assert message.endswith((".", "?"))
        assert not any(
            word in message.lower() for word in ("stupid", "obviously", "simply", "just ", "np.where(")
        )


@pytest.mark.parametrize("off, closeness", [(0, "heads, to 1e-5."), (2e-5, "heads.")])
def test_message_states_how_close_the_answer_is_to_the_real_model(off, closeness):
    def nearly(q, k, v, mask=None):
        output, weights = right_attention(q, k, v, mask)
        return output * (1 + off * (q.dtype == np.float32)), weights

    verdict = verdict_on(ATTENTION, nearly)
    assert verdict.passed and verdict.message.endswith(f"all 72 {closeness}")


def test_answer_in_float32_to_input_in_float64_passes_with_a_remark():
    verdict = verdict_on("softmax", lambda x: softmax(x.astype(np.float32)))
    assert verdict.passed and "Remark: your results have the 7 digits of float32" in verdict.message


def test_answer_in_longer_floats_passes():
    assert verdict_on("softmax", lambda x: softmax(np.longdouble(x))).passed


class Table(np.ndarray):
    pass


ODD_KINDS = {
    "list": lambda x: softmax(x).tolist(),
    "tuple": lambda x: tuple(softmax(x)),
    "matrix": lambda x: np.matrix(softmax(x)) if x.ndim == 2 else softmax(x),
    "subclass": lambda x: softmax(x).view(Table),
    "dtype object": lambda x: softmax(x).astype(object),
}


@pytest.mark.parametrize("kind", ODD_KINDS)
def test_answer_of_another_kind_than_an_array_passes(kind):
    assert verdict_on("softmax", ODD_KINDS[kind]).passed


def test_list_of_two_arrays_passes():
    assert verdict_on(ATTENTION, lambda *given: list(right_attention(*given))).passed


def test_answer_in_float16_is_told_about_its_digits():
    verdict = verdict_on("softmax", lambda x: softmax(x.astype(np.float16)).astype(float))
    assert verdict.mistake == "float16" and "the 3 digits of float16" in verdict.message


# All ids that a verdict names, in its order. What only follows from another mistake is not among them.
CAUSES = [
    ("softmax", "normalised-over-queries overflows", lambda x: np.exp(x) / np.exp(x).sum(0)),
    (
        "softmax",
        "sign-turned",
        lambda x: (e := np.exp(x.max(-1, keepdims=True) - x)) / e.sum(-1, keepdims=True),
    ),
    ("masked_softmax", "polarity-inverted", lambda x, mask: softmax(np.where(mask, -np.inf, x))),
    ("masked_softmax", "softmax-missing", lambda x, mask: np.where(mask, x, 0)),
]


@pytest.mark.parametrize("name, named, function", CAUSES)
def test_verdict_names_causes_and_not_their_consequences(name, named, function):
    verdict = verdict_on(name, function)
    assert [verdict.mistake, *verdict.also] == named.split(), verdict.message


# Misleading ids are not given ----------------------------------------------------------------------


def dropout(scores, mask):
    w = masked_softmax(scores, mask)
    kept = np.arange(w.size).reshape(w.shape) % 3 > 0
    return w * kept / (2 / 3)


def zeroes_the_smallest(scores, mask):
    w = masked_softmax(scores, mask)
    return np.where(w < 0.1, 0, w)


def uniform_if_a_row_is_empty(scores, mask):
    return masked_softmax(scores, mask) if mask.any(-1).all() else mask / mask.shape[-1]


def logarithms_over_everything(scores, mask):
    e = np.exp(np.where(mask, np.log(scores), 0))
    return e / e.sum()


def zeros(scores, mask):
    return np.zeros(scores.shape)


def squeezed_scores(q, k):
    return np.squeeze(q @ k.mT)


def nan_beside_minus_infinity(scores):
    return np.where(np.isinf(scores).any(-1, keepdims=True), np.nan, softmax(scores))


def minus_infinity_as_zero(scores):
    return softmax(np.where(np.isinf(scores), 0, scores))


def in_half_precision(q, k, v, mask=None):
    parts = right_attention(*(x.astype(np.float16) for x in (q, k, v)), mask)
    return tuple(part.astype(q.dtype) for part in parts)


def nan_where_hidden(scores, mask):
    e = np.exp(np.where(mask, scores, np.nan))
    return e / np.nansum(e, axis=-1, keepdims=True)


def clipped(scores, mask):
    return masked_softmax(np.clip(scores, -500, 500), mask)


MISLEADING = [
    ("masked_softmax", "zero-times-infinity", zeros),
    ("attention_scores", "pairs-only", squeezed_scores),
    ("attention_scores", "all-axes-reversed", lambda q, k: q @ np.swapaxes(k, 0, -1) / np.sqrt(q.shape[-1])),
    (ATTENTION, "normalised-over-everything", in_half_precision),
    ("softmax", "overflows", nan_beside_minus_infinity),
    ("softmax", "sign-lost", minus_infinity_as_zero),
    ("masked_softmax", "overflows", clipped),
    ("masked_softmax", "lost-beside-epsilon", nan_where_hidden),
    ("masked_softmax", "masked-after-softmax", dropout),
    ("masked_softmax", "masked-after-softmax", zeroes_the_smallest),
    ("masked_softmax", "zeros-if-any-nan", uniform_if_a_row_is_empty),
    ("masked_softmax", "standardised", logarithms_over_everything),
    ("softmax", "not-normalised", lambda x: softmax(x) * (1 + 0.1 * np.sin(x))),
]


@pytest.mark.parametrize("name, wrong, function", MISLEADING)
def test_misleading_id_is_not_given(name, wrong, function):
    verdict = verdict_on(name, function)
    assert not verdict.passed and wrong not in {verdict.mistake, *verdict.also}, verdict.message
    assert "has no name for" not in verdict.message


# Right answers are accepted -------------------------------------------------------------------------

RIGHT_CASES = [
    pytest.param(name, function, id=f"{name}-{i}")
    for name in EXERCISES
    for i, function in enumerate(RIGHT[name])
]


@pytest.mark.parametrize("name, function", RIGHT_CASES)
def test_right_answer_passes(name, function):
    verdict = cached_verdict(name, function)
    also = ("library-used",) if "of the library was called" in verdict.message else ()
    assert (verdict.passed, verdict.mistake, verdict.also) == (True, None, also), verdict.message
    probes = EXERCISES[name].probes
    tried = int(verdict.message.removeprefix("✓ Right\nTried: ").split()[0])
    assert 0 <= len(probes) - tried <= sum(probe.may_raise for probe in probes)
    assert verdict.message.startswith(f"✓ Right\nTried: {tried} inputs, and every answer was right.")
    assert all(probe.name in verdict.message for probe in probes if not probe.ordinary)


def test_right_attention_ends_with_the_real_model():
    verdict = verdict_on(ATTENTION, right_attention)
    assert verdict.lines[-1] == (
        "The real model",
        "your function returns the weights and outputs of all 72 heads, to 1e-5.",
    )


def with_a_call_of_the_library(name):
    """A right answer that calls repeat_heads of the library as well."""

    def answer(*args):
        today.repeat_heads(np.zeros((1, 1, 1)), 2)
        return RIGHT_ANSWER[name](*args)

    return answer


@pytest.mark.parametrize("name", EXERCISES)
def test_call_of_the_library_is_remarked_on(name):
    verdict = verdict_on(name, with_a_call_of_the_library(name))
    assert verdict.passed and "`today.repeat_heads` of the library was called" in verdict.message
    assert verdict.data["also"] == ["library-used"]
    own = cached_verdict(name, RIGHT_ANSWER[name])
    assert own.passed and "library" not in own.message


MODULES = {
    "al": al,
    "today": today,
    "learning": learning,
    "plain_python": plain_python,
    "language": language,
}
IN_THE_LIBRARY = {called: name for (_, name), called in LIBRARY.items() if name in EXERCISES}


@pytest.mark.parametrize("called", IN_THE_LIBRARY)
def test_function_of_the_library_that_is_to_be_written_is_refused(called):
    name = IN_THE_LIBRARY[called]
    verdict = verdict_on(name, lambda *args: answer_of(MODULES[called.split(".")[0]], name, args))
    assert (verdict.passed, verdict.mistake, verdict.also) == (False, "library-used", ())
    assert f"the library's `{called}`" in verdict.message


def answer_of(module, name, args):
    """What this function gives; that of plain Python takes one row."""
    if module is not plain_python:
        return getattr(module, name)(*args)
    (table,) = args
    return np.reshape(
        [plain_python.softmax(list(row)) for row in table.reshape(-1, table.shape[-1])], table.shape
    )


def test_every_public_function_that_an_answer_could_call_is_noticed():
    """A module of the library that is not watched, or a function that is not found in it, fails here."""
    modules = {name for _, name, is_package in pkgutil.iter_modules(attention_lib.__path__) if not is_package}
    assert modules - {"arguments", "in_place", "model"} == {Path(file).stem for file, _ in LIBRARY} - {
        "language"
    }
    assert set(al.__all__) - {"Attention"} == {
        called[3:] for called in LIBRARY.values() if called.startswith("al.")
    }
    assert "today.merge" in LIBRARY.values() and "learning.train_head" in LIBRARY.values()


def with_the_library(q, k, v, mask=None):
    weights = al.masked_softmax(al.scaled_scores(q, k), mask)
    return weights @ v, weights


@pytest.mark.parametrize(
    "name, function",
    [
        ("scaled_scores", lambda q, k: al.attention_scores(q, k) / q.shape[-1] ** 0.5),
        (ATTENTION, with_the_library),
    ],
)
def test_what_the_statement_allows_is_not_remarked_on(name, function):
    verdict = verdict_on(name, function)
    assert "Remark" not in verdict.message and "library" not in verdict.message and not verdict.also


def test_right_on_the_probes_and_wrong_on_the_real_model():
    def only_small(q, k, v, mask=None):
        output, weights = al.scaled_dot_product_attention(q, k, v, mask)
        return (output + 1, weights) if q.shape == (6, 12, 11, 32) else (output, weights)

    verdict = verdict_on("scaled_dot_product_attention", only_small)
    assert (verdict.passed, verdict.mistake) == (False, "different")
    assert "the real model" in verdict.message
