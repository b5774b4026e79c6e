"""Formulas become MathML, and those that cannot be converted are refused."""

import re

import pytest

from publish import notebooks
from tests.notebooks.stored import prose


@pytest.mark.parametrize("path", notebooks.PATHS.values(), ids=lambda path: path.stem)
def test_formulas_are_of_a_form_that_github_draws(path):
    # GitHub's Markdown removes a backslash before punctuation, so \\! would arrive as !.
    for cell in notebooks.read(path).cells:
        if cell.cell_type == "markdown":
            for formula in re.findall(r"\$\$.+?\$\$|\$[^$]+\$", prose(cell), re.DOTALL):
                assert not re.search(r"\\[^A-Za-z]", formula), f"{cell.id}: {formula}"


@pytest.mark.browser
def test_mathml_of_a_formula():
    pytest.importorskip("latex2mathml")
    from publish.formulas import mathml

    assert re.sub(r"</?mrow>", "", mathml(r"\mathrm{mask}_k < \{1\}", "block")) == (
        '<math display="block"><msub><mi>mask</mi><mi>k</mi></msub><mo>&lt;</mo><mo stretchy="false">{</mo>'
        '<mn>1</mn><mo stretchy="false">}</mo></math>'
    )


@pytest.mark.browser
@pytest.mark.parametrize(
    "tex",
    [r"\nosuch{3}", r"\frac{1", r"\frac{1}", "a & b", "a}", r"\left( a", "x_", r"\sqrt{\nosuch}"],
)
def test_formula_that_cannot_be_converted_is_refused(tex):
    pytest.importorskip("latex2mathml")
    from publish.formulas import FormulaError, mathml

    with pytest.raises(FormulaError) as caught:
        mathml(tex)
    assert str(caught.value).startswith(f"${tex}$ cannot be drawn")


@pytest.mark.browser
@pytest.mark.parametrize("markdown", ["$$x$$", r"\begin{matrix} x \end{matrix}"])
def test_formula_of_its_own_is_a_block(markdown):
    pytest.importorskip("latex2mathml")
    from publish.slides import render

    assert '<math display="block">' in render(markdown)
