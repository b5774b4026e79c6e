"""What a class hands in, for the tests of this folder, and what is read of it."""

import csv
import json

import pytest

from lesson.check.verdict import TYPE
from teaching import class_list, collect

STUB = "def causal_mask(length):\n    ...\n\n\ncheck.causal_mask(causal_mask)"
WRITTEN = 'def softmax(x):\n    """Text."""\n    # by Ada\n    return scores\n\n\ncheck.softmax(softmax)'


def output(exercise="softmax", mistake=None, also=()):
    """A verdict as JupyterLite stores it, which leaves out a mistake of None; right without one."""
    data = {"exercise": exercise, "passed": mistake is None, "also": list(also)}
    data |= {"mistake": mistake} if mistake else {}
    return {"output_type": "display_data", "data": {TYPE: data, "text/plain": ["Not yet\n", "?"]}}


def cell(*outputs, source=WRITTEN):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def notebook(*cells):
    return json.dumps({"cells": [*cells]})


RIGHT, WRONG, OTHER = output(), output("softmax", "overflows"), output("softmax", "other-base")
PASSED, FAILED = notebook(cell(RIGHT)), notebook(cell(WRONG))


def passed(*exercises):
    return notebook(cell(*map(output, exercises)))


def of(name):
    """A notebook whose first cell says whose it is, as in a hand-out."""
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
    attempts = collect.read_class(folder, people, {} if lines is None else lines).attempts
    return attempts.drop_duplicates(["file", "student"]).groupby("file").student.agg(" + ".join).to_dict()


def collected(folder, people=None, chosen=("softmax",), lines=None):
    """The page, after a whole run."""
    collect.write(folder, collect.read_class(folder, people, lines), list(chosen))
    return (folder / "collected" / "index.html").read_text("utf-8")


def table(folder, name="students.csv"):
    content = (folder / "collected" / name).read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")  # or a spreadsheet takes UTF-8 for something else
    return list(csv.DictReader(content.decode("utf-8-sig").splitlines()))


def feedback(folder, number=1):
    return next((folder / "collected" / "feedback").glob(f"{number:02} *.txt")).read_text("utf-8")


HEADING = {"cell_type": "markdown", "source": ["### Exercise 1 · `softmax`"]}
CLASS = {  # student: (cells, result of softmax, also, what the feedback says)
    "bea": ([cell(output(also=["library-used"]))], "library-used", "", "the library did the work"),
    "cid": ([cell(output("softmax", "overflows", ["cosine"]))], "overflows", "cosine", "Perhaps also: This is the cos"),
    "dan": ([cell(RIGHT), cell(OTHER)], "right", "", ": right.\n"),
    "fay": ([cell(WRONG), cell(OTHER)], "other-base", "", "not yet.\n    "),
    "gil": ([cell(WRONG), cell({"output_type": "error", "ename": "=1"})], "overflows", "", "Large scores overflow"),
    "joe": ([cell({"output_type": "error", "ename": "=1"})], "check-not-run", "'=1", "the cell stopped with =1."),
    "lea": ([HEADING], "not-started", "", "softmax: not started."),
    "mia": ([cell(source="def softmax(x):\n    return x")], "check-not-run", "", "Run the cell with `check.softmax("),
    "noa": ([cell(output("softmax", "of-the-future"))], "of-the-future", "", "A check of another version found this."),
}  # fmt: skip


@pytest.fixture
def class_folder(hand_in):
    """The folder of that class, a folder each."""
    for name, (cells, *_) in CLASS.items():
        folder = hand_in(f"{name}/03_softmax.ipynb", notebook(*cells))
    return folder


ADA, CHEN_1, CHEN_2 = "Lovelace, Ada", "Chen, Wei (1016)", "Chen, Wei (1017)"
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
"Işık, İbrahim",20111,4010012,ibo12,A,3
"Suharto",20114,4010015,suh,A,3
"Student, Test",99,,x,A,
"""
