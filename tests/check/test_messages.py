"""The messages of some verdicts, word for word."""

import functools

import numpy as np
import pytest

import attention_lib as al
from lesson import language
from lesson.check import EXERCISES, hints
from tests.check.answers import WRONG, split_heads
from tests.check.answers.scaled_dot_product_attention import right_attention
from tests.check.answers.shared import softmax
from tests.check.verdicts import ATTENTION, verdict_on


def args_of(exercise, name="unequal sizes"):
    return next(probe.args for probe in EXERCISES[exercise].probes if probe.name == name)


def test_message_of_columns_that_sum_to_one():
    def over_the_queries(x):
        return softmax(x, axis=-2 if x.ndim > 1 else -1)

    (scores,) = args_of("softmax")
    rows, columns = over_the_queries(scores).sum(-1), over_the_queries(scores).sum(-2)
    assert verdict_on("softmax", over_the_queries).message.splitlines() == [
        "Not yet",
        f"Seen: With unequal sizes: the rows add up to {short(rows)}, the columns to {short(columns[:4])} and so on.",
        "Perhaps: The weights add up to 1 over the queries, or a different axis in front, but should add up to 1 over the keys.",
        "Ask yourself: Which axis runs over the keys?",
    ]
    assert short(rows) == "1.65 1.82 1.56 0.98" and short(columns[:4]) == "1 1 1 1"


def test_message_shows_the_matrix_and_the_row_that_are_wrong():
    def last_matrix_halved(q, k, v, mask=None):
        output, weights = right_attention(q, k, v, mask)
        weights = weights.copy()
        if weights.ndim > 2 and len(weights) > 1:
            weights[-1] /= 2
        return output, weights

    def last_row_halved(scores):
        weights = softmax(scores)
        if scores.ndim == 2 and len(scores) > 4:
            weights[-1] /= 2
        return weights

    assert "in matrix [3]: the rows add up to 0.5 0.5" in verdict_on(ATTENTION, last_matrix_halved).message
    assert "row 6 adds up to 0.5." in verdict_on("softmax", last_row_halved).message
    nearly = verdict_on("softmax", lambda x: 0.999 * softmax(x)).message
    assert "what the rows add up to is off by up to 1e-03." in nearly and "add up to 1 1" not in nearly


def test_message_of_scores_without_scale():
    q, k = args_of("scaled_scores")
    off = np.abs(q @ k.mT - q @ k.mT / np.sqrt(5))
    i, j = map(int, np.unravel_index(off.argmax(), off.shape))
    got, right = (q @ k.mT)[i, j], (q @ k.mT)[i, j] / np.sqrt(5)
    assert verdict_on("scaled_scores", lambda q, k: q @ k.mT).message.splitlines() == [
        "Not yet",
        f"Seen: With unequal sizes: entry [{i}, {j}] is {short([got])} but should be {short([right])}.",
        "Perhaps: The scores were not divided by the square root of d_k.",
        "Ask yourself: Where in your lines does d_k occur?",
    ]


def test_message_of_a_mask_after_the_softmax():
    scores, mask = args_of("masked_softmax")
    row = int((~mask).any(-1).argmax())
    weights = (softmax(scores) * mask)[row]
    verdict = verdict_on("masked_softmax", lambda scores, mask: softmax(scores) * mask)
    assert verdict.message.splitlines()[1:] == [
        f"Seen: With unequal sizes: in row {row} the mask is {short(mask[row])}, and the weights are {short(weights)}.",
        "Perhaps: The mask came after the softmax or its sum, when the hidden keys had already taken part of the weight.",
        "Ask yourself: Add up that row. Which keys have the rest?",
    ]


def test_message_of_an_error_shows_the_line_and_what_it_was_called_with():
    def multiplies(q, k):
        return q @ k

    seen = verdict_on("attention_scores", lambda q, k: multiplies(q[..., :3], k)).lines[0][1]
    assert "q (4, 5), k (6, 5)" in seen
    assert "in your line `return q @ k`: `ValueError: matmul: " in seen


def test_message_shows_the_smallest_input_and_its_numbers():
    assert verdict_on("dot_product", lambda a, b: (a @ b) ** 2 + 1).message.splitlines() == [
        "Not yet",
        "Seen: With one number, a = [3], b = [-2]: the result is 37 but should be -6.",
        "Perhaps: The result is wrong, in a way that this check has no name for.",
        "Ask yourself: Work it out by hand with these inputs. Where do your lines get a different number?",
    ]


def test_message_of_one_number_shows_what_it_was_made_from():
    def likeliest(scores, temperature, draw):
        return int(np.argmax(scores))

    verdict = verdict_on("next_token", likeliest)
    assert verdict.mistake == "draw-unused"
    assert (
        "scores = [0.5, 2, -1, 1, 0, 1.5], temperature = 1.0, draw = 0.6: the result is 1" in verdict.message
    )


