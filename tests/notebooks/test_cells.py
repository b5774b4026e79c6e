"""The cells of the stored notebooks pass each check, and each check is seen to fail where one thing is changed.

A check takes the cells of a notebook and yields a line for each problem. test_outputs.py does the same for the
comparison of outputs.
"""

import json

import pytest

from tests.notebooks import predictions
from tests.notebooks import test_prose as prose
from tests.notebooks import test_stored_files as files
from tests.notebooks.stored import every_notebook, load, report

# The check, the cell of notebook 3 that is changed, what of it, and words of what the check then says.
CHANGES = [
    (files.problems_with_errors, "nb03-59", '"stdout"', '"stderr"', "stores an error or a warning"),
    (files.problems_with_comparison, "nb03-16", '"answer"', '"nbval-ignore-output"', "is tagged"),
    (files.problems_with_sources, "nb03-59", 'by_hand)"', 'by_hand);"', "semicolon"),
    (files.problems_with_descriptions, "nb03-25", 'alt=\\"Heatmap', 'alt=\\"Map', "without its description"),
    (files.problems_with_titles, "nb03-03", "## 1.", "# 1.", "one title"),
    (files.problems_with_folds, "nb03-52", "<details>", "<details open>", "open"),
    (files.problems_with_links, "nb03-01", "Notebook 2", "[2](none.ipynb)", "links to none.ipynb"),
    (predictions.problems_with_order, "nb03-10", "<details>", "", "is not folded"),
    (predictions.problems_with_answers, "nb03-35", "What do", "0.244! What do", "nb03-35 tells 0.244"),
    (prose.problems_with_decimals, "nb03-10", "2.72", "2.73", "nb03-10 says 2.73"),
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
    text = {cell["id"]: json.dumps(cell, ensure_ascii=False) for cell in load("03_softmax")["cells"]}
    assert old in text[id]
    text[id] = text[id].replace(old, new)
    assert message in "\n".join(check(list(map(json.loads, text.values()))))
