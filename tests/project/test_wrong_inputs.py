"""Wrong arguments of every public function: each is taken, or refused by a line of ours that names the argument.

Each argument of a right call in turn is replaced by every wrong value; a value that happens to be right may pass.
"""

import contextlib
import inspect
import io
import linecache
import re
import traceback
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import attention_lib as al
from attention_lib import data, learning, model, plain_python, show, today
from attention_lib.show import figures
from lesson import broken_attentions, check, drawings, language, llama, llama_heads, tasks
from tests.attention.test_bad_input import GOOD, GOOD_OF_LEARNING
from tests.drawings import examples
from tests.llama import tiny
from tests.show import test_bad_input as of_show

ROOT = Path(__file__).resolve().parents[2]
OURS = str(ROOT / "attention_lib"), str(ROOT / "lesson")
RNG = np.random.default_rng(0)
ROWS = language.make_rows(2, RNG)
Q, K, V = np.ones((3, 4, 2)).tolist()
MODEL = tiny.model()
THREE_HEADS = np.ones((3, 2, 64))
FOUR = (*np.ones((3, 1, 2, 3, 4)), np.ones((1, 1, 1, 3), bool))

# A right call of every public function, {module: {function: arguments}}; what it leaves out has its default.
RIGHT = {
    al: {name: GOOD[name] for name in al.__all__ if name != "Attention"},
    today: {name: GOOD[name] for name in ("rotate", "repeat_heads", "merge")},
    learning: {name: GOOD[name] for name in ("softmax_gradient", "attention_gradients")} | GOOD_OF_LEARNING,
    plain_python: {
        "dot": {"a": Q[0], "b": K[0]},
        "scores": {"queries": Q, "keys": K},
        "softmax": {"row": Q[0]},
        "mask": {"matrix": Q, "allowed": [[True, False]] * 4},
        "weighted_average": {"weights": [0.5] * 4, "values": V},
        "attention": {"queries": Q, "keys": K, "values": V},
        "masked_attention": {"queries": Q, "keys": K, "values": V, "allowed": [[True] * 4] * 4},
    },
    data: {"load": {"name": "layer_one"}},
    model: {"tokenize": {"sentence": "a"}, "read": {"sentence": "a"}, "embed": {"sentences": ["a", "b"]}},
    show: of_show.GOOD,
    drawings: examples.GOOD,
    tasks: {
        "deal": {"n": 2, "rng": RNG},
        "names_of": {"cards": tasks.deal(2, RNG)[1][0]},
        "start": {"d_k": 3, "rng": RNG},
        "gradients_with": {"backward": learning.softmax_gradient},
        "slopes_times": {"factor": 2.0},
        "one_step": {"matrix": np.eye(2), "gradient": np.eye(2), "rate": 0.5},
        "descent": {"rate": 1.0},
        "median_steps": {"d_k": 3, "size": 0.2, "gradients": learning.attention_gradients, "mask": None},
        "learn_next_digit": {"mask": np.tri(12, dtype=bool)},
        "first_time": {"right": [0.1, 1.0]},
    },
    language: {
        "tokens_of": {"text": "kilo ma"},
        "text_of": {"tokens": ROWS[0]},
        "make_rows": {"n": 2, "rng": RNG},
        "loss_of_letter_before": {"rows": ROWS, "counted": ROWS},
        "best_loss": {"rows": ROWS[:, :9]},
        "log_probability": {"text": "kilo ma"},
        "next_token": {"scores": np.arange(3.0), "temperature": 1.0, "draw": 0.5},
    },
    llama: {
        "attend": {
            "q": np.ones((9, 2, 64)),
            "k": THREE_HEADS,
            "v": THREE_HEADS,
            "past": (THREE_HEADS, THREE_HEADS),
        },
        "read": {"model": MODEL, "ids": [3, 4, 5], "cache": {}},
        "generate": {"model": MODEL, "ids": [3, 4, 5], "n": 2, "choose": np.argmax},
    },
    llama_heads: {
        "queries_and_keys": {"model": MODEL, "ids": [3, 4, 5]},
        "weights_of": {"model": MODEL, "ids": [3, 4, 5]},
        "without": {"model": MODEL, "heads": [(0, 8), (1, 2)]},
        "induction_score": {"weights": np.full((3, 6, 6), 1 / 6)},
        "nucleus": {"logits": np.arange(5.0), "p": 0.5},
    },
    broken_attentions: {name: dict(zip(("q", "k", "v", "mask"), FOUR)) for name in broken_attentions.BROKEN},
    check: {  # tests/check has the others
        "yours_if_right": {"name": "softmax", "defined": {}, "otherwise": max},
    },
}


def head_step_with(gradients):
    return learning.head_step(**GOOD_OF_LEARNING["head_step"] | {"gradients": gradients})


