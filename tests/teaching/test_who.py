"""A hand-in is the person's whom its notebook or its path names, as the guide says, or it waits."""

import sys

import pandas as pd
import pytest

from teaching import class_list, collect
from tests.teaching.conftest import ADA, CHEN_1, CHEN_2, PEOPLE, listed, of, owners, table

FILES = [  # path, what the notebook says, whose it is, or "" if it waits
    ("lovelaceada_20100_40001_Max Head", "", ADA),
    ("chenwei_1017_40001_03_softmax", "", CHEN_2),  # Canvas's number
    ("lovelaceada_20107_40001_x", "", ""),  # the number is another's
    ("vanderberganna_55555_40001_x", "", "van der Berg, Anna"),  # glued as Canvas does
    ("hw_20100_40001_x", "", ADA),
    ("hw_1016_40001_x", "", ""),  # a short number needs the name
    ("lab 1/Anna Berg_4711_assignsubmission_file_/x", "", "Berg, Anna"),
    ("Maria Anna Berg_4711_assignsubmission_file_/x", "", ""),  # not on the list
    ("Wei Chen_4711_assignsubmission_file_/wchen9", "", CHEN_2),
    ("HW1_max_attempt_2026-11-19-10-15-30_x", "", "Head, Max"),  # Blackboard
    ("ada.LOVELACE/03_softmax (1)", "", ADA),
    ("week 1/group 2/der Berg Anna van", "", "van der Berg, Anna"),
    ("o_brien anne_marie x", "", "O'Brien, Anne-Marie"),
    ("Ju\u0308rgen-Groß_03_softmax", "", "Groß, Jürgen"),
    ("ibrahim isik", "", "Işık, İbrahim"),
    ("Suharto_03_softmax", "", "Suharto"),
    ("रमा_कुमार_03_softmax", "", ""),  # a vowel sign makes another name
    ("Bea Lovelace_03_softmax", "", ""),  # a surname is no id, also where it is a user name
    ("max/x", "", ""),  # and neither is a first name
    ("Wei Chen/x", "", ""),
    ("Ada Lovelace and Max Head", "", ""),
    ("bea-amob77-x/x", "", ""),  # a part of another user name
    ("x", " lovelace,  ADA ", ADA),
    ("x", "Wei Chen 1016", CHEN_1),
    ("wchen9", "Wei Chen", CHEN_2),
    ("Ada Lovelace/x", "Ada Lovelace, room 3", ADA),
    ("Max Head/x", "Ada Lovelace; Max Head", "Head, Max + Lovelace, Ada"),
    ("x", ["Ada Lovelace", "4010008"], "Head, Max + Lovelace, Ada"),
    ("Ada Lovelace/x", "Ada Lovelace; Bob", ""),
    ("Ada Lovelace/x", "Ada Lovelace and Max Head", ""),
    ("Ada Lovelace/x", "Max Head", ""),  # a neighbour's name
    ("x", "Wei Chen", ""),
]


@pytest.mark.parametrize(("path", "says", "owner"), FILES)
def test_file_is_whose_it_says_or_whose_id_or_name_is_in_its_path(hand_in, path, says, owner):
    hand_in("not in the list/x.ipynb")
    lines = {}
    found = owners(hand_in(f"{path}.ipynb", of(says)), listed(PEOPLE), lines)
    assert found == ({f"{path}.ipynb": owner} if owner else {})
    assert len(lines) == (1 if owner else 2)  # what waits gets one


def test_platform_of_user_names_puts_them_at_the_end_of_a_folder(hand_in):
    people = listed(
        "identifier,github_username,name\nAnna Berg,berg,\nAnna van der Berg,anna-berg,\nMax Head,,"
    )
    users = {"berg": "Anna Berg", "anna-berg": "Anna van der Berg"}
    for user in (*users, "x-berg", "maxh"):
        folder = hand_in(f"attention-lab-{user}/notebooks/03_softmax.ipynb")
    lines = {}
    found = owners(folder, people, lines)
    assert found == {f"attention-lab-{user}/notebooks/03_softmax.ipynb": name for user, name in users.items()}
    lines["attention-lab-maxh"][1] = "max head"  # holds for all that is in it
    hand_in("attention-lab-maxh/08_a_head_learns.ipynb")
    assert [*owners(folder, people, lines).values()].count("Max Head") == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(
    "text",
    [
        "Zoë Lovelace\nMax Head\n",
        "1. Zoë Lovelace <zoe@x.example>\n2. Max Head <max@x.example>, 77001",
        "Vorname;Nachname;E-Mail-Adresse\nZoë;Lovelace;zoe@x.example\nMax;Head;max@x.example",
        "Vorname\tName\nZoë\tLovelace\nMax\tHead",
        "identifier,github_username,name\nZoë Lovelace,zoe1,\n77002,max2,Max Head",
    ],
)
def test_list_is_a_table_of_a_platform_or_a_name_a_line(text, encoding):
    people, told = class_list.read_list(text.encode(encoding))
    assert (list(people.index), told) == (["Zoë Lovelace", "Max Head"], [])


