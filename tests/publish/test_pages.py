"""The website of publish.pages: what is in its files. test_pages_in_browser.py looks at them in Chromium."""

import functools
import json
import re
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from attention_lib import data
from lesson import check
from publish import boxes, notebooks, pages
from publish.notebooks import EXPLANATION
from tests.notebooks.stored import formulas, prose

PATHS = list(notebooks.PATHS.values())
PAGES = ["index.html", *(f"{path.stem}.html" for path in PATHS)]
PAGES += ["questions.html", "glossary.html", "sheet.html", "teaching.html"]
FIRST = f"{PATHS[0].stem}.html"
LOADS = boxes.Loads(box=boxes.Loaded(19, 18_000_000), sentence=boxes.Loaded(67, 65_000_000))
every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@functools.cache
def soup(page):
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


@functools.cache
def places(page):
    """{id: the element that has it} of a page."""
    return {element["id"]: element for element in soup(page).select("[id]")}


def cells(path, kind):
    return [cell for cell in notebooks.read(path).cells if cell.cell_type == kind]


def text_outside_code(element):
    in_code = {id(text) for code in element.select("pre, code, script") for text in code.strings}
    return "".join(text for text in element.strings if id(text) not in in_code)


# Content


@every_notebook
def test_one_fold_has_the_answers_and_their_explanation(site, path):
    page = soup(site / f"{path.stem}.html")
    answers = [cell for cell in cells(path, "code") if "answer" in cell.metadata.get("tags", [])]
    folds = page.select("details.answer")
    assert len(folds) == sum(EXPLANATION in cell.source for cell in cells(path, "markdown"))
    for fold in folds:
        assert fold.summary.string == EXPLANATION
        assert fold.select(".output") and fold.select(":scope > :is(p, ul)")
    assert len(page.select("details.answer .output")) == len(answers)
    unfolded = " ".join(code.get_text() for code in page.select(".code") if not code.find_parent("details"))
    for cell in cells(path, "code"):
        if "hide-input" in cell.metadata.get("tags", []):  # it helps, or its code gives the answer away
            assert cell.source.partition("\n")[2] not in unfolded


# What the text of a notebook asks of whoever can run it, and its page must not.
ASKS_TO_RUN = re.compile(
    r"(?i)[^.]*(?:shift-enter|jupyterlab|restart|(?<!a )kernel|: run it|run (?:the|this) cells?(?! in the notebook))[^.]*"
)


@every_notebook
def test_formulas_are_mathml_pictures_links_no_header_empty_and_no_cell_asks_to_be_run(site, path):
    main = soup(site / f"{path.stem}.html").main
    text = text_outside_code(main)
    assert len(main.select("math")) == sum(formulas(prose(cell)) for cell in cells(path, "markdown"))
    assert not re.search(r"\$|\\[A-Za-z]", text)
    assert all(image.find_parent("a")["href"] == image["src"] for image in main.select("img"))
    assert all(head.get_text(strip=True) for head in main.select("th"))
    found = ASKS_TO_RUN.findall(text)
    assert not found, "put it between `<!-- notebook -->` and `<!-- end -->`"


@pytest.mark.parametrize(
    ("source", "message"), [("$a & b$", r"\$a & b\$"), ("[there](nowhere.md)", r"leads nowhere: nowhere\.md")]
)
def test_formula_or_link_that_cannot_be_shown_stops_the_build(tmp_path, source, message):
    site = pages.Site(tmp_path, "")
    with pytest.raises(ValueError, match=message):
        site.write_page(PATHS[0], pages.markdown_cells(f"# T\n\n{source}"))


def test_every_page_is_linked_and_every_link_leads_to_its_file_and_section(site):
    reached = set()
    for name in PAGES:
        for link in soup(site / name).select("a[href]"):
            if "://" in link["href"]:
                continue  # a paper, a thread or a tool
            path, _, section = link["href"].partition("#")
            target, place = site / (unquote(path) or name), f"{name}: {link}"
            assert target.is_file(), place
            known = places(target) if section else {}
            heading = known.get(section) or known.get(unquote(section))
            assert bool(heading) == bool(section), place
            if named := re.match(r"notebook \d, (?:section )?(.+)", link.get_text()):
                assert pages.section_key(named[1]) in pages.section_key(heading.get_text()), place
            assert path != "teaching.html" or name == "index.html", "students are led to the teachers' page"
            if path != name:
                reached.add(path)
    assert reached >= set(PAGES)


