"""teaching.collect reads any folder that a class hands in, and writes its results into no other."""

import contextlib
import csv
import html
import json
import os
import re
import sys
from urllib.parse import unquote

import pandas as pd
import pytest

from lesson import check
from lesson.check.verdict import TYPE
from publish import notebooks, teaching_data
from teaching import class_page, collect, stored, who
from tests.chromium import chromium

STUB = "def softmax(scores):\n    ...\n\n\ncheck.softmax(softmax)"
WRITTEN = (
    '''def softmax(scores):\n    """Text."""\n    # by Ada\n    return scores\n\n\ncheck.softmax(softmax)'''
)


def output(exercise="softmax", mistake=None, also=()):
    """A verdict as a notebook stores it; right without a mistake."""
    data = {"exercise": exercise, "passed": mistake is None, "mistake": mistake, "also": list(also)}
    return {"output_type": "display_data", "data": {TYPE: data, "text/plain": ["Not yet\n", "?"]}}


def cell(*outputs, source=WRITTEN):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def error(kind):
    return {"output_type": "error", "ename": kind, "evalue": "", "traceback": []}


HEADING = {"cell_type": "markdown", "source": ["### Exercise 1 · `softmax`"]}


def notebook(*cells):
    return json.dumps({"cells": [*cells]})


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


def listed(text):
    return who.read_list(text.encode())


def owners(folder, people=None, lines=None):
    """{file: whose it is}, with " + " between two people."""
    found = collect.read_class(folder, people, {} if lines is None else lines)
    return found.attempts.groupby("file").student.agg(" + ".join).to_dict()


def results(folder):
    return collect.read_class(folder).best.set_index("student").result.to_dict()


def collected(folder, people=None, chosen=("softmax",), lines=None):
    """The page, after a whole run."""
    found = collect.read_class(folder, people, lines)
    collect.write(folder, found, list(chosen))
    return (folder / "collected" / "index.html").read_text("utf-8")


def table(folder, name="students.csv"):
    content = (folder / "collected" / name).read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")  # or a spreadsheet takes UTF-8 for something else
    return list(csv.DictReader(content.decode("utf-8-sig").splitlines()))


def feedback_of_ada(folder):
    return (folder / "collected" / "feedback" / "01 ada.txt").read_text("utf-8")


# A class, and which verdict counts

COSINE_TOO = output("softmax", "overflows", ["cosine"])
CLASS = {  # student: (cells, result of softmax, also)
    "Ada": ([cell(RIGHT)], "right", ""),
    "bea": ([cell(LIBRARY)], "library-used", ""),
    "cid": ([cell(COSINE_TOO)], "overflows", "cosine"),
    "dan": ([cell(RIGHT), cell(OTHER)], "right", ""),
    "eva": ([cell(RIGHT), cell(LIBRARY)], "right", ""),
    "fay": ([cell(WRONG), cell(OTHER)], "other-base", ""),
    "gil": ([cell(WRONG), cell(error("SyntaxError"))], "overflows", ""),
    "hal": ([cell(), cell(error("SyntaxError"))], "check-not-run", "SyntaxError"),
    "ivy": ([cell(output("softmax", "library-used"))], "library-used", ""),
    "joe": ([cell(error("=1+1"))], "check-not-run", "'=1+1"),
    "kim": ([cell(), cell(output("softmax", "not-started"))], "check-not-run", ""),
    "lea": ([HEADING], "not-started", ""),
    "mia": ([cell(source="def softmax(x):\n    return x")], "check-not-run", ""),
    "noa": ([cell(output("softmax", "of-another-version"))], "of-another-version", ""),
    "ola": ([HEADING, cell(error("NameError"), source="def softmax(x):\n    x\nchek.softmax(softmax)")], "check-not-run", "NameError"),
}  # fmt: skip


@pytest.fixture
def class_folder(hand_in):
    """The folder of that class, a folder each."""
    for name, (cells, *_) in CLASS.items():
        folder = hand_in(f"{name}/03_softmax.ipynb", notebook(*cells))
    return folder


def test_best_result_counts_and_then_the_last(class_folder):
    collected(class_folder)
    assert [tuple(row.values()) for row in table(class_folder)] == [
        (name, "", "softmax", result, also, result) for name, (_, result, also) in CLASS.items()
    ]


