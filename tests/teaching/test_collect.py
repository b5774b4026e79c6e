"""What a class did not understand, read from whatever comes back.

No file may stop it, or lead it out of its folder.
"""

import csv
import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from attention_lib import check
from attention_lib.check import mistake_texts as sayings
from attention_lib.check.grading.verdict import TYPE
from teaching import collect

ROOT = Path(__file__).resolve().parents[2]


def output(exercise, mistake=None, also=()):
    """A verdict as a notebook stores it; right without a mistake."""
    data = {
        "exercise": exercise,
        "passed": mistake is None,
        "mistake": mistake,
        "also": list(also),
    }
    return {
        "output_type": "display_data",
        "metadata": {},
        "data": {TYPE: data, "text/plain": ["Not yet\n", "?"]},
    }


def cell(*outputs, source="check.softmax(softmax)"):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": list(outputs)}


def error(kind):
    return {"output_type": "error", "ename": kind, "evalue": "", "traceback": []}


def notebook(*cells):
    text = {"cell_type": "markdown", "source": ["# Softmax"], "metadata": {}}
    return json.dumps({"cells": [text, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def hand_in(tmp_path):
    """Writes a file into the folder that comes back, and returns the folder."""

    def write(name, content):
        path = tmp_path / "came back" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "came back"

    return write


def results(folder, exercise="softmax"):
    students, _ = collect.read(folder)
    return {name: student.result(exercise)[0] for name, student in students.items()}


def table(folder):
    with (folder / "collected" / "students.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def collected(folder):
    """The page, after a whole run."""
    return (collect.write(folder, *collect.read(folder)) / "index.html").read_text("utf-8")


# Whose it is


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Ada/03_softmax.ipynb", "Ada"),
        ("Ada/deep/er/whatever.ipynb", "Ada"),
        ("Ada_03_softmax.ipynb", "Ada"),
        ("03_softmax - Ada Lovelace.ipynb", "Ada Lovelace"),
        ("Ada-Lovelace_4711_03_softmax (2).ipynb", "Ada-Lovelace_4711"),
        ("ada_4711_03_softmax-1.ipynb", "ada_4711"),
        ("Ada 01_dot_product-Copy1.ipynb", "Ada"),
        ("ADA_01-Dot-Product.IPYNB", "ADA"),
        ("Ada_05_batched_attention.ipynb.txt", "Ada"),
        ("student 03.ipynb", "student 03"),
        ("03_softmax.ipynb", "03_softmax"),
        ("03_softmax (1).ipynb", "03_softmax (1)"),
        ("Ada.json", "Ada"),
        ("Zoe\u0308_03_softmax.ipynb", "Zoë"),
    ],
)
def test_student_is_the_folder_or_what_the_name_holds_besides_the_notebooks(hand_in, name, student):
    assert results(hand_in(name, notebook(cell(output("softmax"))))) == {student: "right"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_that_are_no_text_are_kept_apart(hand_in):
    text = notebook(cell(output("softmax", "overflows")))
    for name in (b"Jos\xe9", b"Jos\xe8"):
        folder = hand_in(f"{os.fsdecode(name)}/x.ipynb", text)
    collected(folder)
    assert len({row["student"] for row in table(folder)}) == 2


def test_folder_and_loose_file_of_one_student_are_put_together(hand_in):
    hand_in("Ada/01_dot_product.ipynb", notebook(cell(output("dot_product", "not-summed"))))
    folder = hand_in("Ada_03_softmax.ipynb", notebook(cell(output("softmax"))))
    students, _ = collect.read(folder)
    assert list(students) == ["Ada"]
    assert students["Ada"].result("dot_product") == ("not-summed", ())
    assert students["Ada"].result("softmax") == ("right", ())
    assert students["Ada"].result("causal_mask") == ("missing", ())


def test_student_without_a_notebook_is_not_forgotten(hand_in):
    hand_in("Ada/03_softmax.ipynb", notebook(cell(output("softmax"))))
    hand_in("Empty/essay.pdf", b"%PDF")
    folder = hand_in("Broken_03_softmax.ipynb", '{"cells": [')
    assert results(folder) == {"Ada": "right", "Broken": "missing", "Empty": "missing"}


# What counts


WRONG, OTHER = output("softmax", "overflows"), output("softmax", "other-base")
NOT_STARTED, RIGHT = output("softmax", "not-started"), output("softmax")


@pytest.mark.parametrize(
    ("cells", "result"),
    [
        ([cell(WRONG), cell(OTHER)], "other-base"),
        ([cell(RIGHT), cell(OTHER)], "right"),
        ([cell(WRONG, OTHER)], "other-base"),
        ([cell(WRONG), cell(NOT_STARTED)], "overflows"),
        ([cell(NOT_STARTED)], "not-started"),
        ([cell(error("SyntaxError"))], "missing"),
        ([cell(WRONG), cell(error("SyntaxError"))], "overflows"),
        ([cell(WRONG, source="check.softmax(my_own)")], "overflows"),
        ([cell(output("softmax", "of-another-version"))], "of-another-version"),
        ([cell()], "missing"),
        ([], "missing"),
    ],
)
def test_any_pass_counts_else_the_last_verdict(hand_in, cells, result):
    assert results(hand_in("Ada/x.ipynb", notebook(*cells))) == {"Ada": result}


def test_of_two_files_the_later_one_counts(hand_in):
    for name, mistake in (("", "overflows"), (" (2)", "other-base"), (" (10)", "underflows")):
        folder = hand_in(f"Ada_03_softmax{name}.ipynb", notebook(cell(output("softmax", mistake))))
    assert results(folder) == {"Ada": "underflows"}
    folder = hand_in("Ada_03_softmax (3).ipynb", notebook(cell(output("softmax"))))
    assert results(folder) == {"Ada": "right"}


def test_cell_that_stopped_is_told_by_its_error(hand_in):
    cells = (
        cell(error("KeyboardInterrupt"), source=["softmax = 1\n", "check.softmax(f)"]),
        cell(error("NameError"), source="no_check_here"),
    )
    folder = hand_in("Ada/x.ipynb", notebook(*cells))
    students, _ = collect.read(folder)
    assert students["Ada"].without_verdict() == {"softmax": "KeyboardInterrupt"}
    assert "missing: KeyboardInterrupt" in collected(folder)
    feedback = (folder / "collected" / "feedback" / "Ada.txt").read_text("utf-8")
    assert "softmax: the cell stopped with KeyboardInterrupt." in feedback


def test_stored_notebooks_are_read(hand_in):
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        folder = hand_in(f"Ada/{path.name}", path.read_bytes())
    students, left_out = collect.read(folder)
    assert {students["Ada"].result(task.name) for task in check.TASKS} == {("not-started", ())}
    assert left_out == []


# Files of every kind


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"cells": [', "broken: no JSON"),
        ("", "empty"),
        ("[" * 200_000, "broken: no JSON"),
        ('{"cells": 3}', "no list of cells"),
        ("3", "no list of cells"),
        (b"\xff\xfe\x00", "broken: no JSON"),
        (notebook(cell(output("tokenise"))), "tokenise, unknown here"),
    ],
)
def test_bad_file_is_named_and_skipped(hand_in, content, why):
    hand_in("Bea/03_softmax.ipynb", content)
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(output("softmax"))))
    students, left_out = collect.read(folder)
    ((file, said),) = left_out
    assert file == str(Path("Bea", "03_softmax.ipynb")) and why in said
    assert students["Ada"].result("softmax")[0] == "right"
    assert said.split(":")[0] in collected(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"cells": [None, 3, "x", {}, {"outputs": None}, {"outputs": [None, 3, {"data": 3}]}]},
        {"cells": [cell({"data": {TYPE: 3}}, {"data": {TYPE: {"exercise": ["softmax"]}}})]},
        {"cells": [cell({"data": {TYPE: {"exercise": "softmax", "passed": False}}})]},
        {"cells": [cell(output("softmax", "<script>")), cell(output("softmax", "x" * 100))]},
        {"cells": [cell(output("softmax", 3)), cell(error("\ud800"))]},
        {"worksheets": [3, {"cells": 4}], "cells": []},
        {"cells": [cell(output("softmax", "right")), cell(output("softmax", "-1"))]},
    ],
)
def test_nonsense_in_a_notebook_is_no_verdict_and_no_error(hand_in, change):
    folder = hand_in("Ada/x.ipynb", json.dumps(change))
    assert results(folder) == {"Ada": "missing"}
    collected(folder)


