"""What a class hands in, for the tests of this folder, and what is read of it."""

import csv
import json

import pytest

from lesson.check.verdict import TYPE
from teaching import class_list, collect

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


def of(name):
    """A notebook whose first cell says whose it is."""
    return notebook(cell(source=f"student = {name!r}  # your name or number"), cell(RIGHT))


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
    return class_list.read_list(text.encode())[0]


def owners(folder, people=None, lines=None):
    """{file: whose it is}, with " + " between two people."""
    found = collect.read_class(folder, people, {} if lines is None else lines)
    return (
        found.attempts.drop_duplicates(["file", "student"]).groupby("file").student.agg(" + ".join).to_dict()
    )


def collected(folder, people=None, chosen=("softmax",), lines=None):
    """The page, after a whole run."""
    found = collect.read_class(folder, people, lines)
    collect.write(folder, found, list(chosen))
    return (folder / "collected" / "index.html").read_text("utf-8")


def table(folder, name="students.csv"):
    content = (folder / "collected" / name).read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")  # or a spreadsheet takes UTF-8 for something else
    return list(csv.DictReader(content.decode("utf-8-sig").splitlines()))


def feedback(folder, number=1):
    return next((folder / "collected" / "feedback").glob(f"{number:02} *.txt")).read_text("utf-8")


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


PEOPLE = """Student,ID,SIS User ID,SIS Login ID,Section,HW (9)
    Points Possible,,,,,5
"Lovelace, Ada",20100,4010001,lovelace,A,3
"Groß, Jürgen",20101,4010002,jgross,A,3
"O'Brien, Anne-Marie",20102,4010003,amob77,A,3
"Berg, Anna",20103,4010004,aberg1,A,3
"van der Berg, Anna",20104,4010005,berg-anna1,A,3
"Chen, Wei",1016,4010006,wchen4,A,3
"Chen, Wei",1017,4010007,wchen9,A,3
"Head, Max",20107,4010008,max,A,3
"राम कुमार",20108,4010009,ramk1,A,3
"गुप्ता, अनीता",20109,4010010,anitag,A,3
"กิตติ ทองดี",20110,4010011,kitti,A,3
"Işık, İbrahim",20111,4010012,ibo12,A,3
"Nguyễn, Đức",20112,4010013,duc,A,3
"Ng, O",20113,4010014,ong14,A,3
"Suharto",20114,4010015,suh,A,3
"Student, Test",99,,x,A,
"""
CHEN_1, CHEN_2 = "Chen, Wei (1016)", "Chen, Wei (1017)"
