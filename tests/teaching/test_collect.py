"""teaching.collect reads any folder that a class hands in, and writes its results into no other."""

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
from attention_lib.check.grading.verdict import TYPE
from attention_lib.check.texts_by_id import all_ids, cause_and_question
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
    """A function that writes a file into the class's folder, and returns the folder."""

    def write(name, content):
        path = tmp_path / "handed in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "handed in"

    return write


def results(folder, exercise="softmax"):
    students, _ = collect.read_class(folder)
    return {name: student.result(exercise)[0] for name, student in students.items()}


def table(folder):
    with (folder / "collected" / "students.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def collected(folder):
    """The page, after a whole run."""
    return (collect.write(folder, *collect.read_class(folder)) / "index.html").read_text("utf-8")


# Names of students


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
def test_student_is_named_by_the_folder_or_by_the_file(hand_in, name, student):
    assert results(hand_in(name, notebook(cell(output("softmax"))))) == {student: "right"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_that_are_not_unicode_stay_different(hand_in):
    text = notebook(cell(output("softmax", "overflows")))
    for name in (b"Jos\xe9", b"Jos\xe8"):
        folder = hand_in(f"{os.fsdecode(name)}/x.ipynb", text)
    collected(folder)
    assert len({row["student"] for row in table(folder)}) == 2


def test_folder_and_loose_file_of_one_student_are_joined(hand_in):
    hand_in("Ada/01_dot_product.ipynb", notebook(cell(output("dot_product", "not-summed"))))
    folder = hand_in("Ada_03_softmax.ipynb", notebook(cell(output("softmax"))))
    students, _ = collect.read_class(folder)
    assert list(students) == ["Ada"]
    assert students["Ada"].result("dot_product") == ("not-summed", ())
    assert students["Ada"].result("softmax") == ("right", ())
    assert students["Ada"].result("causal_mask") == ("missing", ())


def test_student_without_a_readable_notebook_is_listed(hand_in):
    hand_in("Ada/03_softmax.ipynb", notebook(cell(output("softmax"))))
    hand_in("Empty/essay.pdf", b"%PDF")
    folder = hand_in("Broken_03_softmax.ipynb", '{"cells": [')
    assert results(folder) == {"Ada": "right", "Broken": "missing", "Empty": "missing"}


# Which verdict counts

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


def test_later_of_two_files_counts(hand_in):
    for name, mistake in (("", "overflows"), (" (2)", "other-base"), (" (10)", "underflows")):
        folder = hand_in(f"Ada_03_softmax{name}.ipynb", notebook(cell(output("softmax", mistake))))
    assert results(folder) == {"Ada": "underflows"}
    folder = hand_in("Ada_03_softmax (3).ipynb", notebook(cell(output("softmax"))))
    assert results(folder) == {"Ada": "right"}


def test_error_of_a_cell_without_verdict_is_reported(hand_in):
    cells = (
        cell(error("KeyboardInterrupt"), source=["softmax = 1\n", "check.softmax(f)"]),
        cell(error("NameError"), source="no_check_here"),
    )
    folder = hand_in("Ada/x.ipynb", notebook(*cells))
    students, _ = collect.read_class(folder)
    assert students["Ada"].errors_without_verdict() == {"softmax": "KeyboardInterrupt"}
    assert "missing: KeyboardInterrupt" in collected(folder)
    feedback = (folder / "collected" / "feedback" / "Ada.txt").read_text("utf-8")
    assert "softmax: the cell stopped with KeyboardInterrupt." in feedback


def test_stored_notebooks_are_not_started(hand_in):
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        folder = hand_in(f"Ada/{path.name}", path.read_bytes())
    students, left_out = collect.read_class(folder)
    assert {students["Ada"].result(task.name) for task in check.TASKS} == {("not-started", ())}
    assert left_out == []


# Files that are no notebooks


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
    students, left_out = collect.read_class(folder)
    ((file, reason),) = left_out
    assert file == str(Path("Bea", "03_softmax.ipynb")) and why in reason
    assert students["Ada"].result("softmax")[0] == "right"
    assert reason.split(":")[0] in collected(folder)


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
def test_malformed_verdicts_are_ignored(hand_in, change):
    folder = hand_in("Ada/x.ipynb", json.dumps(change))
    assert results(folder) == {"Ada": "missing"}
    collected(folder)


def test_other_encodings_formats_and_file_names_are_read(hand_in):
    text = notebook(cell(output("softmax", "overflows")))
    hand_in("Bom/x.ipynb", b"\xef\xbb\xbf" + text.encode())
    hand_in("Wide/x.ipynb", text.encode("utf-16"))
    hand_in("Latin/x.ipynb", text.replace("# Softmax", "# caf\u00e9").encode("latin-1"))
    old = {"worksheets": [{"cells": [cell(output("softmax", "overflows"))]}]}
    hand_in("Old/x.ipynb", json.dumps(old))
    folder = hand_in("Nameless/homework", text)
    hand_in("Nameless/data.json", "{}")
    hand_in("Nameless/notes.txt", "{ not a notebook")
    students, left_out = collect.read_class(folder)
    assert set(results(folder).values()) == {"overflows"} and len(students) == 5
    assert left_out == []


def test_too_large_file_is_left_out(hand_in, monkeypatch):
    monkeypatch.setattr(collect, "LARGEST", 1000)
    folder = hand_in("Ada/x.ipynb", notebook(cell(source="x" * 1000)))
    assert collect.read_class(folder)[1] == [(str(Path("Ada", "x.ipynb")), "larger than 0 MB")]


def test_archive_is_reported_and_hidden_files_are_ignored(hand_in):
    text = notebook(cell(output("softmax")))
    hand_in("Ada/.ipynb_checkpoints/03_softmax-checkpoint.ipynb", text)
    hand_in("__MACOSX/Ada/._03_softmax.ipynb", text)
    folder = hand_in("Ada/all.zip", b"PK")
    assert results(folder) == {"Ada": "missing"}
    assert collect.read_class(folder)[1] == [(str(Path("Ada", "all.zip")), "an archive: unpack it first")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_links_and_pipes_are_reported_and_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(output("softmax", "overflows"))))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.ipynb").write_text(notebook(cell(output("softmax"))))
    (folder / "Ada" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "x.ipynb")
    (folder / "Ada" / "loop").symlink_to(folder)
    (folder / "Bea").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "Ada" / "pipe.ipynb")
    students, left_out = collect.read_class(folder)
    assert [why for _, why in left_out] == ["a link", "a link", "no ordinary file", "a link"]
    assert students["Ada"].result("softmax")[0] == "overflows"


