"""The page for the teacher, and what it says of each mistake."""

import html
import re
from urllib.parse import unquote

import pandas as pd
import pytest

from lesson import check
from teaching import class_page, collect, stored
from tests.chromium import chromium
from tests.teaching.conftest import CLASS, WRONG, cell, collected, notebook, output, table


def test_page_shows_exercises_mistakes_and_files_in_this_order(class_folder, hand_in):
    sums = [output(name, "not-summed") for name in ("dot_product", "attention_scores", "scaled_scores")]
    hand_in("dan/01_dot_product.ipynb", notebook(cell(*sums)))
    hand_in("bea/empty.ipynb", "")
    printed = collect.write(class_folder, collect.read_class(class_folder), ["softmax"])
    assert "\n   2  overflows (softmax 2)\n      Large scores overflow" in printed
    text = (class_folder / "collected" / "index.html").read_text("utf-8")
    in_order = [
        "There is no class list",
        '<tr><th scope="row">softmax</th><td class="number">1 of 9 right</td><td class="number">4</td>',
        '<tr class="below"><th scope="row">scaled_<wbr>scores</th><td class="number">0 of 1 right',
        "overflows: 2 hand-ins",
        "<pre>return scores</pre>",
        "Treated in notebook 3",
        'softmax 2<span class="names">: cid, gil</span>',
        "not-summed: 1 hand-in<",  # of three exercises
        "check not run (=1)",
        "<strong>cut off, or broken</strong>: bea/empty.ipynb",
    ]
    assert sorted(in_order, key=text.index) == in_order


def test_lines_on_the_page_hold_no_word_of_a_name():
    named = ["ada = x\nreturn ada", "return 'Lovelace'", "macdonald = x", "siobhan = 1", "ada2 = x"]
    lines = pd.Series(["return x", "return x", *named, "return y", "return z", "a\n" * 9])
    shown = class_page.examples(lines, ["Ada Lovelace", "Siobhán MacDonald"])
    assert shown == ["return x", "return y", "return z"]


def test_each_mistake_has_a_text_and_leads_to_a_slide(tmp_path, monkeypatch):
    monkeypatch.setattr(class_page, "DECKS", tmp_path)
    (tmp_path / "03_softmax.html").touch()
    treated = class_page.slides()
    assert treated["overflows"] == (3, f"{(tmp_path / '03_softmax.html').as_uri()}#/nb03-20")
    assert treated["not-summed"] == (1, "")  # no such deck
    assert {"largest-weight", *(mistake.id for mistake in check.MISTAKES)} <= class_page.TEXTS.keys()
    assert treated.keys() <= {*class_page.TEXTS, *stored.EXERCISES}


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


HOSTILE = ["=HYPERLINK(1)", "+1", "@x", "-2", "<script>alert(1)<_script>", 'a"b', "Bl, P", "&amp;", "CON"]


def test_names_are_escaped_in_the_tables_and_the_page_which_loads_nothing(hand_in):
    for name in HOSTILE:
        folder = hand_in(f"{name}/x.ipynb", notebook(cell(WRONG, source="return '</pre><script>'")))
    text = collected(folder)
    links = dict(re.findall(r'<a href="(feedback/[^"]*)">([^<]*)</a>', text))
    assert {html.unescape(name) for name in links.values()} == set(HOSTILE)
    assert all((folder / "collected" / unquote(file)).is_file() for file in links)
    assert not re.search("<(script|link|img)|https?:", text)
    for name, column in (("students.csv", "student"), ("gradebook.csv", "Student")):
        names = {row[column] for row in table(folder, name)}
        assert names == {f"'{name}" if name[0] in "=+-@" else name for name in HOSTILE}
