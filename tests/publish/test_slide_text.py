"""What of a text goes on a slide."""

import pytest

from publish.slide_text import sentences, slide_text


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One. Two? *Three* and 0.5.", ["One.", "Two?", "*Three* and 0.5."]),
        ("Take `a. B` and $x. Y$ (or so. Or not.) Then stop.", ["Take `a. B` and $x. Y$ (or so. Or not.)", "Then stop."]),
        ("**A wrong way.** It runs. It is wrong.", ["**A wrong way.** It runs.", "It is wrong."]),
        ("**Modify** (easy, 4 minutes). Change it. Look.", ["**Modify** (easy, 4 minutes). Change it.", "Look."]),
        ("A value of 3.4. (It is small.)", ["A value of 3.4.", "(It is small.)"]),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    assert sentences(text) == expected


LONG = "This is long enough to be cut, since it has a great many words. " * 3


def test_bold_sentences_go_on_the_slide():
    assert slide_text(f"{LONG}A **term** is named. More.") == "A **term** is named."


def test_without_a_bold_sentence_the_first_one_goes_on_the_slide():
    assert slide_text(f"{LONG}\n\nMore.") == LONG.split(". ")[0] + "."


def test_short_text_goes_on_the_slide():
    assert slide_text("Short texts stay whole. This is one.") == "Short texts stay whole. This is one."


def test_answer_gives_its_first_sentence_and_the_next_if_that_is_short():
    assert slide_text(f"No. It shrinks. {LONG}**Look.**", is_answer=True) == "No. It shrinks. **Look.**"


def test_lists_formulas_and_predictions_go_on_the_slide():
    kept = ["- one\n- two", "$$x$$", "> ### ✎ Predict\n>\n> What?"]
    text = "\n\n".join([LONG, *kept])
    assert slide_text(text).endswith("\n\n".join(kept))
    assert slide_text(text, ["- one"]) == f"{kept[0]}\n\n{kept[2]}"


def test_unknown_beginning_is_refused():
    with pytest.raises(ValueError, match="nothing begins with 'Nowhere'"):
        slide_text(LONG, ["This", "Nowhere"])
