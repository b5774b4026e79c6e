"""teaching.exam: what it asks with twenty seeds is read as a student reads it, and computed again with plain NumPy."""

import re

import numpy as np
import pytest

from teaching import exam

EXAMS = [exam.make_exam(seed) for seed in (*range(1, 20), "a word")]
ASKED = {name: [form[i] for forms in EXAMS for form in forms.values()] for i, name in enumerate(exam.TEXTS)}


def numbers_in(text):
    return np.array([float(x) for x in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", text)])


def vectors_in(text):
    return np.array([numbers_in(group) for group in re.findall(r"\(([\d., ]+)\)", text)])


def shares(row):
    return np.exp(row) / np.exp(row).sum()


ANSWERS = {
    "scores": lambda text: ", ".join(f"{sum(vectors_in(text)[0] * key):.0f}" for key in vectors_in(text)[1:]),
    "shapes": lambda text: f"({vectors_in(text)[0, 0]:.0f}, {vectors_in(text)[2, 1]:.0f})",
    "spread": lambda text: f"{numbers_in(text)[2] ** 0.5:.0f}",
    "largest": lambda text: f"{shares(numbers_in(text)).max():.2f}",
    "ratio": lambda text: f"{numbers_in(text)[4] * np.exp(numbers_in(text)[2]):.2f}",
    "mask": lambda text: f"{shares(numbers_in(text)[:2])[0]:.2f}",
    "axis": lambda text: "The softmax ran over the queries.",  # the next test adds up
    "output": lambda text: "({:g}, {:g})".format(*(numbers_in(text)[-3:] @ vectors_in(text))),
    "rows": lambda text: f"{np.prod(vectors_in(text)[0, :3]):.0f}",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_one_option_is_right_and_no_other_is_near(name):
    letters = set()
    for question in ASKED[name]:
        right, options = question["right"], dict(question["options"].values())
        letters |= {letter for letter, (option, _) in question["options"].items() if option == right}
        assert right == ANSWERS[name](question["text"])
        assert len(options) == 4 and [option for option, mistake in options.items() if not mistake] == [right]
        wrong = [float(option) for option in set(options) - {right} if re.fullmatch(r"[\d.]+", option)]
        assert all(abs(x - numbers_in(right)).min() > 0.015 for x in wrong)
    assert letters == set("abcd")


def test_weights_of_the_table_add_up_over_queries_and_in_no_row():
    for question in ASKED["axis"]:
        table = np.array([numbers_in(row) for row in re.findall(r"query \d \| (.*) \|", question["text"])])
        np.testing.assert_allclose(table.sum(axis=0), 1)
        assert (abs(table.sum(axis=1) - 1) > 0.1).all()
        assert f"the first is {table[0].sum():.2f}" in str(question["wrong"])


@pytest.mark.parametrize("forms", EXAMS)
def test_forms_ask_the_same_with_other_numbers(forms):
    for a, b in zip(*forms.values(), strict=True):
        words = [re.sub(r'[\d.]+|"[a-z]+"', "0", question["text"]) for question in (a, b)]
        assert words[0] == words[1] and a["text"] != b["text"]
        assert a["right"] != b["right"] or a["asks"] == exam.TEXTS["axis"]["asks"]


def test_plans_leave_out_the_questions_that_the_guide_names():
    cells = [entry["taught_by"] for entry in exam.TEXTS.values()]
    missing = {"lab": [], "lab-after-50": [7], "100": [7, 11], "50": [2, 7, 9, 10, 11]}
    for plan, questions in missing.items():
        assert [i for i, ids in enumerate(cells, 1) if plan not in exam.plans_of(ids)] == questions
    assert len(exam.make_exam("1", "50")["B"]) == 6


@pytest.mark.slow
def test_same_seed_prints_the_same_and_the_key_is_in_no_form(tmp_path, monkeypatch):
    pages = []
    for seed in ("<7>", "<7>", "8"):
        monkeypatch.setattr("sys.argv", ["exam", str(tmp_path), "--seed", seed])
        exam.main()
        pages.append({path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()})
    assert pages[0] == pages[1] and not pages[0].items() & pages[2].items()
    for only_in_the_key in ("&lt;7&gt;", "0 / 0"):
        assert [name for name, page in pages[0].items() if only_in_the_key in page] == ["key.html"]