def test_page_shows_exercises_mistakes_and_files_in_this_order(class_folder, hand_in):
    not_summed = [output(name, "not-summed") for name in ("attention_scores", "scaled_scores")]
    hand_in("Ada/01_dot_product.ipynb", notebook(cell(output("dot_product"), *not_summed)))
    hand_in("bea/empty.ipynb", "")
    text = collected(class_folder)
    numbers = "".join(f'<td class="number">{n}</td>' for n in ("3 of 15 right", 4, 2, 5, 1))
    in_order = [
        f'<tr><th scope="row">softmax</th>{numbers}',
        '<tr class="below"><th scope="row">attention_<wbr>scores</th><td class="number">0 of 1 right',
        '<tr class="below"><th scope="row">dot_<wbr>product</th><td class="number">1 of 1 right',
        "overflows: 2 hand-ins",
        "<pre>return scores</pre>",
        "Treated in notebook 3",
        'softmax 2<span class="names">: cid, gil</span>',
        "not-summed: 1 hand-in<",
        "check not run (SyntaxError)",
        f"<strong>{stored.BROKEN}</strong>: bea/empty.ipynb",
    ]
    assert sorted(in_order, key=text.index) == in_order
    assert "causal" not in text and "dot_product" not in feedback_of_ada(class_folder)


# Whose a file is

PEOPLE = """Student,ID,SIS User ID,SIS Login ID,Section,HW (9)
    Points Possible,,,,,5
"Lovelace, Ada",11,4010001,lovelace,A,3
"Groß, Jürgen",12,4010002,jgross,A,3
"O'Brien, Anne-Marie",13,4010003,amob77,A,3
"Berg, Anna",14,4010004,aberg1,A,3
"von Berg, Anna",15,4010005,avberg,A,3
"Chen, Wei",1016,4010006,wchen4,A,3
"Chen, Wei",1017,4010007,wchen9,A,3
"Head, Max",18,4010008,mhead2,A,3
"Public, John Q.",19,4010009,jqp,A,3
"Student, Test",99,,x,A,
"""


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("Ada Lovelace/03_softmax", "Lovelace, Ada"),
        ("LOVELACE_ada_03_softmax", "Lovelace, Ada"),
        ("week 12/adaLovelaceHW3", "Lovelace, Ada"),
        ("hw_12_345_lovelaceada", "Lovelace, Ada"),  # 12 is no id of Canvas's here
        ("wchen_16_400_03_softmax", None),  # too short for Canvas
        ("chenwei_1017_40001_03_softmax", "Chen, Wei (1017)"),
        ("Juergen Gross_4711_assignsubmission_file_/x", "Groß, Jürgen"),
        ("Ju\u0308rgen-Groß_03_softmax", "Groß, Jürgen"),
        ("Obrien Annemarie x", "O'Brien, Anne-Marie"),
        ("HW1_amob77_attempt_2026-11-19-10-15-30_x", "O'Brien, Anne-Marie"),
        ("Wei Chen (4010007)", "Chen, Wei (1017)"),
        ("08_a_head_learns - Max Head", "Head, Max"),
        ("John Public 03_softmax", "Public, John Q."),
        ("publicjohnq_03_softmax", "Public, John Q."),
        ("Copy of 03_softmax.ipynb - Ada Lovelace", "Lovelace, Ada"),
        ("JürgenGroßHW3", "Groß, Jürgen"),
        ("Ada_03_softmax", None),
        ("Bea Lovelace_03_softmax", None),  # a surname is no id, also where it is a user name
        ("08_a_head_learns_Max", None),
        ("Anna Berg 03_softmax", None),
        ("Kopie von 03_softmax Anna Berg", None),
        ("Wei Chen/x", None),
        ("4010002 Ada Lovelace", None),
        ("4010002_Bea Lovelace", None),  # a part of another name disagrees, too
        ("4010004 Anna Berg", "Berg, Anna"),
        ("4010004 q", "Berg, Anna"),  # an initial is no word of another name
        ("4010004 Anna von Berg", None),
        ("Ada Lovelace and Max Head", None),
        ("lovelaceada_4010001_40001_Ada_and_Max", None),
        ("2024010001/x", None),
    ],
)
def test_file_is_a_persons_by_an_id_or_by_all_words_of_the_name(hand_in, name, owner):
    hand_in("not in the list/x.ipynb")
    lines = {}
    found = owners(hand_in(f"{name}.ipynb"), listed(PEOPLE), lines)
    assert list(found.values()) == ([owner] if owner else [])
    assert len(lines) == (1 if owner else 2)  # what is nobody's gets a line


