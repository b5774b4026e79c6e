"""Slides that can be taught from: what goes on them, and what a room sees of them.

The first half needs nothing but the notebooks. The second (pytest -m browser, with
publish/requirements.txt) builds every deck and walks through it key by key in Chromium, the network off,
on a wide projector and on an old one. The last tests plant a fault for every line of the report.
"""

import base64
import io
import re
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

from publish import guide, pictures, slides
from tests.chromium import chromium
from tests.notebooks.test_predictions import MARK, predictions

ROOT = Path(__file__).resolve().parents[2]
SCREENS = {"wide": (1280, 720), "old": (1024, 768)}
NOTEBOOKS = slides.stored()
every_notebook = pytest.mark.parametrize("number", NOTEBOOKS)


def read(number):
    return nbformat.read(NOTEBOOKS[number], as_version=4)


# What goes on a slide


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One. Two? *Three* and 0.5.", ["One.", "Two?", "*Three* and 0.5."]),
        ("Take `a. B` and $x. Y$ (or so. Or not.) Then stop.", 2),
        ("**A wrong way.** It runs. It is wrong.", ["**A wrong way.** It runs.", "It is wrong."]),
        ("**Modify** (easy, 4 minutes). Change it. Look.", ["**Modify** (easy, 4 minutes). Change it.", "Look."]),
        ("A value of 3.4. (It is small.)", ["A value of 3.4.", "(It is small.)"]),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    found = slides.sentences(text)
    assert found == expected or len(found) == expected
    assert " ".join(found) == text


LONG = "This is long enough to be cut, since it has a great many words. " * 3


def test_the_bold_sentences_go_on_the_slide():
    assert slides.essence(f"{LONG}A **term** is named. More.") == "A **term** is named."
    assert slides.essence(f"{LONG}\n\nMore.") == LONG.split(". ")[0] + "."
    assert slides.essence("Short texts stay whole. This is one.") == "Short texts stay whole. This is one."


def test_an_explanation_gives_its_first_sentence_and_more_of_an_abrupt_one():
    assert slides.essence(f"No. It shrinks. {LONG}**Look.**", answer=True) == "No. It shrinks. **Look.**"


def test_lists_formulas_and_predictions_stay():
    kept = ["- one\n- two", "$$x$$", "> ### ✎ Predict\n>\n> What?"]
    text = "\n\n".join([LONG, *kept])
    assert slides.essence(text).endswith("\n\n".join(kept))
    assert slides.essence(text, ["- one"]) == f"{kept[0]}\n\n{kept[2]}"


def test_words_that_begin_nothing_are_refused():
    with pytest.raises(ValueError, match="nothing begins with 'Nowhere'"):
        slides.essence(LONG, ["This", "Nowhere"])


@pytest.fixture
def outline(monkeypatch):
    """A function: the slides of a notebook, their words still in Markdown."""
    monkeypatch.setattr(slides, "render", lambda markdown: f"\n{markdown}\n")

    def outlined(number):
        notebook = read(number)
        drawn = {cell.id: pictures.Picture("", cell.id, 9, 5, 1) for cell in notebook.cells}
        return slides.whole(notebook, drawn, {})

    return outlined


@every_notebook
def test_a_prediction_is_one_slide_with_answer_and_explanation_on_the_next_keys(number, outline):
    deck = outline(number)
    for question, answers, explanation, _ in predictions(read(number).cells):
        asked = question.source[question.source.index(MARK) :].split("\n\n")[0]
        slide = next(slide for slide in deck if any(asked in step.shown for step in slide.steps))
        at = next(i for i, step in enumerate(slide.steps) if asked in step.shown)
        told = [i for i, step in enumerate(slide.steps) if 'class="told"' in step.shown]
        shown = [cell for cell in answers if cell in slides.shown_cells(read(number).cells)]
        assert shown, f"{question.id}: no answer on the slide"
        assert at + len(shown) + 1 in told, f"{question.id}: {explanation.id} is not the key after"
        assert "told" not in "".join(step.shown for step in slide.steps[: at + len(shown) + 1])


