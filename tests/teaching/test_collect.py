"""teaching.collect reads any folder that a class hands in, and writes its results into no other."""

import contextlib
import csv
import html
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from lesson import check
from lesson.check.verdict import TYPE
from publish import notebooks
from teaching import collect
from tests.chromium import chromium

STUB = "def softmax(scores):\n    ...\n\n\ncheck.softmax(softmax)"
WRITTEN = "def softmax(scores):\n    return scores\n\n\ncheck.softmax(softmax)"


def output(exercise="softmax", mistake=None, also=()):
    """A verdict as a notebook stores it; right without a mistake."""
    data = {"exercise": exercise, "passed": mistake is None, "mistake": mistake, "also": list(also)}
    return {"output_type": "display_data", "data": {TYPE: data, "text/plain": ["Not yet\n", "?"]}}


def cell(*outputs, source=WRITTEN):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def error(kind):
    return {"output_type": "error", "ename": kind, "evalue": "", "traceback": []}


def notebook(*cells):
    text = {"cell_type": "markdown", "source": ["# Softmax, `check.softmax(softmax)`"]}
    return json.dumps({"cells": [text, *cells]})


RIGHT, LIBRARY = output(), output(also=["library-used"])
WRONG, OTHER = output("softmax", "overflows"), output("softmax", "other-base")
PASSED = notebook(cell(RIGHT))


@pytest.fixture
def hand_in(tmp_path):
    """A function that writes a file into the class's folder, and returns the folder."""

    def write(name, content=PASSED):
        path = tmp_path / "handed in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "handed in"

    return write


def results(folder):
    students, _ = collect.read_class(folder)
    return {name: student.result("softmax")[0] for name, student in students.items()}


def collected(folder):
    """The page, after a whole run."""
    return (collect.write(folder, *collect.read_class(folder)) / "index.html").read_text("utf-8")


def table(folder, name="students.csv"):
    with (folder / "collected" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def feedback_of_ada(folder):
    return (folder / "collected" / "feedback" / "01 Ada.txt").read_text("utf-8")


# A class, and which verdict counts

COSINE_TOO = output("softmax", "overflows", ["cosine"])
CLASS = {  # student: (cells, result of softmax, also)
    "Ada": ([cell(RIGHT)], "right", ""),
    "bea": ([cell(LIBRARY)], "right", "library-used"),
    "cid": ([cell(COSINE_TOO)], "overflows", "cosine"),
    "dan": ([cell(RIGHT), cell(OTHER)], "right", ""),
    "eva": ([cell(RIGHT), cell(LIBRARY)], "right", ""),
    "fay": ([cell(WRONG), cell(OTHER)], "other-base", ""),
    "gil": ([cell(WRONG), cell(error("SyntaxError"))], "overflows", ""),
    "hal": ([cell(error("SyntaxError")), cell()], "stopped", "SyntaxError"),
    "ivy": ([cell(error("KeyError"), source=["x = 1\n", "v = check.softmax(f)"])], "stopped", "KeyError"),
    "joe": ([cell(error("=1+1"))], "stopped", ""),
    "kim": ([cell(), cell(output("softmax", "not-started"))], "cleared", ""),
    "lea": ([cell(source=STUB)], "not-started", ""),
    "mia": ([cell(error("NameError"), source="# check.softmax(f)")], "missing", ""),
    "noa": ([cell(output("softmax", "of-another-version"))], "of-another-version", ""),
}


@pytest.fixture
def class_folder(hand_in):
    """The folder of that class, a folder each."""
    for name, (cells, *_) in CLASS.items():
        folder = hand_in(f"{name}/03_softmax.ipynb", notebook(*cells))
    return folder


def test_best_result_counts_and_then_the_last(class_folder):
    collected(class_folder)
    assert [tuple(row.values()) for row in table(class_folder)] == [
        (name, "", "softmax", result, also, "") for name, (_, result, also) in CLASS.items()
    ]
    wide = {row["student"]: row["softmax"] for row in table(class_folder, "gradebook.csv")}
    assert wide == {name: f"{result} {also}".strip() for name, (_, result, also) in CLASS.items()}


def test_page_shows_exercises_mistakes_and_files_in_this_order(class_folder, hand_in):
    not_summed = [output(name, "not-summed") for name in ("attention_scores", "scaled_scores")]
    hand_in("Ada/01_dot_product.ipynb", notebook(cell(output("dot_product"), *not_summed)))
    text = collected(class_folder)
    in_order = [
        '<td class="number">4 of 13 right</td>' + "".join(f'<td class="number">{n}</td>' for n in (4, 3, 1, 1, 1)),
        "0 of 1 right",
        "1 of 1 right",
        "overflows: 2 students",
        'softmax 2<span class="names">: cid, gil</span>',
        "not-summed: 1 student<",
        "✓ right (library-used)",
        "stopped (SyntaxError)",
        "mia/03_softmax.ipynb",
    ]  # fmt: skip
    assert sorted(in_order, key=text.index) == in_order
    assert "causal" not in text + feedback_of_ada(class_folder)  # nobody handed it in
    handed_in = ["dot_product", "attention_scores", "scaled_scores", "softmax"]
    assert list(table(class_folder, "gradebook.csv")[0]) == ["student", "id", *handed_in]


# Names of students


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Ada/deep/er/whatever.ipynb", "Ada"),
        ("Ada_03_softmax.ipynb", "Ada"),
        ("03_softmax - Ada Lovelace.ipynb", "Ada Lovelace"),
        ("Ada-Lovelace_4711_03_softmax (2).ipynb", "Ada-Lovelace_4711"),
        ("Ada 01_dot_product-Copy1.ipynb", "Ada"),
        ("ADA_01-Dot-Product.IPYNB", "ADA"),
        ("Ada_05_batched_attention.ipynb.txt", "Ada"),
        ("student 03.ipynb", "student 03"),
        ("03_softmax.ipynb", "03_softmax"),
        ("Ada.json", "Ada"),
        ("Zoe\u0308_03_softmax.ipynb", "Zoë"),
        ("Ada L_12_assignsubmission_file_03_softmax.ipynb", "Ada L"),
    ],
)
def test_student_is_named_by_the_folder_or_by_the_file(hand_in, name, student):
    assert results(hand_in(name)) == {student: "right"}


