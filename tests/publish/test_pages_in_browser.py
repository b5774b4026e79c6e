"""How a browser shows the website of publish.pages, offline.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m browser

Every page is looked at light on a desktop and dark on a phone, with folds closed and open, and printed.
"""

import base64
import re
import subprocess
import sys
from collections import Counter

import pytest

from publish import pages, published_copy, sheet
from publish.notebooks import ROOT
from tests.few import few_of
from tests.publish.test_pages import PAGES, PATHS, soup

pytestmark = pytest.mark.browser

REASON = "needs tests/requirements-browser.txt"
FIRST = f"{PATHS[0].stem}.html"
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}


@pytest.fixture(scope="module")
def whole_site(tmp_path_factory):
    """The folder of the website, built by the command of its docstring."""
    out = tmp_path_factory.mktemp("site") / "out"
    command = [sys.executable, "-m", "publish.pages", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return out


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()


@pytest.fixture
def opened(open_page, site):
    """A function that opens a page of the website."""
    return lambda name, **options: open_page((site / name).as_uri(), **options)


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.release
def test_site_is_small_and_the_same_each_time(whole_site, monkeypatch, tmp_path):
    def phone_pictures(path):  # those of the first time
        found = (whole_site / "figures").glob(f"{path.name[:2]}_*_phone.png")
        return {file.stem[3:-6]: base64.b64encode(file.read_bytes()) for file in found}

    monkeypatch.setattr(pages, "phone_pictures", phone_pictures)
    pages.build(tmp_path, published_copy.repository())
    files = files_in(whole_site)
    assert files == files_in(tmp_path)
    assert sorted(path.name for path in files if path.suffix == ".html") == sorted(PAGES)
    assert sum(map(len, files.values())) < 4e6
    assert sum((whole_site / name).stat().st_size for name in ("index.html", "style.css", "page.js")) < 2e5


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
    yield from faults_of_axe(page, axe)


def faults_of_axe(page, axe):
    # Without these options axe requests the style again, and lists the rules that pass.
    report = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    for rule in report.response["violations"]:
        if rule["impact"] in ("serious", "critical"):
            yield f"fails {rule['id']}: {rule['nodes'][0]['html'][:200]}"


def on_desktop_and_phone(page):
    """Shows a page light on a desktop, then dark on a phone; goes on when each is drawn."""
    for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(100)  # page.js then makes what scrolls focusable
        page.wait_for_function("[...document.images].every(image => image.complete)")
        yield


@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_fault(opened, name):
    page, found = opened(name), []
    for _ in ("folded", "unfolded"):
        for _ in on_desktop_and_phone(page):
            found += page.evaluate(INSPECT)
        page.evaluate(UNFOLD)
    found += page.log
    page.set_viewport_size({"width": 658, "height": 900})  # A4 without its margins of 18 mm
    page.emulate_media(media="print")
    found += [f"on paper, cuts off {text}" for text in page.evaluate(CUT_OFF)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", few_of(PAGES, [FIRST, "index.html"]))
def test_axe_finds_no_fault(opened, axe, name):
    page = opened(name)
    page.evaluate(UNFOLD)
    found = [fault for _ in on_desktop_and_phone(page) for fault in faults_of_axe(page, axe)]
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
        rows = Counter(page.locator("header li").evaluate_all("all => all.map(entry => entry.offsetTop)"))
        assert min(rows.values()) > 1  # no entry stands alone


def test_section_that_is_read_is_marked(opened):
    page = opened(f"{PATHS[0].stem}.html", viewport=DESKTOP)
    headings = page.locator("main h2").all()
    for heading in (headings[1], headings[-1], headings[0]):  # down, down by several, up by several
        heading.evaluate("heading => scrollTo(0, scrollY + heading.getBoundingClientRect().top + 200)")
        page.locator(".sections [aria-current]", has_text=heading.inner_text()).wait_for()
        assert page.locator(".sections [aria-current]").count() == 1


@pytest.mark.release
def test_picture_with_a_form_for_phones_has_it_there_whole(open_page, whole_site):
    for size, form in [(PHONE, "_phone.png"), (DESKTOP, ".png")]:
        page = open_page((whole_site / FIRST).as_uri(), viewport=size)
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


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
@pytest.mark.parametrize("name", few_of([f"{path.stem}.html" for path in PATHS], [FIRST]))
def test_printed_page_has_open_folds_alone_and_no_heading_at_its_foot(opened, site, tmp_path, name, script):
    reader = pytest.importorskip("pypdf", reason=REASON)
    page = opened(name, java_script_enabled=script)
    if script:
        page.locator("main details").last.evaluate("fold => { fold.open = true; }")
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "18mm")
    page.pdf(path=tmp_path / "page.pdf", format="A4", margin=margin)
    printed = [text_of(sheet) for sheet in reader.PdfReader(tmp_path / "page.pdf").pages]
    everything = "".join(printed).replace(PICTURE, "")

    main = soup(site / name).main
    for fold in main.select("details"):
        is_open = script and fold is main.select("details")[-1]
        for paragraph in fold.find_all("p", recursive=False):
            if not paragraph.select("math"):
                assert (squeezed(paragraph.get_text()) in everything) == is_open, paragraph
    for heading in main.select("h1, h2, h3"):
        alone = [i for i, sheet in enumerate(printed, 1) if sheet.endswith(squeezed(heading.get_text()))]
        assert not alone, f"{heading.get_text()} stands alone at the foot of page {alone}"
