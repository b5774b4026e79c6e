"""The explorer: its table without the script, and its script in a browser, which must agree with the library."""

import base64
import json
import re

import numpy as np
import pytest
from matplotlib.figure import Figure

import attention_lib as al
from attention_lib import data, show
from attention_lib.show import figures
from attention_lib.show.explorer_page import CONTROLS, Explorer
from tests.chromium import chromium
from tests.show.pixels import png

CAT = data.load("cat_sentence")
Q, K, V, TOKENS = CAT["q"], CAT["k"], CAT["v"], list(CAT["tokens"])
HER = TOKENS.index("her")
PICTURE = Explorer.picture


@pytest.fixture
def shown(monkeypatch):
    """Shows an explorer and returns what was displayed, without its picture, which takes time."""
    bundles = []
    monkeypatch.setattr(Explorer, "picture", lambda self: "")
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: bundles.append(bundle))

    def explore(*arguments, **options):
        assert show.explorer(*arguments, **options) is None
        return bundles.pop()

    return explore


def table(bundle):
    """The table that stands before any script runs."""
    return bundle["text/html"].split("<script>")[0]


def cells(bundle):
    """The words of its cells, row by row."""
    _, _, *rows = table(bundle).split("<tr>")
    return [re.findall("<td>(.*?)</td>", row) for row in rows]


def settings(bundle):
    """The settings that the script gets."""
    return json.loads(re.search(r'"figure > div"\), (\{.*\})\);\n', bundle["text/html"])[1])


def stored_scores(bundle):
    told = settings(bundle)
    scores = np.frombuffer(base64.b64decode(told["scores"].split(",")[1]), "<f4")
    n = len(told["names"])
    return scores.reshape(len(told["layers"]), len(told["heads"]), n, n)


def as_shown(weights, allowed=True):
    """Weights as the table prints them."""
    allowed = np.broadcast_to(allowed, np.shape(weights))
    return [
        [f"{x:.2f}" if may else "hidden" for x, may in zip(*rows, strict=True)]
        for rows in zip(weights, allowed, strict=True)
    ]


def test_table_stands_alone(shown):
    bundle = shown(Q, K, TOKENS, layer=1, head=3)
    assert cells(bundle) == as_shown(CAT["weights"][1, 3].astype(float))
    headers = re.findall(r'<th scope="(\w+)">(.*?)</th>', table(bundle))
    assert headers == [("col", t) for t in TOKENS] + [("row", t) for t in TOKENS]
    assert "<caption>" in table(bundle)


def test_hidden_cell_has_no_number(shown):
    bundle = shown(Q[1, 3], K[1, 3], TOKENS, causal=True)
    weights = al.scaled_dot_product_attention(Q[1, 3], K[1, 3], V[1, 3], is_causal=True).weights
    assert cells(bundle) == as_shown(weights, al.causal_mask(11))


def test_bundle_is_html_png_and_text(shown, monkeypatch):
    monkeypatch.setattr(Explorer, "picture", PICTURE)
    bundle = shown(Q, K, TOKENS, layer=1, head=3, query=HER, name="play")
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert bundle["text/plain"] == "Attention weights of layer 1, head 3: her looks most at cat, 0.46."
    assert bundle["text/html"].startswith('<figure id="play"')
    assert settings(bundle)["start"] == {"layer": 1, "head": 3, "query": HER, "causal": 0}
    assert settings(bundle)["names"][:3] == ["[CLS]", "i (1)", "have"]  # told apart
    assert png(bundle).format == "PNG"


def test_picture_has_no_number_in_a_hidden_cell(shown, monkeypatch):
    figure = Figure()
    monkeypatch.setattr(Explorer, "picture", PICTURE)
    monkeypatch.setattr(figures, "png_of", lambda draw, size: [draw(figure)])
    shown(np.eye(3), np.eye(3), "abc", causal=True)
    assert len(figure.axes[0].texts) == 6


