"""teaching/exam-*.md: the numbers of both forms are computed again, and the key names the option that is right."""

import re
from pathlib import Path

import numpy as np
import pytest

import attention_lib as al

FOLDER = Path(__file__).resolve().parents[2] / "teaching"
QUESTION = re.compile(r"^\*\*(\d+)\.\*\* (.*?)(?=^\*\*\d|\Z)", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"^- \((\w)\) (.*)$", re.MULTILINE)
KEY = (FOLDER / "exam-key.md").read_text(encoding="utf-8")
both_forms = pytest.mark.parametrize("form", "AB")


def questions(form):
    text = (FOLDER / f"exam-{form.lower()}.md").read_text(encoding="utf-8")
    return {int(number): body for number, body in QUESTION.findall(text)}


def key(form):
    """{question: (right letter, why the others are wrong)} and {question: the answer without options}."""
    text = KEY.partition(f"## Form {form}\n")[2].partition("## Form")[0]
    rows = re.findall(r"^\| (\d+) \| (\w) \| (.*) \|$", text, re.MULTILINE)
    return {int(n): (letter, why) for n, letter, why in rows}, dict(
        re.findall(r"^\*\*(\d+)\.\*\* (.*)$", text, re.M)
    )


def right(form, number):
    return dict(OPTION.findall(questions(form)[number]))[key(form)[0][number][0]]


def numbers_in(text):
    return [float(x) for x in re.findall(r"\d+(?:\.\d+)?", text)]


def vectors_in(text):
    return np.array([numbers_in(group) for group in re.findall(r"\(([\d, ]+)\)", text)])


def rounded(x):
    return f"{x:.2f}"


@both_forms
def test_each_option_is_in_the_key(form):
    rows, written = key(form)
    assert list(questions(form)) == list(range(1, 12)) and list(rows) == list(range(1, 10))
    assert set(written) == {"10", "11"}
    for number, (letter, why) in rows.items():
        options = dict(OPTION.findall(questions(form)[number]))
        assert list(options) == list("abcd") and len(set(options.values())) == 4
        assert sorted(re.findall(r"(?<!\w)\(([a-d])\)", why)) == sorted(set("abcd") - {letter})


@both_forms
def test_right_answers_are_spread_over_the_letters(form):
    letters = [letter for letter, _ in key(form)[0].values()]
    counts = [letters.count(letter) for letter in "abcd"]
    assert max(counts) - min(counts) <= 1


@both_forms
def test_forms_ask_the_same_with_other_numbers(form):
    a, b = questions("A"), questions("B")
    for number in range(1, 12):
        in_words = [re.sub(r'[\d.]+|"[a-z]+"', "0", q[number].partition("\n- ")[0]) for q in (a, b)]
        assert number == 3 or in_words[0] == in_words[1]  # 3 exchanges queries and keys
        assert a[number] != b[number]


@both_forms
def test_right_options_are_computed(form):
    asked = questions(form)
    query, *keys = vectors_in(asked[1].partition("\n")[0])
    assert right(form, 1) == ", ".join(f"{score:.0f}" for score in keys @ query)
    shapes = [
        np.ones([int(n) for n in group.split(", ")]) for group in re.findall(r"\((\d, \d)\)", asked[2])[:3]
    ]
    assert right(form, 2) == str(al.scaled_dot_product_attention(*shapes).output.shape)
    _, one, _, other, d_k = numbers_in(asked[3].partition("\n")[0])
    assert right(form, 3) == f"{np.sqrt(one * other * d_k):.0f}"
    scores = numbers_in(asked[4].partition("\n")[0])
    assert right(form, 4) == rounded(al.softmax(scores).max())
    _, _, difference, _, weight, _ = numbers_in(asked[5].partition("\n")[0])
    assert right(form, 5) == rounded(weight * np.exp(difference))
    scores = np.array(numbers_in(asked[6].partition("\n")[0]))
    assert right(form, 6) == rounded(al.masked_softmax(scores, [True, True, False])[0])
    wrong = {rounded(al.softmax(scores)[0]), rounded(al.softmax(scores * [1, 1, 0])[0])}
    assert wrong <= set(dict(OPTION.findall(asked[6])).values())
    stated, weights = asked[8].partition("and their weights")[::2]
    x, y = np.array(numbers_in(weights.partition("\n")[0])) @ vectors_in(stated)
    assert right(form, 8) == f"({x:.1f}, {y:.1f})"
    batch, heads, tokens, d_k, *_ = map(int, numbers_in(asked[9]))
    weights = al.softmax(np.ones((batch, heads, tokens, tokens)))
    assert right(form, 9) == str(weights.sum(axis=-1).size)
    assert dict(OPTION.findall(asked[9]))["d"] == str(weights.size)


@both_forms
def test_table_of_weights_is_a_softmax_over_queries(form):
    scores = {"A": [[2.0, 1, -1], [0, 0, 3]], "B": [[1.0, 0, 2], [0, 3, 0]]}[form]
    table = al.softmax(scores, axis=0)
    for number, row in enumerate(table):
        assert f"| query {number} | {' | '.join(map(rounded, row))} |" in questions(form)[7]
    assert right(form, 7) == "The softmax ran over the queries."
    assert rounded(table[0].sum()) in key(form)[0][7][1]


@both_forms
def test_line_of_code_in_the_key_computes_exponentials_that_do_not_overflow(form):
    scores = np.array([[1000.0, 1001], [-1000, -1001]])
    (line,) = re.findall(r"^`(.*?)`", key(form)[1]["10"])
    e = eval(line, {"np": np, "scores": scores})
    np.testing.assert_allclose(e / e.sum(axis=-1, keepdims=True), al.softmax(scores))


@both_forms
def test_exponentials_are_given(form):
    text = (FOLDER / f"exam-{form.lower()}.md").read_text(encoding="utf-8")
    given = text.partition("| --- |")[2].partition("\n\n")[0]
    assert numbers_in(given) == [round(np.exp(n), 2) for n in range(4)]