def test_user_name_that_is_a_name_says_no_more_than_the_name(hand_in):
    people = listed(
        "Name,User name,E-mail\nWei Chen,wei.chen,wei.chen@x.example\nWei Chen,weichen2,w2@x.example"
    )
    hand_in("Wei Chen/x.ipynb")
    assert owners(hand_in("wei.chen@x.example/x.ipynb"), people) == {
        "wei.chen@x.example/x.ipynb": "Wei Chen (wei.chen)"
    }


@pytest.mark.parametrize(
    ("person", "name"),
    [
        ("Annemarie OBrien", "Anne-Marie O'Brien"),
        ("Anne-Marie O'Brien", "Anne Marie OBrien"),
        ("Siobhán MacDonald", "SiobhanMacDonaldHW3"),
        ("Siobhán MacDonald", "siobhan macdonald"),
        ("Siobhán Macdonald", "MacDonald, Siobhan"),
        ("T. J. Hooker", "hookertj"),
        ("Johan Johansson", "johanssonjohan"),
    ],
)
def test_parts_of_a_name_may_be_joined(hand_in, person, name):
    hand_in("Hooker/x.ipynb")  # not all of a name
    found = owners(hand_in(f"{name}/x.ipynb"), listed(f"Max Head\n{person}"))
    assert found == {f"{name}/x.ipynb": person}


def test_names_put_together_are_read_also_where_two_vowels_meet(hand_in):
    assert list(
        owners(hand_in("mariaandersson_hw.ipynb"), listed("Maria Andersson\nMaria Anders")).values()
    ) == ["Maria Andersson"]


def test_search_for_a_name_of_repeated_syllables_ends(hand_in):
    owners(hand_in(f"{'lo' * 60}x/x.ipynb", "Max Head/x.ipynb"), listed("Lo Lolo\nMax Head"))


def test_person_who_is_listed_twice_with_one_id_is_one(hand_in):
    people = listed("Name,ID\nAda Lovelace,77001\nMax Head,77002\nAda Lovelace,77001")
    collected(hand_in("77001/x.ipynb"), people, lines={})
    assert [row["student"] for row in table(hand_in("x"))] == ["Ada Lovelace (77001)", "Max Head"]


def test_id_number_of_moodle_is_an_id(hand_in):
    people = listed("First name,Last name,ID number\nAda,Lovelace,77001\nMax,Head,77002")
    assert owners(hand_in("77001 x.ipynb"), people) == {"77001 x.ipynb": "Ada Lovelace"}


def test_list_of_addresses_alone_is_enough(hand_in):
    people = listed("wei.chen@x.example\nwei.chen2@x.example")
    hand_in("wei.chen/x.ipynb")
    assert owners(hand_in("wei.chen2@x.example/x.ipynb"), people) == {
        "wei.chen/x.ipynb": "wei.chen@x.example",
        "wei.chen2@x.example/x.ipynb": "wei.chen2@x.example",
    }


def test_person_without_a_name_is_listed_by_the_id():
    assert list(listed("name,github_username\n,gh-ada\nMax Head,gh-max").index) == ["gh-ada", "Max Head"]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace\nMax Head\n",
        "1. Ada Lovelace <ada@x.example>\n2. Max Head <max@x.example>, 77001",
        "Name\nAda Lovelace\nMax Head",
        "Vorname;Nachname;E-Mail-Adresse\nAda;Lovelace;ada@x.example\nMax;Head;max@x.example",
        '"First name","Last name","ID number"\n"Ada","Lovelace","77001"\n"Max","Head","77002"\n',
    ],
)
def test_list_is_a_table_of_a_platform_or_a_name_a_line(text):
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert list(who.read_list(text.encode(encoding)).index) == [
            "Ada Lovelace",
            "Max Head",
        ]
    assert list(who.read_list("Jürgen".encode("cp1252")).index) == ["Jürgen"]


