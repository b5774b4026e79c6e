"""teaching.collect tells what came of a folder, and writes into no other."""

import re

import pytest

from teaching import collect
from tests.teaching.conftest import (
    CLASS,
    FAILED,
    PASSED,
    PEOPLE,
    STUB,
    cell,
    collected,
    feedback,
    listed,
    notebook,
    of,
    passed,
    table,
)


def test_best_result_counts_and_then_the_last(class_folder):
    collected(class_folder)
    for number, row in enumerate(table(class_folder), 1):
        _, result, also, says = CLASS[row["student"]]
        assert (row["result"], row["also"]) == (result, also) and says in feedback(class_folder, number)


def test_who_waits_sent_nothing_or_sent_what_cannot_be_read_is_told_so(hand_in):
    for name in ("Wei Chen/03_softmax", "lovelaceada_LATE_20100_40001_x"):
        hand_in(f"{name}.ipynb")
    hand_in("Max Head/03_softmax.ipynb", '{"cells": [')
    folder = hand_in("Anna Berg/softmax.pdf", "%PDF")
    text = collected(folder, listed(PEOPLE), lines={})
    rows = table(folder)
    states = {
        "Lovelace, Ada": ("right", "1", "softmax: right."),
        "Groß, Jürgen": ("missing", "", "no notebook with it came back"),
        "Berg, Anna": ("not-read", "", "Not read: softmax.pdf (no notebook)"),
        "Chen, Wei (1016)": ("waits", "", "a notebook may wait until your teacher says whose it is"),
        "Head, Max": ("not-read", "", "Not read: 03_softmax.ipynb (cut off, or broken)"),
    }
    for number, (row, points) in enumerate(zip(rows, table(folder, "gradebook.csv")), 1):
        result, mark, words = states.get(row["student"], (row["result"], "", ""))
        assert (row["result"], points[collect.POINTS]) == (result, mark) and words in feedback(folder, number)
    assert [row["student"] for row in rows if row["late"]] == ["Lovelace, Ada"]
    assert "A file waits that may be of</strong>: Chen, Wei (1016); Chen, Wei (1017)<" in text
    assert "Sent only what cannot be read</strong>: Berg, Anna; Head, Max<" in text
    assert "Sent nothing</strong>: Groß, Jürgen; O&#39;Brien, Anne-Marie; van der Berg, Anna; " in text
    assert "Wei Chen/03_softmax.ipynb (notebook: -; path: Chen, Wei (1016) | Chen, Wei (1017))<" in text
    hand_in("Lexi/x.ipynb")
    assert "Sent nothing (but files wait that name nobody)<" in collected(folder, listed(PEOPLE), lines={})


def test_attempts_are_in_the_order_of_their_dates_and_numbers(hand_in):
    names = [
        "03_softmax (2)",
        "03_softmax (10)",
        "7-8 - Ada - Oct 30, 2026 905 PM - x",
        "7-8 - Ada - Nov 2, 2026 1015 AM - x",
        "Ada_attempt_2026-11-19-10-15-30_x",
        "z_1100_40001_x",
        "z_1100_140002_x",
    ]
    for name in reversed(names):
        folder = hand_in(f"{name}.ipynb")
    assert [*collect.read_class(folder).attempts.file] == [f"{name}.ipynb" for name in names]


def test_every_attempt_is_told_and_only_what_was_set(hand_in):
    hand_in("Ada/03_softmax.ipynb", passed("causal_mask", "softmax"))
    hand_in("Ada/03_softmax (1).ipynb", FAILED)
    hand_in("Bea/03_softmax.ipynb", FAILED)
    folder = hand_in("Bea/03_softmax (1).ipynb")
    cells = re.findall('<td class="right">.*?</td>', collected(folder, chosen=["softmax", "merge"]))
    assert cells == [f'<td class="right">✓ right{more}</td>' for more in ("<br>latest: overflows", "")]
    text = feedback(folder)
    assert "softmax, attempt 1 (03_softmax.ipynb): right.\nsoftmax, attempt 2 (03_softmax (1)" in text
    assert "causal_mask" not in text and text.endswith("\nmerge: no notebook with it came back.\n")


def test_what_was_set(hand_in):
    for i in range(11):
        hand_in(f"{i}/x.ipynb", FAILED)
        hand_in(f"{i}/y.ipynb", notebook(cell(source=STUB)))
    found = collect.read_class(hand_in("0/merge.ipynb", passed("merge")))
    assert found.told["several files of one exercise, the best counts"] == []
    assert collect.exercises_set(found) == ["softmax"]  # one of eleven began merge, none causal_mask
    assert collect.exercises_set(found, "merge, softmax") == ["softmax", "merge"]
    assert collect.exercises_set(found, "lab")[0] == "dot_product"
    with pytest.raises(SystemExit, match=r"sofmax is no plan and none of dot_product, "):
        collect.exercises_set(found, "sofmax")


def test_points_are_a_column_of_the_list_and_empty_instead_of_0_if_a_file_was_not_read_or_waits(hand_in):
    for name, content in (("Ada", passed("softmax", "project")), ("Bea", FAILED), ("Cid", FAILED)):
        hand_in(f"{name}/03_softmax.ipynb", content)
    for name in ("Ada", "Bea"):
        folder = hand_in(f"{name}/08_a_head_learns.ipynb", "")
    people = "First name,Last name,ID number\nAda,,77001\nBea,,\nCid,,\nDan,,\nEva,,"
    hand_in("Eva/Eva.ipynb", of("Dan"))  # waits
    collected(folder, listed(people), ["softmax", "merge"], {})
    book = table(folder, "gradebook.csv")
    assert [row[collect.POINTS] for row in book] == ["1", "", "0", "", ""]
    assert list(book[0].items())[:3] == [("First name", "Ada"), ("Last name", ""), ("ID number", "77001")]


def test_later_run_replaces_its_own_files_and_changes_no_others(hand_in):
    folder = hand_in("collected/feedback/09 Bea.txt", "of an earlier run")
    page = hand_in("Ada/x.ipynb") / "collected" / "index.html"
    page.symlink_to(folder / "Ada" / "x.ipynb")  # it is not followed
    collected(folder)
    assert [path.name for path in folder.glob("collected/feedback/*")] == ["01 ada.txt"]
    assert (folder / "Ada" / "x.ipynb").read_text() == PASSED


def test_students_with_similar_names_get_different_files(hand_in):
    names = ["Ada", "ada", "A/B", "A?B", "..", "x" * 300, "CON", "nul.txt", "Çelik"]
    folder = hand_in("Ada/x.ipynb")
    collected(folder, listed("\n".join(["Name", *names])), lines={})
    files = [path.name for path in (folder / "collected" / "feedback").iterdir()]
    assert len({file.casefold() for file in files}) == len(names)
    assert all(re.fullmatch(r"\d\d [\w ]{0,80}\.txt", file) for file in files)


@pytest.mark.parametrize(("file", "why"), [("list.xlsx", "no text and no CSV"), ("none", "No such file")])
def test_command_line_says_that_it_cannot_read_the_list(tmp_path, monkeypatch, file, why):
    monkeypatch.setattr("sys.stdout.reconfigure", lambda **_: None, raising=False)
    (tmp_path / "list.xlsx").write_bytes(b"PK\x81\xff")
    monkeypatch.setattr("sys.argv", ["collect.py", ".", f"--class={tmp_path / file}"])
    with pytest.raises(SystemExit, match=why):
        collect.main()
