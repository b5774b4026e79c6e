"""The explorer: its table without the script, and its script in a browser, which must agree with the library."""

import json
import re

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data, show
from attention_lib.show.explorer_page import CONTROLS as ALL_CONTROLS

CAT = data.load("cat_sentence")
Q, K, TOKENS = CAT["q"], CAT["k"], list(CAT["tokens"])
CONTROLS = [control for control in ALL_CONTROLS if control not in ("view", "maps")]
HER = {"layer": 1, "head": 3, "query": TOKENS.index("her")}


@pytest.fixture
def explore(shown):
    """Shows an explorer and returns its HTML."""

    def explored(*arguments, **options):
        assert show.explorer(*arguments, **options) is None
        return shown.pop()["text/html"]

    return explored


def settings(html):
    """The settings that the script gets."""
    return json.loads(re.search(r'"figure > div"\), (\{.*\})\);\n', html)[1])


def as_shown(numbers, allowed=True, decimals=2):
    """Numbers (L, L) as the table prints them."""
    words = np.strings.mod(f"%.{decimals}f", np.round(numbers, decimals) + 0.0)
    return np.where(allowed, words, "hidden").tolist()


def test_what_has_one_choice_has_no_control(explore):
    assert settings(explore(Q[1], K[1], TOKENS))["controls"] == ["head", "query", "scale"]
    assert settings(explore(Q[1, 3], K[1, 3], TOKENS))["controls"] == ["query", "scale"]


@pytest.mark.parametrize("n, layers", [(40, [0, 1]), (41, [1])])
def test_beyond_40_tokens_the_page_holds_one_layer(explore, n, layers):
    x = np.random.default_rng(0).normal(size=(2, 3, n, 4))
    html = explore(x, x, range(n), layer=1)
    assert settings(html)["layers"] == layers
    assert layers[settings(html)["start"]["layer"]] == 1
    assert ("layer" in settings(html)["controls"]) == (n == 40)
    assert ("With 41 tokens this page holds layer 1 alone." in html) == (n == 41)


def test_tokens_are_escaped(explore):
    tokens = ["</script><b>", "<i>&"]
    html = explore(np.eye(2), np.eye(2), tokens)
    assert html.count("</script>") == 1 and "<b>" not in html and "<i>" not in html
    assert settings(html)["names"] == tokens


# In a browser

in_browser = pytest.mark.browser

# At every step, sets the controls that differ, and gives the words of the table.
WALK = """steps => {
    const root = document.getElementById("x").firstElementChild.shadowRoot;
    const controls = root.querySelectorAll(".controls select, .controls input");
    return steps.map((step) => {
        controls.forEach((control, i) => {
            const key = control.type === "checkbox" ? "checked" : "value";
            if (Number(control[key]) === step[i]) return;
            control[key] = step[i];
            for (const event of ["input", "change"]) control.dispatchEvent(new Event(event));
        });
        const rows = [...root.querySelectorAll("tbody tr")];
        return rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent));
    });
}"""
START = {**HER, "scale": 1, "temperature": 5, "causal": 0, "length": 11, "hide": 0, "show": 0}
STEPS = [
    {},
    *({"layer": layer, "head": head, "causal": 1} for layer, head in np.ndindex(6, 12)),
    {"scale": 0, "show": 1},
    {"layer": 3, "head": 0, "show": 1},
    {"scale": 2, "temperature": 0},
    {"temperature": 3, "length": 7, "hide": 1},
    {"temperature": 11, "length": 7, "hide": 5},
    {"length": 0},
    {"query": 0, "causal": 1, "hide": 1},
]
SCORES = al.attention_scores(Q.astype(float), K.astype(float))
TEMPERATURES = {0: 0.1, 3: 0.5, 5: 1, 11: 20}  # by their place on the slider


def walk(page, *steps):
    """The table of the explorer `opened` at each step, which names the controls that are not at their START."""
    return page.evaluate(WALK, [[(START | step)[control] for control in CONTROLS] for step in steps])