def test_explorer_without_a_name_has_no_id(shown):
    assert " id=" not in shown(Q, K, TOKENS)["text/html"].split("<script>")[0]


@pytest.mark.parametrize(
    "options, layers, heads",
    [
        ({"controls": ["head"], "layer": 1}, [1], list(range(12))),
        ({"controls": ["layer"], "head": 3}, list(range(6)), [3]),
    ],
)
def test_page_holds_what_its_controls_reach(shown, options, layers, heads):
    bundle = shown(Q, K, TOKENS, **options)
    assert (settings(bundle)["layers"], settings(bundle)["heads"]) == (layers, heads)
    wanted = al.attention_scores(Q.astype(float), K.astype(float))[np.ix_(layers, heads)]
    np.testing.assert_allclose(stored_scores(bundle), wanted, rtol=1e-7)  # as float32 rounds


def test_control_with_one_choice_is_left_out(shown):
    assert settings(shown(Q[1], K[1], TOKENS))["controls"] == ["head", "query", "scale"]
    one = shown(Q[1, 3], K[1, 3], TOKENS)
    assert settings(one)["controls"] == ["query", "scale"]
    assert "layer" not in one["text/plain"] and "head" not in one["text/plain"]


@pytest.mark.parametrize("n, layers", [(40, [0, 1]), (41, [1])])
def test_beyond_40_tokens_the_page_holds_one_layer(shown, n, layers):
    x = np.random.default_rng(0).normal(size=(2, 3, n, 4))
    bundle = shown(x, x, range(n), layer=1)
    assert settings(bundle)["layers"] == layers
    assert settings(bundle)["names"][-1] == str(n - 1)  # tokens may be numbers
    assert ("layer" in settings(bundle)["controls"]) == (n == 40)
    assert ("With 41 tokens this page holds layer 1 alone." in bundle["text/html"]) == (n == 41)


def test_tokens_are_escaped(shown):
    tokens = ["</script><b>", "<i>&"]
    page = shown(np.eye(2), np.eye(2), tokens)["text/html"]
    assert page.count("</script>") == 1 and "<b>" not in page and "<i>" not in page
    assert settings({"text/html": page})["names"] == tokens


@pytest.mark.parametrize(
    "q, k, tokens, message",
    [
        (Q, K, TOKENS[:-1], r"\(6, 12, 11, 32\), k has shape \(6, 12, 11, 32\), with 10 tokens"),
        (Q, K[:, :, :10], TOKENS, "k has shape"),
        (Q[0, 0, 0], K[0, 0, 0], TOKENS, r"q has shape \(32,\)"),
        (Q[None], K[None], TOKENS, r"q has shape \(1, 6, 12, 11, 32\)"),
        (np.zeros((0, 4)), np.zeros((0, 4)), [], "0 tokens"),
        (Q * 1e30, K * 1e30, TOKENS, "finite scores"),
    ],
)
def test_arrays_must_fit(shown, q, k, tokens, message):
    with pytest.raises(ValueError, match=message):
        shown(q, k, tokens)


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"layer": 6}, ValueError, "layer must be from 0 to 5, got 6"),
        ({"head": -1}, ValueError, "head must be from 0 to 11, got -1"),
        ({"query": 11}, ValueError, "query must be from 0 to 10, got 11"),
        ({"query": "her"}, TypeError, "query must be one integer, got str"),
        ({"causal": "no"}, TypeError, "causal must be True or False, got str"),
        ({"controls": ["scales"]}, ValueError, "controls must be some of layer, .* got scales"),
        ({"controls": "scale, head"}, ValueError, "got scale, head"),
        ({"controls": ["scale", "scale"]}, ValueError, "each once"),
    ],
)
def test_options_must_be_known(shown, options, error, message):
    with pytest.raises(error, match=message):
        shown(Q, K, TOKENS, **options)


# In a browser

in_browser = pytest.mark.browser