LAYOUTS = {
    # Files and folders, with the mistake in a notebook that is not right. Students, with id, result and
    # latest result of each exercise. Guesses.
    "a course's folder": (
        ["CS_2024_101_submissions/Ada/01_dot_product", "CS_2024_101_submissions/Bea/03_softmax: overflows"],
        ["Ada, , dot_product right", "Bea, , softmax overflows"],
        [],
    ),
    "Canvas in a course's folder": (
        [
            "CS_2024_101_submissions/lovelaceada_11_400_03_softmax",
            "CS_2024_101_submissions/borgbea_LATE_12_401_Bea_03_softmax: overflows",
            "CS_2024_101_submissions/coxcid_13_402_essay.pdf",
            "CS_2024_101_submissions/03_softmax: underflows",
        ],
        [
            "03_softmax, , softmax underflows",
            "borgbea, 12, softmax overflows",
            "coxcid, 13",
            "lovelaceada, 11, softmax right",
        ],
        [],
    ),
    "Moodle in a course's folder": (
        [
            "CS_2024_101_Lab/Ada Lovelace_12_assignsubmission_file_/03_softmax",
            "CS_2024_101_Lab/Bea Borg_13_assignsubmission_file/my work/03_softmax: overflows",
            "CS_2024_101_Lab/Bea Borg_13_assignsubmission_file/old/03_softmax: underflows",
            "CS_2024_101_Lab/Bea Borg_13_assignsubmission_onlinetext/onlinetext.html",
            "CS_2024_101_Lab/Cid Cox_14_assignsubmission_file_/hw_3_2024_final: underflows",
            "CS_2024_101_Lab/Dan Dix_15_assignsubmission_onlinetext_/onlinetext.html",
        ],
        [
            "Ada Lovelace, 12, softmax right",
            "Bea Borg, 13, softmax underflows, latest underflows",
            "Cid Cox, 14, softmax underflows",
            "Dan Dix, 15",
        ],
        [],
    ),
    "numbers in groups' folders": (
        [
            *(f"Tue_2024_1001_lab/{name}/03_softmax" for name in ("Ada", "Bea", "Cid", "Dan")),
            *(f"Wed_2024_1002_lab/{name}/03_softmax: overflows" for name in ("Eva", "Fay", "Gil", "Hal")),
        ],
        [
            *(f"{name}, , softmax right" for name in ("Ada", "Bea", "Cid", "Dan")),
            *(f"{name}, , softmax overflows" for name in ("Eva", "Fay", "Gil", "Hal")),
        ],
        [],
    ),
    "numbers before names in loose files": (
        [
            "CS_2024_101_Ada_03_softmax",
            "CS_2024_101_Ada_01_dot_product: not-summed",
            "CS_2024_101_Bea_03_softmax: overflows",
        ],
        [
            "CS_2024_101_Ada, , dot_product not-summed, softmax right",
            "CS_2024_101_Bea, , softmax overflows",
        ],
        [],
    ),
    "numbers and names that might be Canvas's": (
        ["lab_3_1001_Ada_03_softmax", "lab_3_1002_Bea_03_softmax: overflows"],
        ["lab, 3, softmax right, latest overflows"],
        ["lab may be several people: lab_3_1001_Ada_03_softmax.ipynb, lab_3_1002_Bea_03_softmax.ipynb"],
    ),
    "two assignments of Moodle, each with other ids": (
        [
            "week 1/Chen Wei_4101_assignsubmission_file_01_dot_product: not-summed",
            "week 2/Chen Wei_4202_assignsubmission_file_03_softmax",
        ],
        ["Chen Wei (4101), 4101, dot_product not-summed", "Chen Wei (4202), 4202, softmax right"],
        ["Chen Wei (4101) and Chen Wei (4202) may be the same person"],
    ),
    "two assignments of Canvas": (
        [
            "week 1/lovelaceada_11_400_01_dot_product: not-summed",
            "week 2/lovelaceada_LATE_11_401_03_softmax",
            "week 2/lovelaceada_LATE_11_402_03_softmax-1: overflows",
        ],
        ["lovelaceada, 11, dot_product not-summed, softmax right, latest overflows"],
        [],
    ),
    "one name with an id and without": (
        ["Ada_12_assignsubmission_file_/03_softmax", "Ada_01_dot_product", "AD-A_03_softmax: overflows"],
        ["AD-A, , softmax overflows", "Ada, , dot_product right", "Ada (12), 12, softmax right"],
        ["AD-A and Ada and Ada (12) may be the same person"],
    ),
    "a name like one with an id": (
        [
            f"{name}/03_softmax"
            for name in ("Ada (12)", *(f"Ada_{i}_assignsubmission_file" for i in (12, 13)))
        ],
        ["Ada (12), 12, softmax right", "Ada (12)', , softmax right", "Ada (13), 13, softmax right"],
        [],
    ),
    "one name in two groups": (
        ["Group 1/Ada/x", "Group 1/Bea/x", "Group 2/Ada/x: overflows", "Group 2/Cid/"],
        [
            "Ada (Group 1), , softmax right",
            "Ada (Group 2), , softmax overflows",
            "Bea, , softmax right",
            "Cid, ",
        ],
        [
            "Ada (Group 1) and Ada (Group 2) may be the same person",
            "Group 2 may be one person: Ada (Group 2), Cid",
        ],
    ),
    "a group and files beside it": (
        [
            "Tue/Ada/x",
            "Tue/Bea/x: overflows",
            "Tue/03_softmax: underflows",
            "Cid/03_softmax",
            "Dan_03_softmax",
        ],
        [
            *("03_softmax, , softmax underflows", "Ada, , softmax right", "Bea, , softmax overflows"),
            *("Cid, , softmax right", "Dan, , softmax right"),
        ],
        ["Tue may be one person: 03_softmax, Ada, Bea"],
    ),
    "a small group": (
        ["Tue/Ada/x", "Tue/Bea/x", "Thu/Cid/01_dot_product", "Thu/Dan/x: overflows", "Thu/Eva/"],
        [
            *("Ada, , softmax right", "Bea, , softmax right"),
            *("Cid, , dot_product right", "Dan, , softmax overflows", "Eva, "),
        ],
        ["Thu may be one person: Cid, Dan, Eva"],
    ),
    "small groups alone": (
        ["Tue/4711/01_dot_product", "Tue/4712/03_softmax", "Thu/Ada_01_dot_product", "Thu/Bea_03_softmax"],
        ["Thu, , dot_product right, softmax right", "Tue, , dot_product right, softmax right"],
        [
            "Thu may be several people: Thu/Ada_01_dot_product.ipynb, Thu/Bea_03_softmax.ipynb",
            "Tue may be several people: Tue/4711/01_dot_product.ipynb, Tue/4712/03_softmax.ipynb",
        ],
    ),
    "a student's own folders": (
        ["Ada/homework/01_dot_product", "Ada/lab/03_softmax: overflows", "Bea/work/03_softmax"],
        ["Ada, , dot_product right, softmax overflows", "Bea, , softmax right"],
        ["Ada may be several people: Ada/homework/01_dot_product.ipynb, Ada/lab/03_softmax.ipynb"],
    ),
    "copies of a file": (
        ["Ada_03_softmax: overflows", "Ada_03_softmax (2): other-base", "Ada_03_softmax (10): underflows"],
        ["Ada, , softmax underflows, latest underflows"],
        [],
    ),
    "a student's two names of a file": (
        ["Ada/03_softmax", "Ada/03_softmax_final: overflows", "Cid/x", "Dan/x"],
        ["Ada, , softmax right, latest overflows", "Cid, , softmax right", "Dan, , softmax right"],
        ["Ada may be several people: Ada/03_softmax.ipynb, Ada/03_softmax_final.ipynb"],
    ),
    "weeks with a group": (
        [
            *("week 1/Group 1/Ada/01_dot_product: not-summed", "week 1/Group 1/Bea/01_dot_product"),
            *("week 2/Group 1/Ada/03_softmax: overflows", "week 2/Group 1/Bea/03_softmax"),
        ],
        ["Ada, , dot_product not-summed, softmax overflows", "Bea, , dot_product right, softmax right"],
        [f"{name} may be several people: week 1/Group 1, week 2/Group 1" for name in ("Ada", "Bea")],
    ),
    "students' folders with weeks, as nbgrader collects": (
        [
            *("submitted/Ada/hw1/01_dot_product: not-summed", "submitted/Ada/hw2/03_softmax"),
            *("submitted/Bea/hw1/01_dot_product", "submitted/Bea/hw2/03_softmax: overflows"),
        ],
        ["Ada, , dot_product not-summed, softmax right", "Bea, , dot_product right, softmax overflows"],
        [],
    ),
    "an unpacked archive, one notebook in it": (
        ["submissions/all/Ada/copies/x", "submissions/all/Bea/copies/essay.pdf", "submissions/all/Cid/"],
        ["Ada, , softmax right", "Bea, ", "Cid, "],
        [],
    ),
    "loose files in a folder": (
        ["all/Ada_03_softmax", "all/Bea_03_softmax: overflows", "all/student 03: underflows"],
        ["Ada, , softmax right", "Bea, , softmax overflows", "student 03, , softmax underflows"],
        [],
    ),
    "two folders of a student": (
        ["Ada/1/x", "Ada/2/x: overflows", "Bea/x: overflows", "Bea/x (1): underflows", "Cid/x"],
        [
            "Ada, , softmax right, latest overflows",
            "Bea, , softmax underflows, latest underflows",
            "Cid, , softmax right",
        ],
        ["Ada may be several people: Ada/1/x.ipynb, Ada/2/x.ipynb"],
    ),
    "a folder and a file of one name": (
        ["Ada/x: overflows", "Ada_03_softmax"],
        ["Ada, , softmax right, latest right"],
        ["Ada may be several people: Ada/x.ipynb, Ada_03_softmax.ipynb"],
    ),
}


