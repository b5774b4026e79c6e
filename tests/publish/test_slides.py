"""The decks of slides: their content, and how they look and behave in a browser.

The second half (pytest -m browser, with publish/requirements.txt) builds every deck and presses its keys in
Chromium, offline, on a wide and on an old projector.
"""

import re

import pytest
from nbformat.v4 import new_markdown_cell

from lesson import check
from publish import notebooks, projector_pictures, slides, teaching_data
from tests.few import few_of
from tests.notebooks.stored import MARK

SCREENS = {"wide": {"width": 1280, "height": 720}, "old": {"width": 1024, "height": 768}}
NOTES, ROUTES = teaching_data.read_notes(), teaching_data.read_routes()
DECKS = [*(path.stem for path in notebooks.PATHS.values()), *(f"route-{name}" for name in ROUTES)]
LARGE = {notebooks.PATHS[number].stem for number in ("06", "09")}  # drawing their pictures takes long
every_notebook = pytest.mark.parametrize("number", notebooks.PATHS)


# What goes on slides


NOT_DRAWN = projector_pictures.Picture("", "a picture", 9, 5, 1)


def undrawn(notebook):
    """A picture for each cell, so that none has to be drawn."""
    return {cell.id: NOT_DRAWN for cell in notebook.cells}


@pytest.fixture
def unrendered(monkeypatch):
    """Leaves the text of slides in Markdown."""
    monkeypatch.setattr(slides, "render", lambda markdown: f"\n{markdown}\n")


@pytest.fixture
def slides_of(unrendered):
    """A function: the cells that are shown of a notebook, and its slides."""

    def make(number):
        notebook = notebooks.read(notebooks.PATHS[number])
        return slides.cells_for_slides(notebook.cells), slides.notebook_slides(
            notebook, undrawn(notebook), NOTES
        )

    return make


@every_notebook
def test_question_has_its_note_and_its_answers_on_the_next_keys(number, slides_of):
    cells, deck = slides_of(number)
    for cell in [cell for cell in cells if cell.id in NOTES]:
        note = NOTES[cell.id]
        (rest,) = [
            slide.steps[i:]
            for slide in deck
            for i, step in enumerate(slide.steps)
            if note["next"] in step.notes
        ]
        asked, *answers = (step.shown for step in rest)
        told = ['class="answer"' in shown for shown in answers]
        assert 'class="answer"' not in asked and any(told), cell.id
        if MARK in cell.source:
            assert not told[0], f"{cell.id}: no answer is shown before the explanation"
        else:
            assert re.search(r"\n\n(\([a-d]\)\. .*)", cell.source)[1] in answers[0]
        if "question" in note:
            assert slides.vote(note) in asked and "options-line" not in asked, cell.id
            assert told[0] or slides.options_line(note) in answers[0], cell.id
            assert slides.options_line(note).count("✓") == 1
        else:
            assert "✎" in asked or "(b)" in asked, cell.id


@every_notebook
def test_every_paragraph_is_on_a_slide_or_in_the_notes_and_no_hint_or_solution(number, slides_of):
    cells, deck = slides_of(number)
    text = "".join(slide.title + step.shown + step.notes for slide in deck for step in slide.steps)
    for cell in [cell for cell in cells if cell.cell_type == "markdown"]:
        source = slides.FOLD.sub(r"\2", cell.source).replace(slides.NOTES_BELOW, "")
        source = notebooks.YOU_SAID.sub(r"\2", source)  # the note of the question has both parts
        if "question" in NOTES.get(cell.id, {}):
            source = slides.BOX.sub("", source)
        for paragraph in re.split(r"\n{2,}", source.strip()):
            assert paragraph in text or re.sub("^#+ ", "", paragraph) in text
    for cell in notebooks.read(notebooks.PATHS[number]).cells:
        if cell.id.endswith(("-solution", "-hint")):
            assert cell.source.split("\n\n")[1] not in text


def test_exercise_names_its_notebook_and_shows_its_stub_and_an_example(slides_of):
    shown = {}  # of each slide, by notebook
    for path in notebooks.PATHS.values():
        _, deck = slides_of(path.name[:2])
        shown[path.stem] = ["".join(step.shown for step in slide.steps) for slide in deck]
    for task in [task for task in check.TASKS if task.name != "linking_head"]:
        (stub, *_) = [text for text in shown[task.notebook] if f'"nf">{task.name}</span>' in text]
        assert f">Notebook {int(task.notebook[:2])}, exercise " in stub, task.name
        is_large = task.name in ("multi_head", "attention_gradients", "attend", "induction_score")
        assert is_large or f"&gt;&gt;&gt; {task.name}(" in stub
    assert slides.example("softmax").endswith("softmax([1000, 1000, 999])\n[0.42 0.42 0.16]</pre>")
    assert slides.example("merge").count("\n") == 2  # an output and a log_sum