def test_other_encodings_and_names_are_read(hand_in):
    text = notebook(cell(output("softmax", "overflows")))
    hand_in("Bom/x.ipynb", b"\xef\xbb\xbf" + text.encode())
    hand_in("Wide/x.ipynb", text.encode("utf-16"))
    hand_in("Latin/x.ipynb", text.replace("# Softmax", "# caf\u00e9").encode("latin-1"))
    old = {"worksheets": [{"cells": [cell(output("softmax", "overflows"))]}]}
    hand_in("Old/x.ipynb", json.dumps(old))
    folder = hand_in("Nameless/homework", text)
    hand_in("Nameless/data.json", "{}")
    hand_in("Nameless/notes.txt", "{ not a notebook")
    students, left_out = collect.read(folder)
    assert set(results(folder).values()) == {"overflows"} and len(students) == 5
    assert left_out == []


def test_file_that_is_too_large_is_not_opened(hand_in, monkeypatch):
    monkeypatch.setattr(collect, "LARGEST", 1000)
    folder = hand_in("Ada/x.ipynb", notebook(cell(source="x" * 1000)))
    assert collect.read(folder)[1] == [(str(Path("Ada", "x.ipynb")), "larger than 0 MB")]


def test_archive_is_named_and_what_jupyter_and_macos_leave_is_not_read(hand_in):
    text = notebook(cell(output("softmax")))
    hand_in("Ada/.ipynb_checkpoints/03_softmax-checkpoint.ipynb", text)
    hand_in("__MACOSX/Ada/._03_softmax.ipynb", text)
    folder = hand_in("Ada/all.zip", b"PK")
    assert results(folder) == {"Ada": "missing"}
    assert collect.read(folder)[1] == [(str(Path("Ada", "all.zip")), "an archive: unpack it first")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_links_and_pipes_are_named_and_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(output("softmax", "overflows"))))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.ipynb").write_text(notebook(cell(output("softmax"))))
    (folder / "Ada" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "x.ipynb")
    (folder / "Ada" / "loop").symlink_to(folder)
    (folder / "Bea").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "Ada" / "pipe.ipynb")
    students, left_out = collect.read(folder)
    assert [why for _, why in left_out] == ["a link", "a link", "no ordinary file", "a link"]
    assert students["Ada"].result("softmax")[0] == "overflows"


