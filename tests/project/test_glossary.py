"""docs/glossary.md: each term is bold in the section that its row links to, and rows are in the alphabet's order."""

import re
from pathlib import Path

import pytest

from tests.project.test_questions import places

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[notebook (\d)(?:, ([^\]]+))?\]\(\.\./notebooks/([^)]+)\.ipynb\)")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_term_is_bold_where_its_row_says(row):
    ((number, place, name),) = LINK.findall(row[-1])
    place = place or next(iter(places(name)))  # the notebook's title
    assert name.startswith(f"0{number}_") and place in places(name)
    bold = rf"\*\*[^*\n]*\b{re.escape(row[0])}\b[^*\n]*\*\*"
    assert re.search(bold, places(name)[place], re.IGNORECASE), f"{row[0]} is not bold in {name}, {place}"


def test_rows_are_full_and_in_the_order_of_the_alphabet():
    terms = [row[0].casefold() for row in ROWS]
    assert terms == sorted(terms) and len(set(terms)) == len(terms)
    assert {len(line.split("|")) for line in TEXT.splitlines() if line.startswith("| ")} == {7}
