"""teaching.collect tells what came of a folder, and writes into no other."""

import contextlib
import re
import sys

import pytest

from teaching import collect
from tests.teaching.conftest import (
    CHEN_1,
    CHEN_2,
    CLASS,
    COSINE_TOO,
    PEOPLE,
    RIGHT,
    STUB,
    WRONG,
    cell,
    collected,
    feedback,
    listed,
    notebook,
    output,
    owners,
    table,
)


def test_best_result_counts_and_then_the_last(class_folder):
    collected(class_folder)
    columns = "student", "exercise", "result", "also", "latest"
    assert [tuple(row[column] for column in columns) for row in table(class_folder)] == [
        (name, "softmax", result, also, result) for name, (_, result, also) in sorted(CLASS.items())
    ]


def test_who_waits_sent_nothing_or_sent_what_cannot_be_read_is_told_so(hand_in):
    for name in ("Wei Chen/03_softmax", "lovelaceada_LATE_20100_40001_Max Head"):
        hand_in(f"{name}.ipynb")
    hand_in("Max Head/03_softmax.ipynb", '{"cells": [')
    folder = hand_in("Anna Berg/softmax.pdf", "%PDF")
    text = collected(folder, listed(PEOPLE), lines={})
    states = {row["student"]: (row["result"], row["late"]) for row in table(folder)}
    points = {row["Student"]: row[collect.POINTS] for row in table(folder, "gradebook.csv")}
    expected = [
        ("Lovelace, Ada", "right", "1", "softmax: right."),
        ("Groß, Jürgen", "missing", "", "no notebook with it came back"),
        ("Berg, Anna", "not-read", "", "Not read: softmax.pdf (no notebook)"),
        (CHEN_1, "waits", "", "a notebook may wait until your teacher says whose it is"),
        ("Head, Max", "not-read", "", "Not read: 03_softmax.ipynb (cut off, or broken)"),
    ]
    for name, state, mark, words in expected:
        assert states[name][0] == state and points[name.partition(" (")[0]] == mark
        assert words in feedback(folder, list(states).index(name) + 1)
    assert [name for name, (_, late) in states.items() if late] == ["Lovelace, Ada"]
    assert f"A file waits that may be of</strong>: {CHEN_1}; {CHEN_2}<" in text
    assert "Sent only what cannot be read</strong>: Berg, Anna; Head, Max<" in text
    assert "Sent nothing</strong>: Groß, Jürgen; O&#39;Brien, Anne-Marie; van der Berg, Anna; " in text
    assert f"Wei Chen/03_softmax.ipynb (notebook: -; path: {CHEN_1} | {CHEN_2})<" in text
    assert "forge" in text and "forged" in collect.POINTS


def test_file_that_names_nobody_may_be_anybodys(hand_in):
    folder = hand_in("Lexi/x.ipynb")
    assert "Sent nothing (but files wait that name nobody)" in collected(folder, listed(PEOPLE), lines={})
    assert "may wait" in feedback(folder, 2) and "no notebook with it" not in feedback(folder, 2)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("03_softmax", "03_softmax (2)"),
        ("03_softmax (2)", "03_softmax (10)"),
        ("Ada_attempt_2026-11-19-10-15-30_x", "Ada_attempt_2026-11-21-09-05-01_a"),
        ("7-8 - Ada - Oct 30, 2026 905 PM - x", "7-8 - Ada - Nov 2, 2026 1015 AM - x"),
        ("7-8 - Ada - Nov 2, 2026 1015 AM - x", "7-8 - Ada - Nov 99, 2026 905 PM - x"),  # no date
        ("z_1100_40001_x", "z_1100_140002_x"),
    ],
)
def test_attempts_are_in_the_order_of_their_dates_and_numbers(hand_in, earlier, later):
    hand_in(f"Ada/{later}.ipynb")
    assert list(collect.read_class(hand_in(f"Ada/{earlier}.ipynb")).attempts.file) == [
        f"Ada/{earlier}.ipynb",
        f"Ada/{later}.ipynb",
    ]


def test_every_attempt_is_told_in_words_and_only_what_was_set(hand_in):
    hand_in("Ada/03_softmax.ipynb", notebook(cell(output("causal_mask")), cell(RIGHT)))
    folder = hand_in("Ada/03_softmax (1).ipynb", notebook(cell(COSINE_TOO)))
    hand_in("Bea/03_softmax.ipynb", notebook(cell(WRONG)))
    hand_in("Bea/03_softmax (1).ipynb", notebook(cell(RIGHT)))
    cells = re.findall('<td class="right">.*?</td>', collected(folder, chosen=["softmax", "merge"]))
    assert cells == [f'<td class="right">✓ right{more}</td>' for more in ("<br>latest: overflows", "")]
    text = feedback(folder)
    assert (
        "softmax, attempt 1 (03_softmax.ipynb): right.\nsoftmax, attempt 2 (03_softmax (1).ipynb): not yet.\n    Large scores"
        in text
    )
    assert text.count("\n    Perhaps also: ") == text.count("\n    Perhaps also: This is the cosine") == 1
    assert text.endswith("\nmerge: no notebook with it came back.\n") and "causal_mask" not in text
    assert table(folder)[0]["latest"] == "overflows"


