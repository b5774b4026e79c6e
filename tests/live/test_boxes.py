"""The boxes of the exercises and the sentence of the front page, in Chromium: Python starts in the page.

pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m live tests/live/test_boxes.py
"""

import pytest

from attention_lib import model
from publish import pages, published_copy
from tests.publish.test_pages_in_browser import faults

pytestmark = pytest.mark.live

REASON = "needs publish/requirements.txt and tests/requirements-browser.txt"
PHONE = {"width": 390, "height": 844}
FOLDER = "class"  # of the host, below which the pages are
WRONG = "def softmax(scores):\n    e = np.exp(scores)\n    return e / e.sum()\n\n\ncheck.softmax(softmax)"
SOFTMAX = "def softmax(scores):\n    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n    return e / e.sum(axis=-1, keepdims=True)"
RIGHT = "def dot_product(a, b):\n    return (a * b).sum()"  # without the line that checks it
SECONDS = 20  # that a run may take


@pytest.fixture(scope="module")
def site(pyodide, tmp_path_factory):
    """The folder of the website, without the pictures for phones: drawing them takes long."""
    out = tmp_path_factory.mktemp("boxes") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "phone_pictures", lambda path: {})
        pages.build(out / FOLDER, published_copy.repository(), str(pyodide))
    return out


class Box:
    """The box of an exercise on a page."""

    def __init__(self, page, exercise):
        self.page = page
        self.form = page.locator(f"form[data-exercise={exercise}]").first
        self.lines = self.form.get_by_role("textbox")
        self.output = self.form.get_by_role("status").last
        self.note = self.form.get_by_role("status").first
        self.tick = self.form.get_by_text("✓ passed")

    def button(self, name):
        return self.form.get_by_role("button", name=name, exact=True)

    def press(self, name="Check"):
        self.button(name).tap()

    def check(self, lines, words):
        """Writes lines, presses Check and waits for these words."""
        self.lines.fill(lines)
        self.press()
        self.output.filter(has_text=words).wait_for()


@pytest.fixture
def open_box_page(open_page, host):
    """A function that opens a page as a student's phone does: by touch, over plain http, from a host with a name."""

    def open_box_page(name, **options):
        page = open_page(f"{host}/{FOLDER}/{name}", offline=False, viewport=PHONE, has_touch=True, **options)
        page.set_default_timeout(60_000)
        return page

    return open_box_page


def test_verdict_is_shown_and_kept(open_box_page):
    page = open_box_page("03_softmax.html")
    box = Box(page, "softmax")
    box.check("print(q.shape, al.__name__)\n" + WRONG, "Not yet")
    assert box.output.locator("pre").text_content() == "(11, 32) attention_lib\n"

    box.check(SOFTMAX, "✓ Right")
    page.reload()
    assert box.lines.input_value() == SOFTMAX
    assert "✓ Right" in box.output.text_content()
    assert box.tick.is_visible()
    assert "✓ 1 of" in page.locator(".run").text_content()
    # Of other lines it was not said.
    grey = box.form.locator(".stale")
    box.lines.fill(WRONG)
    assert grey.count() == 1 and "have changed" in box.form.inner_text()
    box.lines.fill(SOFTMAX)
    assert grey.count() == 0 and "have changed" not in box.form.inner_text()
    page.goto(page.url.replace("03_softmax", "02_scaling"))
    Box(page, "scaled_scores").lines.fill("begun")
    page.get_by_role("link", name="Attention", exact=True).tap()
    page.locator(".series tr", has_text="Softmax").get_by_text("✓ 1 of").wait_for()
    assert page.locator(".series .passed:not(:empty)").count() == 1
    assert not page.log


def test_no_check_is_dropped_while_a_loop_runs_which_ends_by_time_or_stop(open_box_page):
    page = open_box_page("01_dot_product.html")
    page.clock.install()
    box, other = Box(page, "dot_product"), Box(page, "attention_scores")
    box.check("print('before')\nwhile True: pass", "before")
    other.press()
    other.output.filter(has_text="Waits").wait_for()
    box.lines.fill(RIGHT)
    box.press()
    assert "Still running" in box.note.text_content()
    page.clock.fast_forward(SECONDS * 1000)
    box.output.filter(has_text="✓ Right").wait_for()
    other.output.filter(has_text="Not started").wait_for()

    box.check("print('again')\nwhile True: pass", "again")
    other.press()
    other.press("Stop")
    assert "Not started" in other.output.text_content()
    box.press("Stop")
    assert box.output.text_content().startswith("again\n") and "Stopped" in box.output.text_content()
    assert not page.log


