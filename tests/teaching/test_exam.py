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


def right(number):
    return OPTIONS[number][ROWS[number][0]]


def test_ten_questions_with_a_key_for_each_option():
    assert list(OPTIONS) == list(ROWS) == list(range(1, 11))
    for number, options in OPTIONS.items():
        letter, why = ROWS[number]
        assert list(options) == list("abcd")
        assert sorted(re.findall(r"(?<!\w)\(([a-d])\)", why)) == sorted(set("abcd") - {letter})


SCORES = np.array([2.0, 0, 0, 3])
SEEN = np.array([True, True, True, False])
VALUES = np.array([[10.0, 0], [0, 10], [2, 1]])


def test_dot_products():
    query, keys = np.array([2, 1]), np.array([[1, 0], [0, 1], [1, 2]])
    assert right(1) == ", ".join(str(x) for x in keys @ query)
    assert OPTIONS[1]["d"] == ", ".join(str(x) for x in keys.sum(axis=1) * query.sum())
    q, k = np.ones((4, 5)), np.ones((6, 5))
    assert eval(right(2).strip("`"), {"q": q, "k": k}).shape == (4, 6)
    for letter in "ab":
        with pytest.raises(ValueError, match="mismatch"):
            eval(OPTIONS[2][letter].strip("`"), {"q": q, "k": k})


def test_scores_of_her_and_cat():
    recorded = data.load("cat_sentence")
    q, k = recorded["q"][1, 3], recorded["k"][1, 3]
    assert f"{q[8] @ k[4]:.1f}" == "21.4" and f"{q[4] @ k[8]:.1f} " in f"{ROWS[3][1]} ".replace(",", " ")


def test_weights():
    assert right(5) == f"{al.softmax(SCORES).max():.2f}" and OPTIONS[5]["a"] == f"{3 / SCORES.sum():.2f}"
    assert right(7) == f"{al.masked_softmax(SCORES, SEEN)[0]:.2f}"
    assert OPTIONS[7]["a"] == f"{al.softmax(SCORES)[0]:.2f}"
    assert OPTIONS[7]["b"] == f"{al.softmax(np.where(SEEN, SCORES, 0))[0]:.2f}"
    assert f"{(al.softmax(SCORES) * SEEN).sum():.2f}" in ROWS[7][1]


def test_table_of_weights_is_a_softmax_over_queries():
    table = al.softmax([[2.0, 1, -1], [0, 0, 3]], axis=0)
    for number, row in enumerate(table):
        assert f"| query {number} | {' | '.join(f'{x:.2f}' for x in row)} |" in QUESTIONS
    assert f"{table[0].sum():.2f}" in ROWS[8][1]


def test_output():
    output = np.array([0.2, 0.5, 0.3]) @ VALUES
    assert right(9) == f"({output[0]:.1f}, {output[1]:.1f})" and OPTIONS[9]["a"] == f"{output.sum():.1f}"
    assert OPTIONS[9]["b"] == str(tuple(int(x) for x in VALUES.sum(axis=0)))


def test_head_with_the_largest_weight():
    weights = data.load("cat_sentence")["weights"][5, 11]
    assert f"{weights[8, 4]:.2f}" == "0.82" and (weights.argmax(axis=1) == 4).sum() == 9
    assert f"{weights[4, 8]:.2f}" in OPTIONS[10]["a"] and f"{weights[8, 0]:.2f}" in OPTIONS[10]["b"]