NOTED = {
    "question": "Which signs?",
    "answers": [{"says": "+ & more", "means": "*lengths*"}, {"says": "+ 0 -", "means": "right", "right": True}],
    "next": "And in 2 numbers?",
}  # fmt: skip


def test_vote_has_lettered_options_and_notes_that_stay_until_its_answer(unrendered):
    assert slides.vote(NOTED) == "> ### ✎ Vote\n>\n> Which signs?\n>\n> **A** + & more\n>\n> **B** + 0 -\n"
    notes = slides.speaker_notes(NOTED)
    assert notes.startswith("\n✓ B + 0 -: right\n\n· A + & more: *lengths*\n\n")  # the right one first
    slide = slides.Slide("x", "", [slides.Step("<p>?</p>", notes), slides.Step("<p>!</p>")])
    assert slides.page("x", [slide]).count(notes) == 2


def test_route_has_its_titles_and_notes_and_tells_the_time(unrendered):
    cells = {cell.id: cell for cell in notebooks.read(notebooks.PATHS["04"]).cells}
    exercise = {"minutes": 5, "title": "Yours", "cells": ["nb04-47"], "say": "Alone."}
    board = {"minutes": 3, "title": "A *row*", "before": "19.3", "after": "So.", "say": "Draw it."}
    route = {"parts": [exercise, board], "notes": {"nb04-47": "Mine."}}
    first, second = slides.route_slides(route, cells, {}, {})
    assert "**Minute 0 to 5.** Alone." in first.steps[0].notes and "Mine." in first.steps[0].notes
    assert "**Minute 5 to 8.** Draw it." in second.steps[0].notes
    assert "Yours" in first.title and "Notebook 4, exercise 2 · first run the cells" in first.steps[0].shown
    assert "A *row*" in second.title and [step.shown.strip() for step in second.steps] == ["19.3", "So."]


def test_other_notes_leave_what_is_shown_in_a_fold_and_a_box():
    box = f"> {notebooks.PREDICT}\n>\n> Which?"
    for start, end in [("<details><summary>Answer</summary>\n\nA.", "\n\n</details>"), ("A.", f"\n\n{box}")]:
        cell = new_markdown_cell(f"{start}\n\n<!-- notes -->\n\nB.{end}")
        assert slides.with_notes(cell, "C.").source == cell.source.replace("B.", "C.")


def test_index_links_every_deck_and_says_how_long_it_takes(monkeypatch, tmp_path):
    monkeypatch.setattr(projector_pictures, "redraw", undrawn)
    monkeypatch.setattr(projector_pictures, "readable", lambda picture: NOT_DRAWN)
    monkeypatch.setattr(slides, "copy_player", lambda out: out)  # which needs publish/requirements.txt
    slides.write_decks(tmp_path)
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="([^"]*)"', index)
    others = ["five_steps.html", "assistant.html", "clickers.txt"]
    assert sorted(links) == sorted([*(f"{deck}.html" for deck in DECKS), *others])
    assert all((tmp_path / link).is_file() for link in links)
    assert len(re.findall(r">[^<$]+</a></td><td>\d+ minutes</td>", index)) == len(DECKS)


# In Chromium, offline