# At every step, sets controls by their place, and gives the words of the table and the smallest
# contrast of text against its cell, by the definition of WCAG 2.
WALK = """([name, steps]) => {
    const root = document.getElementById(name).firstElementChild.shadowRoot;
    const controls = root.querySelectorAll(".controls select, .controls input");
    const luminance = (colour) => {
        const rgb = colour.match(/[0-9.]+/g).slice(0, 3).map((c) => c / 255);
        const [r, g, b] = rgb.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (cell) => {
        const { color, backgroundColor } = getComputedStyle(cell);
        const [low, high] = [color, backgroundColor].map(luminance).sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    return steps.map((step) => {
        for (const [place, value] of step) {
            const control = controls[place];
            control[control.type === "checkbox" ? "checked" : "value"] = value;
            for (const event of ["input", "change"]) control.dispatchEvent(new Event(event));
        }
        const cells = [...root.querySelectorAll("tbody td")];
        const rows = [...root.querySelectorAll("tbody tr")];
        return {
            words: rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
            contrast: Math.min(99, ...cells.filter((c) => c.className !== "hidden").map(contrast)),
        };
    });
}"""


def walk(page, name, *steps):
    """The table of explorer `name` after each step, a list of [place of a control, value]."""
    return page.evaluate(WALK, [name, steps])


def words(page, name, *step):
    (seen,) = walk(page, name, step)
    return seen["words"]


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser):
    """An empty page without a network, which must make no request and raise no error."""
    asked, failed = [], []
    context = browser.new_context(offline=True, has_touch=True)
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    yield page
    context.close()
    assert (asked, failed) == ([], [])


def load(page, *bundles, scheme="light dark"):
    found = "".join(bundle["text/html"] for bundle in bundles)
    page.set_content(
        f'<!doctype html><html lang="en" style="color-scheme: {scheme}"><title>t</title>'
        f"<main><h1>t</h1>{found}</main>"
    )


def status(page, name):
    return page.locator(f"#{name} [role=status]").inner_text()


@in_browser
@pytest.mark.parametrize("place, scale, causal", [(0, 1, False), (1, 32**-0.5, True), (2, 1 / 32, False)])
def test_script_agrees_with_the_library_on_all_72_heads(page, shown, causal, place, scale):
    bundle = shown(Q, K, TOKENS, controls=["layer", "head", "scale", "causal"], name="x")
    load(page, bundle)
    mask = al.causal_mask(11) if causal else np.ones((11, 11), bool)
    exact = al.masked_softmax(stored_scores(bundle).astype(float) * scale, mask)
    heads = list(np.ndindex(6, 12))
    seen = walk(page, "x", [[2, place], [3, causal]], *([[0, i], [1, j]] for i, j in heads))[1:]
    assert min(step["contrast"] for step in seen) >= 4.5
    for (layer, head), step in zip(heads, seen, strict=True):
        assert step["words"] == as_shown(exact[layer, head], mask)


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_script_shows_raw_scores_of_all_72_heads(page, shown, scheme):
    page.emulate_media(color_scheme=scheme)
    bundle = shown(Q, K, TOKENS, controls=["layer", "head", "scale", "show"], name="x")
    load(page, bundle)
    heads = list(np.ndindex(6, 12))
    seen = walk(page, "x", [[2, 0], [3, 1]], *([[0, i], [1, j]] for i, j in heads))[1:]
    assert min(step["contrast"] for step in seen) >= 4.5
    for (layer, head), step in zip(heads, seen, strict=True):
        scores = stored_scores(bundle)[layer, head].astype(float)
        decimals = 1 if abs(scores).max() >= 10 else 2
        rounded = np.round(scores, decimals) + 0.0
        assert step["words"] == [[f"{x:.{decimals}f}" for x in row] for row in rounded]