def described(name, student):
    """A student with id, results, and the last result where an exercise came in several files."""
    parts = [name, student.id]
    for exercise in sorted(student.results):
        parts.append(f"{exercise} {student.result(exercise)[0]}")
        if latest := student.latest(exercise):
            parts.append(f"latest {latest[0]}")
    return ", ".join(parts)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_its_students_results_and_guesses(hand_in, layout):
    files, students, guesses = LAYOUTS[layout]
    for file in files:
        name, _, mistake = file.partition(": ")
        exercise = "dot_product" if "dot_product" in name else "softmax"
        if name.endswith("/"):
            folder = hand_in(f"{name}.DS_Store")  # hidden
        elif name.endswith((".pdf", ".html")):
            folder = hand_in(name, "no notebook")
        else:
            folder = hand_in(f"{name}.ipynb", notebook(cell(output(exercise, mistake or None))))
    found, _ = collect.read_class(folder)
    assert [described(name, student) for name, student in found.items()] == students
    assert [guess.replace(os.sep, "/") for guess in collect.guesses(found)] == guesses


def test_first_lines_name_whom_to_look_at_and_tables_have_ids(hand_in, capsys):
    for name in ("Ada/1/x", "Ada/2/x", "Bea/x", "Bea/x (1)", "Cid_12_assignsubmission_file_/x", "Cid/x"):
        folder = hand_in(f"{name}.ipynb")
    collect.print_summary(*collect.read_class(folder))
    ada = f"Ada may be several people: {Path('Ada/1/x.ipynb')}, {Path('Ada/2/x.ipynb')}"
    assert capsys.readouterr().out.splitlines()[:3] == [
        "4 students, 6 notebooks.",
        "Several files of one exercise, the best counts (2): Ada (softmax); Bea (softmax)",
        f"Guesses at who is who (2): Cid and Cid (12) may be the same person; {ada}",
    ]
    collected(folder)
    for name in collect.TABLES:
        assert [row["id"] for row in table(folder, name)] == ["", "", "", "12"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_that_are_not_unicode_stay_different(hand_in):
    for name in (b"Jos\xe9", b"Jos\xe8"):
        folder = hand_in(f"{os.fsdecode(name)}/x.ipynb")
    assert len(results(folder)) == 2 and collected(folder)


# What becomes of the verdicts


def test_latest_of_several_files_is_told_beside_another_best(hand_in):
    hand_in("Ada/03_softmax.ipynb")
    folder = hand_in("Ada/03_softmax (1).ipynb", notebook(cell(RIGHT), cell(error("KeyError"))))
    assert "latest:" not in collected(folder) + feedback_of_ada(folder)
    hand_in("Ada/03_softmax (2).ipynb", notebook(cell(COSINE_TOO)))
    assert '<td class="right">✓ right<br>latest: overflows (cosine)</td>' in collected(folder)
    assert "the best counts. The latest: overflows cosine.\nsoftmax: right.\n" in feedback_of_ada(folder)
    assert table(folder)[0]["latest"] == "overflows cosine"


def test_notebooks_as_they_are_published_are_not_started(hand_in):
    for path in notebooks.PATHS.values():
        stored = notebooks.read(path)
        hand_in(f"Ada/{path.name}", json.dumps(stored))
        notebooks.strip_outputs(stored)
        folder = hand_in(f"Bea/{path.name}", json.dumps(stored))
    students, left_out = collect.read_class(folder)
    for student in students.values():
        assert {student.result(task.name) for task in check.TASKS} == {("not-started", ())}
    assert left_out == []


def test_feedback_says_what_became_of_each_exercise(hand_in):
    raises = check.dot_product(lambda a, b: {"`: `": a}[b])
    verdict = {"data": {TYPE: raises.data, "text/plain": raises.message.splitlines(keepends=True)}}
    stopped = cell(error("NameError"), source="check.attention_scores(f)")
    cells = cell(COSINE_TOO, verdict), stopped, cell(source="check.causal_mask(x)\nx = 1")
    folder = hand_in("Ada/x.ipynb", notebook(*cells, cell(output("split_heads", also=["library-used"]))))
    collected(folder)
    text = feedback_of_ada(folder)
    assert "softmax: not yet.\n    Large scores overflow" in text
    assert text.count("\n    Perhaps also: ") == text.count("\n    Perhaps also: This is the cosine") == 1
    assert "attention_scores: the cell stopped with NameError." in text
    assert "dot_product: not yet. It stopped with TypeError.\n" in text
    assert "causal_mask: no output is stored." in text
    assert "split_heads: right.\n    Every number is right" in text


# Files that are no notebooks


def test_files_without_a_result_are_listed_with_their_reasons(hand_in, capsys):
    files = {
        "half.ipynb": ('{"cells": [', "broken: no JSON"),
        "empty.ipynb": ("", "empty"),
        "deep.ipynb": ("[" * 200_000, "broken: no JSON"),
        "three.ipynb": ('{"cells": 3}', "no notebook: it has no list of cells"),
        "bytes.ipynb": (b"\xff\xfe\x00", "broken: no JSON"),
        "other version.ipynb": (notebook(cell(output("tokenise"))), "what it says on tokenise, unknown here"),
        "text.ipynb": (notebook(), "no exercise is in it"),
        "cleared.ipynb": (notebook(cell()), "no output under softmax: cleared, or not run"),
        "x.py": ("{ not a notebook", "no notebook"),
        "all.zip": ("PK", "an archive: unpack it first"),
        ".ipynb_checkpoints": ("", "hidden: JupyterLab's or the system's own"),
    }
    for file, (content, _) in files.items():
        hand_in(f"Bea/{file}", content)
    folder = hand_in("Ada/03_softmax.ipynb")
    students, left_out = collect.read_class(folder)
    assert dict(left_out) == {str(Path("Bea", file)): why for file, (_, why) in files.items()}
    assert results(folder) == {"Ada": "right", "Bea": "cleared"}
    collect.print_summary(students, left_out)
    printed = capsys.readouterr().out
    assert f"Look at {Path('Bea/all.zip')}: an archive: unpack it first\n" in printed
    assert printed.index("unpack") < printed.index("no JSON")  # rare reasons first


def test_malformed_verdicts_are_ignored(hand_in):
    softmax = {"exercise": "softmax", "passed": False}
    verdicts = [3, {"exercise": ["softmax"]}, softmax, softmax | {"passed": "yes"}]
    verdicts += [softmax | {"mistake": mistake} for mistake in ("<script>", "x" * 100, 3, "right", "-1")]
    cells = [
        *[None, 3, "x", {}, {"outputs": None}, {"outputs": [None, 3, {"data": 3}]}],
        cell(*({"data": {TYPE: verdict}} for verdict in verdicts), source=3),
        cell(error("\ud800"), source=["x", 3]),
    ]
    folder = hand_in("Ada/x.ipynb", json.dumps({"cells": cells}))
    students, _ = collect.read_class(folder)
    assert students["Ada"].results == {} and collected(folder)


def test_other_encodings_and_file_names_are_read(hand_in):
    hand_in("Bom/x.ipynb", b"\xef\xbb\xbf" + PASSED.encode())
    hand_in("Wide/x.ipynb", PASSED.encode("utf-16"))
    assert results(hand_in("Nameless/homework")) == {"Bom": "right", "Nameless": "right", "Wide": "right"}


def test_too_large_file_is_left_out(hand_in, monkeypatch):
    monkeypatch.setattr(collect, "LARGEST", 10)
    _, left_out = collect.read_class(hand_in("x.ipynb"))
    assert left_out == [("x.ipynb", "larger than 0 MB")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_links_and_pipes_are_reported_and_not_followed(hand_in, tmp_path):
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(WRONG)))
    hand_in("../elsewhere/x.ipynb")
    (folder / "Ada" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "x.ipynb")
    (folder / "Bea").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "Ada" / "pipe.ipynb")
    _, left_out = collect.read_class(folder)
    assert [why for _, why in left_out] == ["a link", "no ordinary file", "a link"]
    assert results(folder)["Ada"] == "overflows"