def computed(step):
    """The words of the table at a step, by the library."""
    at = START | step
    scale = (1, 32**-0.5, 1 / 32)[at["scale"]]
    scaled = SCORES[at["layer"], at["head"]] * scale / TEMPERATURES[at["temperature"]]
    keys = np.arange(11)
    allowed = np.tile((keys < at["length"]) & (keys != at["hide"] - 1), (11, 1))
    if at["causal"]:
        allowed &= al.causal_mask(11)
    if at["show"]:
        return as_shown(scaled, allowed, decimals=1 if abs(scaled).max() >= 10 else 2)
    return as_shown(al.masked_softmax(scaled, allowed), allowed)


@pytest.fixture
def page(open_page):
    """An empty page without a network, which must make no request and raise no error."""
    page = open_page("about:blank", has_touch=True)
    yield page
    assert page.log == []


def load(page, explorer):
    page.set_content(
        '<!doctype html><html lang="en" style="color-scheme: light dark"><title>t</title>'
        f"<main><h1>t</h1>{explorer}</main>"
    )


def status(page):
    return page.locator("#x [role=status]").inner_text()


@pytest.fixture
def opened(page, explore):
    """A page with an explorer x of all heads, which has all controls."""
    load(page, explore(Q, K, TOKENS, controls=CONTROLS, **HER, name="x"))
    return page


@in_browser
def test_script_agrees_with_the_library(page, explore):
    html = explore(Q, K, TOKENS, controls=CONTROLS, layer=4, head=7, query=2, causal=True, name="x")
    load(page, html)
    _, *before_the_script = re.findall("<td>(.*?)</td>", html.split("<script>")[0])  # the first is a heading
    assert page.locator("#x tbody td").all_inner_texts() == before_the_script
    for step, words in zip(STEPS, walk(page, *STEPS), strict=True):
        assert words == computed(step), step
    assert status(page).endswith("[CLS] has no key left: all its weights are 0.")


@in_browser
def test_sentence_says_what_changed(opened):
    assert status(opened).startswith("her looks most at cat, 0.46.")
    opened.get_by_label("Scale").select_option("none")
    assert status(opened) == "Scale: none (was 1/√32). her looks most at cat, 0.90 (was 0.46)."
    opened.get_by_label("Head").select_option("4")
    moved = r"Head: 4 \(was 3\)\. her looks most at .*; cat moved most, \S+ \(was 0\.90\)\.$"
    assert re.match(moved, status(opened))
    assert "layer 1, head 4" in opened.locator("#x caption").inner_text()


@in_browser
def test_controls_take_keys_and_the_page_gets_none(opened):
    opened.keyboard.press("Tab")  # into the explorer
    opened.evaluate("document.addEventListener('keydown', () => (window.heard = true))")
    # What keeps JupyterLab and Notebook 7 from taking the arrow keys for themselves.
    assert opened.evaluate("document.activeElement.hasAttribute('data-lm-suppress-shortcuts')")
    for key in ["ArrowDown"] * 4 + ["ArrowLeft", "Space", "ArrowLeft", "ArrowDown", "ArrowDown"]:
        old = status(opened)
        opened.keyboard.press(key)
        assert status(opened) != old
        opened.keyboard.press("Tab")
    assert opened.evaluate("window.heard") is None


@in_browser
def test_tap_picks_its_row(opened):
    assert status(opened).endswith("Tap or click a row to see where it looks.")
    opened.locator("#x tbody tr").nth(6).locator("td").first.tap()
    assert status(opened) == "i (6) looks most at [CLS], 0.39."
    assert opened.get_by_label("Query row").evaluate("menu => menu.selectedIndex") == 6