@in_browser
@pytest.mark.parametrize(
    "place, temperature, length, hidden",
    [(0, 0.1, 11, None), (3, 0.5, 7, 0), (5, 1, 0, None), (11, 20, 7, 4)],
)
def test_temperature_length_and_hidden_key_agree(page, shown, place, temperature, length, hidden):
    bundle = shown(Q[1, 3], K[1, 3], TOKENS, controls=["temperature", "length", "hide"], name="x")
    load(page, bundle)
    hide = 0 if hidden is None else hidden + 1
    seen = words(page, "x", [0, place], [1, length], [2, hide])
    mask = np.broadcast_to((np.arange(11) < length) & (np.arange(11) != hidden), (11, 11))
    scaled = stored_scores(bundle)[0, 0].astype(float) / 32**0.5
    assert seen == as_shown(al.masked_softmax(scaled / temperature, mask), mask)


@in_browser
def test_row_without_a_key_has_weights_of_0(page, shown):
    load(page, shown(Q[1, 3], K[1, 3], TOKENS, controls=["causal", "hide"], causal=True, name="x"))
    seen = words(page, "x", [1, 1])
    assert seen[0] == ["hidden"] * 11 and seen[1][1] == "1.00"
    assert status(page, "x").endswith("[CLS] has no key left: all its weights are 0.")
    heights = page.locator("#x .bar").evaluate_all("bars => bars.map((bar) => bar.style.height)")
    assert heights == ["0%"] * 11


@in_browser
def test_script_starts_where_the_table_stands(page, shown):
    bundle = shown(Q, K, TOKENS, layer=4, head=7, query=2, causal=True, name="x")
    load(page, bundle)
    assert words(page, "x") == cells(bundle)
    assert page.locator("#x .picked th").inner_text() == "have"
    caption = page.locator("#x caption").inner_text()
    assert caption == "Attention weights of layer 4, head 7: a row for each query, a column for each key."


@in_browser
def test_sentence_says_what_changed(page, shown):
    load(page, shown(Q, K, TOKENS, layer=1, head=3, query=HER, name="x"))
    assert status(page, "x").startswith("her looks most at cat, 0.46.")
    page.get_by_label("Scale").select_option("none")
    assert status(page, "x") == "Scale: none (was 1/√32). her looks most at cat, 0.90 (was 0.46)."
    page.get_by_label("Head").select_option("4")
    moved = r"Head: 4 \(was 3\)\. her looks most at .*; cat moved most, \S+ \(was 0\.90\)\.$"
    assert re.match(moved, status(page, "x"))
    assert "layer 1, head 4" in page.locator("#x caption").inner_text()


@in_browser
def test_explorers_on_one_page_are_independent(page, shown):
    options = {"layer": 1, "head": 3, "query": HER, "controls": ["scale"]}
    load(page, *(shown(Q, K, TOKENS, name=name, **options) for name in ("a", "b")))
    before = words(page, "b")
    assert words(page, "a", [0, 0]) != before
    assert words(page, "b") == before
    assert status(page, "b") == "her looks most at cat, 0.46."
    assert page.evaluate("typeof explorer") == "undefined"


@in_browser
def test_controls_take_keys_and_the_page_gets_none(page, shown):
    load(page, shown(Q, K, TOKENS, controls=CONTROLS, layer=1, head=3, query=HER, name="x"))
    page.keyboard.press("Tab")  # into the explorer
    page.evaluate("document.addEventListener('keydown', () => (window.heard = true))")
    # What keeps JupyterLab and Notebook 7 from taking the arrow keys for themselves.
    assert page.evaluate("document.activeElement.hasAttribute('data-lm-suppress-shortcuts')")
    titles = []
    for control in page.locator("#x .controls select, #x .controls input").all():
        kind = control.evaluate("e => e.type")
        old = status(page, "x")
        page.keyboard.press({"checkbox": "Space", "range": "ArrowLeft"}.get(kind, "ArrowDown"))
        if kind == "select-one" and status(page, "x") == old:  # it stood at the end of its list
            page.keyboard.press("ArrowUp")
        assert status(page, "x") != old
        titles.append(control.evaluate("e => e.labels[0].firstChild.textContent"))
        page.keyboard.press("Tab")
    assert len(set(titles)) == len(CONTROLS)
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.className") == "scroll"
    assert page.evaluate("window.heard") is None