def test_list_loses_no_row_in_silence():
    rows = "Wei Chen,1,w@x\nWEI CHEN,2,\nAda,3,\nAda,3,\nMax,,\nMax,,\n,,\n,4,\n,,"
    people, told = class_list.read_list(f"Name,ID,E-mail,Group\n{rows}\n,,,A".encode())
    assert list(people.index) == ["Wei Chen (1)", "WEI CHEN (2)", "Ada", "Max (line 6)", "Max (line 7)", "4"]
    assert people._ids.iloc[0] == ["1", "w@x", "w"]
    assert sorted(told) == [
        "line 11: no name and no id",
        "line 5: Ada again, with the same id",
        "line 6: Max has no id that tells these people apart",
        "line 7: Max has no id that tells these people apart",
    ]


def test_folder_around_the_class_is_nobodys_name(hand_in):
    hand_in("Ada Lovelace/Max Head/x.ipynb")
    folder = hand_in("Ada Lovelace/Bea/x.ipynb")
    assert list(owners(folder, listed(PEOPLE)).values()) == ["Head, Max"]
    alone = hand_in("../one/Ada Lovelace/03_softmax.ipynb").parent / "one"
    assert list(owners(alone, listed(PEOPLE)).values()) == [ADA]


def test_line_says_whose_a_file_is_and_holds_later(hand_in, monkeypatch, tmp_path):
    def right():
        """Whose softmax is right, after a run of the program."""
        collect.main()
        return {row["student"] for row in table(folder) if row["result"] == "right"}

    for name in ("bob_1100_40001_x", "week 1/Max and Wei Chen", "week 1/Zoe"):
        folder = hand_in(f"{name}.ipynb")
    (tmp_path / "list.csv").write_text(PEOPLE, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["x", str(folder), f"--class={tmp_path / 'list.csv'}"])
    monkeypatch.setattr(sys.stdout, "reconfigure", lambda **_: None, raising=False)
    assert right() == set()
    lines = table(folder, "whose.csv")
    assert lines[1]["path names"] == f"{CHEN_1} | {CHEN_2}"
    answers = ["lovelace, ada", "4010006; Adda", "nobody"]  # the second names one person alone, and stays
    lines = pd.DataFrame(lines).assign(student=answers)
    lines.to_csv(folder / "collected" / "whose.csv", index=False)
    hand_in("bob_LATE_1100_50001_y.ipynb")  # of the first line's sender
    for _ in range(2):  # also after it was written again
        assert right() == {ADA}
        assert [line["student"] for line in table(folder, "whose.csv")] == answers


def test_line_may_name_a_folder_of_which_files_wait(hand_in):
    hand_in("week 1/bob/Ada Lovelace.ipynb")
    folder = hand_in("week 1/bob/x.ipynb")
    found = owners(folder, listed(PEOPLE), {"week 1/bob": ["week 1/bob", "max head", "", "", ""]})
    assert found == {"week 1/bob/Ada Lovelace.ipynb": ADA, "week 1/bob/x.ipynb": "Head, Max"}


CALLED = [  # path, what the notebook says, what it is called without a list
    ("adal_LATE_1100_40001_x", "", "adal (1100)"),
    ("hw_20261119_ada", "", "hw_20261119_ada"),
    ("Lab 1/Chen Wei_41_assignsubmission_file_/x", "", "Chen Wei (41)"),
    ("week 1/Ada/x", "", "week 1"),
    ("week 1/Bea/x", "Bea; Cid Cox", "Bea + cid cox"),
    ("Ada_04_masking-1", "", "Ada"),
    ("03_softmax (1)", "", "03_softmax (1).ipynb"),
]


@pytest.mark.parametrize(("path", "says", "called"), CALLED)
def test_without_a_list_a_hand_in_is_what_its_notebook_or_its_path_says(hand_in, path, says, called):
    hand_in("another/x.ipynb", of("cid  cox"))
    assert owners(hand_in(f"{path}.ipynb", of(says)))[f"{path}.ipynb"] == called