def test_code_of_a_student_is_not_run(hand_in, tmp_path):
    witness = tmp_path / "ran"
    source = f"open({str(witness)!r}, 'w')"
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"), source=source)))
    hand_in("Ada/attention_lib.py", source)
    hand_in("Ada/collect.py", source)
    collected(folder)
    assert not witness.exists()


# What it writes

HOSTILE = [
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
def hostile(hand_in):
    for name in HOSTILE:
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


def test_page_counts_students_by_result(hand_in):
    outputs = [RIGHT, RIGHT, RIGHT, WRONG, WRONG, NOT_STARTED]
    for i, verdict in enumerate(outputs):
        folder = hand_in(f"student {i}/x.ipynb", notebook(cell(verdict)))
    hand_in("Empty/essay.pdf", b"%PDF")
    (row,) = re.findall(r'<th scope="row">softmax</th>(<td class="number">.*)</tr>', collected(folder))
    assert re.findall(r"\d", row) == ["3", "2", "1", "1"]  # right, not yet, not started, missing


def test_names_are_escaped_in_the_page_and_the_table(hostile):
    page = Page(collected(hostile))
    assert set(HOSTILE) <= set(page.words)
    assert not page.named("script")
    rows = table(hostile)
    assert len(rows) == len(HOSTILE) * len(check.TASKS)
    assert {row["student"].removeprefix("'") for row in rows} == set(HOSTILE)
    assert not [row for row in rows if row["student"][0] in "=+-@"]
    softmax = [row for row in rows if row["exercise"] == "softmax"]
    assert {(row["result"], row["also"]) for row in softmax} == {("overflows", "cosine")}


def test_page_requests_nothing_and_is_accessible(hostile):
    text = collected(hostile)
    page = Page(text)
    assert page.named("html") == [{"lang": "en"}] and len(page.named("h1")) == 1
    assert all(th.get("scope") in ("row", "col") for th in page.named("th"))
    assert len(page.named("table")) == len(page.named("caption")) == 3
    (image,) = page.named("img")
    assert image["src"].startswith("data:image/png;base64,")
    assert f"overflows in softmax: {len(HOSTILE)}" in image["alt"]
    assert not page.named("link") and "http:" not in text and "https:" not in text
    files = {path.name for path in (hostile / "collected" / "feedback").iterdir()}
    assert {unquote(a["href"]).removeprefix("feedback/") for a in page.named("a")} == files
    assert len(files) == len(HOSTILE)


def test_writes_only_its_folder_and_the_same_each_time(hostile, tmp_path):
    def files():
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    before = files()
    collected(hostile)
    first = files()
    assert {path: first[path] for path in before} == before
    assert all(hostile / "collected" in path.parents for path in first.keys() - before.keys())
    collected(hostile)
    assert files() == first


def test_feedback_of_an_earlier_run_is_removed(hand_in):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"))))
    hand_in("Bea/x.ipynb", notebook(cell(output("softmax"))))
    collected(folder)
    (folder / "Bea" / "x.ipynb").unlink()
    (folder / "Bea").rmdir()
    collected(folder)
    assert [path.name for path in (folder / "collected" / "feedback").iterdir()] == ["Ada.txt"]


def test_other_files_in_its_folder_stop_it(hand_in, tmp_path):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"))))
    hand_in("collected/x.ipynb", notebook(cell(output("softmax"))))
    with pytest.raises(SystemExit, match=r"not written by teaching\.collect"):
        collected(folder)
    assert (folder / "collected" / "x.ipynb").exists()
    (folder / "collected" / "x.ipynb").unlink()
    (folder / "collected").rmdir()
    (tmp_path / "away").mkdir()
    (folder / "collected").symlink_to(tmp_path / "away")
    with pytest.raises(SystemExit, match=r"not a folder written by teaching\.collect"):
        collected(folder)
    assert not list((tmp_path / "away").iterdir())


def test_links_in_its_folder_are_replaced_and_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/x.ipynb", notebook(cell(output("softmax"))))
    collected(folder)
    (tmp_path / "precious").write_text("kept")
    for name in ("index.html", "students.csv", "feedback/Ada.txt"):
        path = folder / "collected" / name
        path.unlink()
        path.symlink_to(tmp_path / "precious")
    collected(folder)
    assert (tmp_path / "precious").read_text() == "kept"


def test_students_with_similar_names_get_different_files():
    names = ["Ada", "ada", "A/B", "A?B", "..", "x" * 300, "CON", "nul.txt", "Çelik"]
    files = collect.feedback_names(names)
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
    students, left_out = collect.read_class(folder)
    ranking = collect.rank_mistakes(students)
    assert list(ranking) == ["overflows", "not-summed", "other-base"]
    assert ranking["overflows"] == (3, {"softmax": 3, "masked_softmax": 1})
    collect.print_summary(students, left_out)
    printed = capsys.readouterr().out
    assert "4 students, 4 notebooks." in printed and "student 0" not in printed
    assert "  3  overflows (softmax 3, masked_softmax 1)\n      Large scores overflow" in printed


def test_text_of_a_mistake_fits_the_exercise():
    assert "side by side" in cause_and_question("not-summed", "scaled_scores")[0]
    assert "added up" in cause_and_question("not-summed", "dot_product")[0]
    assert "no name" in cause_and_question("different", "multi_head")[0]
    assert cause_and_question("largest-weight", "linking_head")[0].startswith("This head gives")


def test_every_mistake_has_a_text():
    ids = set(all_ids())
    # What the checker finds without an entry of MISTAKES.
    general = "nothing-returned raises wrong-type wrong-shape not-finite different input-changed library-used"
    assert {mistake.id for mistake in check.MISTAKES} | set(general.split()) <= ids
    for id in ids:
        cause, question = cause_and_question(id)
        assert cause.endswith((".", "?")) and "another version" not in cause and question[-1] in ".?"


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


def test_notebook_without_a_verdict_is_reported(hand_in, capsys):
    hand_in("anna/03_softmax.ipynb", notebook(cell(output("softmax"))))
    folder = hand_in("lena/03_softmax.ipynb", notebook(cell()))  # its outputs were cleared
    students, left_out = collect.read_class(folder)
    ((file, why),) = left_out
    assert file == os.path.join("lena", "03_softmax.ipynb") and why.startswith("no verdict is in it")
    collect.print_summary(students, left_out)
    assert f"Look at {file}: no verdict" in capsys.readouterr().out


def test_page_leaves_out_exercises_that_nobody_handed_in(hand_in):
    hand_in("anna/a.ipynb", notebook(cell(output("softmax", "overflows"))))
    folder = hand_in("ben/b.ipynb", notebook(cell(error("NameError"), source="check.causal_mask(f)")))
    students, left_out = collect.read_class(folder)
    assert collect.exercises_handed_in(students) == ["softmax", "causal_mask"]
    page = (collect.write(folder, students, left_out) / "index.html").read_text(encoding="utf-8")
    assert "causal_" in page and "dot_" not in page
    assert "dot_product" not in (folder / "collected" / "feedback" / "anna.txt").read_text(encoding="utf-8")
    assert {row["exercise"] for row in table(folder)} == set(collect.EXERCISES)  # the CSV has all


def test_of_equally_frequent_mistakes_a_specific_one_comes_first(hand_in):
    hand_in("anna/a.ipynb", notebook(cell(output("softmax", "different"))))
    folder = hand_in("ben/b.ipynb", notebook(cell(output("softmax", "overflows"))))
    assert list(collect.rank_mistakes(collect.read_class(folder)[0])) == ["overflows", "different"]


def test_only_true_counts_as_passed(hand_in):
    verdict = output("softmax")
    verdict["data"][TYPE]["passed"] = "yes"
    assert results(hand_in("Ada/x.ipynb", notebook(cell(verdict)))) == {"Ada": "missing"}


def test_mistake_of_more_students_comes_before_one_that_is_made_more_often(hand_in):
    exercises = ("dot_product", "attention_scores", "scaled_scores")
    hand_in("Ada/x.ipynb", notebook(*(cell(output(exercise, "not-summed")) for exercise in exercises)))
    for name in ("Bob", "Cid"):
        folder = hand_in(f"{name}/x.ipynb", notebook(cell(output("softmax", "overflows"))))
    assert list(collect.rank_mistakes(collect.read_class(folder)[0])) == ["overflows", "not-summed"]