def test_folder_around_the_class_is_nobodys_name(hand_in):
    hand_in("Ada Lovelace's course/Max Head/x.ipynb")
    assert list(owners(hand_in("Ada Lovelace's course/Bea/x.ipynb"), listed(PEOPLE)).values()) == [
        "Head, Max"
    ]
    alone = collect.read_class(
        hand_in("../one/Ada Lovelace/03_softmax.ipynb").parent / "one", listed(PEOPLE), {}
    )
    assert list(alone.attempts.student) == ["Lovelace, Ada"]


def test_line_of_the_second_file_says_whose_and_holds_later(hand_in, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    (tmp_path / "list.csv").write_text(PEOPLE, encoding="utf-8")
    for name in ("week 1/Lexi_03_softmax", "week 1/Max Head and Wei Chen", "week 1/Wei Chen/03_softmax"):
        folder = hand_in(f"{name}.ipynb")

    def run(folder):
        monkeypatch.setattr(sys, "argv", ["x", str(folder), "--class", str(tmp_path / "list.csv")])
        collect.main()
        return {row["student"]: row["result"] for row in table(folder)}, table(folder, "whose.csv")

    found, lines = run(folder)
    assert "right" not in found.values()
    assert "Sent nothing, or nothing that is settled: 9." in capsys.readouterr().out
    assert {line["name"]: line["fits"] for line in lines} == {
        "Lexi": "",
        "Max Head and Wei Chen": "Chen, Wei (1016) | Chen, Wei (1017) | Head, Max",
        "Wei Chen": "Chen, Wei (1016) | Chen, Wei (1017)",
    }
    whose = folder / "collected" / "whose.csv"
    text = whose.read_text("utf-8-sig").replace("Lexi,,", 'Lexi,"lovelace, ada",')
    whose.write_text(text.replace("Chen,,", "Chen,4010006; Adda,", 1), encoding="utf-8")
    found, kept = run(folder)
    assert {name for name, result in found.items() if result == "right"} == {"Lovelace, Ada"}
    assert kept[1]["student"] == "4010006; Adda"  # it names nobody of the list, and stays
    whose.write_text(text.replace("Chen,,", 'Chen,"4010006; Head, Max",', 1), encoding="utf-8")
    right = {"Lovelace, Ada", "Chen, Wei (1016)", "Head, Max"}
    found, _ = run(folder)
    assert {name for name, result in found.items() if result == "right"} == right
    with whose.open("a", encoding="utf-8") as file:
        # The last line of a name holds, and a path goes before a name.
        file.write("Wei Chen,4010001,,\nweek 1/Wei Chen/03_softmax.ipynb,4010007,,\nZoe x,nobody,,\n")
    hand_in("Zoe/x.ipynb")
    capsys.readouterr()
    for _ in range(2):  # nobody's, also after it was written again
        found, _ = run(folder)
        assert found["Chen, Wei (1017)"] == "right"
        assert "counts for nobody" not in capsys.readouterr().out
    before = whose.read_bytes()
    monkeypatch.setattr(sys, "argv", ["x", str(folder)])
    collect.main()
    assert whose.read_bytes() == before  # a run without a list leaves it
    hand_in("../later/lexi/05_batched_attention.ipynb")
    hand_in("../later/collected/whose.csv", whose.read_bytes())
    found, _ = run(tmp_path / "later")
    assert {name for name, result in found.items() if result == "right"} == {"Lovelace, Ada"}


def test_namesakes_get_a_line_each_where_the_platform_has_ids(hand_in):
    lines = {}
    hand_in("Wei Chen_41_assignsubmission_file_/x.ipynb")
    owners(hand_in("Wei Chen_42_assignsubmission_file_/x.ipynb"), listed(PEOPLE), lines)
    assert [line[0] for line in lines.values()] == ["Wei Chen (41)", "Wei Chen (42)"]


LAYOUTS = {  # without a list: files, hand-ins with their ids, what is told
    "Canvas": (
        ["lovelaceada_1100_40001_x", "borgbea_LATE_1200_40002_Bea_x", "borgbea_1200_40001_x", "coxcid_13_40003_y"],
        {"borgbea (1200)": "1200", "coxcid_13_40003_y": "", "lovelaceada (1100)": "1100"},
        {"several files of one exercise, the best counts": ["borgbea (1200)"]},
    ),
    "no Canvas": (
        ["homework_1_20261119_ada", "lab_2026_1119_bea", "CS_20241_1001_Cid"],
        dict.fromkeys(["CS_20241_1001_Cid", "homework_1_20261119_ada", "lab_2026_1119_bea"], ""),
        {},
    ),
    "Moodle, two assignments": (
        ["Lab 1/Chen Wei_41_assignsubmission_file_/x", "Lab 2/Chen Wei_42_assignsubmission_file_y"],
        {"Chen Wei (41)": "41", "Chen Wei (42)": "42"},
        {"without a name, or like another": ["Chen Wei (41)", "Chen Wei (42)"]},
    ),
    "a course's folder": (["course/Ada/1/x", "course/Bea/x"], {"Ada": "", "Bea": ""}, {}),
    "weeks": (
        ["week 1/Ada/x", "week 1/Bea/x", "week 2/Ada/x"],
        {"week 1": "", "week 2": ""},
        {
            "without a name, or like another": ["week 1", "week 2"],
            "several files of one exercise, the best counts": ["week 1"],
        },
    ),
    "loose files": (
        ["Ada_03_softmax", "ada_hw3", "Bea_03_softmax", "03_softmax (1)", "Untitled1", "Hal_Hahn", "Hahn_Hal_03_softmax", "Val", "Val_Voss"],
        dict.fromkeys(["03_softmax (1).ipynb", "Ada", "ada_hw3", "Bea", "Hahn_Hal", "Hal_Hahn", "Untitled1", "Val", "Val_Voss"], ""),
        {"without a name, or like another": ["03_softmax (1).ipynb", "Ada", "Hahn_Hal", "Hal_Hahn", "Untitled1", "Val", "Val_Voss", "ada_hw3"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hand_ins_follow_one_rule_and_what_it_may_miss_is_told(hand_in, layout):
    files, hand_ins, told = LAYOUTS[layout]
    for i, file in enumerate(files):
        folder = hand_in(f"{file}.ipynb", notebook(cell(WRONG), cell(source=f"x = {i}")))
    found = collect.read_class(folder)
    assert found.people._ids.to_dict() == hand_ins
    assert {why: names for why, names in found.told.items() if names} == told
    summary = collect.write(folder, found, ["softmax"])
    assert f"{len(hand_ins)} hand-ins, {len(files)} files. Without a class list, a hand-in is" in summary


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_that_are_not_unicode_stay_different(hand_in):
    for name in (b"Jos\xe9", b"Jos\xe8"):
        folder = hand_in(f"{os.fsdecode(name)}/x.ipynb")
    assert len(results(folder)) == 2 and collected(folder)


# What becomes of the verdicts


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
    text = feedback_of_ada(folder)
    assert (
        "softmax, attempt 1 (03_softmax.ipynb): right.\nsoftmax, attempt 2 (03_softmax (1).ipynb): not yet.\n    Large scores"
        in text
    )
    assert text.count("\n    Perhaps also: ") == text.count("\n    Perhaps also: This is the cosine") == 1
    assert text.endswith("\nmerge: no notebook with it came back.\n") and "causal_mask" not in text
    assert table(folder)[0]["latest"] == "overflows"


def test_student_whose_check_did_not_run_is_told_so(hand_in):
    for name in ("mia", "ola"):
        folder = hand_in(f"{name}/x.ipynb", notebook(*CLASS[name][0]))
    hand_in("Zoe/03_softmax.ipynb", '{"cells": [')
    collected(folder)
    zoe, mia, ola = (
        path.read_text("utf-8") for path in sorted((folder / "collected" / "feedback").iterdir())
    )
    assert "softmax: your notebook came, its check did not run. Put `check.softmax(softmax)`" in mia
    assert "softmax: your notebook came, its check did not run: the cell stopped with NameError." in ola
    assert "softmax: no notebook with it came back.\nNot read: 03_softmax.ipynb (empty, broken, a link" in zoe


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


# Files that are no notebooks


def test_files_without_a_result_are_told_with_their_reasons(hand_in):
    broken = stored.BROKEN
    files = {
        "half.ipynb": ('{"cells": [', broken),
        "empty.ipynb": ("", stored.BROKEN),
        "deep.ipynb": ("[" * 200_000, broken),
        "three.ipynb": ('{"cells": 3}', broken),
        "bytes.ipynb": (b"\xff\xfe\x00", broken),
        "verdict.ipynb": (notebook(cell(output("softmax", "<script>"))), broken),
        "scratch.ipynb": (notebook(cell(source="def hardmax(x):\n    return x")), "no exercise is in it"),
        "other version.ipynb": (notebook(cell(output("tokenise"))), "no exercise is in it"),
        "x.py": ("{ not a notebook", "no notebook"),
        "all.zip": ("PK", broken),
    }
    for file, (content, _) in files.items():
        hand_in(f"Bea/{file}", content)
    hand_in("Bea/.ipynb_checkpoints/x.ipynb", "")
    for file in ("Bea/copy.ipynb", "Cid/copy.ipynb"):
        folder = hand_in(file, notebook(cell(WRONG)))
    told = {name: why for why, names in collect.read_class(folder).told.items() for name in names}
    same = {"Bea/copy.ipynb = Cid/copy.ipynb": "identical files"}
    assert told == {f"Bea/{file}": why for file, (_, why) in files.items()} | same


@pytest.mark.parametrize(
    "change", [{"exercise": ["softmax"]}, {"mistake": 3}, {"also": 3}, {"also": [3]}, {"mistake": "x" * 2000}]
)
def test_file_with_a_malformed_verdict_is_told(hand_in, change):
    data = {"exercise": "softmax", "passed": False, "mistake": "overflows", "also": []} | change
    found = collect.read_class(hand_in("Ada/x.ipynb", notebook(cell({"data": {TYPE: data}}))))
    assert found.told[stored.BROKEN] == ["Ada/x.ipynb"]


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
    assert collect.read_class(folder).told[stored.BROKEN] == ["Ada/link.ipynb"]
    assert "right" not in results(folder).values()


def test_code_of_a_student_is_not_run(hand_in, tmp_path):
    source = f"open({str(tmp_path / 'ran')!r}, 'w')"
    hand_in("Ada/attention_lib.py", source)
    collected(hand_in("Ada/x.ipynb", notebook(cell(RIGHT, source=source))))
    assert not (tmp_path / "ran").exists()


# What it writes

HOSTILE = ["=HYPERLINK(1)", "+1", "@x", "-2", "<script>alert(1)<_script>", 'a"b', "Bl, P", "&amp;", "CON"]


def test_names_are_escaped_in_the_tables_and_the_page_which_loads_nothing(hand_in):
    for name in HOSTILE:
        folder = hand_in(
            f"{name}/x.ipynb", notebook(cell(WRONG, source="def softmax(x):\n    return '</pre><script>'"))
        )
    text = collected(folder)
    links = re.findall(r'<a href="feedback/([^"]*)">([^<]*)</a>', text)
    assert {html.unescape(name) for _, name in links} == set(HOSTILE)
    written = {path.name for path in (folder / "collected" / "feedback").iterdir()}
    assert {unquote(file) for file, _ in links} == written
    assert not re.search("<(script|link|img)|https?:", text)
    for name, column in (("students.csv", "student"), ("gradebook.csv", "Student")):
        names = {row[column] for row in table(folder, name)}
        assert names == {f"'{name}" if name[0] in "=+-@" else name for name in HOSTILE}


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
        ("Attention points", "2"),
    ]  # fmt: skip
    assert table(folder, "gradebook.csv")[1]["Attention points"] == ""  # sent nothing: no grade


def test_lines_on_the_page_hold_no_word_of_a_name():
    lines = [
        "return x",
        "return x",
        "ada = x\nreturn ada",
        "return 'Lovelace'",
        "macdonald = x",
        "return y",
        "return z",
        "a\n" * 9,
    ]
    assert class_page.examples(pd.Series(lines), ["Ada Lovelace", "Siobhán MacDonald"]) == [
        "return x",
        "return y",
        "return z",
    ]


def test_each_mistake_leads_to_a_slide(tmp_path, monkeypatch):
    monkeypatch.setattr(class_page, "DECKS", tmp_path)
    (tmp_path / "03_softmax.html").touch()
    treated = class_page.slides()
    assert treated["overflows"] == (3, f"{(tmp_path / '03_softmax.html').as_uri()}#/nb03-20")
    assert treated["not-summed"] == (1, "")  # no such deck
    assert treated.keys() <= {*class_page.TEXTS, *stored.EXERCISES}
    treats = teaching_data.read_treats()
    starts = {"slide", "subslide"}
    cells = {c.id: c.metadata for path in notebooks.PATHS.values() for c in notebooks.read(path).cells}
    assert [id for id in treats if cells[id].get("slideshow", {}).get("slide_type") not in starts] == []


def test_page_does_without_the_slide_of_an_added_exercise(class_folder, monkeypatch):
    monkeypatch.setattr(class_page, "slides", dict)
    text = collected(class_folder)
    assert "overflows: 2 hand-ins" in text and "Treated in" not in text


def test_plan_sets_the_exercises_on_its_slides():
    cells = {cell.id: cell.source for path in notebooks.PATHS.values() for cell in notebooks.read(path).cells}
    for route in teaching_data.read_routes().values():
        shown = [cells[id] for part in route["parts"] for id in part.get("cells", [])]
        assert route.get("set", "").split() == [
            name for source in shown for name in re.findall(r"^[^#\n]*check\.(\w+)\(", source, re.M)
        ]


@pytest.mark.browser
def test_page_has_no_fault_and_names_only_behind_its_switch(class_folder, hand_in):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    hand_in("Ada_03_softmax.ipynb", notebook(cell(WRONG)))
    collected(class_folder)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto((class_folder / "collected" / "index.html").as_uri())
        shown = re.compile(rf"\b({'|'.join(CLASS)})\b")
        assert shown.findall(page.inner_text("main")) == []
        page.get_by_label("Show names").check()
        assert set(shown.findall(page.inner_text("main"))) == set(CLASS)
        assert axe.run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360


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


# The ranking


def test_mistakes_are_ranked_by_students(hand_in):
    sums = [output(name, "not-summed") for name in ("dot_product", "attention_scores", "scaled_scores")]
    masked, different = output("masked_softmax", "overflows"), output("softmax", "different")
    for i, outputs in enumerate([[OTHER, *sums], [WRONG, *sums], [WRONG], [WRONG, masked], [different]]):
        folder = hand_in(f"student {i}/x.ipynb", notebook(cell(*outputs)))
    found = collect.read_class(folder)
    assert [(mistake["id"], mistake["slide"][0]) for mistake in class_page.mistakes(found.best, [])] == [
        ("overflows", 3),
        ("not-summed", 1),
        ("different", 3),  # its exercise is in notebook 3
        ("other-base", 3),
    ]
    printed = collect.write(folder, found, ["softmax"])
    assert "softmax: 0 of 5 right\n" in printed
    assert "  3  overflows (masked_softmax 1, softmax 3)\n      Large scores overflow" in printed


def test_every_mistake_has_a_text_and_one_of_another_version_too(hand_in):
    # The first are what the checker finds without an entry of MISTAKES.
    general = "nothing-returned raises wrong-type wrong-shape not-finite different input-changed library-used"
    assert {
        *general.split(),
        "largest-weight",
        *(mistake.id for mistake in check.MISTAKES),
    } <= class_page.TEXTS.keys()
    folder = hand_in("Ada/03_softmax.ipynb", notebook(cell(output("softmax", "of-the-future"))))
    collected(folder)
    assert "A check of another version found this." in feedback_of_ada(folder)


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


def test_verdict_without_a_mistake_is_read_as_jupyterlite_stores_it():
    assert stored.result_of({"exercise": "softmax", "passed": True, "also": []}, "").kind == "right"
    with pytest.raises(TypeError):
        stored.result_of({"exercise": "softmax", "passed": False, "also": []}, "")
