"""The series as pages: what -m publish.pages makes, read as a browser reads it, with the network off.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m browser

Every page is opened on a desk and on a phone, light and dark, its folds closed and open, and printed. One
test plants a fault for each line of the report, and sees it reported.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from publish.minutes import SUMMARY
from tests.chromium import chromium
from tests.notebooks.test_browser import formulas, prose

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
REASON = "needs publish/requirements.txt and tests/requirements-browser.txt"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
PAGES = ["index.html", *(f"{path.stem}.html" for path in NOTEBOOKS), "teaching.html", "library.html"]
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}


@pytest.fixture(scope="module")
def builder():
    """-m publish.pages as a module."""
    pytest.importorskip("latex2mathml", reason=REASON)
    sys.path.insert(0, str(ROOT / "web"))
    try:
        from publish import pages as build

        yield build
    finally:
        sys.path.remove(str(ROOT / "web"))


@pytest.fixture(scope="module")
def site(builder, tmp_path_factory):
    """The folder of the site, built as its head says."""
    out = tmp_path_factory.mktemp("site") / "out"
    command = [sys.executable, ROOT / "web" / "build.py", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=out.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return out


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()


@pytest.fixture
def opened(browser, site):
    """A function that opens a page without a network. Its `asked` lists requests and what went wrong."""
    contexts = []

    def open_page(address, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.asked = []
        context.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.asked.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: page.asked.append(f"error: {error}"))
        page.goto(address if ":" in address else (site / address).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


def soup(page):
    from bs4 import BeautifulSoup

    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def cells(path, kind):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


# What is written


def test_the_site_is_small_and_the_same_each_time(builder, site, tmp_path):
    builder.build(tmp_path)
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    again = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert files == again
    assert sorted(path.name for path in files if path.suffix == ".html") == sorted(PAGES)
    assert sum(map(len, files.values())) < 4e6
    front = ["index.html", "style.css", "page.js", "figures/01_her_to_cat.png"]
    assert sum((site / name).stat().st_size for name in front) < 1e6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_answer_waits_with_its_explanation_in_one_fold(site, path):
    page = soup(site / f"{path.stem}.html")
    answers = [cell for cell in cells(path, "code") if "answer" in cell.metadata.get("tags", [])]
    folds = page.select("details.answer")
    explanations = [cell for cell in cells(path, "markdown") if SUMMARY in cell.source]
    assert [fold.summary.get_text() for fold in folds] == [SUMMARY] * len(explanations)
    assert len(page.find_all("summary", string=SUMMARY)) == len(explanations)  # nowhere a second fold
    assert all(fold.select(".output") and fold.select(":scope > :is(p, ul)") for fold in folds)
    assert not page.select("details[open]")

    # Outside of the folds stand the outputs of the other cells, and no more.
    others = [cell for cell in cells(path, "code") if cell.outputs and cell not in answers]
    outputs = page.select(".output")
    assert sum(len(fold.select(".output")) for fold in folds) == len(answers)
    assert len(outputs) == len(answers) + len(others)
    hidden = [cell for cell in answers if "hide-input" in cell.metadata.tags]
    for cell in hidden:  # its code tells
        line = cell.source.splitlines()[1]
        assert [
            bool(code.find_parent("details")) for code in page.select(".code") if line in code.get_text()
        ] == [True]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_formulas_are_there(site, path):
    page = soup(site / f"{path.stem}.html")
    assert len(page.select("math")) == sum(formulas(prose(cell)) for cell in cells(path, "markdown"))
    for code in page.select("pre, code, script"):
        code.decompose()
    assert not re.search(r"\$|\\[A-Za-z]", page.main.get_text())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_formulas_are_of_a_form_that_github_draws(path):
    # Its Markdown takes a backslash before a sign away before the formula is read: \! comes out as !.
    for cell in cells(path, "markdown"):
        for formula in re.findall(r"\$\$.+?\$\$|\$[^$]+\$", prose(cell), re.DOTALL):
            assert not re.search(r"\\[^A-Za-z]", formula), f"{cell.id}: {formula}"


@pytest.mark.parametrize(
    "tex",
    [r"\nosuch{3}", r"\frac{1", r"\frac{1}", "a & b", "a}", r"\left( a", "x_", r"\sqrt{\nosuch}"],
)
def test_a_formula_that_cannot_be_drawn_is_named(builder, tmp_path, tex):
    cell = nbformat.v4.new_markdown_cell(f"# T\n\nThere: ${tex}$", id="the-cell")
    with pytest.raises(ValueError) as caught:
        builder.Site(tmp_path, "A/B").page("p.html", [cell], series=[])
    assert f"p.html, cell the-cell: ${tex}$" in str(caught.value)


def test_what_formulas_become(builder):
    from publish.formulas import mathml

    assert re.sub(r"</?mrow>", "", mathml(r"\mathrm{mask}_k < \{1\}", "block")) == (
        '<math display="block"><msub><mi>mask</mi><mi>k</mi></msub><mo>&lt;</mo><mo stretchy="false">{</mo>'
        '<mn>1</mn><mo stretchy="false">}</mo></math>'
    )


def test_what_would_mislead_stops_the_build(builder, tmp_path):
    site = builder.Site(tmp_path, "A/B")
    lost = [nbformat.v4.new_markdown_cell("# T\n\n[there](nowhere.md)")]
    with pytest.raises(ValueError, match=r"a link leads nowhere: nowhere\.md"):
        site.page("p.html", lost, series=[])

    answer = nbformat.v4.new_code_cell("1", id="told", metadata={"tags": ["answer"]})
    for after in [], [nbformat.v4.new_markdown_cell("It is 1.", id="open")]:
        notebook = nbformat.v4.new_notebook(cells=[answer, *after])
        nbformat.write(notebook, tmp_path / "n.ipynb")
        with pytest.raises(ValueError, match=r"n\.ipynb, cell (told|open): .*explanation"):
            builder.notebook_cells(tmp_path / "n.ipynb")


def test_the_place_on_github_is_named_once(builder, tmp_path):
    builder.build(tmp_path, "somebody/copy")
    for page in tmp_path.glob("*.html"):
        assert "REPOSITORY" not in page.read_text(encoding="utf-8")
    assert "somebody/copy" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_library_is_there_whole(site):
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


# What is seen


LOOK = """() => {
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
    return found;
}"""
UNFOLD = "open => document.querySelectorAll('main details').forEach(fold => { fold.open = open; })"


def faults(page, axe):
    """What is wrong on a page as it stands, a line each."""
    yield from page.evaluate(LOOK)
    inside = page.url.rpartition("/")[0] + "/"
    yield from (f"asks for {url}" for url in page.asked if not url.startswith((inside, "data:")))
    # Left alone it fetches the style once more, and lists all that is right.
    looked = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    for rule in looked.response["violations"]:
        if rule["impact"] in ("serious", "critical"):
            yield f"fails {rule['id']}: {rule['nodes'][0]['html'][:200]}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_fault(opened, axe, name, size, scheme):
    page = opened(name, viewport=size, color_scheme=scheme)
    found = [f"closed, {fault}" for fault in faults(page, axe)]
    page.evaluate(UNFOLD, True)
    page.wait_for_timeout(100)  # what scrolls is told to the keyboard once the folds are drawn
    found += [f"open, {fault}" for fault in faults(page, axe)]
    assert not found, "\n".join(found)


def test_planted_faults_are_reported(opened, axe, tmp_path):
    (tmp_path / "planted.html").write_text(
        '<title> </title><h1>One</h1><h1 id="twice">Two</h1><p id="twice" style="width: 2000px">Wide</p>'
        '<img src="gone.png" alt="Gone"><img src="https://example.org/a.png"><p style="color: #ccc">Pale</p>'
        "<script>nothing()</script>"
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
        "asks for https://example.org/a.png",
        "asks for error: nothing is not defined",
        "fails color-contrast: <p style",
        "fails image-alt: <img",
    ):
        assert any(line.startswith(fault) for line in found), f"{fault}\n" + "\n".join(found)


def test_every_link_leads_somewhere(opened, site):
    """From the front door on: every page is reached, every place within a page is there."""
    waiting, seen, outside = [(site / "index.html").as_uri()], set(), set()
    page = opened(waiting[0])
    while waiting:
        address = waiting.pop()
        page.goto(address)
        if "#" in address:
            assert page.locator(":target").count() == 1, address
        for link in set(page.eval_on_selector_all("a[href]", "all => all.map(link => link.href)")) - seen:
            seen.add(link)
            if link.startswith("https://"):
                outside.add(link)
            elif link.endswith(".ipynb"):
                assert Path(unquote(urlsplit(link).path)).exists(), link
            else:
                waiting.append(link)
    assert {Path(urlsplit(link).path).name for link in seen if link.startswith("file:")} >= set(PAGES)
    place = "https://github.com/ACCOUNT/REPOSITORY"
    for link in outside:
        start, _, file = link.partition("/blob/HEAD/")
        if start == place:
            assert (ROOT / unquote(file.partition("#")[0])).exists(), link
        elif "ACCOUNT/REPOSITORY" in link and ".ipynb" in link:
            assert (ROOT / "notebooks" / link.rpartition("/")[2]).exists(), link


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_to_take_away_shows_no_answer(site, path):
    stored, taken = (
        nbformat.read(file, as_version=4).cells for file in (path, site / "notebooks" / path.name)
    )
    assert [cell.source for cell in taken] == [cell.source for cell in stored]
    for cell in taken:
        tags = cell.metadata.get("tags", [])
        assert not cell.get("outputs") and not cell.get("execution_count")
        assert cell.metadata.get("jupyter", {}) == ({"source_hidden": True} if "hide-input" in tags else {})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_fold_opens_answer_and_explanation_at_once(opened, path):
    page = opened(f"{path.stem}.html", viewport=PHONE)
    for fold in page.locator("details.answer").all():
        parts = [fold.locator(".output").first, fold.locator("> :is(p, ul)").last]
        assert [part.is_visible() for part in parts] == [False, False]
        fold.locator("summary").press("Enter")
        assert [part.is_visible() for part in parts] == [True, True]


def test_explorers_move(opened):
    """Every control of every explorer, by keyboard, in folds and out of them, is answered by its sentence."""
    moved = 0
    for path in NOTEBOOKS:
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
    stored = sum("<script" in str(cell.outputs) for path in NOTEBOOKS for cell in cells(path, "code"))
    assert moved == stored > 0


# What is printed


PICTURE = "\0"  # in what is read of a sheet


def squeezed(text):
    return re.sub(r"\s+", "", text)


def read(sheet):
    """The text of a printed sheet without spaces, in the order of its drawing, and a sign for each picture."""
    parts = []
    sheet.extract_text(
        visitor_operand_before=lambda operator, *_: parts.append(PICTURE) if operator == b"Do" else None,
        visitor_text=lambda text, *_: parts.append(text),
    )
    return squeezed("".join(parts))


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_printed_page_is_whole(opened, site, tmp_path, path, script):
    reader = pytest.importorskip("pypdf", reason=REASON)
    page = opened(f"{path.stem}.html", java_script_enabled=script)
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "18mm")
    page.pdf(path=tmp_path / "page.pdf", format="A4", margin=margin)
    printed = [read(sheet) for sheet in reader.PdfReader(tmp_path / "page.pdf").pages]
    whole = "".join(printed).replace(PICTURE, "")

    main = soup(site / f"{path.stem}.html").main
    for paragraph in main.select("details > p"):
        if not paragraph.select("math"):
            assert squeezed(paragraph.get_text()) in whole, "a fold was not printed"
    for heading in main.select("h1, h2, h3, summary"):
        alone = [i for i, sheet in enumerate(printed, 1) if sheet.endswith(squeezed(heading.get_text()))]
        assert not alone, f"{heading.get_text()} stands alone at the foot of page {alone}"


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_on_paper(opened, name):
    page = opened(name, viewport={"width": 658, "height": 900})  # A4 without its margins of 18 mm
    page.emulate_media(media="print")
    cut = """() => {
        const explorers = [...document.querySelectorAll("figure > div")].map((host) => host.shadowRoot);
        const roots = [document, ...explorers.filter(Boolean)];
        return roots.flatMap((root) => [...root.querySelectorAll("main, pre, .scroll, figure")])
            .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 200));
    }"""
    assert not page.evaluate(cut)
