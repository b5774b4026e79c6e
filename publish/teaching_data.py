"""Reads teaching/notes.toml, what classes answer, and teaching/routes.toml, plans for a class."""

import tomllib

from publish.notebooks import ROOT

FOLDER = ROOT / "teaching"


def read_notes():
    """{id of a cell that asks: its note}. A note has answers, "next" and sometimes a "question" to vote on."""
    return _read("notes.toml")


def read_routes():
    """{name of a route: its parts}. A part has minutes, a title, a notebook, cells and what to say."""
    return _read("routes.toml")


def _read(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