@in_browser
def test_slider_announces_its_number(page, shown):
    load(page, shown(Q, K, TOKENS, controls=["temperature"], name="x"))
    slider = page.get_by_role("slider", name="Temperature")
    assert slider.get_attribute("aria-valuetext") == "1"
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "1.5"


@in_browser
def test_tap_picks_its_row(page, shown):
    load(page, shown(Q, K, TOKENS, layer=1, head=3, query=HER, name="x"))
    assert status(page, "x").endswith("Tap or click a row to see where it looks.")
    page.locator("#x tbody tr").nth(6).locator("td").first.tap()
    assert status(page, "x") == "i (6) looks most at [CLS], 0.39."
    assert page.locator("#x .picked").count() == 1
    assert page.get_by_label("Query row").evaluate("menu => menu.selectedIndex") == 6
    page.get_by_label("Head").select_option("4")
    assert status(page, "x").startswith("Head: 4 (was 3). i (6) looks")


@in_browser
def test_without_the_menu_no_row_can_be_picked(page, shown):
    load(page, shown(Q[1, 3], K[1, 3], TOKENS, controls=["scale"], query=HER, name="x"))
    page.locator("#x tbody th").first.click()
    assert status(page, "x") == "her looks most at cat, 0.46."
    assert page.locator("#x tbody").evaluate("e => getComputedStyle(e).cursor") != "pointer"


@in_browser
def test_row_and_column_light_up_under_the_pointer(page, shown):
    load(page, shown(Q, K, TOKENS, name="x"))
    clear = "rgba(0, 0, 0, 0)"
    lines = """rows => rows.map((row) => [...row.cells].map((cell) => {
        const [top, , left] = getComputedStyle(cell).boxShadow.match(/rgba?\\([^)]*\\)/g);
        return [top, left];
    }))"""
    page.locator("#x tbody tr").nth(2).locator("td").nth(4).hover()
    seen = page.locator("#x tr").evaluate_all(lines)
    # Two rows are above the first query, and a column left of the first key.
    assert [row for row, cells in enumerate(seen) if cells[1][0] != clear] == [2, 2 + 2]
    for cells in seen:
        assert [column for column, (_, left) in enumerate(cells) if left != clear] == [4 + 1]


@in_browser
@pytest.mark.parametrize("width", [1440, 375])
def test_nothing_moves_on_any_head_or_row(page, shown, width):
    page.set_viewport_size({"width": width, "height": 700})
    tokens = ["extraordinarily" if token == "i" else token for token in TOKENS]
    load(page, shown(Q, K, tokens, layer=1, head=3, query=HER, name="x"))
    boxes = page.evaluate("""() => {
        const root = document.getElementById("x").firstElementChild.shadowRoot;
        const parts = [root.host, ...root.querySelectorAll("table, tbody, tbody td:last-child")];
        const boxes = new Set();
        for (const name of ["layer", "head", "query"]) {
            const menu = root.querySelector(`[name=${name}]`);
            for (const option of [...menu.options, menu.options[menu.selectedIndex]]) {
                menu.value = option.value;
                for (const event of ["input", "change"]) menu.dispatchEvent(new Event(event));
                boxes.add(JSON.stringify(parts.map((part) => part.getBoundingClientRect())));
            }
        }
        return [...boxes];
    }""")
    assert len(boxes) == 1


@in_browser
def test_box_is_as_wide_as_its_table(page, shown):
    page.set_viewport_size({"width": 1440, "height": 900})
    load(page, shown(Q, K, TOKENS, name="x"))
    box, table = (page.locator(found).bounding_box() for found in ("#x > div", "#x table"))
    assert box["width"] - table["width"] == 2 * 12  # the room at its sides