@every_notebook
def test_a_question_with_options_is_a_slide_and_its_answer_the_next_key(number, outline):
    steps = {step.shown: slide for slide in outline(number) for step in slide.steps}
    for cell in read(number).cells:
        if cell.cell_type != "markdown" or not re.search(r"(?:<br>|- )\(b\)", cell.source):
            continue
        slide = next(
            slide for shown, slide in steps.items() if "(b)" in shown and slide.name.startswith(cell.id)
        )
        question = next(i for i, step in enumerate(slide.steps) if "(c)" in step.shown)
        answer = re.search(r"\n\n(\([a-d]\)\. .*)", cell.source)[1]
        assert answer in slide.steps[question + 1].shown


@every_notebook
def test_nothing_of_a_solution_is_on_a_slide(number, outline):
    """The folds of the exercises stay out; only what is asked of a room is answered."""
    said = "".join(step.shown + step.notes for slide in outline(number) for step in slide.steps)
    for cell in read(number).cells:
        if cell.id.endswith(("-solution", "-hint")):
            assert cell.source.split("\n\n")[1] not in said


@every_notebook
def test_what_is_left_out_is_in_the_notes(number, outline):
    """Every paragraph of what is shown stands on a slide or in its notes."""
    said = "".join(step.shown + step.notes for slide in outline(number) for step in slide.steps)
    for cell in slides.shown_cells(read(number).cells):
        if cell.cell_type == "markdown":
            text = slides.NEXT.sub("", slides.UNFOLD.sub("", slides.FOLD.sub("", cell.source)))
            for block in slides.blocks(text):
                assert block in said or re.sub("^#+ ", "", block) in "".join(s.title for s in outline(number))


def test_stale_words_stop_the_building_and_name_the_cell(outline, monkeypatch):
    notebook = read("01")
    cell = next(cell for cell in notebook.cells if isinstance(cell.metadata.get("slide"), list))
    cell.metadata["slide"] = ["No sentence begins like this"]
    with pytest.raises(SystemExit, match=f"{cell.id}: nothing begins with"):
        slides.whole(notebook, {c.id: pictures.Picture("", "", 9, 5, 1) for c in notebook.cells}, {})


# The teacher's two tables


NOTES = guide.read("notes.toml")


@every_notebook
def test_every_note_reaches_the_speaker_with_its_question(number, monkeypatch):
    monkeypatch.setattr(slides, "render", lambda markdown: f"\n{markdown}\n")
    cells = slides.shown_cells(read(number).cells)
    drawn = {cell.id: pictures.Picture("", cell.id, 9, 5, 1) for cell in cells}
    deck = slides.whole(read(number), drawn, NOTES)
    for cell in cells:
        if cell.id in NOTES:
            (step,) = [step for slide in deck for step in slide.steps if NOTES[cell.id]["next"] in step.notes]
            assert MARK in step.shown or "(b)" in step.shown, cell.id


NOTED = {
    "question": "Which signs?",
    "answers": [{"says": "+ & more", "means": "*lengths*"}, {"says": "+ 0 -", "means": "right", "right": True}],
    "next": "And in 2 numbers?",
}  # fmt: skip


def test_notes_stand_beside_question_and_answer(monkeypatch):
    monkeypatch.setattr(slides, "render", lambda markdown: f"{markdown}\n")
    deck = slides.Deck({"asked": NOTED})
    said = deck.spoken("asked")
    assert said.startswith("To vote on: Which signs?\n\n· + & more: *lengths*\n\n✓ + 0 -: right\n\n")
    assert "And in 2 numbers?" in said and deck.spoken("other") == ""
    slide = slides.Slide("x", "", [slides.Step("<p>?</p>", said), slides.Step("<p>!</p>")])
    assert slides.page("x", [slide]).count(said) == 2


def routes():
    return guide.read("routes.toml")


@pytest.mark.parametrize("name", routes())
def test_a_route_goes_through_cells_that_are_there(name):
    for part in routes()[name]:
        assert {"minutes", "title", "notebook", "cells", "say"} == set(part)
        if part["cells"]:
            assert set(part["cells"]) <= {cell.id for cell in read(part["notebook"]).cells}, part["title"]


def test_the_short_class_takes_fifty_minutes():
    assert sum(part["minutes"] for part in routes()["50"]) == 50


