"""Formulas as MathML, which a browser draws by itself: no MathJax, no fonts, no network.

    class Pages(WithMathML, HTMLExporter): ...

`WithMathML` goes before any HTML exporter of nbconvert, SlidesExporter too. latex2mathml does the
conversion, and lets much pass that it does not know. What it lets pass is refused here.
"""

from xml.etree import ElementTree

from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

# How many parts an element must have. A formula that lacks one is drawn as an error or not at all.
PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "mover": 2, "munder": 2}
PARTS |= {"msubsup": 3, "munderover": 3}


class FormulaError(ValueError):
    """A formula that cannot be drawn; the message names it and its cell."""


def mathml(tex, display="inline"):
    """The formula `tex` as a <math> element, `display` "inline" or "block"."""
    try:
        # HTML needs no namespace. The filter that gives headings their ids would write it into each tag.
        drawn = convert(tex, display=display).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
        root = ElementTree.fromstring(drawn)
    except Exception as error:  # it has a dozen of its own, and leaves "&" in the XML
        raise FormulaError(f"${tex}$ cannot be drawn: {type(error).__name__} {error}".rstrip()) from error
    for element in root.iter():
        if "\\" in (element.text or "") or (element.tag == "mi" and element.text in ("{", "}")):
            raise FormulaError(f"${tex}$ cannot be drawn: {element.text} is not known")
        if len(element) != PARTS.get(element.tag, len(element)):
            raise FormulaError(f"${tex}$ cannot be drawn: <{element.tag}> lacks a part")
        _join_letters(element)
    return ElementTree.tostring(root, encoding="unicode")


def _join_letters(row):
    r"""Makes a word of \mathrm's letters, which come one by one and would be read out so."""
    upright = [part.tag == "mi" and part.get("mathvariant") == "normal" for part in row]
    if len(row) > 1 and all(upright):
        word = ElementTree.Element("mi")  # of more than one letter, so upright by itself
        word.text = "".join(part.text for part in row)
        row[:] = [word]


class MathRenderer(IPythonRenderer):
    """nbconvert's Markdown renderer, with the formulas drawn."""

    def inline_math(self, body):
        return mathml(body)

    def block_math(self, body):
        return mathml(body, "block")

    def latex_environment(self, name, body):
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")

    def multiline_math(self, text):
        """Unused by mistune 3, whose parser hands such a block to the three above."""
        raise FormulaError(f"{text} cannot be drawn: mistune 3 is needed")


class WithMathML:
    """A mixin for nbconvert's HTMLExporter and what derives from it: formulas leave it as MathML.

    Raises FormulaError where a formula cannot be converted; it names formula, notebook and cell.
    """

    renderer_class = MathRenderer

    @pass_context
    def markdown2html(self, context, source):
        """The filter that the templates call: as HTMLExporter's, but for the class of the renderer."""
        cell = context.get("cell", {})
        metadata = context.get("resources", {}).get("metadata", {})
        renderer = self.renderer_class(
            escape=False,
            attachments=cell.get("attachments", {}),
            embed_images=self.embed_images,
            path=metadata.get("path", ""),
            anchor_link_text=self.anchor_link_text,
            exclude_anchor_links=self.exclude_anchor_links,
            **self.lexer_options,
        )
        try:
            return MarkdownWithMath(renderer=renderer).render(source)
        except FormulaError as error:
            place = f"{metadata.get('name', 'notebook')}, cell {cell.get('id', 'without id')}"
            raise FormulaError(f"{place}: {error}") from error