def test_code_of_a_student_is_not_run(hand_in, tmp_path):
    source = f"open({str(tmp_path / 'ran')!r}, 'w')"
    hand_in("Ada/attention_lib.py", source)
    collected(hand_in("Ada/x.ipynb", notebook(cell(RIGHT, source=source))))
    assert not (tmp_path / "ran").exists()


# What it writes

HOSTILE = ["=HYPERLINK(1)", "+1", "@x", "-2", "<script>alert(1)<_script>", 'a"b', "Bl, P", "&amp;", "CON"]


def test_names_are_escaped_in_the_tables_and_the_page_which_loads_nothing(hand_in):
    for name in HOSTILE:
        folder = hand_in(f"{name}/x.ipynb", notebook(cell(WRONG)))
    text = collected(folder)
    links = re.findall(r'<a href="feedback/([^"]*)">([^<]*)</a>', text)
    assert {html.unescape(name) for _, name in links} == set(HOSTILE)
    written = {path.name for path in (folder / "collected" / "feedback").iterdir()}
    assert {unquote(file) for file, _ in links} == written
    assert not re.search("<(script|link|img)|https?:", text)
    for name in collect.TABLES:
        names = {row["student"] for row in table(folder, name)}
        assert names == {f"'{name}" if name[0] in "=+-@" else name for name in HOSTILE}