def test_what_was_set(hand_in, capsys):
    for i in range(11):
        hand_in(f"{i}/x.ipynb", notebook(cell(WRONG), cell(source=STUB.replace("softmax", "causal_mask"))))
    found = collect.read_class(hand_in("0/merge.ipynb", notebook(cell(output("merge")))))
    assert collect.exercises_set(found) == ["softmax"]  # one of eleven began merge, none causal_mask
    assert collect.exercises_set(found, "merge, softmax") == ["softmax", "merge"]
    lab = ["dot_product", "attention_scores", "scaled_scores", "softmax", "scaled_dot_product_attention"]
    assert collect.exercises_set(found, "lab") == lab
    with pytest.raises(SystemExit, match=r"sofmax is no plan and none of dot_product, "):
        collect.exercises_set(found, "sofmax")


def test_points_are_a_column_of_the_list_which_canvas_and_moodle_import_again(hand_in):
    people = listed(
        "First name,Last name,ID number,Email address\nAda,Lovelace,77001,ada@x.example\nBea,Borg,,b@x.example"
    )
    folder = hand_in(
        "Ada Lovelace.ipynb",
        notebook(cell(RIGHT, output("merge"), output("rotate", "half-not-turned"), output("project"))),
    )
    collected(folder, people, ["softmax", "rotate", "merge"], {})
    assert list(table(folder, "gradebook.csv")[0].items()) == [
        ("First name", "Ada"), ("Last name", "Lovelace"), ("ID number", "77001"), ("Email address", "ada@x.example"),
        (collect.POINTS, "2"),
    ]  # fmt: skip
    assert table(folder, "gradebook.csv")[1][collect.POINTS] == ""  # sent nothing: no grade


def test_points_stay_empty_instead_of_0_if_a_file_was_not_read_or_waits(hand_in):
    for name, content in (("Ada", RIGHT), ("Bea", WRONG), ("Cid", WRONG)):
        hand_in(f"{name}/03_softmax.ipynb", notebook(cell(content)))
    for name in ("Ada", "Bea"):
        folder = hand_in(f"{name}/08_a_head_learns.ipynb", "")
    assert collect.points(collect.read_class(folder), ["softmax"]).fillna(-1).to_list() == [1, -1, 0]
    hand_in("Cid/Cid.ipynb", notebook(cell(source="student = 'Dan'")))
    found = collect.read_class(folder, listed("Ada\nBea\nCid\nDan"), {})
    assert collect.points(found, ["softmax"]).fillna(-1).to_list() == [1, -1, -1, -1]


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_later_run_replaces_its_own_files_and_changes_no_others(hand_in, tmp_path):
    folder = hand_in("Ada/x.ipynb")
    (tmp_path / "precious").write_text("kept")
    before = contents(tmp_path)
    collected(folder)
    first = contents(tmp_path)
    assert before.items() <= first.items()
    for path in first.keys() - before.keys():
        assert folder / "collected" in path.parents
        path.unlink()
        path.symlink_to(tmp_path / "precious")  # it is not followed
    (folder / "collected" / "feedback" / "02 Bea.txt").write_text("of an earlier run")
    collected(folder)
    assert contents(tmp_path) == first


def test_notebook_in_its_folder_is_read_and_stays(hand_in):
    collected(hand_in("Ada/03_softmax.ipynb"))
    folder = hand_in("collected/Max Head.ipynb")
    before = (folder / "collected" / "Max Head.ipynb").read_bytes()
    collected(folder)
    found = owners(folder, listed(PEOPLE))
    assert found == {"collected/Max Head.ipynb": "Head, Max"}
    assert (folder / "collected" / "Max Head.ipynb").read_bytes() == before


def test_students_with_similar_names_get_different_files(hand_in):
    names = ["Ada", "ada", "A/B", "A?B", "..", "x" * 300, "CON", "nul.txt", "Çelik"]
    folder = hand_in("Ada/x.ipynb")
    collected(folder, listed("\n".join(["Name", *names])), lines={})
    files = [path.name for path in (folder / "collected" / "feedback").iterdir()]
    assert len({file.casefold() for file in files}) == len(names)
    assert all(re.fullmatch(r"\d\d [\w ]{0,80}\.txt", file) for file in files)


def test_command_line(hand_in, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    folder = hand_in("Ada/x.ipynb")
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.xlsx").write_bytes(b"PK\x81\xff")
    for name, why, more in (
        ("empty", "no notebook", ""),
        ("empty", "no text and no CSV file", f"--class={tmp_path / 'list.xlsx'}"),
        ("empty", "No such file", "--class=none.csv"),
        (folder, None, ""),
    ):
        monkeypatch.setattr(
            sys, "argv", ["collect.py", str(tmp_path / name), *more.split("\n")][: 2 + bool(more)]
        )
        with pytest.raises(SystemExit, match=why) if why else contextlib.nullcontext():
            collect.main()
    assert str(folder / "collected" / "index.html") in capsys.readouterr().out
