"""What is read of a file that was handed in, of which nothing is run."""

import json
import os

import pytest

from lesson import check
from lesson.check.verdict import TYPE
from publish import notebooks
from teaching import collect, stored
from tests.teaching.conftest import PASSED, RIGHT, STUB, WRONG, cell, collected, notebook, of, output


def results(folder):
    return collect.read_class(folder).best.set_index("student").result.to_dict()


def test_notebooks_as_they_are_published_are_not_started(hand_in):
    for path in notebooks.PATHS.values():
        stored_notebook = notebooks.read(path)
        hand_in(f"Ada/{path.name}", json.dumps(stored_notebook))
        notebooks.strip_outputs(stored_notebook)
        hand_in(f"Bea/{path.name}", json.dumps(stored_notebook))
        folder = hand_in(f"Cid/{path.name}", json.dumps(stored_notebook))
    found = collect.read_class(folder)
    assert set(found.best.result) == {"not-started"} and len(found.best) == 3 * len(check.TASKS)
    assert not found.told["identical files"]


def test_files_without_a_result_are_told_with_their_reasons(hand_in):
    broken = "cut off, or broken"
    conflict = PASSED.replace("{", "{\n<<<<<<< HEAD\n", 1)
    files = {
        "half.ipynb": ('{"cells": [', broken),
        "empty.ipynb": ("\n", "empty"),
        "conflict.ipynb": (conflict, "with a merge conflict in it"),
        "deep.ipynb": ("[" * 200_000, broken),
        "three.ipynb": ('{"cells": 3}', broken),
        "bytes.ipynb": (b"\xff\xfe\x00", broken),
        "verdict.ipynb": (notebook(cell(output("softmax", "<script>"))), broken),
        "scratch.ipynb": (notebook(cell(source="def hardmax(x):\n    return x")), "no exercise is in it"),
        "other version.ipynb": (notebook(cell(output("tokenise"))), "no exercise is in it"),
        "x.py": ("{ not a notebook", "no notebook"),
        "all.rar": ("Rar", "an archive: unpack it first"),
        "zipped.ipynb": (b"PK\3\4", "an archive: unpack it first"),
    }
    for file, (content, _) in files.items():
        hand_in(f"Bea/{file}", content)
    hand_in("Bea/.ipynb_checkpoints/x.ipynb", "")
    for name in ("Bea", "Cid"):
        folder = hand_in(f"{name}/copy.ipynb", of(name))  # also with another name in it
    told = {name: why for why, names in collect.read_class(folder).told.items() for name in names}
    same = {"Bea/copy.ipynb = Cid/copy.ipynb": "identical files"}
    assert told == {f"Bea/{file}": why for file, (_, why) in files.items()} | same


@pytest.mark.parametrize(
    "change", [{"exercise": ["softmax"]}, {"mistake": 3}, {"also": 3}, {"also": [3]}, {"mistake": "x" * 2000}]
)
def test_file_with_a_malformed_verdict_is_told(hand_in, change):
    data = {"exercise": "softmax", "passed": False, "mistake": "overflows", "also": []} | change
    found = collect.read_class(hand_in("Ada/x.ipynb", notebook(cell({"data": {TYPE: data}}))))
    assert found.told["cut off, or broken"] == ["Ada/x.ipynb"]


def test_other_encodings_and_file_names_are_read(hand_in):
    hand_in("Bom/x.ipynb", b"\xef\xbb\xbf" + PASSED.encode())
    hand_in("Wide/x.ipynb", PASSED.encode("utf-16"))
    assert results(hand_in("Nameless/homework")) == {"Bom": "right", "Nameless": "right", "Wide": "right"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_links_and_pipes_are_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(WRONG)))
    hand_in("../elsewhere/x.ipynb")
    (folder / "Ada" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "x.ipynb")
    (folder / "Bea").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "Ada" / "pipe.ipynb")
    assert collect.read_class(folder).told["a link, which is not followed"] == ["Ada/link.ipynb"]
    assert "right" not in results(folder).values()


def test_code_of_a_student_is_not_run(hand_in, tmp_path):
    source = f"open({str(tmp_path / 'ran')!r}, 'w')"
    hand_in("Ada/attention_lib.py", source)
    collected(hand_in("Ada/x.ipynb", notebook(cell(RIGHT, source=source))))
    assert not (tmp_path / "ran").exists()


def test_verdict_without_a_mistake_is_read_as_jupyterlite_stores_it():
    assert stored.result_of({"exercise": "softmax", "passed": True, "also": []}, "", False).result == "right"


def test_what_only_an_edited_output_can_say_is_marked(hand_in):
    hand_in("Ada/x.ipynb", notebook(cell(RIGHT, source=STUB)))
    hand_in("Bea/x.ipynb", notebook(cell(RIGHT, source="def softmax(x): return x\ncheck.softmax(softmax)")))
    hand_in("Cid/x.ipynb", notebook(cell(RIGHT, source="check.softmax(softmax)")))
    folder = hand_in("Dan/x.ipynb", notebook(cell(WRONG, source=STUB)))
    assert collect.read_class(folder).told["passed, but the function is empty"] == ["Ada/x.ipynb"]


@pytest.mark.parametrize(
    ("sources", "student"),
    [
        (["student = ''", "x = 1\nstudent = 'Ada'  # me"], "Ada"),
        (["%matplotlib inline\nstudent = 'Ada'\ndef broken("], "Ada"),
        (["student = open('x').read()", "student == 'Ada'", "student = Ada", "student = 'Ada"], ""),
    ],
)
def test_name_is_a_literal_in_a_code_cell(sources, student):
    assert stored.student_in([cell(source=source) for source in sources]) == student
    text = [{"cell_type": "markdown", "source": source} for source in sources]
    assert stored.student_in(text) == ""