@pytest.mark.browser
def test_page_has_no_fault_and_its_switch_hides_every_name(class_folder, hand_in):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    hand_in("Ada_03_softmax.ipynb", notebook(cell(WRONG)))
    assert "Ada may be several people" in collected(class_folder)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto((class_folder / "collected" / "index.html").as_uri())
        assert axe.run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        shown = re.compile(rf"\b({'|'.join(CLASS)})\b")
        assert set(shown.findall(page.inner_text("main"))) == set(CLASS)
        page.get_by_label("Hide names").check()
        assert shown.findall(page.inner_text("main")) == []


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


def test_other_files_in_its_folder_stop_it(hand_in, tmp_path):
    folder = hand_in("collected/x.ipynb")
    with pytest.raises(SystemExit, match=r"not written by teaching\.collect"):
        collected(folder)
    (folder / "collected" / "x.ipynb").unlink()
    (folder / "collected").rename(tmp_path / "away")
    (folder / "collected").symlink_to(tmp_path / "away")
    with pytest.raises(SystemExit, match=r"not a folder written by teaching\.collect"):
        collected(folder)


def test_students_with_similar_names_get_different_files():
    names = ["Ada", "ada", "A/B", "A?B", "..", "x" * 300, "CON", "nul.txt", "Çelik"]
    files = collect.feedback_names(names)
    assert len({file.casefold() for file in files.values()}) == len(names)
    assert all(re.fullmatch(r"\d\d [\w .,'()-]{1,80}\.txt", file) for file in files.values())


