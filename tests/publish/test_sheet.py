"""The sheet to keep refers to what exists. What it looks like is tested with the pages."""

import pytest

from publish import sheet


@pytest.mark.parametrize(
    "reference",
    ['cause("no-such-mistake")', 'section(3, "Over keys")', 'step("al.no_such_step(q)")', "no_such_name"],
)
def test_reference_to_what_does_not_exist_is_refused(reference, monkeypatch, tmp_path):
    monkeypatch.setattr(sheet, "SOURCE", tmp_path / "sheet.md")
    sheet.SOURCE.write_text(f"# Title\n\n{{{{ {reference} }}}}\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"no-such-mistake|no section Over keys|no_such_(step|name)"):
        sheet.text()


ROWS = [
    "q (2, 3, 4, 5), k (2, 3, 6, 5), v (2, 3, 6, 7)",
    "| (2, 3, 4, 6) | 4, 2, -2 | [notebook 1, section",
    "| (2, 3, 4, 6) | 2, 1, -1 | [notebook 2, section",
    "| (2, 3, 4, 6) | 2, 1, -inf | [notebook 4, section 1. Before or after, and with what?]",
    "| (2, 3, 4, 6) | 0.731, 0.269, 0 | [notebook 3, section",
    "| (2, 3, 4, 7) | 7.31, 2.69 | [notebook 3, section 5. Times V",
    "[notebook 4, Upside down](../../notebooks/04_masking.ipynb)",  # bold words
    "the causal mask of 4 tokens is 1000 / 1100 / 1110 / 1111, and",
    "|  |  | 11 | 11 |",
]


def test_shapes_and_numbers_are_those_of_the_five_steps():
    text = sheet.text()
    assert not [row for row in ROWS if row not in text]
