"""A hand-in is the person's whom its notebook or its path names, as the guide says, or it waits."""

import os
import sys

import pytest

from publish import handouts
from teaching import class_list, collect
from tests.teaching.conftest import CHEN_1, CHEN_2, PEOPLE, collected, listed, of, owners, table


def run(monkeypatch, folder, people=""):
    """(the students who are right, the lines of whose.csv), after a run of the command."""
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    monkeypatch.setattr(sys, "argv", ["x", str(folder), *(["--class", str(people)] if people else [])])
    collect.main()
    lines = table(folder, "whose.csv") if people else []
    return {row["student"] for row in table(folder) if row["result"] == "right"}, lines


PATHS = {  # file: whose it is, or "" if it waits
    "lovelaceada_LATE_20100_40001_03_softmax": "Lovelace, Ada",
    "chenwei_1017_40001_03_softmax": CHEN_2,  # Canvas's number
    "chenwei_40001_40002_03_softmax": "",
    "lovelaceada_20107_40001_x": "",  # the number is another's
    "vanderberganna_55555_40001_x": "van der Berg, Anna",  # glued as Canvas does
    "hw_1016_40001_x": "",  # a short number needs the name
    "lovelaceada_20100_40001_Max Head": "Lovelace, Ada",
    "Ada Lovelace_4711_assignsubmission_file_/x": "Lovelace, Ada",
    "lab 1/Anna Berg_4711_assignsubmission_file_/x": "Berg, Anna",
    "Maria Anna Berg_4711_assignsubmission_file_/x": "",  # not on the list
    "Wei Chen_4711_assignsubmission_file_/wchen9": CHEN_2,
    "HW1_max_attempt_2026-11-19-10-15-30_x": "Head, Max",  # Blackboard
    "HW1_amob77_final/x": "O'Brien, Anne-Marie",
    "Chen, Wei(4010007)/Submission attachment(s)/x": CHEN_2,  # Sakai
    "LOVELACE_ada_03_softmax": "Lovelace, Ada",
    "Copy of 03_softmax.ipynb - Ada Lovelace": "Lovelace, Ada",
    "week 1/group 2/der Berg Anna van": "van der Berg, Anna",
    "Anna Berg 03_softmax (1)": "Berg, Anna",
    "obrien anne_marie x": "O'Brien, Anne-Marie",
    "o_brien anne_marie x": "O'Brien, Anne-Marie",
    "Ju\u0308rgen-Groß_03_softmax": "Groß, Jürgen",
    "ibrahim isik": "Işık, İbrahim",
    "Duc Nguyen hw": "Nguyễn, Đức",
    "O Ng": "Ng, O",
    "Suharto_03_softmax": "Suharto",
    "राम_कुमार_03_softmax": "राम कुमार",
    "रमा_कुमार_03_softmax": "",  # a vowel sign makes another name
    "अनिता गुप्ता": "",
    "กุตตี ทองดี": "",
    "Ada_03_softmax": "",
    "Bea Lovelace_03_softmax": "",  # a surname is no id, also where it is a user name
    "max/x": "",  # and neither is a first name
    "Ali Suharto/x": "",
    "adaLovelaceHW3": "",
    "Wei Chen/x": "",
    "Ada Lovelace and Max Head": "",
    "4010001 4010008": "",
    "hw3 1016 x": "",  # too short by itself
    "bea-amob77-x/x": "",  # a part of another user name
    "54010001/x": "",
    "08_a_head_learns_Max": "",
}


@pytest.mark.parametrize("path", PATHS)
def test_file_without_a_name_is_whose_id_or_whole_name_is_in_its_path(hand_in, path):
    hand_in("not in the list/x.ipynb")
    lines = {}
    found = owners(hand_in(f"{path}.ipynb"), listed(PEOPLE), lines)
    assert found == ({f"{path}.ipynb": PATHS[path]} if PATHS[path] else {})
    assert len(lines) == (1 if PATHS[path] else 2)  # what waits gets a line