# The ranking


def test_mistakes_are_ranked_by_students(hand_in, capsys):
    sums = [output(name, "not-summed") for name in ("dot_product", "attention_scores", "scaled_scores")]
    masked, different = output("masked_softmax", "overflows"), output("softmax", "different")
    for i, outputs in enumerate([[OTHER, *sums], [WRONG, *sums], [WRONG], [WRONG, masked], [different]]):
        folder = hand_in(f"student {i}/x.ipynb", notebook(cell(*outputs)))
    students, left_out = collect.read_class(folder)
    ranking = collect.rank_mistakes(students)
    assert list(ranking) == ["overflows", "not-summed", "other-base", "different"]
    collect.print_summary(students, left_out)
    printed = capsys.readouterr().out
    assert "5 students, 5 notebooks." in printed and "student 0" not in printed
    assert "softmax: 0 of 5 right" in printed
    assert "  3  overflows (softmax 3, masked_softmax 1)\n      Large scores overflow" in printed


def test_every_mistake_has_a_text_and_one_of_another_version_too():
    # The first are what the checker finds without an entry of MISTAKES.
    general = "nothing-returned raises wrong-type wrong-shape not-finite different input-changed library-used"
    for id in [*general.split(), "largest-weight", *(mistake.id for mistake in check.MISTAKES)]:
        assert "another version" not in collect.cause_and_question(id)[0], id
    assert "another version" in collect.cause_and_question("of-the-future")[0]


def test_command_line(hand_in, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    folder = hand_in("Ada/x.ipynb")
    (tmp_path / "empty").mkdir()
    for name, why in (("none", "no folder"), ("empty", "no notebook"), (folder, None)):
        monkeypatch.setattr(sys, "argv", ["collect.py", str(tmp_path / name)])
        with pytest.raises(SystemExit, match=why) if why else contextlib.nullcontext():
            collect.main()
    assert str(folder / "collected" / "index.html") in capsys.readouterr().out
