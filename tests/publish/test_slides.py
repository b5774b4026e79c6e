"""The decks of slides: their content, and how they look and behave in a browser.

The second half (pytest -m browser, with publish/requirements.txt) builds every deck and presses its keys in
Chromium, offline, on a wide and on an old projector.
"""

import re
from itertools import pairwise

import pytest

from lesson import check
from publish import notebooks, projector_pictures, slides, teaching_data
from tests.notebooks.stored import MARK

SCREENS = {"wide": {"width": 1280, "height": 720}, "old": {"width": 1024, "height": 768}}
NOTES, ROUTES = teaching_data.read_notes(), teaching_data.read("routes.toml")
DECKS = [*(path.stem for path in notebooks.PATHS.values()), *(f"route-{name}" for name in ROUTES)]
every_notebook = pytest.mark.parametrize("number", notebooks.PATHS)


# What goes on slides


def is_shown(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type") != "skip"


@pytest.fixture
def deck_of(monkeypatch):
    """A function: the cells of a notebook, and its slides with their text left in Markdown, nothing drawn."""
    monkeypatch.setattr(slides, "render", lambda markdown: f"\n{markdown}\n" if markdown else "")
    picture = projector_pictures.Picture("", "a picture", 9, 5, 1)

    def make(number):
        notebook = notebooks.read(notebooks.PATHS[number])
        cells = {cell.id: cell for cell in notebook.cells}
        return cells, slides.notebook_slides(notebook, dict.fromkeys(cells, picture), NOTES)

    return make


@every_notebook
def test_question_has_its_note_and_its_answers_on_the_next_keys(number, deck_of):
    cells, deck = deck_of(number)
    for id in [id for id in NOTES if id in cells and is_shown(cells[id])]:
        note, source = NOTES[id], cells[id].source
        found = [(slide, step) for slide in deck for step in slide.steps if note["next"] in step.notes]
        ((slide, question),) = found
        asked, *answers = [step.shown for step in slide.steps[slide.steps.index(question) :]]
        told = ['class="answer"' in shown for shown in answers]
        assert 'class="answer"' not in asked and any(told), id
        if MARK in source:
            assert not told[0], f"{id}: no answer is shown before the explanation"
        else:
            assert re.search(r"\n\n(\([a-d]\)\. .*)", source)[1] in answers[0]
        if "question" in note:
            assert slides.vote(note) in asked and "**A** " in asked and "options-line" not in asked, id
            assert question.notes.startswith("\n✓ "), f"{id}: the right answer comes first"
            assert told[0] or slides.options_line(note) in answers[0], id
            assert slides.options_line(note).count("✓") == 1


@every_notebook
def test_every_paragraph_is_on_a_slide_or_in_the_notes_and_no_hint_or_solution(number, deck_of):
    cells, deck = deck_of(number)
    text = "".join(slide.title + step.shown + step.notes for slide in deck for step in slide.steps)
    for cell in [cell for cell in cells.values() if cell.cell_type == "markdown"]:
        if not is_shown(cell):
            assert not cell.id.endswith(("-solution", "-hint")) or cell.source.split("\n\n")[1] not in text
            continue
        source = slides.FOLD.sub(r"\2", cell.source).replace(slides.NOTES_BELOW, "")
        source = notebooks.YOU_SAID.sub(r"\2", source)  # the note of the question has both parts
        if "question" in NOTES.get(cell.id, {}):
            source = slides.BOX.sub("", source)
        for paragraph in re.split(r"\n{2,}", source.strip()):
            assert paragraph in text or re.sub("^#+ ", "", paragraph) in text


def test_exercise_names_its_notebook_and_shows_its_stub(deck_of):
    shown = {}  # of each slide, by notebook
    for number, path in notebooks.PATHS.items():
        _, deck = deck_of(number)
        shown[path.stem] = ["".join(step.shown for step in slide.steps) for slide in deck]
    for task in [task for task in check.TASKS if task.name != "linking_head"]:
        (stub, *_) = [text for text in shown[task.notebook] if f'"nf">{task.name}</span>' in text]
        assert f">Notebook {int(task.notebook[:2])}, exercise " in stub, task.name
    assert slides.example("softmax").endswith("softmax([1000, 1000, 999])\n[0.42 0.42 0.16]</pre>")


def test_route_has_its_titles_and_notes_and_tells_the_time(deck_of):
    cells, _ = deck_of("04")
    exercise = {"minutes": 5, "title": "Yours", "cells": ["nb04-47", "nb04-03"], "say": "Alone."}
    board = {"minutes": 3, "title": "A *row*", "before": "19.3", "after": "So.", "say": "Draw it."}
    route = {"parts": [exercise, board], "notes": {"nb04-47": "Mine.", "nb04-03": "Ours."}}
    first, asked, last = slides.route_slides(route, cells, {}, NOTES)
    assert "**Minute 0 to 5.** Alone." in first.steps[0].notes and "Mine." in first.steps[0].notes
    assert "Yours" in first.title and "Notebook 4, exercise 2 · first run the cells" in first.steps[0].shown
    assert slides.vote(NOTES["nb04-03"]) in asked.steps[0].shown and asked.steps[0].notes.endswith("Ours.\n")
    assert "**Minute 5 to 8.** Draw it." in last.steps[0].notes
    assert "A *row*" in last.title and [step.shown.strip() for step in last.steps] == ["19.3", "So."]


# In Chromium, offline

# What is wrong on the slide as it stands, and what can be seen of it.
INSPECT = """() => {
  const problems = [], visible = [], range = document.createRange();
  const slide = Reveal.getCurrentSlide();
  const of720 = 720 / innerHeight;  // sizes are compared as on a screen 720 high
  const scale = slide.getBoundingClientRect().width / slide.offsetWidth * of720;
  const report = (what, element) =>
    problems.push(`${slide.id}: ${what}: ${(element.alt ?? element.textContent).trim().slice(0, 40)}`);
  const see = (element, box, content, size, least) => {
    if (!box.width) return;
    visible.push([content, Math.round(box.x), Math.round(box.y)]);
    if (!content || content.includes("$") && !element.closest("pre")) report("no words, or a formula", element);
    if (!(size >= least - 0.01)) report(`type of ${size.toFixed(1)}`, element);
    if (box.top < -1 || box.bottom > innerHeight + 1) report("taller than the screen", element);
    if (box.left < -1 || box.right > innerWidth + 1) report("cut at the side", element);
  };
  const look = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    if (element.matches("aside, style, script, .no-room")) return;
    if (style.position === "absolute" && style.overflow === "hidden") return;  // for screen readers
    if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1)
      report("cut at the side", element);
    const least = element.closest("table") && element.getRootNode() !== document ? 22 : 24;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      range.selectNodeContents(node);
      see(element, range.getBoundingClientRect(), node.data, parseFloat(style.fontSize) * scale, least);
    }
    if (element.matches("img")) {
      const box = element.getBoundingClientRect();
      const shown = Math.min(box.width, box.height * element.naturalWidth / element.naturalHeight) * of720;
      see(element, box, element.alt, element.dataset.type * shown, 22);
    }
    [...element.children, ...(element.shadowRoot?.children ?? [])].forEach(look);
  };
  look(slide);
  const said = [...slide.querySelectorAll(".step:not(.fragment), .step.visible")]
    .map((step) => [...step.querySelectorAll(":scope > :is(figure, table, .result, :has(table)):not(aside)")])
    .findLast((parts) => parts.length);
  if (innerWidth > 1.5 * innerHeight && said && !said.some((part) => part.offsetHeight)) report("gone too early", said[0]);
  const last = Reveal.isLastSlide() && !Reveal.availableFragments().next;
  return { problems, visible: JSON.stringify(visible), at: `${slide.id}/${Reveal.getIndices().f ?? 0}`, last };
}"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """The folder with all decks."""
    pytest.importorskip("sphinx_revealjs", reason="needs publish/requirements.txt")
    folder = tmp_path_factory.mktemp("decks")
    slides.write_decks(folder)
    return folder


@pytest.fixture
def open_deck(open_page, decks):
    """A function that opens a deck, offline."""

    def open_deck(address, screen="wide"):
        page = open_page(f"{decks.as_uri()}/{address}", viewport=SCREENS[screen])
        page.wait_for_function("window.Reveal?.isReady()")
        return page

    return open_deck


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("deck", DECKS)
def test_every_slide_fits_and_keeps_its_picture_and_every_key_shows_something(open_deck, decks, deck, screen):
    page = open_deck(f"{deck}.html", screen)
    n_steps = (decks / f"{deck}.html").read_text(encoding="utf-8").count('class="step')
    states = [page.evaluate(INSPECT)]
    for _ in range(n_steps - 1):
        page.keyboard.press("ArrowRight")
        states.append(page.evaluate(INSPECT))
    problems = [problem for state in states for problem in state["problems"]]
    problems += [b["at"] for a, b in pairwise(states) if a["visible"] == b["visible"]]
    assert not problems + page.log, "\n".join(problems + page.log)
    assert [state["last"] for state in states].index(True) == n_steps - 1 > 9


@pytest.mark.browser
def test_axe_finds_no_fault_on_a_question(open_deck):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_deck("02_scaling.html#/nb02-50-1")
    report = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    assert report.response["violations"] == []


@pytest.mark.browser
def test_index_links_every_deck(decks):
    links = re.findall(r'<a href="([^"]*)"', (decks / "index.html").read_text(encoding="utf-8"))
    assert {f"{deck}.html" for deck in DECKS} < set(links)
    assert all((decks / link).is_file() for link in links)


@pytest.mark.browser
def test_five_steps_print_on_one_page(open_page, decks):
    page = open_page((decks / "five_steps.html").as_uri())
    assert page.locator("img").count() == 2
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


@pytest.mark.browser
def test_clock_counts_down_once_its_slide_is_shown(open_deck):
    page = open_deck("route-lab.html")
    clock = page.locator("section:has(h2:text-is('Break')) .clock")
    assert clock.text_content() == "10:00"
    page.evaluate("location.hash = document.querySelector('section:has(.clock)').id")
    clock.get_by_text("9:59").wait_for()


@pytest.mark.browser
def test_notes_open_in_a_window_of_their_own_and_follow(open_deck):
    page = open_deck("01_dot_product.html#/nb01-12")
    next = teaching_data.plain_text(NOTES["nb01-12"]["next"])
    with page.context.expect_page() as opened:
        page.keyboard.press("s")
    notes = opened.value.locator(".speaker-controls-notes")
    notes.get_by_text(next).wait_for(timeout=20_000)
    page.keyboard.press("ArrowRight")  # the answer: the notes on the question stay
    page.keyboard.press("t")
    assert page.evaluate(INSPECT)["at"] == "nb01-12/0"
    assert next in page.locator("#notes-below:visible").inner_text() and next in notes.inner_text()


@pytest.mark.browser
def test_arrow_keys_in_an_explorer_turn_no_slide(open_deck):
    page = open_deck("02_scaling.html#/nb02-play")
    page.keyboard.press("ArrowRight")
    before = page.evaluate(INSPECT)
    page.locator("select:visible").first.focus()
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    after = page.evaluate(INSPECT)
    assert after["at"] == before["at"] and after["visible"] != before["visible"]


@pytest.mark.browser
def test_deck_prints_one_page_per_step(open_page, decks):
    page = open_page(f"{decks.as_uri()}/route-50.html?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length > 5")
    page.wait_for_timeout(500)
    heights = page.locator(".pdf-page section").evaluate_all("all => all.map(slide => slide.scrollHeight)")
    steps = (decks / "route-50.html").read_text(encoding="utf-8").count('class="step')
    assert len(heights) == steps and max(heights) <= 720


@pytest.mark.browser
def test_slides_are_dark_at_a_key(open_deck):
    page = open_deck("01_dot_product.html")
    page.keyboard.press("d")
    assert "invert" in page.locator(".reveal").evaluate("deck => getComputedStyle(deck).filter")