# What returns a function is called with what it returned.
RETURNED = {
    "gradients_with": lambda backward: head_step_with(tasks.gradients_with(backward)),
    "slopes_times": lambda factor: head_step_with(tasks.slopes_times(factor)),
    "descent": lambda rate: tasks.descent(rate)({"w_q": np.eye(2)}, {"w_q": np.eye(2)}, 1),
}


def function_of(module, name):
    if name in RETURNED:
        return RETURNED[name]
    return broken_attentions.BROKEN[name] if module is broken_attentions else getattr(module, name)


def right_call(module, name):
    """The right arguments of a function, those with a default too."""
    parameters = inspect.signature(function_of(module, name)).parameters.values()
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    return defaults | RIGHT[module][name]


RAGGED = [[1.0, 2.0], [3.0]]
WRONG = [
    *(None, "text", "", True, 0, -1, 1, 3, 10**30, 0.5, 1e300, np.nan, np.inf, 1j, [], {}, {"a": 1}),
    *([None], [[]], ["a", "b"], [0.5, -1], RAGGED, object(), np.array([None, 1]), np.array([1j, 2])),
    *(np.ones(shape) for shape in ((3,), (2, 2), (0, 3), (2, 3, 4))),
    *(np.ma.masked_less(np.eye(2), 1), pd.DataFrame({"a": ["x"]}), pd.NA),
    *(lambda *given: None, lambda *given: (1, 2), lambda *given: ["a"] * 3),
]


def spoilt(value):
    """Wrong values that are nearly the right one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: value[other] for other in value if other != key}
            for wrong in ("text", RAGGED, np.zeros((0, 2)), *spoilt(inner)):
                yield value | {key: wrong}
        yield value | {"other": 1}
    elif isinstance(value, (list, tuple, str)) and len(value):
        yield from (value[:-1], [*value, *value])
        yield from ([*value[:-1], last] for last in (None, [1], np.nan, -1, "?"))
    if value is not MODEL and np.ndim(value) and np.asarray(value).dtype.kind in "fiub":
        array = np.asarray(value)
        yield from (array[..., :-1], array[:-1], array[0], array[None], array.T, array[:0], array * 0)
        yield from (array + 0.5, -1 - array, array + 100, array * np.nan, array * 1e300, array.astype(str))
    if callable(value):  # a function that returns nearly the right thing
        for place in range(3):
            yield partial(returning_ragged, value, place)


def returning_ragged(function, place, *given):
    """What a function returns, one of the parts replaced."""
    parts = [*function(*given)]
    parts[place] = RAGGED
    return parts


def complaint(function, arguments, name, may_draw):
    """What is wrong with the error that a call raises, if anything is."""
    try:
        with figures.collecting("page") as pictures, contextlib.redirect_stdout(io.StringIO()):
            function(**arguments)
        for picture in pictures if may_draw else ():
            picture.draw(Figure(figsize=picture.size, layout="constrained"))
    except Exception as error:
        *_, (frame, number) = traceback.walk_tb(error.__traceback__)
        file = frame.f_code.co_filename
        if file == __file__:
            return None  # raised by a function of the caller's
        raised = linecache.getline(file, number).strip().startswith("raise")
        if not file.startswith(OURS) or not raised or type(error) not in (ValueError, TypeError):
            return f"{type(error).__name__} from {file}:{number}: {error}"
        if not re.search(rf"\b{name}\b", str(error)):
            return f"{name} is not named by: {error}"
    return None


CASES = [(module, name) for module, functions in RIGHT.items() for name in functions]


@pytest.mark.parametrize("module, name", CASES, ids=[f"{module.__name__}-{name}" for module, name in CASES])
@pytest.mark.filterwarnings("ignore")
def test_wrong_input_is_refused_by_name(module, name, monkeypatch):
    monkeypatch.setattr(tasks, "MOST_STEPS", 1)
    monkeypatch.setattr(tasks, "DIGIT_STEPS", 1)
    function, right = function_of(module, name), right_call(module, name)
    function(**right)
    found = []
    for argument, value in right.items():
        for number, wrong in enumerate([*spoilt(value), *WRONG]):
            # To draw all would take a minute: one in 15 is.
            text = complaint(function, right | {argument: wrong}, argument, may_draw=number % 15 == 0)
            found += [f"{argument} = {str(wrong)[:60]!r}: {text}"] if text else []
    assert not found, "\n" + "\n".join(found)


def test_every_public_function_has_a_right_call():
    for module, functions in RIGHT.items():
        if module not in (broken_attentions, check):
            public = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
            made_here = [name for name in public if inspect.isfunction(vars(module)[name])]
            theirs = {name for name in made_here if vars(module)[name].__module__.startswith(module.__name__)}
            assert theirs == set(functions), module.__name__