def test_no_code_of_a_student_runs(hand_in, tmp_path):
    mark = tmp_path / "ran"
    source = f"open({str(mark)!r}, 'w')"
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"), source=source)))
    hand_in("Ada/attention_lib.py", source)
    hand_in("Ada/collect.py", source)
    collected(folder)
    assert not mark.exists()


# What is written

WICKED = [
    "=HYPERLINK(1)",
    "+1",
    "@x",
    "-2",
    "<script>alert(1)<_script>",
    'a"b',
    "Bl, P",
    "&amp;",
    "CON",
    "$x$",
]


@pytest.fixture
def wicked(hand_in):
    for name in WICKED:
        verdict = output("softmax", "overflows", ["cosine"])
        folder = hand_in(f"{name}/x.ipynb", notebook(cell(verdict)))
    return folder


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)

    def named(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]


def test_names_are_text_in_the_page_and_in_the_table(wicked):
    page = Page(collected(wicked))
    assert set(WICKED) <= set(page.words)
    assert not page.named("script")
    rows = table(wicked)
    assert len(rows) == len(WICKED) * len(check.TASKS)
    assert {row["student"].removeprefix("'") for row in rows} == set(WICKED)
    assert not [row for row in rows if row["student"][0] in "=+-@"]
    softmax = [row for row in rows if row["exercise"] == "softmax"]
    assert {(row["result"], row["also"]) for row in softmax} == {("overflows", "cosine")}