def test_error_beside_a_mistake_is_told_with_its_line():
    message = verdict_on("softmax", lambda x: (e := np.exp(x)) / e.sum(axis=1, keepdims=True)).message
    assert "With one row it stopped with `AxisError: axis 1 is out of bounds" in message
    assert "`, in your line `" in message


def test_message_says_which_array_is_meant():
    def attention(q, k, v, mask=None):
        output, weights = right_attention(q, k, v, mask)
        return output, weights**2

    message = verdict_on(ATTENTION, attention).message
    assert "The rows of the weights do not add up to 1." in message
    assert "All numbers of the output are right." in message


def test_message_says_a_masks_entry_in_words():
    def all_but_one(lengths, n):
        mask = np.arange(n) < lengths[:, None, None]
        mask[0, 0, -1] = True
        return mask

    message = verdict_on("padding_mask", all_but_one).message
    assert "key 3 of sentence 0 is True but should be False" in message


def test_error_that_any_mask_brings_is_not_blamed_on_the_empty_row():
    def asks_the_array(q, k, v, mask=None):
        return right_attention(q, k, v, mask if mask else None)

    verdict = verdict_on(ATTENTION, asks_the_array)
    assert (verdict.mistake, verdict.also) == ("raises", ())
    assert "asks whether the whole array is true, not whether there is a mask" in verdict.message


def test_error_in_a_line_of_the_learner_is_not_blamed_on_the_call_of_the_check():
    message = verdict_on("split_heads", lambda x, n: x.view(*x.shape[:-1], n, -1).swapaxes(-2, -3)).message
    assert "positional arguments but 3 were given" in message and "as in PyTorch" in message
    message = verdict_on("split_heads", lambda x, n: np.squeeze()).message
    assert "A function that your line calls takes different arguments" in message
    message = verdict_on("split_heads", lambda x: x).message
    assert "The check calls your function with the arguments of the stub" in message


