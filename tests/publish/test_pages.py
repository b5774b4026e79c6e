"""The website of publish.pages: what is in its files, and how a browser shows them, offline.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m browser

Every page is looked at light on a desktop and dark on a phone, with folds closed and open, and printed.
"""

import base64
import functools
import re
import subprocess
import sys
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

import attention_lib
from attention_lib import show
from lesson import check
from publish import notebooks, published_copy, sheet
from publish.notebooks import EXPLANATION
from tests.notebooks.stored import formulas, prose

pytestmark = pytest.mark.browser

REASON = "needs publish/requirements.txt and tests/requirements-browser.txt"
ROOT = notebooks.ROOT
PATHS = list(notebooks.PATHS.values())
PAGES = ["index.html", *(f"{path.stem}.html" for path in PATHS)]
PAGES += ["questions.html", "sheet.html", "teaching.html", "library.html"]
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}
COPY = published_copy.repository() or "somebody/copy"
every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def pages():
    """The module publish.pages, which needs latex2mathml."""
    pytest.importorskip("latex2mathml", reason=REASON)
    from publish import pages

    return pages


@pytest.fixture(scope="module")
def site(pages, tmp_path_factory):
    """The folder of the website, built by the command of its docstring."""
    out = tmp_path_factory.mktemp("site") / "out"
    command = [sys.executable, "-m", "publish.pages", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return out


@pytest.fixture(scope="module")
def built(pages, site, tmp_path_factory):
    """A function: the folder of the website of this copy, or of none, built with the pictures of `site`."""

    def phone_pictures(path):
        found = (site / "figures").glob(f"{path.name[:2]}_*_phone.png")
        return {file.stem[3:-6]: base64.b64encode(file.read_bytes()) for file in found}

    @functools.cache
    def build(copy):
        out = tmp_path_factory.mktemp("built")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pages, "phone_pictures", phone_pictures)  # which would run the notebooks again
            pages.build(out, copy)
        return out

    return build


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()


@pytest.fixture
def opened(open_page, site):
    """A function that opens a page of the website."""
    return lambda name, **options: open_page((site / name).as_uri(), **options)


@functools.cache
def soup(page):
    from bs4 import BeautifulSoup

    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def cells(path, kind):
    return [cell for cell in notebooks.read(path).cells if cell.cell_type == kind]


@pytest.fixture
def page_of(pages, tmp_path):
    """A function: the page that is made of a notebook with these cells."""

    def write(*cells):
        nbformat.write(nbformat.v4.new_notebook(cells=list(cells)), tmp_path / "n.ipynb")
        pages.Site(tmp_path, "").write_page("n.html", pages.notebook_cells(tmp_path / "n.ipynb"))
        return soup(tmp_path / "n.html")

    return write


# Content


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_site_is_small_and_the_same_each_time(site, built):
    files = files_in(site)
    assert files == files_in(built(published_copy.repository()))
    assert sorted(path.name for path in files if path.suffix == ".html") == sorted(PAGES)
    assert sum(map(len, files.values())) < 4e6
    assert sum((site / name).stat().st_size for name in ("index.html", "style.css", "page.js")) < 2e5


@every_notebook
def test_one_fold_has_the_answers_and_their_explanation(site, path):
    page = soup(site / f"{path.stem}.html")
    answers = [cell for cell in cells(path, "code") if "answer" in cell.metadata.get("tags", [])]
    folds = page.select("details.answer")
    assert len(folds) == sum(EXPLANATION in cell.source for cell in cells(path, "markdown"))
    for fold in folds:
        assert fold.summary.string == EXPLANATION
        assert fold.select(".output") and fold.select(":scope > :is(p, ul)")
    assert not page.select("details[open]")
    assert len(page.select("details.answer .output")) == len(answers)
    unfolded = " ".join(code.get_text() for code in page.select(".code") if not code.find_parent("details"))
    for cell in cells(path, "code"):
        if "hide-input" in cell.metadata.get("tags", []):  # it helps, or its code gives the answer away
            comment, line, *_ = cell.source.splitlines()
            assert line not in unfolded
            assert cell in answers or page.find("summary", string=comment.removeprefix("# "))


