"""The website of publish.pages: what is in its files, and how a browser shows them, offline.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m browser

Every page is opened on a desktop and on a phone, light and dark, with folds closed and open, and printed.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from publish import notebooks, published_copy
from publish.notebooks import EXPLANATION
from tests.notebooks.stored import formulas, prose

pytestmark = pytest.mark.browser

REASON = "needs publish/requirements.txt and tests/requirements-browser.txt"
ROOT = notebooks.ROOT
PATHS = list(notebooks.PATHS.values())
PAGES = ["index.html", *(f"{path.stem}.html" for path in PATHS)]
PAGES += ["questions.html", "teaching.html", "library.html"]
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}
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
def unpublished(pages, tmp_path_factory):
    """The folder of the website while no copy of the repository is published."""
    out = tmp_path_factory.mktemp("unpublished")
    pages.build(out, "")
    return out


@pytest.fixture(scope="module")
def published(pages, tmp_path_factory):
    """The folder of the website of a published copy."""
    out = tmp_path_factory.mktemp("published")
    pages.build(out, "somebody/copy")
    return out


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()


@pytest.fixture
def opened(browser, site):
    """A function that opens a page offline. The page's `log` has its requests, messages and errors."""
    contexts = []

    def open_page(address, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.log = []
        context.on("request", lambda request: page.log.append(request.url))
        page.on("console", lambda message: page.log.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: page.log.append(f"error: {error}"))
        page.goto(address if ":" in address else (site / address).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


def soup(page):
    from bs4 import BeautifulSoup

    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def cells(path, kind):
    return [cell for cell in notebooks.read(path).cells if cell.cell_type == kind]


# Content


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_site_is_small_and_the_same_each_time(pages, site, tmp_path):
    pages.build(tmp_path, published_copy.repository())
    files = files_in(site)
    assert files == files_in(tmp_path)
    assert sorted(path.name for path in files if path.suffix == ".html") == sorted(PAGES)
    assert sum(map(len, files.values())) < 4e6
    assert sum((site / name).stat().st_size for name in ("index.html", "style.css", "page.js")) < 2e5


@every_notebook
def test_one_fold_has_the_answers_and_their_explanation(site, path):
    page = soup(site / f"{path.stem}.html")
    answers = [cell for cell in cells(path, "code") if "answer" in cell.metadata.get("tags", [])]
    folds = page.select("details.answer")
    explanations = [cell for cell in cells(path, "markdown") if EXPLANATION in cell.source]
    assert [fold.summary.get_text() for fold in folds] == [EXPLANATION] * len(explanations)
    assert len(page.find_all("summary", string=EXPLANATION)) == len(explanations)  # nowhere a second fold
    assert all(fold.select(".output") and fold.select(":scope > :is(p, ul)") for fold in folds)
    assert not page.select("details[open]")

    # Outside of the folds stand the outputs of the other cells, and no more.
    others = [cell for cell in cells(path, "code") if cell.outputs and cell not in answers]
    outputs = page.select(".output")
    assert sum(len(fold.select(".output")) for fold in folds) == len(answers)
    assert len(outputs) == len(answers) + len(others)
    for cell in answers:
        if "hide-input" in cell.metadata.tags:  # its code gives the answer away
            line = cell.source.splitlines()[1]
            (code,) = [code for code in page.select(".code") if line in code.get_text()]
            assert code.find_parent("details")


def test_helper_code_is_folded_under_its_comment(pages, tmp_path):
    source = "# What helps\ndef helper(): ..."
    cells = [
        nbformat.v4.new_markdown_cell("# T"),
        nbformat.v4.new_code_cell(source, metadata={"tags": ["hide-input"]}),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "n.ipynb")
    pages.Site(tmp_path, "").write_page("n.html", pages.notebook_cells(tmp_path / "n.ipynb"))
    fold = soup(tmp_path / "n.html").select_one("details:has(.code)")
    assert (fold.summary.get_text(), fold.pre.get_text().strip()) == ("What helps", "def helper(): ...")


@every_notebook
def test_words_on_running_come_before_the_text_and_from_no_explorer(site, path):
    main = soup(site / f"{path.stem}.html").main
    assert "has been run" in main.h1.find_next_sibling().get_text()
    assert "Run this cell" not in main.get_text()


@every_notebook
def test_every_formula_is_mathml(site, path):
    page = soup(site / f"{path.stem}.html")
    assert len(page.main.select("math")) == sum(formulas(prose(cell)) for cell in cells(path, "markdown"))
    for code in page.select("pre, code, script"):
        code.decompose()
    assert not re.search(r"\$|\\[A-Za-z]", page.main.get_text())


def test_formula_in_a_heading_is_mathml_but_in_the_tab(pages, tmp_path):
    cell = nbformat.v4.new_markdown_cell("# By $d_k$?\n\n## Is $d_k$ good?\n\n## Yes\n\n## No")
    pages.Site(tmp_path, "").write_page("p.html", [cell])
    page = soup(tmp_path / "p.html")
    assert page.title.get_text() == "By d_k? · Attention, on real numbers"
    assert all(page.select(f"{heading} math msub") for heading in ("h1", "h2", ".sections li"))
    assert pages.typeset("<By> $d_k$?").startswith("&lt;By&gt; <math")


def test_formula_that_cannot_be_converted_is_named_with_its_cell(pages, tmp_path):
    cell = nbformat.v4.new_markdown_cell("# T\n\nThere: $a & b$", id="the-cell")
    with pytest.raises(ValueError, match=r"p\.html, cell the-cell: \$a & b\$"):
        pages.Site(tmp_path, "").write_page("p.html", [cell])


def test_link_to_a_page_keeps_its_fragment(pages, tmp_path):
    target = pages.Site(tmp_path, "").target("../README.md#run-it", ROOT / "teaching")
    assert target == "index.html#run-it"


def test_question_links_the_section_that_it_names(site):
    found = [
        link for link in soup(site / "questions.html").main.select("a") if "notebook " in link.get_text()
    ]
    for link in found:
        page, _, section = link["href"].partition("#")
        name = link.get_text().partition(", ")[2]
        (there,) = [element for element in soup(site / page).select("[id]") if element["id"] == section]
        assert re.sub(r"\W|_", "", name) in re.sub(r"\W|_", "", there.get_text()), name
    assert len(found) == (ROOT / "docs" / "questions.md").read_text(encoding="utf-8").count("](../notebooks/")


def test_dead_link_stops_the_build(pages, tmp_path):
    cell = nbformat.v4.new_markdown_cell("# T\n\n[there](nowhere.md)")
    with pytest.raises(ValueError, match=r"a link leads nowhere: nowhere\.md"):
        pages.Site(tmp_path, "").write_page("p.html", [cell])


def test_answer_without_a_folded_explanation_stops_the_build(pages, tmp_path):
    answer = nbformat.v4.new_code_cell("1", id="told", metadata={"tags": ["answer"]})
    for after in [], [nbformat.v4.new_markdown_cell("It is 1.", id="open")]:
        notebook = nbformat.v4.new_notebook(cells=[answer, *after])
        nbformat.write(notebook, tmp_path / "n.ipynb")
        with pytest.raises(ValueError, match=r"n\.ipynb, cell (told|open): .*explanation"):
            pages.notebook_cells(tmp_path / "n.ipynb")


def test_picture_links_to_its_file(site):
    for path in site.glob("*.html"):
        for image in soup(path).main.select("img"):
            assert image.find_parent("a")["href"] == image["src"]


def links(folder):
    """All (page, link) of the website in `folder`."""
    for page in folder.glob("*.html"):
        for link in soup(page).select("a[href]"):
            yield page.name, link["href"]


def test_without_a_published_copy_every_link_leads_to_a_file_of_the_site(unpublished):
    for page, link in links(unpublished):
        if page == "questions.html" and "://" in link:
            continue  # a paper or a thread that an answer cites
        path = unquote(link.partition("#")[0])
        assert (unpublished / (path or page)).is_file(), f"{page}: {link}"


def test_without_a_published_copy_other_files_are_plain_text(unpublished):
    text = " ".join(soup(unpublished / "teaching.html").get_text().split())
    assert "notes.toml holds what a room answers" in text
    assert "attention_lib/attention.py" in soup(unpublished / "library.html").get_text()


def test_without_a_published_copy_no_page_mentions_one(unpublished):
    for path in unpublished.glob("*.html"):
        page = soup(path)
        for code in page.select("pre"):  # a notebook's first line may name Colab
            code.decompose()
        assert not re.search(r"Binder|Colab|GitHub|ACCOUNT|REPOSITORY", page.get_text()), path.name
    assert "below are two ways" in soup(unpublished / "index.html").get_text()


def test_published_copy_is_linked(published):
    outside = {link for page, link in links(published) if "://" in link and page != "questions.html"}
    github = "https://github.com/somebody/copy"
    colab = "https://colab.research.google.com/github/somebody/copy/blob/main/notebooks/"
    binder = "https://mybinder.org/v2/gh/somebody/copy/HEAD?urlpath=lab/tree/notebooks/"
    for path in PATHS:
        assert {colab + path.name, binder + path.name} <= outside
    assert {github, f"{github}/archive/HEAD.zip", f"{github}/blob/HEAD/teaching/notes.toml"} <= outside
    for link in outside:
        assert link.startswith((github, colab, binder)), link
        _, blob, file = link.partition("/blob/HEAD/")
        assert not blob or (ROOT / unquote(file.partition("#")[0])).exists(), link
    assert "below are four ways" in soup(published / "index.html").get_text()


def test_front_page_starts_with_notebook_1_and_the_first_explorer(site):
    main = soup(site / "index.html").main
    assert main.find("a")["href"] == f"{PATHS[0].stem}.html"
    found = [
        figure for path in PATHS for figure in soup(site / f"{path.stem}.html").select("figure:has(script)")
    ]
    assert main.select("figure") == found[:1]


def test_library_page_has_every_public_name(site):
    import attention_lib
    from attention_lib import check, show

    page = soup(site / "library.html")
    there = {heading.get_text() for heading in page.select("h3")}
    shown = {f"show.{name}" for name in ("explorer", "heads", "heatmap", "lines", "rounded", "table")}
    checks = {f"check.{name}" for name in check.EXERCISES}
    others = {"model.read", "model.embed", "model.tokenize", "data.load", "plain_python.attention"}
    assert there >= {*attention_lib.__all__, *shown, *checks, *others}
    assert not any("._" in name for name in there)
    text = page.get_text()
    assert "scaled_dot_product_attention(q, k, v, mask=None, *, is_causal=False, scale=None)" in text
    assert " ".join(show.heatmap.__doc__.split(".")[0].split()).replace("`", "") in text
    assert " at 0x" not in text


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
    if (document.documentElement.scrollWidth > innerWidth) found.push("scrolls sideways");
    for (const box of all("main *")) {
        const style = getComputedStyle(box);
        const cut = style.overflowX !== "visible" && box.scrollWidth > box.clientWidth;
        if (cut && style.backgroundImage === "none") found.push(`cuts off without a shadow: ${box.textContent}`);
    }
    return found;
}"""
UNFOLD = "open => document.querySelectorAll('main details').forEach(fold => { fold.open = open; })"


def faults(page, axe):
    """What is wrong on a page as it stands, a line each."""
    yield from page.evaluate(INSPECT)
    inside = page.url.rpartition("/")[0] + "/"
    yield from (f"requests {entry}" for entry in page.log if not entry.startswith((inside, "data:")))
    # Without these options axe requests the style again, and lists the rules that pass.
    report = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    for rule in report.response["violations"]:
        if rule["impact"] in ("serious", "critical"):
            yield f"fails {rule['id']}: {rule['nodes'][0]['html'][:200]}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_fault(opened, axe, name, size, scheme):
    page = opened(name, viewport=size, color_scheme=scheme)
    found = [f"closed, {fault}" for fault in faults(page, axe)]
    page.evaluate(UNFOLD, True)
    page.wait_for_timeout(100)  # page.js then makes what scrolls focusable
    found += [f"open, {fault}" for fault in faults(page, axe)]
    assert not found, "\n".join(found)


def test_planted_faults_are_reported(opened, axe, tmp_path):
    (tmp_path / "planted.html").write_text(
        '<title> </title><h1>One</h1><h1 id="twice">Two</h1><p id="twice" style="width: 2000px">Wide</p>'
        '<img src="gone.png" alt="Gone"><img src="https://example.org/a.png"><p style="color: #ccc">Pale</p>'
        '<main><pre tabindex="0" style="width: 9px; overflow: auto">Cut</pre></main><script>nothing()</script>'
    )
    found = list(faults(opened((tmp_path / "planted.html").as_uri(), color_scheme="light"), axe))
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
        "requests error: nothing is not defined",
        "fails color-contrast: <p style",
        "fails image-alt: <img",
    ):
        assert any(line.startswith(fault) for line in found), f"{fault}\n" + "\n".join(found)


def test_every_page_is_linked_and_every_fragment_exists(opened, site):
    """Follows all links from the front page."""
    waiting, seen = [(site / "index.html").as_uri()], set()
    page = opened(waiting[0])
    while waiting:
        address = waiting.pop()
        page.goto(address)
        if "#" in address:
            assert page.locator(":target").count() == 1, address
        for link in set(page.eval_on_selector_all("a[href]", "all => all.map(link => link.href)")) - seen:
            seen.add(link)
            if link.startswith("file:") and not link.endswith(".ipynb"):
                waiting.append(link)
    assert {Path(urlsplit(link).path).name for link in seen if link.startswith("file:")} >= set(PAGES)


@every_notebook
def test_downloaded_notebook_has_no_outputs(site, path):
    stored, downloaded = (notebooks.read(file).cells for file in (path, site / "notebooks" / path.name))
    assert [cell.source for cell in downloaded] == [cell.source for cell in stored]
    for cell in downloaded:
        tags = cell.metadata.get("tags", [])
        assert not cell.get("outputs") and not cell.get("execution_count")
        assert cell.metadata.get("jupyter", {}) == ({"source_hidden": True} if "hide-input" in tags else {})


@every_notebook
def test_fold_opens_answer_and_explanation_at_once(opened, path):
    page = opened(f"{path.stem}.html", viewport=PHONE)
    for fold in page.locator("details.answer").all():
        parts = [fold.locator(".output").first, fold.locator("> :is(p, ul)").last]
        assert [part.is_visible() for part in parts] == [False, False]
        fold.locator("summary").press("Enter")
        assert [part.is_visible() for part in parts] == [True, True]


def test_navigation_names_all_notebooks_where_there_is_room(opened):
    for width, named in [(1024, len(PATHS)), (768, len(PATHS)), (767, 1)]:
        page = opened(f"{PATHS[0].stem}.html", viewport={"width": width, "height": 900})
        names = [name for name in page.locator("header li span").all() if name.bounding_box()["width"] > 1]
        assert len(names) == named


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
        pictures = page.locator("figure:has(picture)").all()
        assert len(pictures) > 1
        for picture in pictures:
            name = picture.get_attribute("id")
            assert picture.locator("img").evaluate("image => image.currentSrc").endswith(f"/01_{name}{form}")
            assert picture.evaluate("figure => figure.scrollWidth <= figure.clientWidth")


def test_every_control_of_an_explorer_changes_its_sentence(opened):
    """By keyboard, in folds too."""
    moved = 0
    for path in PATHS:
        page = opened(f"{path.stem}.html")
        page.evaluate(UNFOLD, True)
        for explorer in page.locator("figure > div[data-lm-suppress-shortcuts]").all():
            table, sentence = explorer.locator("table"), explorer.locator("p[role=status]")
            numbers = table.inner_text()
            for control in explorer.locator("select, input").all():
                before = sentence.inner_text()
                box = control.get_attribute("type") == "checkbox"
                for key in ("Space",) if box else ("ArrowUp", "ArrowDown"):
                    control.press(key)
                    if sentence.inner_text() != before:
                        break
                else:
                    pytest.fail(f"{path.name}: {control.locator('xpath=..').inner_text()} changes nothing")
            assert table.inner_text() != numbers
            moved += 1
    stored = sum("<script" in str(cell.outputs) for path in PATHS for cell in cells(path, "code"))
    assert moved == stored > 0


# On paper

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
@every_notebook
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


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_off_on_paper(opened, name):
    page = opened(name, viewport={"width": 658, "height": 900})  # A4 without its margins of 18 mm
    page.emulate_media(media="print")
    cut = """() => {
        const explorers = [...document.querySelectorAll("figure > div")].map((host) => host.shadowRoot);
        const roots = [document, ...explorers.filter(Boolean)];
        return roots.flatMap((root) => [...root.querySelectorAll("main, pre, .scroll, figure")])
            .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 200));
    }"""
    assert not page.evaluate(cut)
