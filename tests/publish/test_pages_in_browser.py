"""How a browser shows the website of publish.pages, offline.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m browser

Every page is looked at light on a desktop and dark on a phone, with folds closed and open, and printed.
"""

import re
import subprocess
import sys

import pytest

from publish import sheet
from publish.notebooks import ROOT
from tests.few import few_of
from tests.publish.test_pages import FIRST, PAGES, soup

pytestmark = pytest.mark.browser

REASON = "needs tests/requirements-browser.txt"
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()


@pytest.fixture
def opened(open_page, site):
    """A function that opens a page of the website."""
    return lambda name, **options: open_page((site / name).as_uri(), **options)


# What is wrong on a page as it stands.
INSPECT = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const found = [];
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
    return found;
}"""
DRAWN = "[...document.images].every(image => image.complete)"
UNFOLD = "document.querySelectorAll('main details').forEach(fold => { fold.open = true; })"
CUT_OFF = """() => {
    const explorers = [...document.querySelectorAll("figure > div")].map((host) => host.shadowRoot);
    const roots = [document, ...explorers.filter(Boolean)];
    return roots.flatMap((root) => [...root.querySelectorAll("main, pre, .scroll, figure")])
        .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 200));
}"""


def faults(page, axe):
    """What is wrong on a page once it is drawn, a line each."""
    page.wait_for_function(DRAWN)
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
        page.wait_for_function(DRAWN)
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


LIT = "phrase => partsOf(phrase).map(part => [part.textContent, getComputedStyle(part).outlineStyle])"


@pytest.mark.parametrize("form, size", [("row", {"width": 1280, "height": 800}), ("column", PHONE)])
def test_first_screen_has_her_and_cat(opened, form, size):
    page = opened("index.html", viewport=size)
    for word in ("her", "cat"):
        words = page.locator(f"figure .{form} [role=button]")
        box = words.filter(has_text=re.compile(rf"^\s*{word}\b")).bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] < size["height"], word


@pytest.mark.parametrize("name", [FIRST, "02_scaling.html", "04_masking.html"])
def test_phrase_lights_the_cell_with_its_number(opened, name):
    page = opened(name, viewport=DESKTOP)
    page.evaluate(UNFOLD)
    phrases = page.locator("main span[title^='row ']").all()
    for phrase in phrases:
        phrase.focus()
        (number, outline), *_ = phrase.evaluate(LIT)  # and two curves, if an explorer has them
        assert outline == "solid" and number in f"{phrase.inner_text()} 0.46"
    page.locator("h1").click()
    assert phrases[-1].evaluate(LIT)[0][1] == "none"


def test_search_opens_with_a_key_finds_terms_first_and_sections_and_follows_the_first(opened, axe):
    page = opened(FIRST, viewport=PHONE)
    page.keyboard.press("/")
    first = page.locator("dialog li a").first
    for words, target in (("mask", "#term-mask"), ("fully masked", "#term-fullymasked")):
        page.locator("dialog input").fill(words)
        first.and_(page.locator(f"[href$='{target}']")).wait_for()
    assert not [*faults_of_axe(page, axe)]
    assert page.locator("dialog a", has_text="A fully masked row").count()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/*{target}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_button_changes_light_and_dark_and_the_page_remembers(opened, scheme):
    page = opened(FIRST, viewport=DESKTOP, color_scheme=scheme)
    look = "[getComputedStyle(document.body).backgroundColor, document.images[0].currentSrc]"
    before = page.evaluate(look)
    page.get_by_role("button", name="Light or dark").click()
    page.wait_for_function("form => document.images[0].currentSrc !== form", arg=before[1])
    after = page.evaluate(look)
    page.reload()
    page.wait_for_function("form => document.images[0].currentSrc === form", arg=after[1])
    assert page.evaluate(look) == after and after[0] != before[0]


def test_term_shows_its_sentence_to_the_keyboard(opened):
    page = opened(FIRST, viewport=PHONE)
    term = page.locator(".term").first
    term.focus()
    says = "term => [getComputedStyle(term, '::after').content, document.documentElement.scrollWidth]"
    content, width = term.evaluate(says)
    assert content.strip('"') == term.get_attribute("data-says") and width <= PHONE["width"]


def test_section_that_is_read_is_marked(opened):
    page = opened(FIRST, viewport=DESKTOP)
    headings = page.locator("main h2").all()
    for heading in (headings[1], headings[-1], headings[0]):  # down, down by several, up by several
        heading.evaluate("heading => scrollTo(0, scrollY + heading.getBoundingClientRect().top + 200)")
        page.locator(".sections [aria-current]", has_text=heading.inner_text()).wait_for()
        assert page.locator(".sections [aria-current]").count() == 1


@pytest.mark.release
def test_picture_with_a_form_for_phones_has_it_there_whole(open_page, tmp_path):
    subprocess.run([sys.executable, "-m", "publish.pages", tmp_path], check=True, cwd=ROOT)
    for size, form in [(PHONE, "_phone.png"), (DESKTOP, ".png")]:
        page = open_page((tmp_path / FIRST).as_uri(), viewport=size)
        shown = page.locator("figure:has([srcset*=_phone])").evaluate_all(
            "all => all.map(box => [box.id, box.querySelector('img').currentSrc, box.scrollWidth <= box.clientWidth])"
        )
        assert len(shown) > 1
        assert all(fits and address.endswith(f"/01_{name}{form}") for name, address, fits in shown), shown


# On paper


def test_sheet_prints_on_two_pages_and_has_no_fault_and_no_link_where_it_is_handed_out(
    open_page, axe, site, tmp_path
):
    (tmp_path / "sheet.html").write_text(sheet.page(), encoding="utf-8")
    for folder in (site, tmp_path):
        page = open_page((folder / "sheet.html").as_uri(), viewport=PHONE, color_scheme="dark")
        assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 2
    assert not list(faults(page, axe))
    assert page.locator("tr").count() > 20 and page.locator("a").count() == 0


def squeezed(text):
    return "".join(text.split())


def test_printed_page_has_open_folds_alone(opened, site, tmp_path):
    reader = pytest.importorskip("pypdf", reason=REASON)
    page = opened(FIRST)
    page.locator("main details").last.evaluate("fold => { fold.open = true; }")
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    sheets = reader.PdfReader(tmp_path / "page.pdf").pages
    printed = squeezed("".join(sheet.extract_text() for sheet in sheets))
    *closed, open_one = soup(site / FIRST).main.select("details")
    for fold in (*closed, open_one):
        for paragraph in fold.find_all("p", recursive=False):
            if not paragraph.select("math"):
                assert (squeezed(paragraph.get_text()) in printed) == (fold is open_one), paragraph