@every_notebook
def test_formulas_are_mathml_pictures_links_no_header_empty_and_no_cell_asks_to_be_run(site, path):
    main = soup(site / f"{path.stem}.html").main
    assert len(main.select("math")) == sum(formulas(prose(cell)) for cell in cells(path, "markdown"))
    assert not re.search(r"\$|\\[A-Za-z]", text_outside_code(main))
    assert all(image.find_parent("a")["href"] == image["src"] for image in main.select("img"))
    assert all(head.get_text(strip=True) for head in main.select("th"))
    assert "has been run" in main.h1.find_next_sibling().get_text()
    assert "Run this cell" not in main.get_text()


def text_outside_code(element):
    return "".join(text for text in element.strings if not text.find_parent(["pre", "code", "script"]))


def test_formula_in_a_heading_is_mathml_but_in_the_tab(pages, page_of):
    page = page_of(new_markdown_cell("# By $d_k$?\n\n## Is $d_k$ good?\n\n## Yes\n\n## No"))
    assert page.title.get_text() == "By d_k? · Attention, on real numbers"
    assert all(page.select(f"{heading} math msub") for heading in ("h1", "h2", ".sections li"))
    assert pages.typeset("<By> $d_k$?").startswith("&lt;By&gt; <math")


TOLD = new_code_cell("1", id="told", metadata={"tags": ["answer"]})


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([new_markdown_cell("# T\n\nThere: $a & b$", id="sum")], r"n\.html, cell sum: \$a & b\$"),
        ([new_markdown_cell("# T\n\n[there](nowhere.md)")], r"a link leads nowhere: nowhere\.md"),
        ([TOLD], r"n\.ipynb, cell told: .*explanation"),
        ([TOLD, new_markdown_cell("It is 1.", id="open")], r"n\.ipynb, cell open: .*explanation"),
    ],
)
def test_formula_link_or_answer_that_cannot_be_shown_stops_the_build(page_of, cells, message):
    with pytest.raises(ValueError, match=message):
        page_of(*cells)


def test_every_page_is_linked_and_every_link_leads_to_its_file_and_section(built):
    unpublished, reached = built(""), set()
    for name in PAGES:
        for link in soup(unpublished / name).select("a[href]"):
            if name == "questions.html" and "://" in link["href"]:
                continue  # a paper or a thread that an answer cites
            path, _, section = link["href"].partition("#")
            target, place = unpublished / (unquote(path) or name), f"{name}: {link}"
            assert target.is_file(), place
            heading = soup(target).find(id=[section, unquote(section)]) if section else None
            assert bool(heading) == bool(section), place
            if named := re.match(r"notebook \d, (?:section )?(.+)", link.get_text()):
                assert key(named[1]) in key(heading.get_text()), place
            if path != name:
                reached.add(path)
    assert reached >= set(PAGES)


def key(name):
    return re.sub(r"\W|_", "", name)


def test_link_to_a_page_keeps_its_fragment(pages, tmp_path):
    target = pages.Site(tmp_path, "").target("../README.md#run-it", ROOT / "teaching")
    assert target == "index.html#run-it"


def test_without_a_published_copy_no_page_mentions_one(built):
    for name in PAGES:  # a notebook's first line of code may name Colab
        text = text_outside_code(soup(built("") / name))
        assert not re.search(r"Binder|Colab|GitHub|ACCOUNT|REPOSITORY", text), name
    assert "below are two ways" in soup(built("") / "index.html").get_text()
    plain = soup(built("") / "library.html").find(string="attention_lib/attention.py")
    assert plain.parent.name == "p"  # and no link


def test_published_copy_is_linked(built):
    pages = [soup(built(COPY) / name) for name in PAGES if name != "questions.html"]
    outside = {link["href"] for page in pages for link in page.select("a") if "://" in link["href"]}
    github = f"https://github.com/{COPY}"
    colab = f"https://colab.research.google.com/github/{COPY}/blob/main/notebooks/"
    binder = f"https://mybinder.org/v2/gh/{COPY}/HEAD?urlpath=lab/tree/notebooks/"
    assert {site + path.name for path in PATHS for site in (colab, binder)} <= outside
    assert {github, f"{github}/archive/HEAD.zip", f"{github}/blob/HEAD/attention_lib/attention.py"} <= outside
    assert all(link.startswith((github, colab, binder)) for link in outside)
    assert "below are four ways" in pages[0].get_text()


def test_front_page_starts_with_notebook_1_and_the_first_explorer(site):
    main, first = soup(site / "index.html").main, f"{PATHS[0].stem}.html"
    assert main.find("a")["href"] == first
    assert main.select("figure") == soup(site / first).select("figure:has(script)")[:1]


