"""Formulas as MathML, which a browser draws by itself: no MathJax, no fonts, no network.

latex2mathml converts. It copies commands that it does not know, and accepts formulas with missing parts: both
are refused here.
"""

from xml.etree import ElementTree

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

# How many children an element must have: browsers draw it wrong, or not at all, with fewer.
CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "mover": 2, "munder": 2}
CHILDREN |= {"msubsup": 3, "munderover": 3}


class FormulaError(ValueError):
    """A formula that cannot be drawn; the message names it, on pages its cell too."""


def mathml(tex, display="inline"):
    """The formula `tex` as a <math> element, `display` "inline" or "block"."""
    try:
        # HTML needs no namespace, and nbconvert's filter for headings would write it into each tag.
        drawn = convert(tex, display=display).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
        root = ElementTree.fromstring(drawn)
    except Exception as error:  # latex2mathml has a dozen classes of errors; "&" makes invalid XML
        raise FormulaError(f"${tex}$ cannot be drawn: {type(error).__name__} {error}".rstrip()) from error
    for element in root.iter():
        if "\\" in (element.text or "") or (element.tag == "mi" and element.text in ("{", "}")):
            raise FormulaError(f"${tex}$ cannot be drawn: {element.text} is not known")
        if len(element) != CHILDREN.get(element.tag, len(element)):
            raise FormulaError(f"${tex}$ cannot be drawn: <{element.tag}> lacks a part")
        _join_letters(element)
    return ElementTree.tostring(root, encoding="unicode")


def _join_letters(row):
    r"""Joins the letters of \mathrm, or a screen reader would spell them."""
    upright = [part.tag == "mi" and part.get("mathvariant") == "normal" for part in row]
    if len(row) > 1 and all(upright):
        word = ElementTree.Element("mi")  # upright, as every <mi> of two letters or more
        word.text = "".join(part.text for part in row)
        row[:] = [word]


class MathRenderer(IPythonRenderer):
    """nbconvert's Markdown renderer, with the formulas drawn."""

    def inline_math(self, body):
        return mathml(body)

    def block_math(self, body):
        return mathml(body, "block")


def render(markdown):
    """Markdown as HTML, its formulas drawn, its headings without links to themselves."""
    return MarkdownWithMath(renderer=MathRenderer(escape=False, exclude_anchor_links=True)).render(markdown)
