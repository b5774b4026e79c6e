"""What is read of a file that was handed in, of which nothing is run."""

import json
import os

import pytest

from lesson import check
from publish import notebooks
from teaching import collect, stored
from tests.teaching.conftest import PASSED, RIGHT, STUB, WRONG, cell, collected, notebook, output


def test_notebooks_as_they_are_published_are_not_started(hand_in):
    for path in notebooks.PATHS.values():
        published = notebooks.read(path)
        hand_in(f"Ada/{path.name}", json.dumps(published))
        notebooks.strip_outputs(published)
        folder = hand_in(f"Bea/{path.name}", json.dumps(published))
    found = collect.read_class(folder)
    assert set(found.best.result) == {"not-started"} and len(found.best) == 2 * len(check.TASKS)


def test_files_without_a_result_are_told_with_their_reasons(hand_in):
    broken, archive = "cut off, or broken", "an archive: unpack it first"
    files = {
        "half.ipynb": ('{"cells": [', broken),
        "deep.ipynb": ("[" * 200_000, broken),
        "three.ipynb": ('{"cells": 3}', broken),
        "verdict.ipynb": (notebook(cell(output("softmax", "<script>"))), broken),
        "number.ipynb": (notebook(cell(output("softmax", 3))), broken),
        "scratch.ipynb": (notebook(cell(source="def hardmax(x):\n    return x")), "no exercise is in it"),
        "x.py": ("{ not a notebook", "no notebook"),
        "all.rar": ("Rar", archive),
        "zipped.ipynb": ("PK\3\4", archive),
    }
    for file, (content, _) in files.items():
        hand_in(f"Bea/{file}", content)
    folder = hand_in("Bea/.ipynb_checkpoints/x.ipynb", "")
    told = {name: why for why, names in collect.read_class(folder).told.items() for name in names}
    assert told == {f"Bea/{file}": why for file, (_, why) in files.items()}


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + PASSED.encode(), PASSED.encode("utf-16")])
def test_other_encodings_and_file_names_are_read(hand_in, content):
    assert list(collect.read_class(hand_in("Ada/homework", content)).best.result) == ["right"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_links_and_pipes_are_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(WRONG)))
    hand_in("../elsewhere/x.ipynb")
    (folder / "Ada" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "x.ipynb")
    (folder / "Bea").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "Ada" / "pipe.ipynb")
    found = collect.read_class(folder)
    assert found.told["a link, which is not followed"] == ["Ada/link.ipynb"]
    assert "right" not in set(found.best.result)


def test_code_of_a_student_is_not_run(hand_in, tmp_path):
    source = f"open({str(tmp_path / 'ran')!r}, 'w')"
    hand_in("Ada/attention_lib.py", source)
    collected(hand_in("Ada/x.ipynb", notebook(cell(RIGHT, source=f"{source}\nstudent = {source}"))))
    assert not (tmp_path / "ran").exists()


def test_what_only_an_edited_output_can_say_is_marked(hand_in):
    hand_in("Ada/x.ipynb", notebook(cell(RIGHT, source=STUB)))
    hand_in("Bea/x.ipynb", notebook(cell(RIGHT, source="def softmax(x): return x\ncheck.softmax(softmax)")))
    hand_in("Cid/x.ipynb", notebook(cell(RIGHT, source="check.softmax(softmax)")))
    folder = hand_in("Dan/x.ipynb", notebook(cell(WRONG, source=STUB)))
    assert collect.read_class(folder).told["passed, but the function is empty"] == ["Ada/x.ipynb"]


def test_name_is_a_literal_in_a_code_cell():
    named = ["student = ''", "%matplotlib inline\nstudent = 'Ada;'  # me\ndef broken("]
    others = ["student = open('x').read()", "student == 'Ada'", "student = 'Ada"]
    assert stored.student_in([cell(source=source) for source in named]) == "Ada"
    assert stored.student_in([cell(source=source) for source in others]) == ""
    assert stored.student_in([{"cell_type": "markdown", "source": named[1]}]) == ""