# What is wrong on the slide as it stands, and what can be seen of it.
INSPECT = """() => {
  const problems = [], visible = [], range = document.createRange();
  const slide = Reveal.getCurrentSlide();
  const of720 = 720 / innerHeight;  // sizes are compared as on a screen 720 high
  const scale = slide.getBoundingClientRect().width / slide.offsetWidth * of720;
  const report = (what, element) =>
    problems.push(`${slide.id}: ${what}: ${(element.alt ?? element.textContent).trim().slice(0, 40)}`);
  const look = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    if (element.matches("aside, style, script")) return;
    const box = element.getBoundingClientRect();
    const hidden = style.position === "absolute" && style.overflow === "hidden";  // for screen readers
    if (style.display !== "contents" && box.width && box.height && !hidden) {
      if (box.bottom > innerHeight + 1 || box.top < -1) report("taller than the screen", element);
      if (box.right > innerWidth + 1 || box.left < -1) report("cut at the side", element);
      if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1)
        report("cut at the side", element);
    }
    const small = element.closest("table") && element.getRootNode() !== document ? 22 : 24;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim() || hidden) continue;
      const size = parseFloat(style.fontSize) * scale;
      if (size < small - 0.01) report(`text of ${size.toFixed(1)}`, element);
      range.selectNodeContents(node);
      const line = range.getBoundingClientRect();
      if (line.right > innerWidth + 1 || line.left < -1) report("cut at the side", element);
      if (node.data.includes("$") && !element.closest("pre")) report("a formula in dollars", element);
      visible.push([node.data, Math.round(box.x), Math.round(box.y)]);
    }
    if (element.matches("img")) {
      const shown = Math.min(box.width, box.height * element.naturalWidth / element.naturalHeight) * of720;
      const size = Number(element.dataset.type) * shown;
      if (!(size >= 22 - 0.01)) report(`digits of ${size.toFixed(1)}`, element);
      if (!element.alt) report("no description", element);
      visible.push([element.src.length, element.alt, Math.round(box.x), Math.round(box.y)]);
    }
    for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) look(child);
  };
  look(slide);
  const last = Reveal.isLastSlide() && !Reveal.availableFragments().next;
  return { problems, visible: JSON.stringify(visible), at: `${slide.id}/${Reveal.getIndices().f ?? 0}`, last };
}"""


@pytest.fixture(scope="module")
def decks(request, tmp_path_factory):
    """The folder with all decks; without the large ones if no test that runs needs them."""
    pytest.importorskip("sphinx_revealjs", reason="needs publish/requirements.txt")
    folder = tmp_path_factory.mktemp("decks")
    needed = any(item.get_closest_marker("release") for item in request.session.items)
    paths = {n: path for n, path in notebooks.PATHS.items() if needed or path.stem not in LARGE}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notebooks, "PATHS", paths)
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


def walk(page):
    """Presses the right arrow to the end of a deck; returns every state that INSPECT saw, and all problems."""
    problems, states = [], []
    while not (states and states[-1]["last"]) and len(states) < 200:
        if states:
            page.keyboard.press("ArrowRight")
        state = page.evaluate(INSPECT)
        problems += state["problems"]
        if states and state["visible"] == states[-1]["visible"]:
            problems.append(f"{state['at']}: a key without a visible change")
        states.append(state)
    return states, problems + page.log


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("deck", few_of(DECKS, [deck for deck in DECKS if deck not in LARGE]))
def test_every_slide_fits_and_every_key_shows_something(open_deck, decks, deck, screen):
    states, problems = walk(open_deck(f"{deck}.html", screen))
    assert not problems, "\n".join(problems)
    steps = (decks / f"{deck}.html").read_text(encoding="utf-8").count('class="step')
    assert len(states) == steps > 10 and states[-1]["last"]


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
def test_slides_are_dark_at_a_key(open_deck):
    page = open_deck("01_dot_product.html")
    page.keyboard.press("d")
    assert "invert" in page.locator(".reveal").evaluate("deck => getComputedStyle(deck).filter")


@pytest.mark.browser
def test_arrow_keys_in_an_explorer_turn_no_slide(open_deck):
    page = open_deck("02_scaling.html#/nb02-play")
    page.keyboard.press("ArrowRight")
    before = page.evaluate(INSPECT)
    page.locator("select:visible").first.focus()
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight", " ", "Escape"):
        page.keyboard.press(key)
    if page.evaluate("document.activeElement !== document.body"):  # the first Escape closed a list
        page.keyboard.press("Escape")
    after = page.evaluate(INSPECT)
    assert (after["at"], after["problems"]) == (before["at"], []) and after["visible"] != before["visible"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(INSPECT)["at"] != before["at"]


@pytest.mark.browser
def test_deck_prints_one_page_per_step(open_page, decks):
    page = open_page(f"{decks.as_uri()}/route-50.html?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length > 5")
    page.wait_for_timeout(500)
    heights = page.locator(".pdf-page section").evaluate_all("all => all.map(slide => slide.scrollHeight)")
    steps = (decks / "route-50.html").read_text(encoding="utf-8").count('class="step')
    assert len(heights) == steps and max(heights) <= 720