def test_page_asks_nobody_for_anything_and_can_be_read_aloud(wicked):
    text = collected(wicked)
    page = Page(text)
    assert page.named("html") == [{"lang": "en"}] and len(page.named("h1")) == 1
    assert all(th.get("scope") in ("row", "col") for th in page.named("th"))
    assert len(page.named("table")) == len(page.named("caption")) == 3
    (image,) = page.named("img")
    assert image["src"].startswith("data:image/png;base64,")
    assert f"overflows in softmax: {len(WICKED)}" in image["alt"]
    assert not page.named("link") and "http:" not in text and "https:" not in text
    files = {path.name for path in (wicked / "collected" / "feedback").iterdir()}
    assert {unquote(a["href"]).removeprefix("feedback/") for a in page.named("a")} == files
    assert len(files) == len(WICKED)


def test_nothing_is_written_outside_and_a_second_run_writes_the_same(wicked, tmp_path):
    def everything():
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in files}

    before = everything()
    collected(wicked)
    first = everything()
    assert {path: first[path] for path in before} == before
    assert all(wicked / "collected" in path.parents for path in first.keys() - before.keys())
    collected(wicked)
    assert everything() == first


def test_feedback_of_a_student_who_is_gone_goes(hand_in):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"))))
    hand_in("Bea/x.ipynb", notebook(cell(output("softmax"))))
    collected(folder)
    (folder / "Bea" / "x.ipynb").unlink()
    (folder / "Bea").rmdir()
    collected(folder)
    assert [path.name for path in (folder / "collected" / "feedback").iterdir()] == ["Ada.txt"]


def test_what_is_not_ours_in_the_folder_stops_it(hand_in, tmp_path):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"))))
    hand_in("collected/x.ipynb", notebook(cell(output("softmax"))))
    with pytest.raises(SystemExit, match="none of this program's"):
        collected(folder)
    assert (folder / "collected" / "x.ipynb").exists()
    (folder / "collected" / "x.ipynb").unlink()
    (folder / "collected").rmdir()
    (tmp_path / "away").mkdir()
    (folder / "collected").symlink_to(tmp_path / "away")
    with pytest.raises(SystemExit, match="no folder of this program's"):
        collected(folder)
    assert not list((tmp_path / "away").iterdir())


def test_links_in_the_folder_are_replaced_and_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"))))
    collected(folder)
    (tmp_path / "precious").write_text("kept")
    for name in ("index.html", "students.csv", "feedback/Ada.txt"):
        path = folder / "collected" / name
        path.unlink()
        path.symlink_to(tmp_path / "precious")
    collected(folder)
    assert (tmp_path / "precious").read_text() == "kept"


def test_names_that_are_alike_get_files_of_their_own():
    names = ["Ada", "ada", "A/B", "A?B", "..", "x" * 300, "CON", "nul.txt", "Çelik"]
    files = collect.file_names(names)
    assert len({file.casefold() for file in files.values()}) == len(names)
    assert all(re.fullmatch(r"[\w .,'()-]{1,100}\.txt", file) for file in files.values())
    bad = (".", "con.", "nul.")
    assert not [file for file in files.values() if file.casefold().startswith(bad)]


# The ranking