@in_browser
@pytest.mark.parametrize("scheme, preferred", [("light dark", "dark"), ("dark", "light"), ("light", "dark")])
def test_explorer_is_dark_where_its_page_is(opened, scheme, preferred):
    opened.emulate_media(color_scheme=preferred)
    opened.evaluate("scheme => (document.documentElement.style.colorScheme = scheme)", scheme)
    colour = opened.locator("#x > div").evaluate("element => getComputedStyle(element).backgroundColor")
    assert (max(map(int, re.findall(r"\d+", colour)[:3])) < 64) == ("dark" in scheme)


@in_browser
def test_phone_scrolls_the_table_and_has_room_for_fingers(page, explore):
    page.set_viewport_size({"width": 375, "height": 700})
    load(page, explore(Q, K, TOKENS, controls=ALL_CONTROLS, **HER, name="x"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.locator("#x .scroll").evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    assert page.locator("#x tbody th").first.bounding_box()["x"] >= 0  # the first column stays
    heights = page.locator("#x :is(select, label)").evaluate_all("all => all.map((e) => e.offsetHeight)")
    assert min(heights) >= 40
    page.get_by_label("View").select_option("curves")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    boxes = [rect.bounding_box() for rect in page.locator("#x .column rect").all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24


# The other view


PICTURES = """all => all.map((view) => [
    [...view.querySelectorAll("path")].map((path) => path.getAttribute("d")),
    [...view.querySelectorAll("path")].map((path) => Number(path.getAttribute("stroke-width")).toFixed(1)),
    [...view.querySelectorAll("g")].map((word) => [word.textContent.split(/\\s+/).join(" "), word.ariaPressed]),
])"""


@in_browser
@pytest.mark.parametrize("query", [8, 0, 10])
def test_script_draws_the_curves_that_stand_without_it(page, explore, query):
    options = {"controls": ["view", "query"], "causal": True, "view": "curves", "name": "x"}
    load(page, explore(Q, K, TOKENS, **options, **HER | {"query": query}).split("<script>")[0])
    stored = page.locator("#x svg").evaluate_all(PICTURES)
    load(page, explore(Q, K, TOKENS, **options, **HER | {"query": 4}))
    page.get_by_label("Query row").select_option(index=query)
    assert page.locator("#x svg").evaluate_all(PICTURES) == stored


@in_browser
def test_word_is_picked_by_finger_and_key_and_the_table_is_one_choice_away(page, explore):
    load(page, explore(Q, K, TOKENS, controls=["view", "query"], **HER, view="curves", name="x"))
    words = page.locator("#x .row g")
    words.nth(4).tap()
    assert status(page).startswith("cat looks most at [CLS]")
    words.nth(8).focus()
    page.keyboard.press("Enter")
    assert status(page).startswith("her looks most at cat, 0.46.")
    assert not page.locator("#x table").is_visible()
    page.get_by_label("View").select_option("table")
    assert page.locator("#x table").is_visible() and not words.first.is_visible()


@in_browser
@pytest.mark.parametrize("layer, told", [(["layer"], "2, 8"), ([], "1, 8")])  # of all layers, and of one
def test_map_that_is_tapped_is_the_head(page, explore, layer, told):
    load(page, explore(Q, K, TOKENS, controls=[*layer, "head", "query", "maps"], **HER, name="x"))
    maps = page.locator("#x canvas")
    box = maps.bounding_box()
    maps.tap(position={"x": box["width"] * 8.5 / 12, "y": box["height"] * 2.5 / 6})
    assert f"Layer and head: {told} (was 1, 3)" in status(page)


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "view, step", [("table", {"causal": 1}), ("table", {"scale": 0, "show": 1}), ("curves", {})]
)
def test_axe_finds_no_violation(page, explore, scheme, view, step):
    """Among them: text has the contrast of WCAG 2 on its cell."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    load(page, explore(Q, K, TOKENS, controls=CONTROLS, **HER, view=view, name="x"))
    walk(page, step)
    page.add_style_tag(content="html { background: light-dark(white, black) }")
    page.emulate_media(color_scheme=scheme)
    report = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    assert report.response["violations"] == []