def test_two_tabs_show_the_same_lines_and_say_so(open_box_page):
    page = open_box_page("02_scaling.html")
    box, other = Box(page, "scaled_scores"), Box(page.context.new_page(), "scaled_scores")
    other.page.goto(page.url)
    box.lines.fill("mine")
    other.note.filter(has_text="another tab").wait_for()
    assert other.lines.input_value() == "mine"


def test_own_sentence_is_read_on_the_front_page(open_box_page):
    page = open_box_page("index.html")
    form = page.locator("form.sentence")
    field, read, said = form.get_by_role("textbox"), form.get_by_role("button"), form.locator(".note")
    field.fill("Zebras sleep.")
    read.tap()
    said.filter(has_text="Read.").wait_for()
    shown = form.locator(".output")
    assert shown.locator("tbody th").all_text_contents() == ["[CLS]", "zebra", "##s", "sleep", ".", "[SEP]"]
    shown.locator("select[name=layer]").select_option("5")
    weights = model.read("Zebras sleep.")["weights"][5, 3]
    assert shown.locator("tbody td").all_text_contents() == [f"{weight:.2f}" for weight in weights.ravel()]
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()
    assert not list(faults(page, axe))


def test_what_was_written_is_kept_until_the_stub_is_put_back(open_box_page):
    page = open_box_page("02_scaling.html")
    box = Box(page, "scaled_scores")
    stub = box.lines.input_value()
    box.lines.fill("mine")
    page.reload()
    assert box.lines.input_value() == "mine"
    page.once("dialog", lambda dialog: dialog.accept())
    box.press("Put the stub back")
    page.reload()
    assert box.lines.input_value() == stub
    assert not page.evaluate("localStorage.length")


BLOCKED = 'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("", "SecurityError") } });'


def test_a_line_says_where_nothing_is_kept(open_box_page):
    box = Box(open_box_page("01_dot_product.html", script=BLOCKED), "dot_product")
    assert not box.note.text_content()
    box.lines.fill("mine")
    box.note.filter(has_text="does not keep").wait_for()


def test_lines_are_copied_for_the_notebook(open_box_page):
    page = open_box_page("04_masking.html")
    mask, softmax = Box(page, "padding_mask"), Box(page, "masked_softmax")
    mask.lines.fill("one\n  two")
    mask.press("Copy")
    mask.note.filter(has_text="Copied").wait_for()
    softmax.lines.fill("")
    softmax.lines.press("Control+V")
    assert softmax.lines.input_value() == "one\n  two"


def test_keys_indent_and_check_and_a_page_with_a_verdict_has_no_fault(open_box_page):
    page = open_box_page("04_masking.html", color_scheme="dark")
    box = Box(page, "masked_softmax")
    box.lines.fill("")
    page.keyboard.type("def masked_softmax(scores, mask):")
    page.keyboard.press("Enter")
    page.keyboard.type("return mask")
    page.keyboard.press("Enter")
    assert box.lines.input_value() == "def masked_softmax(scores, mask):\n    return mask\n    "
    page.keyboard.press("Backspace")
    page.keyboard.type("np.exp((1)(")
    page.keyboard.press("Backspace")
    assert box.lines.input_value().endswith("\nnp.exp((1))")
    page.keyboard.press("Shift+Enter")
    box.output.filter(has_text="Not yet").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"

    box.check("print('wide ' * 99)", "No verdict")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=REASON).Axe()
    found = list(faults(page, axe))
    page.emulate_media(color_scheme="light")
    found += faults(page, axe)
    assert not found, "\n".join(found)


def test_page_that_is_opened_as_a_file_says_why_its_boxes_are_off(browser, site):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto((site / FOLDER / "01_dot_product.html").as_uri())
        box = Box(page, "dot_product")
        assert "opened as a file" in box.form.text_content()
        assert box.form.get_by_role("button", disabled=True).count() == 3
        assert "def dot_product" in box.lines.input_value()


def test_file_that_does_not_come_is_named_and_tried_again(open_box_page):
    page = open_box_page("01_dot_product.html")
    page.context.route("**/*.wasm", lambda route: route.abort())
    box = Box(page, "dot_product")
    box.check(RIGHT, "pyodide.asm.wasm could not be loaded")
    page.context.unroute("**/*.wasm")
    box.check(RIGHT, "✓ Right")