def test_front_page_says_what_the_model_recorded(site):
    first_head = data.load("cat_sentence")["weights"][1, 3]
    assert (first_head.argmax(-1) == 0).sum() == 10
    assert "ten of the eleven rows" in soup(site / "index.html").get_text()


def test_search_knows_all_sections_and_terms(site):
    index = (site / "search_index.js").read_text(encoding="utf-8")
    found = json.loads(index.removeprefix("window.searchIndex = ").removesuffix(";\n"))
    known = {entry["href"] for entry in found}
    for name in PAGES:
        assert {f"{name}#{place['id']}" for place in soup(site / name).main.select("h2[id], tr[id]")} <= known


def test_bold_term_says_its_sentence_of_the_glossary(site):
    terms = {term.get_text(): term["data-says"] for term in soup(site / FIRST).select(".term")}
    rows = soup(site / "glossary.html").select("tbody tr")
    said = {row.find("td").get_text(): row.find_all("td")[1].get_text() for row in rows}
    assert len(terms) > 5 and terms.items() <= said.items()


def test_downloaded_notebook_has_no_outputs(site):
    for path in PATHS:
        stored = notebooks.read(path)
        notebooks.strip_outputs(stored)
        assert notebooks.read(site / "notebooks" / path.name) == stored


# The published copy


def test_without_a_published_copy_no_page_mentions_one(site):
    for name in PAGES:  # a notebook's first line of code may name Colab
        text = text_outside_code(soup(site / name))
        assert not re.search(r"Binder|Colab|GitHub(?! Classroom)|ACCOUNT|REPOSITORY", text), name


@pytest.mark.slow
def test_published_copy_is_linked(without_phones, tmp_path):
    site, path = pages.Site(tmp_path, "her/cat"), PATHS[0]
    site.write_page(pages.README, site.front_cells())
    site.write_page(path, pages.notebook_cells(path))
    links = [link["href"] for page in tmp_path.glob("*.html") for link in soup(page).select("a")]
    colab = f"https://colab.research.google.com/github/her/cat/blob/main/notebooks/{path.name}"
    binder = f"https://mybinder.org/v2/gh/her/cat/HEAD?urlpath=lab/tree/notebooks/{path.name}"
    source = "https://github.com/her/cat/blob/HEAD/attention_lib/attention.py"
    assert {colab, binder, source} <= set(links)


# For a class, and with boxes


@pytest.fixture(scope="module")
def class_site(without_phones, tmp_path_factory):
    """A site without solutions, of boxes whose Python is not there, with its front page and a notebook."""
    out = tmp_path_factory.mktemp("class")
    site = pages.Site(out, "", "live/", LOADS, with_solutions=False)
    site.write_page(pages.README, site.front_cells())
    site.write_page(PATHS[2], pages.notebook_cells(PATHS[2], with_solutions=False))
    return out


def test_site_for_a_class_has_no_solution_and_no_link_to_one(class_site, tmp_path):
    page, front = soup(class_site / f"{PATHS[2].stem}.html"), soup(class_site / "index.html")
    assert page.find("summary", string="Hint") and not page.find("summary", string="Solution")
    assert not [link for link in front.select("a") if "teach" in link["href"] or "README" in link["href"]]
    handing_in = page.select_one(".run details a")["href"].partition("#")[2]
    assert front.find(id=handing_in).get_text() == "Hand in your exercises"
    pages.write_download(PATHS[2], tmp_path, with_solutions=False)
    download = (tmp_path / PATHS[2].name).read_text(encoding="utf-8")
    assert ">Solution" not in download and "student = " in download


def test_every_exercise_has_a_box_and_is_counted_on_the_front_page(class_site):
    places = soup(class_site / "index.html").select(".series .passed")
    counted = {place.find_previous("a")["href"]: place["data-exercises"].split() for place in places}
    found = []
    for path in PATHS:
        marked = [cell for cell in pages.notebook_cells(path) if "exercise" in cell.metadata]
        found += [cell.metadata.exercise.name for cell in marked]
        assert counted[f"{path.stem}.html"] == [cell.id for cell in marked]
    too_large = {path.stem for path in notebooks.TOO_LARGE}
    assert sorted(found) == sorted(task.name for task in check.TASKS if task.notebook not in too_large)

    forms = soup(class_site / f"{PATHS[2].stem}.html").select("form.box")
    sources = {cell.id: cell.source for cell in cells(PATHS[2], "code")}
    assert {form.textarea["id"]: form.textarea.get_text() for form in forms}.items() <= sources.items()
    assert len({form["aria-labelledby"] for form in forms}) == len(forms) > 0
