"""teaching/exam.md: its numbers are computed again, and the key names the option that is right."""

import re
from pathlib import Path

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data

TEXT = (Path(__file__).resolve().parents[2] / "teaching" / "exam.md").read_text(encoding="utf-8")
QUESTIONS, KEY = TEXT.split("## Key")
OPTIONS = {  # {question: {letter: text}}
    int(number): dict(re.findall(r"^- \((\w)\) (.*)$", body, re.MULTILINE))
    for number, body in re.findall(
        r"^\*\*(\d+)\.\*\*(.*?)(?=^\*\*\d|^---|\Z)", QUESTIONS, re.MULTILINE | re.DOTALL
    )
}
ROWS = {
    int(number): (right, why)
    for number, right, why in re.findall(r"^\| (\d+) \| (\w) \| (.*) \|$", KEY, re.M)
}


def test_ten_questions_with_a_key_for_each_option():
    assert list(OPTIONS) == list(ROWS) == list(range(1, 11))
    for number, options in OPTIONS.items():
        letter, why = ROWS[number]
        assert list(options) == list("abcd")
        assert sorted(re.findall(r"(?<!\w)\(([a-d])\)", why)) == sorted(set("abcd") - {letter})


def rounded(x):
    return f"{x:.2f}"


def test_right_options_are_computed():
    scores, keys = np.array([2.0, 0, 0, 3]), np.array([[1, 0], [0, 1], [1, 2]])
    x, y = np.array([0.2, 0.5, 0.3]) @ [[10, 0], [0, 10], [2, 1]]
    computed = {
        1: ", ".join(map(str, keys @ [2, 1])),
        5: rounded(al.softmax(scores).max()),
        7: rounded(al.masked_softmax(scores, [True, True, True, False])[0]),
        9: f"({x:.1f}, {y:.1f})",
    }
    for number, option in computed.items():
        assert OPTIONS[number][ROWS[number][0]] == option
    wrong = rounded(al.softmax(scores)[0]), rounded(al.softmax(scores * [1, 1, 1, 0])[0])
    assert (OPTIONS[7]["a"], OPTIONS[7]["b"]) == wrong
    assert f"adds up to {rounded(al.softmax(scores)[:3].sum())}" in ROWS[7][1]


def test_shapes_of_query_and_key():
    names = {"q": np.ones((4, 5)), "k": np.ones((6, 5))}
    assert eval(OPTIONS[2][ROWS[2][0]].strip("`"), names).shape == (4, 6)
    for letter in "ab":
        with pytest.raises(ValueError, match="mismatch"):
            eval(OPTIONS[2][letter].strip("`"), names)


def test_table_of_weights_is_a_softmax_over_queries():
    table = al.softmax([[2.0, 1, -1], [0, 0, 3]], axis=0)
    for number, row in enumerate(table):
        assert f"| query {number} | {' | '.join(map(rounded, row))} |" in QUESTIONS
    assert rounded(table[0].sum()) in ROWS[8][1]


def test_numbers_of_the_model():
    recorded = data.load("cat_sentence")
    q, k, weights = recorded["q"][1, 3], recorded["k"][1, 3], recorded["weights"][5, 11]
    assert f"with {q[8] @ k[4]:.1f}." in QUESTIONS and f"{q[4] @ k[8]:.1f}, " in ROWS[3][1]
    assert f"gives {rounded(weights[8, 4])} from *her*" in QUESTIONS
    assert rounded(weights[4, 8]) in OPTIONS[10]["a"] and rounded(weights[8, 0]) in OPTIONS[10]["b"]
    assert (weights.argmax(axis=1) == 4).sum() == 9 and "Nine of eleven" in OPTIONS[10][ROWS[10][0]]