@pytest.mark.parametrize(
    ("says", "path", "owner"),
    [
        ("Ada Lovelace", "x", "Lovelace, Ada"),
        (" lovelace,  ADA ", "x", "Lovelace, Ada"),
        (4010001, "x", "Lovelace, Ada"),
        (1016, "x", CHEN_1),  # a short number, too
        ("Wei Chen 1016", "x", CHEN_1),
        ("wchen9", "Wei Chen/x", CHEN_2),
        ("Wei Chen", "wchen9/x", CHEN_2),
        ("", "Ada Lovelace/x", "Lovelace, Ada"),
        ("Bob", "Ada Lovelace/x", "Lovelace, Ada"),
        ("Ada Lovelace, room 3", "Ada Lovelace/x", "Lovelace, Ada"),
        ("Ada Lovelace; Max Head", "Max Head/x", "Head, Max + Lovelace, Ada"),
        (["Ada Lovelace", "4010008"], "x", "Head, Max + Lovelace, Ada"),
        ("Ada Lovelace; Max Head", "Anna Berg/x", ""),
        ("Ada Lovelace; Bob", "Ada Lovelace/x", ""),
        ("Ada Lovelace and Max Head", "Ada Lovelace/x", ""),
        ("Max Head", "Ada Lovelace/x", ""),  # a neighbour's name
        ("Max Head", "Ada Lovelace and Max Head", ""),
        ("Wei Chen", "x", ""),
        ("Max", "x", ""),
        ("Bob", "x", ""),
    ],
)
def test_what_the_notebook_says_counts_if_the_path_names_nobody_else(hand_in, says, path, owner):
    lines = {}
    folder = hand_in(f"{path}.ipynb", of(says))
    assert owners(folder, listed(PEOPLE), lines) == ({f"{path}.ipynb": owner} if owner else {})
    if not owner:
        [[_, _, said, named, file]] = lines.values()
        assert said == says and file == f"{path}.ipynb" and ("Ada" in named) == ("Ada" in path)


def test_first_cell_of_a_hand_out_is_read(hand_in):
    copy = handouts.make_copies(False)["03_softmax.ipynb"]
    hand_in("a.ipynb", copy.replace('student = \\"\\"', 'student = \\"Max Head\\"'))
    assert owners(hand_in("b.ipynb", copy), listed(PEOPLE)) == {"a.ipynb": "Head, Max"}


def test_platform_of_user_names_puts_them_at_the_end_of_a_folder(hand_in):
    people = "identifier,github_username,github_id,name\nAnna Berg,berg,1,\nAnna van der Berg,anna-berg,2,\nZoë Lab,zl,3,\nMax Head,,,"
    users = {"berg": "Anna Berg", "anna-berg": "Anna van der Berg", "zl": "Zoë Lab"}
    for user in (*users, "zoe", "x-berg", "maxh"):
        folder = hand_in(f"attention-lab-{user}/notebooks/03_softmax.ipynb")
    lines = {}
    found = owners(folder, listed(people), lines)
    assert found == {f"attention-lab-{user}/notebooks/03_softmax.ipynb": name for user, name in users.items()}
    lines["attention-lab-maxh"][1] = "max head"  # holds for all that is in it
    hand_in("attention-lab-maxh/08_a_head_learns.ipynb")
    assert [*owners(folder, listed(people), lines).values()].count("Max Head") == 2


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace\nMax Head\n",
        "1. Ada Lovelace <ada@x.example>\n2. Max Head <max@x.example>, 77001",
        "Name\nAda Lovelace\nMax Head",
        "Vorname;Nachname;E-Mail-Adresse\nAda;Lovelace;ada@x.example\nMax;Head;max@x.example",
        "Vorname\tName\nAda\tLovelace\nMax\tHead",
        '"First name","Last name","ID number"\n"Ada","Lovelace","77001"\n"Max","Head","77002"\n',
        "identifier,github_username,name\nAda Lovelace,ada1,\n77002,max2,Max Head",
    ],
)
def test_list_is_a_table_of_a_platform_or_a_name_a_line(text):
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        people, told = class_list.read_list(text.encode(encoding))
        assert (list(people.index), told) == (["Ada Lovelace", "Max Head"], [])
    assert list(class_list.read_list("Jürgen".encode("cp1252"))[0].index) == ["Jürgen"]


def test_list_loses_no_row_in_silence():
    rows = [
        "Wei Chen,1,w@x.example",
        "WEI CHEN,2,",
        "Ada Lovelace,3,",
        "Ada Lovelace,3,",
        "Max,,",
        "Max,,",
        ",,",
    ]
    people, told = class_list.read_list("\n".join(["Name,ID,E-mail", *rows, ",4,", ",,"]).encode())
    names = ["Wei Chen (1)", "WEI CHEN (2)", "Ada Lovelace", "Max (line 6)", "Max (line 7)", "4"]
    assert list(people.index) == names and people._ids.iloc[0] == ["1", "w@x.example", "w"]
    assert told == ["line 5: Ada Lovelace again, with the same id"] + [
        f"line {n}: Max has no id that tells these people apart" for n in (6, 7)
    ]
    assert class_list.read_list(b"Name,Group\n,A")[1] == ["line 2: no name and no id"]


def test_folder_around_the_class_is_nobodys_name(hand_in):
    hand_in("Ada Lovelace's course/Max Head/x.ipynb")
    assert list(owners(hand_in("Ada Lovelace's course/Bea/x.ipynb"), listed(PEOPLE)).values()) == [
        "Head, Max"
    ]
    alone = hand_in("../one/Ada Lovelace/03_softmax.ipynb").parent / "one"
    assert list(owners(alone, listed(PEOPLE)).values()) == ["Lovelace, Ada"]


