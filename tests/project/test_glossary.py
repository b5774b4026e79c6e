"""docs/glossary.md: each term is bold in the section of the notebook that its row links to, in the order of the alphabet."""

import re
from pathlib import Path

import pytest

from tests.notebooks.stored import joined, load, markdown_cells, sections
from tests.project.test_questions import LINK, places

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][2:]


def section_of(name, place):
    """The text of a section; "the first cell" is what stands above the first `##` heading."""
    if place == "the first cell":
        return "\n".join(joined(cell["source"]) for cell in markdown_cells(sections(load(name)["cells"])[""]))
    assert place in places(name), f"{name} has no {place!r}, but {', '.join(places(name))}"
    return places(name)[place]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_term_is_bold_where_its_row_says(row):
    ((number, place, name),) = LINK.findall(row[-1])
    assert name.startswith(f"0{number}_")
    assert re.search(
        rf"\*\*[^*\n]*\b{re.escape(row[0])}\b[^*\n]*\*\*", section_of(name, place), re.IGNORECASE
    ), f"docs/glossary.md: {row[0]!r} is not bold in notebook {number}, {place}"


def test_terms_are_in_the_order_of_the_alphabet_and_rows_are_full():
    terms = [row[0].casefold() for row in ROWS]
    assert terms == sorted(terms) and len(set(terms)) == len(terms)
    assert {len(line.split("|")) for line in TEXT.splitlines() if line.startswith("| ")} == {7}