HINTS = [
    ("masked_softmax", lambda x, mask: x if mask else 0 * x, "Which comparison with None"),
    ("masked_softmax", lambda x, mask: al.masked_softmax(x, mask) if mask.any(-1) else 0 * x, "without `if`"),
    ("split_heads", lambda x, n: x.reshape(x.shape(0), n, -1), "Should they be square brackets"),
    ("split_heads", lambda x, n: [0, 1][n / 1], "a division with one slash"),
    ("rotate", lambda x, positions: x[..., x.shape[-1] / 2], "a division with one slash"),
    ("softmax", lambda scores: __import__("scipy_of_nobody"), "not installed here"),
    ("merge_heads", lambda x: np.concatenate([x[0], x[0].T]), "Arrays were to be joined"),
    ("multi_head", lambda x, parameters, n: parameters["wq"], "A dict has no entry under that key"),
    ("multi_head", lambda x, parameters, n: al.split_heads(x, 7), "The error itself says what is needed"),
    ("softmax", lambda x: x / x.summ(), "What comes before the dot has nothing of that name"),
    ("softmax", lambda x: np.exp(x).sum(axis="-1"), "There is a text where a number"),
    ("scaled_scores", lambda q, k: q @ k.mT / q.shape[-1] ^ 0.5, "`^` is not a power"),
    ("scaled_scores", lambda q, k: q @ k.mT / (q.shape[-1] ^ 0.5), "`^` is not a power"),
    (ATTENTION, lambda q, k, v, mask: right_attention(q, k, v, mask), "leaves out what has a default there"),
    (
        "padding_mask",
        lambda max_length, lengths: np.arange(max_length),
        "Your first line takes (max_length, lengths), but the check calls it with (lengths, max_length).",
    ),
    ("dot_product", lambda a, b: (lambda sum: sum(a * b))(5), "give a function's name a different value"),
    ("masked_softmax", lambda x, mask: x[not mask], "`not` asks whether the whole array is true"),
    ("masked_softmax", lambda x, mask: 0 if not mask else x, "Which comparison with None"),
    ("attention_scores", lambda q, k: np.matmul(q, k.transposed), "What comes before the dot has nothing"),
    ("causal_mask", lambda n: np.array(i for i in range(n))[:, None], "has no axes"),
    ("rotate", lambda x, positions: x * 10_000 ** (-np.arange(x.shape[-1]) // 2), "negative whole power"),
    ("causal_mask", lambda n: np.eye(n, dtype=bool) ^ np.uint8(2**n - 1), "its dtype cannot hold it"),
    ("softmax", functools.lru_cache(lambda x: x), "cannot be looked up in a dict, a set or a cache"),
    ("padding_mask", lambda lengths, n: np.arange(lengths) < n, "functions that want one number"),
    ("causal_mask", lambda n: np.zeros((n, [n])), "is not a whole number"),
    (ATTENTION, lambda q, k, v, mask=None: np.zeros(mask), "Something was None"),
    (
        "causal_mask",
        lambda n: -np.triu(np.ones((n, n), bool), 1),
        "Which operator does the error say to use?",
    ),
    ("project", lambda x, w, b, n_heads: np.stack(np.hsplit(x @ w + b, n_heads), -3), "into equal parts"),
    ("descend", lambda matrix, gradient, rate: matrix - rate @ gradient, "multiplied by @ there has no axes"),
    ("project", lambda x, w, b, n_heads: np.split(n_heads, x), "is each in the right position"),
]


def test_no_hint_stands_in_the_list_twice():
    patterns = list(hints.HINTS)
    assert len(set(patterns)) == len(patterns)


@pytest.mark.parametrize("name, function, said", HINTS)
def test_error_gets_a_hint_that_is_true_of_it(name, function, said):
    verdict = verdict_on(name, function)
    _, *hint = verdict.lines  # the first line quotes the learner's, which is a line of this file
    assert verdict.mistake == "raises" and said in str(hint), verdict.message


def test_pair_that_was_not_unpacked_is_told_so():
    def output_and_weights_as_one(x, parameters, n_heads):
        q, k, v = (al.split_heads(x @ parameters[f"w_{name}"], n_heads) for name in "qkv")
        return al.merge_heads(al.scaled_dot_product_attention(q, k, v)) @ parameters["w_o"]

    message = verdict_on("multi_head", output_and_weights_as_one).message
    assert "The entries of a tuple or a list have different shapes" in message
    assert "return two things" in message


def test_message_says_which_inputs_were_right():
    def cubes_unless_told(q, k, v, mask=None):
        return right_attention(q, k, v**3 if mask is None else v, mask)

    _, tried, cause, question = (text for _, text in verdict_on(ATTENTION, cubes_unless_told).lines)
    assert 'right with "unequal sizes", "as many queries as keys", "a batch" and ' in tried
    assert 'others, but wrong with "no mask", "heads without a mask", ' in tried
    assert "only some of the inputs" in cause and "that go wrong?" in question


def test_message_does_not_say_that_one_or_two_small_inputs_were_right():
    """The mean of the sums is right with "whole numbers", by accident."""
    message = verdict_on("dot_product", lambda a, b: (a + b).mean()).message
    assert "no name for" in message and "right with" not in message


def test_message_tells_printing_from_a_forgotten_return_and_from_a_stub():
    def prints(a, b):
        print(a @ b)

    def returns_nothing(a, b):
        a @ b

    printed, silent = verdict_on("dot_product", prints), verdict_on("dot_product", returns_nothing)
    assert printed.mistake == silent.mistake == "nothing-returned"
    assert "printed something" in printed.message and "printed" not in silent.lines[0][1]
    assert "`return` is missing" in printed.message and "`return` is missing" in silent.message
    assert verdict_on("softmax", lambda x: x.sort()).mistake == "nothing-returned"


def short(values):
    """Two decimals, without zeros at the end."""
    return " ".join(f"{np.round(float(x), 2):g}" for x in values)


def test_message_of_an_endless_call_shows_the_line_that_calls():
    def endless(scores):
        return endless(scores)

    message = verdict_on("softmax", endless).message
    assert "in your line `return endless(scores)`" in message and "calls itself" in message


def test_result_of_texts_is_told_so():
    message = verdict_on("causal_mask", lambda n: [["False", "True"][i <= n] for i in range(n)]).message
    assert "`['True', 'True'" in message


def test_complex_result_is_told_so():
    message = verdict_on("rotate", WRONG["rotate", "wrong-type"][0]).message
    assert "your function returned `array([[" in message and "The numbers are complex" in message


def test_result_of_another_shape_is_not_that_of_an_earlier_call():
    """Without the axis of a single sentence, it is right for the table of an earlier call."""
    without_an_axis = split_heads.ALMOST_RIGHT["one_sentence_less"]
    assert verdict_on("split_heads", without_an_axis).mistake == "wrong-shape"


def test_entry_that_is_shown_is_one_that_is_off():
    def off_by_very_little(q, k):
        result = al.scaled_scores(q, k)
        result[..., -1, -1] += 1.2e-7 * (1 + abs(result[..., -1, -1]))
        return result

    message = verdict_on("scaled_scores", off_by_very_little).message
    assert "which is off by" in message and "0e+00" not in message and "e-07" in message, message


def test_index_that_is_a_float_is_refused():
    def next_token(scores, temperature, draw):
        return float(language.next_token(scores, temperature, draw))

    verdict = verdict_on("next_token", next_token)
    assert verdict.mistake == "wrong-type" and "should be int" in verdict.message