def test_a_route_names_its_cells_and_tells_the_time(monkeypatch):
    monkeypatch.setattr(slides, "render", lambda markdown: markdown)
    part = {"minutes": 5, "title": "Signs", "notebook": "01", "cells": ["nb01-12"], "say": "Vote."}
    board = {"minutes": 3, "title": "A row", "notebook": "", "cells": [], "say": "Draw it."}
    first, second = slides.along([part, board], {"01": read("01")}, {}, {})
    assert "**Minute 0 to 5: Signs.** Vote." in first.steps[0].notes
    assert "**Minute 5 to 8: A row.**" in second.steps[0].notes
    assert "Signs" in first.title
    assert "A row" in second.title and "Draw it." in second.steps[0].notes
    assert "Draw it." not in second.steps[0].shown  # that is for the teacher
    with pytest.raises(SystemExit, match="notebook 01 has no cell nb01-99"):
        slides.along([part | {"cells": ["nb01-99"]}], {"01": read("01")}, {}, {})


# Pictures drawn again


def figure_with(text, points):
    return lambda figure: figure.text(0.5, 0.5, text, fontsize=points, ha="center")


@pytest.mark.parametrize("points, pixels", [(5, pictures.READABLE), (30, 30 / 0.72)])
def test_type_is_as_large_as_said(points, pixels):
    from PIL import Image

    drawn = pictures.picture(figure_with("8", points), (6, 3), "an eight")
    assert drawn.type == pytest.approx(pixels) and (drawn.width, drawn.height) == (600, 300)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(drawn.png))).convert("L"))
    rows = np.flatnonzero((image < 128).any(axis=1))
    ink = (rows.max() - rows.min() + 1) * drawn.height / len(image)
    assert ink == pytest.approx(0.756 * drawn.type, abs=1)  # a DejaVu 8, rounded ends and all


def test_text_at_the_right_edge_gets_room():
    def late(figure):
        figure.set_layout_engine("none")
        figure.text(5.2 / figure.get_figwidth(), 0.5, "a label that is too long", fontsize=9)

    assert pictures.picture(late, (6, 3), "a label").width > 600


def test_another_picture_than_the_stored_one_is_refused():
    notebook = read("02")
    cell = next(cell for cell in notebook.cells if slides.pictures.stored_description(cell))
    cell.source = cell.source.replace('step="scale"', 'step="mask"')
    with pytest.raises(ValueError, match=f"{cell.id} draws another picture"):
        pictures.redrawn(notebook)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reproduces the bytes of the pictures")
@every_notebook
def test_the_code_of_a_redrawn_picture_draws_the_stored_one(number, monkeypatch):
    """At the size of the page and in its own type, every byte of it: the numbers are the same."""
    from attention_lib.show import figures

    notebook = read(number)
    monkeypatch.setattr(pictures, "SIZE", "page")
    monkeypatch.setattr(
        pictures, "picture", lambda draw, size, alt: figures.png_of(draw, size)[0]
    )  # without a change of its type
    found = pictures.redrawn(notebook)
    assert found
    for cell in notebook.cells:
        if pictures.stored_description(cell):
            stored = next(o.data["image/png"] for o in cell.outputs if "image/png" in o.get("data", {}))
            assert found[cell.id] == stored.strip(), cell.id


# In Chromium, the network off