@in_browser
@pytest.mark.parametrize(
    "scheme, preferred, dark",
    [
        ("light dark", "dark", True),  # the website
        ("light dark", "light", False),
        ("dark", "light", True),  # JupyterLab's dark theme, whatever the system prefers
        ("light", "dark", False),
    ],
)
def test_explorer_is_dark_where_its_page_is(page, shown, scheme, preferred, dark):
    page.emulate_media(color_scheme=preferred)
    load(page, shown(Q, K, TOKENS, layer=1, head=3, name="x"), scheme=scheme)
    for part in ("> div", "tbody tr:last-child td:last-child"):
        colour = page.locator(f"#x {part}").evaluate("e => getComputedStyle(e).backgroundColor")
        assert (max(map(int, re.findall(r"\d+", colour)[:3])) < 64) == dark


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(page, shown, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme)
    load(page, shown(Q, K, TOKENS, controls=CONTROLS, causal=True, layer=1, head=3, query=HER, name="x"))
    page.locator("#x tbody td").nth(30).hover()
    page.add_style_tag(content="html { background: light-dark(white, black) }")
    report = axe.run(page, options={"preload": False, "resultTypes": ["violations"]})
    assert report.response["violations"] == []


@in_browser
def test_paper_has_bars_and_no_controls(page, shown):
    load(page, shown(Q, K, TOKENS, query=HER, name="x"))
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator("#x .controls").is_visible() and not page.locator("#x .cue").is_visible()
    bar = page.locator("#x .bar").first
    assert bar.evaluate("e => getComputedStyle(e).printColorAdjust") == "exact"
    paper = page.locator("#x > div").evaluate("e => getComputedStyle(e).backgroundColor")
    assert paper == "rgb(255, 255, 255)"


@in_browser
def test_long_sentence_shrinks_to_the_paper(page, shown):
    x = np.random.default_rng(0).normal(size=(40, 4))
    load(page, shown(x, x, [f"token {i}" for i in range(40)], name="x"))
    page.set_viewport_size({"width": 658, "height": 900})  # A4 without its margins of 18 mm
    page.emulate_media(media="print")
    assert page.locator("#x .scroll").evaluate("e => e.scrollWidth <= e.clientWidth")


@in_browser
def test_forced_colours_show_the_picked_row(page, shown):
    page.emulate_media(forced_colors="active")
    load(page, shown(Q, K, TOKENS, query=HER, name="x"))
    backgrounds = "all => all.map((e) => getComputedStyle(e).backgroundColor)"
    heads = page.locator("#x tbody th").evaluate_all(backgrounds)
    assert heads.count(heads[HER]) == 1 and len(set(heads)) == 2


@in_browser
def test_phone_scrolls_the_table_and_not_the_page(page, shown):
    page.set_viewport_size({"width": 375, "height": 700})
    load(page, shown(Q, K, TOKENS, controls=CONTROLS, causal=True, name="x"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    region = page.locator("#x .scroll")
    assert region.evaluate("e => e.scrollWidth > e.clientWidth")
    heights = page.locator("#x :is(select, label)").evaluate_all("all => all.map((e) => e.offsetHeight)")
    assert min(heights) >= 40
    # It fades where more is to the right; the first column stays.
    fade = """() => {
        const region = document.querySelector("#x > div").shadowRoot.querySelector(".scroll");
        return Number(getComputedStyle(region).maskImage.match(/ ([0-9.]+)px/)[1]);
    }"""
    page.wait_for_function(f"({fade})() > 20")
    token = page.locator("#x tbody th").first
    left = token.bounding_box()["x"]
    region.evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    page.wait_for_function(f"({fade})() === 0", timeout=5000)
    assert token.bounding_box()["x"] == pytest.approx(left, abs=12)  # it stops at the edge, without padding


@in_browser
@pytest.mark.parametrize("motion, moves", [("reduce", False), ("no-preference", True)])
def test_bars_respect_reduced_motion(page, shown, motion, moves):
    page.emulate_media(reduced_motion=motion)
    load(page, shown(Q, K, TOKENS, name="x"))
    duration = page.locator("#x .bar").first.evaluate("e => getComputedStyle(e).transitionDuration")
    assert (duration != "0s") == moves
