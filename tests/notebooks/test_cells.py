"""The cells of the stored notebooks pass each check, and each check is seen to fail where one thing is changed.

A check takes the cells of a notebook and yields a line for each problem. test_outputs.py does the same for the
comparison of outputs.
"""

import json

import pytest

from tests.notebooks import predictions
from tests.notebooks import test_prose as prose
from tests.notebooks import test_stored_files as files
from tests.notebooks.stored import NOTEBOOKS, every_notebook, load, report

SMALL = "03_softmax"
# The check, the cell of notebook 3 that is changed, what of it, and words of what the check then says.
CHANGES = [
    (files.problems_with_errors, "nb03-59", '"stdout"', '"stderr"', "stores an error or a warning"),
    (files.problems_with_comparison, "nb03-16", '"answer"', '"nbval-ignore-output"', "is tagged"),
    (files.problems_with_sources, "nb03-59", 'with_product)"', 'with_product);"', "semicolon"),
    (files.problems_with_numbers, "nb03-59", "[5.4 3.2]", "<f at 0x7f3a2c1d>", "memory address"),
    (files.problems_with_numbers, "nb03-59", "[5.4 3.2]", "C:\\\\Users", "path of one machine"),
    (files.problems_with_numbers, "nb03-59", "[5.4 3.2]", "#T_1a2b3_row0", "id of a Styler"),
    (files.problems_with_numbers, "nb03-59", "[5.4 3.2]", "[-0. 1.]", "negative zero"),
    (files.problems_with_numbers, "nb03-59", "[5.4 3.2]", "2.220446e-16", "rounding residual"),
    (files.problems_with_numbers, "nb03-59", "[5.4 3.2]", "0.46512345", "more digits"),
    (files.problems_with_descriptions, "nb03-25", 'alt=\\"Heatmap', 'alt=\\"Map', "without its description"),
    (files.problems_with_descriptions, "nb03-01", "Notebook", "![](a.png)", "without a description"),
    (files.problems_with_titles, "nb03-03", "## 1.", "# 1.", "one title"),
    (files.problems_with_folds, "nb03-52", "<details>", "<details open>", "open"),
    (files.problems_with_links, "nb03-01", "Notebook 2", "[2](none.ipynb)", "links to none.ipynb"),
    (predictions.problems_with_order, "nb03-10", "<details>", "", "is not folded"),
    (predictions.problems_with_order, "nb03-08", "> <h3", "<h3", "must begin with"),
    (
        predictions.problems_with_answers,
        "nb03-10",
        "<details>",
        "",
        "nb03-10 tells 0.705, which answers nb03-08",
    ),
    (predictions.problems_with_answers, "nb03-35", "What do", "0.244! What do", "nb03-35 tells 0.244"),
    (predictions.problems_with_answers, "nb03-36", "their_sums", "a = 0.244", "nb03-36 tells 0.244"),
    (prose.problems_with_decimals, "nb03-10", "2.72", "2.73", "nb03-10 says 2.73"),
    (prose.problems_with_numbering, "nb03-32", "## 4.", "## 5.", "numbered 1, 2, 3, 5"),
    (prose.problems_with_numbering, "nb03-24", "Section 2", "Sections 2 and 12", "refers to section 12"),
    (prose.problems_with_names, "nb03-52", "`max`", "`np.maxi`", "names np.maxi, which does not exist"),
    (prose.problems_with_slides, "nb03-52", '"skip"', '"slide"', "its slide_type must be skip"),
]
CHECKS = list(dict.fromkeys(check for check, *_ in CHANGES))


@every_notebook
@pytest.mark.parametrize("check", CHECKS)
def test_stored_cells_have_no_problems(name, check):
    report(f"{name}: {problem}" for problem in check(load(name)["cells"]))


@pytest.mark.parametrize("check, id, old, new, message", CHANGES)
def test_changed_cell_is_found(check, id, old, new, message):
    text = {cell["id"]: json.dumps(cell, ensure_ascii=False) for cell in load(SMALL)["cells"]}
    assert old in text[id]
    text[id] = text[id].replace(old, new)
    assert message in "\n".join(check(list(map(json.loads, text.values()))))


@pytest.mark.parametrize(
    "old, new",
    [
        ('"outputs_hidden": true', '"outputs_hidden": false'),  # answers unfolded
        ('"execution_count": 2', '"execution_count": 3'),  # a cell run twice
        ('"jupyter": {', '"execution": {},\n    "jupyter": {'),  # times
        ('"name": "python3"', '"name": "venv"'),  # another kernel
        ('"version": "3', '"versions": "3'),
    ],
)
def test_file_saved_by_a_front_end_is_found(old, new):
    text = (NOTEBOOKS / f"{SMALL}.ipynb").read_text(encoding="utf-8")
    assert files.is_as_executed(text) and old in text and not files.is_as_executed(text.replace(old, new))
