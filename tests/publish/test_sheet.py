"""The sheet to keep refers to what exists. What it looks like is tested with the pages."""

import pytest

from publish import sheet


@pytest.mark.parametrize(
    "reference",
    ['cause("no-such-mistake")', 'section(3, "Over keys")', 'step("al.no_such_step(q)")', "no_such_name"],
)
def test_reference_to_what_does_not_exist_is_refused(reference, monkeypatch, tmp_path):
    source = tmp_path / "sheet.md"
    source.write_text(f"# Title\n\n{{{{ {reference} }}}}\n", encoding="utf-8")
    monkeypatch.setattr(sheet, "SOURCE", source)
    with pytest.raises(Exception, match=r"no-such-mistake|no section Over keys|no_such_(step|name)"):
        sheet.text()


def test_section_is_found_by_heading_or_by_bold_words():
    assert "section 1. Exponentiate, then divide]" in sheet.section(3, "Exponentiate, then divide")
    assert sheet.section(4, "Upside down") == "[notebook 4, Upside down](../../notebooks/04_masking.ipynb)"