def test_line_says_whose_a_file_is_and_holds_later(hand_in, monkeypatch, capsys, tmp_path):
    (tmp_path / "list.csv").write_text(PEOPLE, encoding="utf-8")
    for name in ("bob_1100_40001_x", "week 1/Max Head and Wei Chen", "week 1/Wei Chen", "week 1/Zoe"):
        folder = hand_in(f"{name}.ipynb")
    right, lines = run(monkeypatch, folder, tmp_path / "list.csv")
    assert not right and "Files that wait for your line in whose.csv: 4." in capsys.readouterr().out
    assert {line["name"]: line["path names"] for line in lines} == {
        "bob (1100)": "",
        "week 1/Max Head and Wei Chen.ipynb": f"{CHEN_1} | {CHEN_2} | Head, Max",
        "week 1/Wei Chen.ipynb": f"{CHEN_1} | {CHEN_2}",
        "week 1/Zoe.ipynb": "",
    }
    whose = folder / "collected" / "whose.csv"
    answers = {
        "bob (1100),": '"lovelace, ada"',
        "and Wei Chen.ipynb,": "4010006; Adda",
        "1/Zoe.ipynb,": "nobody",
    }
    text = whose.read_text("utf-8-sig")
    for name, answer in answers.items():
        text = text.replace(name, name + answer, 1)
    whose.write_text(text, encoding="utf-8")
    for _ in range(2):  # also after it was written again
        right, lines = run(monkeypatch, folder, tmp_path / "list.csv")
        assert (
            right == {"Lovelace, Ada"} and lines[1]["student"] == "4010006; Adda"
        )  # names nobody, and stays
        assert "for your line in whose.csv: 2." in capsys.readouterr().out
    whose.write_text(text.replace("Adda", "Max Head"), encoding="utf-8")
    assert run(monkeypatch, folder, tmp_path / "list.csv")[0] == {"Lovelace, Ada", CHEN_1, "Head, Max"}
    before = whose.read_bytes()
    run(monkeypatch, folder)
    assert whose.read_bytes() == before  # a run without a list leaves it
    hand_in("../later/bob_LATE_1100_50001_y.ipynb")
    hand_in("../later/collected/whose.csv", before)
    assert run(monkeypatch, tmp_path / "later", tmp_path / "list.csv")[0] == {"Lovelace, Ada"}


def test_line_may_name_a_folder_of_which_files_wait(hand_in):
    hand_in("week 1/bob/Ada Lovelace.ipynb")
    folder = hand_in("week 1/bob/x.ipynb")
    found = owners(folder, listed(PEOPLE), {"week 1/bob": ["week 1/bob", "max head", "", "", ""]})
    assert found == {"week 1/bob/Ada Lovelace.ipynb": "Lovelace, Ada", "week 1/bob/x.ipynb": "Head, Max"}


LAYOUTS = {  # without a list: files with what they say, and what they are called
    "Canvas": ({"lovelaceada_1100_40001_x": "", "borgbea_LATE_1200_40002_Bea_x": "", "coxcid_13_40003_y": ""}, ["borgbea (1200)", "coxcid_13_40003_y", "lovelaceada (1100)"]),
    "Moodle": ({"Lab 1/Chen Wei_41_assignsubmission_file_/x": "", "Lab 2/Chen Wei_42_assignsubmission_file_y": ""}, ["Chen Wei (41)", "Chen Wei (42)"]),
    "no Canvas": ({"CS_20241_1001_Cid": "", "lab_2026_1119_bea": "", "homework_1_20261119_ada": ""}, ["CS_20241_1001_Cid", "homework_1_20261119_ada", "lab_2026_1119_bea"]),
    "folders": ({"course/Ada/1/x": "", "course/Bea/x": "", "course/Cid/x": "Cid Cox"}, ["Ada", "Bea", "Cid Cox"]),
    "weeks": ({"week 1/Ada/x": "", "week 1/Bea/x": "Bea; Cid Cox", "week 2/Ada/x": "cid  cox"}, ["Bea", "Cid Cox", "week 1"]),
    "loose files": ({"Ada_03_softmax": "", "Ada_04_masking-1": "", "Hal_Hahn": "", "03_softmax (1)": ""}, ["03_softmax (1).ipynb", "Ada", "Hal_Hahn"]),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_without_a_list_a_hand_in_is_what_its_notebook_or_its_path_says(hand_in, layout):
    files, called = LAYOUTS[layout]
    for file, says in files.items():
        folder = hand_in(f"{file}.ipynb", of(says))
    found = collect.read_class(folder)
    assert list(found.people.index) == called
    assert f"{len(called)} hand-ins, {len(files)} files. There is no class list" in collect.write(
        folder, found, []
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_that_are_not_unicode_stay_different(hand_in):
    for name in (b"Jos\xe9", b"Jos\xe8"):
        folder = hand_in(f"{os.fsdecode(name)}/x.ipynb")
    assert len(set(owners(folder).values())) == 2 and collected(folder)