def test_library_page_has_every_public_name(site):
    page = soup(site / "library.html")
    there = {heading.get_text() for heading in page.select("h3")}
    named = [("", attention_lib.__all__), ("show.", show.__all__), ("check.", check.EXERCISES)]
    assert there >= {module + name for module, names in named for name in names}
    assert there >= {"model.read", "model.embed", "model.tokenize", "data.load", "plain_python.attention"}
    text = page.get_text()
    assert "scaled_dot_product_attention(q, k, v, mask=None, *, is_causal=False, scale=None)" in text
    assert " ".join(show.heatmap.__doc__.split(".")[0].split()).replace("`", "") in text
    assert " at 0x" not in text and not any("._" in name for name in there)


def test_downloaded_notebook_has_no_outputs(site):
    for path in PATHS:
        stored = notebooks.read(path)
        notebooks.strip_outputs(stored)
        assert notebooks.read(site / "notebooks" / path.name) == stored


# In a browser

# What is wrong on a page as it stands.
INSPECT = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const found = [];
    if (document.documentElement.lang !== "en") found.push("has no language");
    if (!document.title.trim()) found.push("has no title");
    if (all("h1").length !== 1) found.push(`has ${all("h1").length} h1`);
    const ids = all("[id]").map((element) => element.id);
    for (const id of ids.filter((id, i) => ids.indexOf(id) < i)) found.push(`has the id ${id} twice`);
    for (const image of all("img")) {
        if (!image.alt) found.push(`has a picture without a description: ${image.src}`);
        if (!image.complete || !image.naturalWidth) found.push(`has a broken picture: ${image.alt}`);
    }
    for (const explorer of all("figure > div[data-lm-suppress-shortcuts]"))
        if (!explorer.shadowRoot?.querySelector("[role=status]")?.textContent) found.push("has an explorer that did not start");
    const folded = all("main details:not([open]) > :not(summary)");
    if (folded.some((part) => part.checkVisibility())) found.push("shows what is folded");
    if (document.documentElement.scrollWidth > innerWidth) found.push("scrolls sideways");
    for (const box of all("main *")) {
        const style = getComputedStyle(box);
        const cut = style.overflowX !== "visible" && box.scrollWidth > box.clientWidth;
        if (cut && style.backgroundImage === "none") found.push(`cuts off without a shadow: ${box.textContent}`);
    }
    return found;
}"""
UNFOLD = "document.querySelectorAll('main details').forEach(fold => { fold.open = true; })"
CUT_OFF = """() => {
    const explorers = [...document.querySelectorAll("figure > div")].map((host) => host.shadowRoot);
    const roots = [document, ...explorers.filter(Boolean)];
    return roots.flatMap((root) => [...root.querySelectorAll("main, pre, .scroll, figure")])
        .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 200));
}"""


def faults(page, axe):
    """What is wrong on a page as it stands, a line each."""
    yield from page.evaluate(INSPECT)
    yield from page.log
    # Without these options axe requests the style again, and lists the rules that pass.
    report = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    for rule in report.response["violations"]:
        if rule["impact"] in ("serious", "critical"):
            yield f"fails {rule['id']}: {rule['nodes'][0]['html'][:200]}"


@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_fault(opened, axe, name):
    page, found = opened(name), []
    for unfolded in (False, True):
        for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(100)  # page.js then makes what scrolls focusable
            page.wait_for_function("[...document.images].every(image => image.complete)")
            found += faults(page, axe) if unfolded else page.evaluate(INSPECT)
        page.evaluate(UNFOLD)
    page.set_viewport_size({"width": 658, "height": 900})  # A4 without its margins of 18 mm
    page.emulate_media(media="print")
    found += [f"on paper, cuts off {text}" for text in page.evaluate(CUT_OFF)]
    assert not found, "\n".join(found)


def test_planted_faults_are_reported(open_page, axe, tmp_path):
    (tmp_path / "planted.html").write_text(
        '<title> </title><h1>One</h1><h1 id="twice">Two</h1><p id="twice" style="width: 2000px">Wide</p>'
        '<img src="gone.png" alt="Gone"><img src="https://example.org/a.png"><p style="color: #ccc">Pale</p>'
        '<main><pre tabindex="0" style="width: 9px; overflow: auto">Cut</pre></main><script>nothing()</script>'
        "<figure><div data-lm-suppress-shortcuts></div></figure>"
        "<style>details::details-content { content-visibility: visible }</style>"
        "<main><details><summary>Hint</summary><p>Add</p></details></main>"
    )
    found = list(faults(open_page((tmp_path / "planted.html").as_uri(), color_scheme="light"), axe))
    for fault in (
        "has no language",
        "has no title",
        "has 2 h1",
        "has the id twice twice",
        "has a picture without a description: https://example.org/a.png",
        "has a broken picture: Gone",
        "scrolls sideways",
        "cuts off without a shadow: Cut",
        "requests https://example.org/a.png",
        "has an explorer that did not start",
        "shows what is folded",
        "error: nothing is not defined",
        "fails color-contrast: <p style",
        "fails image-alt: <img",
    ):
        assert any(line.startswith(fault) for line in found), f"{fault}\n" + "\n".join(found)


def test_navigation_names_all_notebooks_where_there_is_room(opened):
    page = opened(f"{PATHS[0].stem}.html")
    for width, named in [(768, len(PATHS)), (767, 1)]:
        page.set_viewport_size({"width": width, "height": 900})
        names = page.locator("header li span").evaluate_all("all => all.map(name => name.offsetWidth)")
        assert sum(width > 1 for width in names) == named


def test_section_that_is_read_is_marked(opened):
    page = opened(f"{PATHS[0].stem}.html", viewport=DESKTOP)
    headings = page.locator("main h2").all()
    for heading in (headings[1], headings[-1], headings[0]):  # down, down by several, up by several
        heading.evaluate("heading => scrollTo(0, scrollY + heading.getBoundingClientRect().top + 200)")
        page.locator(".sections [aria-current]", has_text=heading.inner_text()).wait_for()
        assert page.locator(".sections [aria-current]").count() == 1


def test_picture_with_a_form_for_phones_has_it_there_whole(opened):
    for size, form in [(PHONE, "_phone.png"), (DESKTOP, ".png")]:
        page = opened(f"{PATHS[0].stem}.html", viewport=size)
        shown = page.locator("figure:has(picture)").evaluate_all(
            "all => all.map(box => [box.id, box.querySelector('img').currentSrc, box.scrollWidth <= box.clientWidth])"
        )
        assert len(shown) > 1
        assert all(fits and address.endswith(f"/01_{name}{form}") for name, address, fits in shown), shown


# On paper


def sheets(page):
    """How many sheets of paper a page is printed on."""
    return page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")


def test_sheet_to_keep_prints_on_two_pages(opened):
    assert sheets(opened("sheet.html")) == 2


def test_sheet_that_is_handed_out_has_no_fault_and_no_link(open_page, axe, tmp_path):
    (tmp_path / "sheet.html").write_text(sheet.page(), encoding="utf-8")
    page = open_page((tmp_path / "sheet.html").as_uri(), viewport=PHONE, color_scheme="dark")
    assert not list(faults(page, axe))
    assert page.locator("tr").count() > 20 and page.locator("a").count() == 0
    assert sheets(page) == 2


PICTURE = "\0"  # in the text of a sheet


def squeezed(text):
    return re.sub(r"\s+", "", text)


def text_of(sheet):
    """The text of a printed sheet without spaces, in drawing order, with PICTURE for each picture."""
    parts = []
    sheet.extract_text(
        visitor_operand_before=lambda operator, *_: parts.append(PICTURE) if operator == b"Do" else None,
        visitor_text=lambda text, *_: parts.append(text),
    )
    return squeezed("".join(parts))


@pytest.mark.parametrize(
    ("path", "script"),
    [*((path, True) for path in PATHS), (PATHS[0], False)],
    ids=[*(path.stem for path in PATHS), "without script"],
)
def test_printed_page_has_all_folds_and_no_heading_at_its_foot(opened, site, tmp_path, path, script):
    reader = pytest.importorskip("pypdf", reason=REASON)
    page = opened(f"{path.stem}.html", java_script_enabled=script)
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "18mm")
    page.pdf(path=tmp_path / "page.pdf", format="A4", margin=margin)
    printed = [text_of(sheet) for sheet in reader.PdfReader(tmp_path / "page.pdf").pages]
    everything = "".join(printed).replace(PICTURE, "")

    main = soup(site / f"{path.stem}.html").main
    for paragraph in main.select("details > p"):
        if not paragraph.select("math"):
            assert squeezed(paragraph.get_text()) in everything, "a fold was not printed"
    for heading in main.select("h1, h2, h3, summary"):
        alone = [i for i, sheet in enumerate(printed, 1) if sheet.endswith(squeezed(heading.get_text()))]
        assert not alone, f"{heading.get_text()} stands alone at the foot of page {alone}"