def test_mistakes_are_ranked_by_students(hand_in, capsys):
    for i in range(4):
        outputs = [output("softmax", "overflows" if i else "other-base")]
        outputs += [output("masked_softmax", "overflows")] if i == 3 else []
        outputs += [output("dot_product", "not-summed")] if i < 2 else []
        folder = hand_in(f"student {i}/x.ipynb", notebook(cell(*outputs)))
    students, left_out = collect.read(folder)
    ranking = collect.mistakes(students)
    assert list(ranking) == ["overflows", "not-summed", "other-base"]
    assert ranking["overflows"] == (3, {"softmax": 3, "masked_softmax": 1})
    collect.tell(students, left_out)
    printed = capsys.readouterr().out
    assert "4 students, 4 notebooks." in printed and "student 0" not in printed
    assert "  3  overflows (softmax 3, masked_softmax 1)\n      Large scores overflow" in printed


def test_sentence_is_one_that_fits_the_exercise():
    assert "side by side" in sayings.saying("not-summed", "scaled_scores")[0]
    assert "added up" in sayings.saying("not-summed", "dot_product")[0]
    assert "no name" in sayings.saying("different", "multi_head")[0]
    assert sayings.saying("largest-weight", "linking_head")[0].startswith("This head gives")


def test_every_mistake_has_a_sentence_to_say():
    from tests.check.test_answers import EVERYWHERE, REQUIRED

    ids = set(" ".join([*REQUIRED.values(), EVERYWHERE, "input-changed"]).split()) - {"not-started"}
    known = set(sayings.all_ids())
    assert ids <= known
    for id in known:
        cause, ask = sayings.saying(id)
        assert cause.endswith((".", "?")) and "another version" not in cause and ask[-1] in ".?"


def test_command_line(hand_in, tmp_path, monkeypatch, capsys):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax", "overflows"))))
    monkeypatch.setattr(sys, "argv", ["collect.py", str(folder)])
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    collect.main()
    assert str(folder / "collected" / "index.html") in capsys.readouterr().out
    for argument, why in ((tmp_path / "none", "no folder"), (tmp_path / "empty", "no notebook")):
        (tmp_path / "empty").mkdir(exist_ok=True)
        monkeypatch.setattr(sys, "argv", ["collect.py", str(argument)])
        with pytest.raises(SystemExit, match=why):
            collect.main()


def test_notebook_without_a_verdict_is_named(hand_in, capsys):
    hand_in("anna/03_softmax.ipynb", notebook(cell(output("softmax"))))
    folder = hand_in("lena/03_softmax.ipynb", notebook(cell()))  # its outputs were cleared
    students, left_out = collect.read(folder)
    ((file, why),) = left_out
    assert file == os.path.join("lena", "03_softmax.ipynb") and why.startswith("no verdict is in it")
    collect.tell(students, left_out)
    assert f"Look at {file}: no verdict" in capsys.readouterr().out


def test_exercises_that_nobody_handed_in_are_left_out_of_the_page(hand_in):
    hand_in("anna/a.ipynb", notebook(cell(output("softmax", "overflows"))))
    folder = hand_in("ben/b.ipynb", notebook(cell(error("NameError"), source="check.causal_mask(f)")))
    students, left_out = collect.read(folder)
    assert collect.came_back(students) == ["softmax", "causal_mask"]
    page = (collect.write(folder, students, left_out) / "index.html").read_text(encoding="utf-8")
    assert "causal_" in page and "dot_" not in page
    assert "dot_product" not in (folder / "collected" / "feedback" / "anna.txt").read_text(encoding="utf-8")
    assert {row["exercise"] for row in table(folder)} == set(collect.EXERCISES)  # the CSV has all


def test_of_equally_many_the_mistake_with_a_name_comes_first(hand_in):
    hand_in("anna/a.ipynb", notebook(cell(output("softmax", "different"))))
    folder = hand_in("ben/b.ipynb", notebook(cell(output("softmax", "overflows"))))
    assert list(collect.mistakes(collect.read(folder)[0])) == ["overflows", "different"]
