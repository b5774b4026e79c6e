"""Formulas become MathML, and those that cannot be converted are refused."""

import re

import pytest

from publish import notebooks
from publish.formulas import FormulaError, mathml
from tests.notebooks.stored import prose


def test_formulas_are_of_a_form_that_github_draws():
    # GitHub's Markdown removes a backslash before punctuation, so \\! would arrive as !.
    for path in notebooks.PATHS.values():
        for cell in notebooks.read(path).cells:
            found = re.findall(r"\$\$.+?\$\$|\$[^$]+\$", prose(cell), re.DOTALL)
            if cell.cell_type == "markdown":
                assert not [formula for formula in found if re.search(r"\\[^A-Za-z]", formula)], cell.id


@pytest.mark.parametrize("tex", [r"\sqrt{\nosuch}", r"\frac{1", r"\frac{1}", "a & b", "a}"])
def test_formula_that_cannot_be_converted_is_refused(tex):
    with pytest.raises(FormulaError, match=re.escape(f"${tex}$ cannot be drawn")):
        mathml(tex)
