"""The messages of verdicts: what they say where a mistake is known, where none fits, and where Python stopped."""

import numpy as np
import pytest

import attention_lib as al
from tests.check.answers import RIGHT_ANSWER
from tests.check.answers.derived import answer_with
from tests.check.answers.generic import changes_argument, prints, stops_with
from tests.check.answers.scaled_dot_product_attention import right_attention
from tests.check.answers.shared import softmax
from tests.check.verdicts import ATTENTION, verdict_on


def test_message_word_for_word():
    assert verdict_on("dot_product", lambda a, b: (a @ b) ** 2 + 1).message.splitlines() == [
        "Not yet",
        "Seen: With one number, a = [3], b = [-2]: the result is 37 but should be -6.",
        "Perhaps: The result is wrong, in a way that this check has no name for.",
        "Ask yourself: Work it out by hand with these inputs. Where do your lines get a different number?",
    ]


# Answers that make one thing wrong ------------------------------------------------------------------


def all_but_the_first_matrix_halved(scores):
    weights = softmax(scores)
    if scores.ndim > 2:
        weights[1:] /= 2
    return weights


def squares_its_weights(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return output, weights**2


def endless(scores):
    return endless(scores)


def appends(scores, found=[]):  # noqa: B006
    found.append(softmax(scores).tolist())
    return found


def right_but_for_the_real_model(q, k, v, mask=None):
    output, weights = right_attention(q, k, v, mask)
    return (output + 1, weights) if q.shape == (6, 12, 11, 32) else (output, weights)


# (exercise, answer, id, sentences of the message)
SAID = [
    # what was seen of a known mistake
    (
        "softmax",
        lambda x: softmax(x, axis=-2 if x.ndim > 1 else -1),
        "normalised-over-queries",
        "Seen: With unequal sizes: the rows add up to 1.65 1.82 1.56 0.98, the columns to 1 1 1 1 and so on.",
    ),
    ("masked_softmax", lambda x, mask: softmax(x) * mask, "masked-after-softmax", "the weights are 0.05"),
    ("softmax", all_but_the_first_matrix_halved, "different", "in matrix [1]: the rows add up to 0.5 0.5"),
    ("softmax", lambda x: 0.999 * softmax(x), "different", "what the rows add up to is off by up to 1e-03."),
    (
        "padding_mask",
        lambda lengths, n: np.arange(n) % 3 < lengths[:, None, None],
        "different",
        "key 3 of sentence 0 is True but should be False",
    ),
    ("scaled_scores", lambda q, k: al.scaled_scores(q, k) * (1 + 2e-7), "different", "which is off by "),
    ("multi_head", changes_argument(RIGHT_ANSWER["multi_head"], -1), "input-changed", "argument parameters."),
    ("softmax", appends, "different", "A later call changed what this call had returned"),
    # where no mistake fits: nothing is inferred
    ("softmax", lambda x: softmax(x).ravel(), "wrong-shape", "there, but in an array of a different shape"),
    ("softmax", lambda x: softmax(x).max(-1), "wrong-shape", "The result has the wrong shape"),
    ("scaled_scores", lambda q, k: np.sort(al.scaled_scores(q, k)), "different", "in different positions"),
    ("masked_softmax", lambda x, mask: al.masked_softmax(x, mask) + 0.01, "different", "Hidden keys get"),
    (ATTENTION, squares_its_weights, "different", "rows of the weights do not", "of the output are right."),
    (ATTENTION, right_but_for_the_real_model, "different", "the real model"),
    ("softmax", lambda x: softmax(x).astype(x.dtype), "different", "The dtype of your result is int"),
    ("softmax", lambda x: softmax(x.astype(np.float16)).astype(float), "float16", "the 3 digits of float16"),
    (
        "scaled_scores",
        lambda q, k: al.scaled_scores(q, k) * (1.3 if q.shape == (4, 4, 4) else 1),
        "different",
        'others, but wrong with "sizes all equal".',
        "only some of the inputs",
    ),
    ("next_token", lambda scores, temperature, draw: scores[0] * 9, "different", "argument temperature."),
    # what is no array of numbers
    (ATTENTION, lambda *given: right_attention(*given)[0] * 2, "wrong-shape", "asks for two arrays"),
    ("attend", lambda q, *rest: (right_attention(q, q, q), None), "wrong-type", "asks for two things"),
    ("next_token", lambda x, t, draw: x, "wrong-shape", "scores = [0, 5], temperature = 5.0, draw = 0.2: "),
    ("next_token", lambda *given: float(RIGHT_ANSWER["next_token"](*given)), "wrong-type", "should be int"),
    ("softmax", lambda x: softmax(x) if x.ndim > 1 else None, "wrong-type", "function returned `None`"),
    ("dot_product", prints(np.dot), "nothing-returned", "printed something", "`return` is missing"),
    # masks that are not boolean
    ("causal_mask", lambda n: np.tri(n), "wrong-type", "opposite things in different", "should be bool"),
    ("causal_mask", lambda n: ~np.triu(np.ones((n, n), int), 1), "wrong-type", "0 and 1 into -1 and -2"),
    ("causal_mask", lambda n: np.where(np.tri(n), 0.0, -np.inf), "wrong-type", "additive mask"),
    # errors, with the learner's line and what it was called with
    (
        "attention_scores",
        lambda q, k: q[..., :3] @ k,
        "raises",
        "q (4, 5), k (6, 5), your function stopped, in your line `lambda q, k: q[..., :3] @ k,`: `ValueError",
    ),
    ("multi_head", lambda x: x, "raises", "parameters {w_q (8, 8), b_q (8,), and so on}, n_heads = 2, your"),
    ("softmax", endless, "raises", "in your line `return endless(scores)`"),
    ("dot_product", stops_with(SystemExit("bye")), "raises", "SystemExit: bye"),
    ("dot_product", lambda a, c: a @ b, "raises", "NameError", "reads its argument c."),  # noqa: F821
]


@pytest.mark.parametrize("name, function, id, said", [(*case[:3], case[3:]) for case in SAID])
def test_message_says(name, function, id, said):
    verdict = verdict_on(name, function)
    assert verdict.mistake == id and all(text in verdict.message for text in said), verdict.message


# (exercise, answer, what would be false of it)
NOT_SAID = [
    ("softmax", lambda x: softmax(np.maximum(x - x.max(-1, keepdims=True), -20)), "in different positions"),
    ("attention_scores", lambda q, k: q @ k.mT + 3, "holds no fractions"),  # whole numbers are right there
    ("next_token", lambda scores, temperature, draw: (lambda: scores[0] / temperature - draw)(), "No line"),
    (ATTENTION, lambda q, k, v, mask=None: right_attention(q, k, v**3, mask), "do not add up to 1"),
    ("dot_product", lambda a, b: (a + b).mean(), "right with"),  # "whole numbers", by accident
    ("multi_head", answer_with("multi_head", softmax=lambda x: softmax(x, -2)), "The rows add up"),
]


@pytest.mark.parametrize("name, function, not_said", NOT_SAID)
def test_message_does_not_say(name, function, not_said):
    verdict = verdict_on(name, function)
    assert not verdict.passed and not_said not in verdict.message


HINTS = [
    ("masked_softmax", lambda x, mask: x if mask else 0 * x, "Which comparison with None"),
    ("rotate", lambda x, positions: x[..., x.shape[-1] / 2], "a division with one slash"),
    ("merge_heads", lambda x: np.concatenate([x[0], x[0].T]), "Arrays were to be joined"),
    ("attend", lambda q, k, v, past: al.scaled_scores(q, k[[0] * 3]), "The error itself says what is needed"),
    ("softmax", lambda x: x / x.summ(), "What comes before the dot has nothing of that name"),
    ("softmax", lambda x: np.exp(x).sum(axis="-1"), "There is a text where a number"),
    ("scaled_scores", lambda q, k: q @ k.mT / q.shape[-1] ^ 0.5, "`^` is not a power"),
    ("padding_mask", lambda max_length, lengths: 0 / 0, "the check calls it with (lengths, max_length)."),
    ("dot_product", lambda a, b: (lambda sum: sum(a * b))(5), "give a function's name a different value"),
    ("rotate", lambda x, positions: x * 10_000 ** (-np.arange(x.shape[-1]) // 2), "negative whole power"),
    (ATTENTION, lambda q, k, v, mask=None: np.zeros(mask), "Something was None"),
    ("descend", lambda matrix, gradient, rate: matrix - rate @ gradient, "multiplied by @ there has no axes"),
    ("project", lambda x, w, b, n_heads: np.split(n_heads, x), "is each in the right position"),
    (ATTENTION, lambda q: q, "The check calls your function with the arguments of the stub"),
    ("split_heads", lambda x, n: x.view(*x.shape[:-1], n, -1).swapaxes(-2, -3), "as in PyTorch"),
    ("split_heads", lambda x, n: np.squeeze(), "A function that your line calls takes different arguments"),
    ("multi_head", lambda x, parameters, n: np.array([x, x[0]]), "in your lines return two things?"),
    ("multi_head", lambda x, parameters, n: parameters["wq"], "There is nothing under that key"),
    (ATTENTION, lambda q, k, v, mask=None: right_attention(q, k, v, mask).sum(), "a tuple, or entries"),
    ("rotate", lambda x, positions: np.add(x, 0.5, out=x.copy()), "takes no fractions"),
]


@pytest.mark.parametrize("name, function, said", HINTS)
def test_error_gets_a_hint_that_is_true_of_it(name, function, said):
    verdict = verdict_on(name, function)
    _, *hint = verdict.lines  # the first line quotes the learner's, which is a line of this file
    assert verdict.mistake == "raises" and said in str(hint), verdict.message