MEASURE = """() => {
  const wrong = [], seen = [], words = document.createRange();
  const slide = Reveal.getCurrentSlide();
  const of720 = 720 / innerHeight;
  const scale = slide.getBoundingClientRect().width / slide.offsetWidth * of720;  // of an element's pixels
  const say = (what, element) =>
    wrong.push(`${slide.id}: ${what}: ${(element.alt ?? element.textContent).trim().slice(0, 40)}`);
  const look = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    if (element.matches("aside, style, script")) return;
    const box = element.getBoundingClientRect();
    const hidden = style.position === "absolute" && style.overflow === "hidden";  // for screen readers
    if (style.display !== "contents" && box.width && box.height && !hidden) {
      if (box.bottom > innerHeight + 1 || box.top < -1) say("taller than the screen", element);
      if (box.right > innerWidth + 1 || box.left < -1) say("cut at the side", element);
      if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1)
        say("cut at the side", element);
    }
    const small = element.closest("table") && element.getRootNode() !== document ? 16 : 24;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim() || hidden) continue;
      const size = parseFloat(style.fontSize) * scale;
      if (size < small - 0.01) say(`text of ${size.toFixed(1)}`, element);
      words.selectNodeContents(node);
      const line = words.getBoundingClientRect();
      if (line.right > innerWidth + 1 || line.left < -1) say("cut at the side", element);
      seen.push([node.data, Math.round(box.x), Math.round(box.y)]);
    }
    if (element.matches("img")) {
      const shown = Math.min(box.width, box.height * element.naturalWidth / element.naturalHeight) * of720;
      const size = Number(element.dataset.type) * shown;
      if (!(size >= 16 - 0.01)) say(`digits of ${size.toFixed(1)}`, element);
      if (!element.alt) say("no description", element);
      seen.push([element.src.length, element.alt, Math.round(box.x), Math.round(box.y)]);
    }
    for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) look(child);
  };
  look(slide);
  const last = Reveal.isLastSlide() && !Reveal.availableFragments().next;
  return { wrong, seen: JSON.stringify(seen), at: `${slide.id}/${Reveal.getIndices().f ?? 0}`, last };
}"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """The folder with all decks, built once."""
    for package in ("latex2mathml", "sphinx_revealjs"):
        pytest.importorskip(package, reason="needs publish/requirements.txt")
    folder = tmp_path_factory.mktemp("decks")
    slides.write_decks(folder)
    for name in routes():
        slides.write_route(folder, name)
    return folder


def walked(browser, path, screen):
    """Every state of a deck as `MEASURE` saw it, and what was wrong on the way."""
    width, height = SCREENS[screen]
    wrong, states, asked = [], [], []
    with browser.new_context(viewport={"width": width, "height": height}, offline=True) as context:
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
        page.goto(path.as_uri())
        page.wait_for_function("window.Reveal?.isReady()")
        while True:
            state = page.evaluate(MEASURE)
            wrong += state["wrong"]
            if states and state["seen"] == states[-1]["seen"]:
                wrong.append(f"{state['at']}: a key without a visible change")
            states.append(state)
            if state["last"] or len(states) > 200:
                break
            page.keyboard.press("ArrowRight")
    wrong += [f"asks for {url}" for url in asked if not url.startswith(("file:", "data:"))]
    inside = path.parent.as_uri()
    wrong += [f"asks for {url}" for url in asked if url.startswith("file:") and inside not in url]
    return states, wrong


DECKS = [*(path.stem for path in NOTEBOOKS.values()), *(f"route-{name}" for name in routes())]


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("deck", DECKS)
def test_every_slide_fits_and_every_key_shows_something(browser, decks, deck, screen):
    states, wrong = walked(browser, decks / f"{deck}.html", screen)
    assert not wrong, "\n".join(wrong)
    text = (decks / f"{deck}.html").read_text(encoding="utf-8")
    steps = text.count('class="step')
    assert len(states) == steps > 30 and states[-1]["last"]


@pytest.mark.browser
def test_the_index_leads_to_every_deck_and_says_how_long_it_takes(browser, decks):
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((decks / "index.html").as_uri())
        links = page.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        assert links == [f"{path.stem}.html" for path in NOTEBOOKS.values()]
        for link in links:
            row = page.locator("tr", has=page.locator(f"a[href='{link}']")).inner_text()
            assert re.search(r"\d+ minutes", row)
            deck = context.new_page()
            deck.goto((decks / link).as_uri())
            assert deck.title() and deck.locator("html").get_attribute("lang") == "en"
            prose = deck.locator(".step :is(p, li)").evaluate_all("all => all.map(p => p.textContent)")
            assert len(prose) > 30 and "$" not in "".join(prose)  # every formula is drawn
            deck.close()


@pytest.mark.browser
def test_notes_open_in_a_window_of_their_own_and_follow(browser, decks):
    deck = slides.Deck({"nb01-12": NOTED})
    for cell in slides.shown_cells(read("01").cells)[:12]:
        if cell.id in ("nb01-05", "nb01-12", "nb01-13"):
            deck.add(cell)
    (decks / "noted.html").write_text(slides.page("noted", deck.slides), encoding="utf-8")
    with browser.new_context(offline=True, viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        page.goto((decks / "noted.html").as_uri())
        page.wait_for_function("window.Reveal?.isReady()")
        with context.expect_page() as opened:
            page.keyboard.press("s")
        notes = opened.value.locator(".speaker-controls-notes")
        page.keyboard.press("ArrowRight")
        notes.get_by_text("And in 2 numbers?").wait_for(timeout=20_000)
        page.keyboard.press("ArrowRight")  # the answer: the notes on the question stay
        assert "+ & more: lengths" in notes.inner_text()
        page.keyboard.press("t")
        assert page.locator("#notes-below").is_visible()
        assert "And in 2 numbers?" in page.locator("#notes-below").inner_text()
        assert page.evaluate(MEASURE)["at"].startswith("nb01-12")


@pytest.mark.browser
def test_an_explorer_lives_and_keeps_its_arrow_keys(browser, decks):
    with browser.new_context(offline=True, viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        page.goto((decks / "02_scaling.html").as_uri() + "#/nb02-play")
        page.wait_for_function("window.Reveal?.isReady()")
        page.keyboard.press("ArrowRight")
        before = page.evaluate(MEASURE)["at"]
        status = page.locator('[role="status"]:visible')
        said = status.inner_text()
        page.locator("select:visible").first.focus()
        for key in ("ArrowUp", "ArrowLeft", "ArrowRight", " "):
            page.keyboard.press(key)
        page.keyboard.press("Escape")
        if page.evaluate("document.activeElement !== document.body"):  # the first closed a list
            page.keyboard.press("Escape")
        after = page.evaluate(MEASURE)
        assert status.inner_text() != said
        assert after["at"] == before and after["wrong"] == []
        page.keyboard.press("ArrowRight")
        assert page.evaluate(MEASURE)["at"] != before


@pytest.mark.browser
def test_a_deck_can_be_printed_a_page_a_step(browser, decks):
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((decks / "route-50.html").as_uri() + "?print-pdf")
        page.wait_for_function("document.querySelectorAll('.pdf-page').length > 5")
        page.wait_for_timeout(500)
        pages, over = page.evaluate(
            "() => { const all = [...document.querySelectorAll('.pdf-page section')];"
            " return [all.length, all.filter(s => s.scrollHeight > 720).map(s => s.id)]; }"
        )
        assert pages == (decks / "route-50.html").read_text(encoding="utf-8").count('class="step')
        assert over == []


# The walk bites

DOT = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU"
    b"\0\0\0\nIDATx\x9cc\xf8\x0f\0\x01\x01\x01\0\x1b\xb6\xeeV\0\0\0\0IEND\xaeB`\x82"
).decode()
FAULTS = {
    "taller than the screen": '<p style="height: 900px">tall</p>',
    "cut at the side": '<pre style="white-space: pre">' + "wide " * 100 + "</pre>",
    "a key without a visible change": "<p></p>",
    "text of 20.0": '<p style="font-size: 20px">small</p>',
    "digits of 14.0": f'<figure><img alt="x" width="700" height="700" data-type="0.02" src="data:image/png;base64,{DOT}"></figure>',
    "digits of NaN": f'<figure><img alt="x" width="700" src="data:image/png;base64,{DOT}"></figure>',
    "no description": f'<figure><img alt="" width="700" height="700" data-type="1" src="data:image/png;base64,{DOT}"></figure>',
    "asks for http://example.org/": '<p>a picture</p><img hidden alt="x" src="http://example.org/x.png">',
}


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("complaint", FAULTS)
def test_planted_faults_are_noticed(browser, decks, complaint, screen):
    good = slides.Step("<p>A sentence that can be read.</p>")
    deck = [slides.Slide("good", "<h2>Good</h2>", [good, slides.Step("<p>Another.</p>")])]
    path = decks / "planted.html"
    path.write_text(slides.page("good", deck), encoding="utf-8")
    assert walked(browser, path, screen)[1] == []
    deck.append(slides.Slide("bad", "<h2>Bad</h2>", [good, slides.Step(FAULTS[complaint])]))
    path.write_text(slides.page("bad", deck), encoding="utf-8")
    assert complaint in "\n".join(walked(browser, path, screen)[1])
