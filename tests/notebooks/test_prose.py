"""The words agree with the screen: their numbers, their references, their numbering, their names.

A decimal in the words of a section must stand on a screen of that section: in its code, its outputs, or in the
numbers of its pictures' descriptions. What stands elsewhere is computed here, and what is made up is listed.
Whole numbers, numbers in words, and two decimals exchanged are not noticed: those a reader must compare.
"""

import copy
import json
import re
import tomllib

import numpy as np
import pytest

import attention_lib as al
from attention_lib import check, data, drawings, model, plain_python, show
from tests.notebooks.test_notebooks import ROOT, SERIES, every_notebook, joined, load

CAT = data.load("cat_sentence")
WORDS = data.load("word_vectors")
NEXT, BEFORE = CAT["weights"][1, 8], CAT["weights"][1, 3]  # heads that look at the next word, and at *cat*
SCORES, LINKS = CAT["q"][1, 3] @ CAT["k"][1, 3].T, CAT["weights"]
OTHERS = [2, 3, 4, 5, 7, 8, 9]


def word(name):
    return WORDS["vectors"][list(WORDS["words"]).index(name)]


def causal(query, key):
    return al.scaled_dot_product_attention(*(CAT[n][1, 8] for n in "qkv"), is_causal=True).weights[query, key]


# What the series carries from notebook to notebook. It may be said anywhere.
CARRIED = {
    "0.46": BEFORE[8, 4],
    "0.32": BEFORE[8, 0],
    "21.4": SCORES[8, 4],
    "19.3": SCORES[8, 0],
    "-4.4": SCORES[4, 8],
    "0.82": LINKS[5, 11, 8, 4],
    "0.356": al.softmax([2.0, 1.0, 0.0, 3.0])[:3].sum(),
    "88.7": np.log(np.finfo("float32").max),
}
# Cells that say what only a picture shows, or what is left to the reader's pencil: the number, computed.
COMPUTED = {
    "nb01-30": {
        "0.34": word("apple") @ word("banana"),
        "0.38": word("apple") @ word("cat"),
        "1.09": word("king") @ word("queen"),
    },
    "nb02-15": {"0.1": 1 / 10},
    "nb02-30": {"0.10": 1 / 10},
    "nb02-31": {"3.16": 10**0.5},
    "nb02-33": {"3.16": 10**0.5},
    "nb02-27": {
        "0.0001": 0.002 / 22.6,
        "0.0004": 0.0004,  # section 3 shows it, and 0.002
        "0.002": 0.002,
        "0.154": 384 * 0.02**2,
        "0.76": 32 * 0.154**2,
        "22.6": 512**0.5,
        "3.1": 64 * 7 / 144,
    },
    "nb03-20": {"3.4": float(np.finfo("float32").max) / 1e38},
    "nb03-22": {"709.8": np.log(np.finfo("float64").max)},
    "nb03-71": {"-0.26": 0.46 * -0.56},
    "nb03-74": {"7.4": np.exp(2)},
    "nb03-76": {"11.1": np.log(float(np.finfo("float16").max))},
    "nb04-21": {"0.45": NEXT[8, 0], "0.48": NEXT[8, 9]},
    "nb04-23": {"0.04": NEXT[8, 8], "0.08": causal(8, 8), "0.45": NEXT[8, 0]},
    "nb04-64": {"0.99": BEFORE[0, 0]},
    "nb05-50-solution": {
        "0.2944": LINKS[1, 1, 6, 1],
        "0.0049": LINKS[1, 1, OTHERS, 1].mean(),
        "0.2896": LINKS[1, 1, 6, 1] - LINKS[1, 1, OTHERS, 1].mean(),
        "0.3376": LINKS[2, 4, 6, 1],
        "0.0588": LINKS[2, 4, OTHERS, 1].mean(),
        "0.2788": LINKS[2, 4, 6, 1] - LINKS[2, 4, OTHERS, 1].mean(),
    },
    "nb05-58": {"0.25": 1024 * 64 * 4 / 2**20},
    "nb06-bias-said": {"0.005": np.ceil(1000 * abs(data.load("layer_one")["b_k"]).max()) / 1000},
}
# Numbers of no screen at all, with the reason.
MADE_UP = {
    "nb03-74": ("0.4 1.7 0.9 1.3", "tables that the questions imagine"),
    "nb04-02": ("0.6", "a table that the question imagines"),
    "nb04-21": ("0.7 0.9", "wrong answers on offer"),
    "nb04-elsewhere": ("2.5", "a version"),
    "nb04-69": ("2.1", "a version"),
    "nb05-59": ("0.95", "a head that the question imagines"),
    "nb06-bias": ("0.1", "an answer on offer"),
    "nb06-3": ("0.002", "tests/test_model.py holds it"),
}
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?!\d|\.\d)")


def screen(cells):
    """All numbers that the code cells among these show, in code, text and descriptions."""
    numbers = set()
    for cell in cells:
        if cell["cell_type"] == "code":
            texts = [joined(cell["source"])]
            for output in cell["outputs"]:
                page = joined(output.get("data", {}).get("text/html", ""))
                page = re.sub(r"<script>.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL)
                texts += [
                    joined(output.get("text", "")),
                    joined(output.get("data", {}).get("text/plain", "")),
                    page,
                ]
            found = re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", " ".join(texts).replace("−", "-"))
            numbers |= set(map(float, found))
    return numbers


def is_shown(number, numbers):
    """Whether one of `numbers` is `number`, rounded to its decimals. A number without sign may lose one."""
    decimals = len(number.split(".")[1])
    own = [round(abs(n) if float(number) >= 0 else n, decimals) for n in numbers]
    return any(abs(n - float(number)) < 1e-9 for n in own)


def sections(cells):
    """The cells of a notebook from one ## to the next."""
    found = [[]]
    for cell in cells:
        if cell["cell_type"] == "markdown" and re.search(r"^##? ", joined(cell["source"]), re.MULTILINE):
            found.append([])
        found[-1].append(cell)
    return found


def complaints_about(place, text, numbers):
    """Decimals of `text` that are neither on the screen, nor carried, nor computed, nor listed."""
    listed = {*CARRIED, *COMPUTED.get(place, ()), *MADE_UP.get(place, ("", ""))[0].split()}
    for number in dict.fromkeys(DECIMAL.findall(text.replace("−", "-"))):
        if number not in listed and not is_shown(number, numbers):
            yield (
                f"{place} says {number}, and no cell of its section shows it. Correct the number, or let a cell "
                "show it, or compute it in COMPUTED of tests/test_words.py."
            )


def complaints_about_numbers(cells):
    for section in sections(cells):
        numbers = screen(section)
        for cell in section:
            if cell["cell_type"] == "markdown":
                yield from complaints_about(cell["id"], joined(cell["source"]), numbers)


@every_notebook
def test_decimals_of_the_words_stand_on_the_screen_of_their_section(name):
    assert list(complaints_about_numbers(load(name)["cells"])) == []


def test_computed_numbers_are_what_the_words_say():
    for place, numbers in [("CARRIED", CARRIED), *COMPUTED.items()]:
        for said, number in numbers.items():
            assert is_shown(said, [float(number)]), f"{place}: {said} is {number} in truth"


def test_lists_of_exceptions_are_not_stale():
    said = {c["id"]: DECIMAL.findall(joined(c["source"])) for name in SERIES for c in load(name)["cells"]}
    said["README.md"] = DECIMAL.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    for place, listed in [*COMPUTED.items(), *((p, numbers.split()) for p, (numbers, _) in MADE_UP.items())]:
        unsaid = [number for number in listed if number not in said.get(place, [])]
        assert not unsaid, (
            f"{place} does not say {unsaid} any more: take it off the list in tests/test_words.py"
        )
    everywhere = {number for numbers in said.values() for number in numbers}
    assert set(CARRIED) <= everywhere


def test_decimals_of_the_notes_stand_on_the_screen_of_their_question():
    notes = tomllib.loads((ROOT / "teaching" / "notes.toml").read_text(encoding="utf-8"))
    screens = {}
    for name in SERIES:
        for section in sections(load(name)["cells"]):
            numbers = screen(section)
            for cell in section:
                words = map(float, DECIMAL.findall(joined(cell["source"]))) if cell["id"] in notes else ()
                screens[cell["id"]] = numbers | set(words)
    for place, note in notes.items():
        assert place in screens, f"teaching/notes.toml has notes on {place}, which no notebook has"
        assert list(complaints_about(place, json.dumps(note, ensure_ascii=False), screens[place])) == []


def test_decimals_of_the_readme_are_carried():
    """What the benchmark measures, and versions, stand under headings or in lines of their own."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"^### How fast\n.*?^## ", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in text.splitlines():
        if not re.search(r"[Pp]ython|tests/benchmark\.py|Colab|Loading it takes|float16|Apache", line):
            assert list(complaints_about("README.md", line, set())) == []


@every_notebook
def test_descriptions_are_computed_from_what_is_drawn(name):
    # One that is written by hand would have to be compared with its picture by hand.
    for cell in load(name)["cells"]:
        written = cell["cell_type"] == "code" and re.search(r"\balt=", joined(cell["source"]))
        assert not written, f"{cell['id']} writes an alt text: leave it out, and it is made from the numbers"


# Numbering, slides, references, names


def complaints_about_numbering(cells):
    """Sections and exercises count from 1; references lead somewhere; hints and solutions are no slides."""
    text = "\n".join(joined(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    numbered = re.findall(r"^## (\d+)\. ", text, re.MULTILINE)
    tasks = re.findall(r"^### Exercise (\d+) · ", text, re.MULTILINE)
    for what, counted in [("section", numbered), ("exercise", tasks)]:
        if counted != [str(i + 1) for i in range(len(counted))]:
            yield f"{what}s are numbered {', '.join(counted)}: count from 1"
    for cell in cells:
        source = joined(cell["source"])
        if cell["cell_type"] != "markdown":
            continue
        # "section 3.2.1" is a paper's.
        for listed in re.findall(r"\b[Ss]ections? (\d+(?:(?:, | and | to )\d+)*)(?!\.?\d)", source):
            for number in re.findall(r"\d+", listed):
                if number not in numbered:
                    yield f"{cell['id']} speaks of section {number}, and there is none"
        for number in re.findall(r"\b[Nn]otebooks? (\d+)", source):
            if not 1 <= int(number) <= len(SERIES):
                yield f"{cell['id']} speaks of notebook {number}, and there is none"
        slide = cell["metadata"].get("slideshow", {}).get("slide_type")
        written = "<summary>Hint" in source or ("<summary>Solution" in source and "```python" in source)
        if written and slide != "skip":
            yield f"{cell['id']} holds a hint or a solution, and slide_type {slide} would show it: it must be skip"


@every_notebook
def test_numbering_references_and_slides(name):
    assert list(complaints_about_numbering(load(name)["cells"])) == []


NAMES = {
    "al": al,
    "check": check,
    "data": data,
    "drawings": drawings,
    "model": model,
    "np": np,
    "plain_python": plain_python,
    "show": show,
}


def complaints_about_names(place, text):
    """Names in code type that the library or NumPy does not have."""
    for quoted in re.findall(r"`([^`\n]+)`", text):
        for owner, attribute in re.findall(r"(?<![\w.])(\w+)\.(\w+)", quoted):
            if owner in NAMES and attribute != "py" and not hasattr(NAMES[owner], attribute):
                yield f"{place} speaks of {owner}.{attribute}, and there is no such name"


@every_notebook
def test_names_in_the_words_exist(name):
    for cell in load(name)["cells"]:
        if cell["cell_type"] == "markdown":
            assert list(complaints_about_names(cell["id"], joined(cell["source"]))) == []


def test_names_in_the_readme_exist():
    assert list(complaints_about_names("README.md", (ROOT / "README.md").read_text(encoding="utf-8"))) == []


# Each of these is seen to fail


def planted(name, place, old, new):
    """The cells of a notebook with one fault put in."""
    cells = copy.deepcopy(load(name)["cells"])
    (cell,) = [cell for cell in cells if cell["id"] == place]
    if old not in joined(cell["source"]):
        pytest.fail(f"{place} does not say {old} any more: plant the fault elsewhere in tests/test_words.py")
    cell["source"] = joined(cell["source"]).replace(old, new)
    return cells


def assert_noticed(complaints, beginning):
    """Among others: a fault that is really there has a test of its own."""
    complaints = list(complaints)
    assert any(complaint.startswith(beginning) for complaint in complaints), complaints


@pytest.mark.parametrize(
    ("name", "place", "old", "new", "named"),
    [
        ("01_dot_product", "nb01-26", "0.58", "0.59", "nb01-26 says 0.59"),
        ("02_scaling", "nb02-21", "0.95", "0.96", "nb02-21 says 0.96"),
        ("03_softmax", "nb03-39", "0.244", "0.245", "nb03-39 says 0.245"),
        ("05_batched_attention", "nb05-50-solution", "0.3376", "0.3367", "nb05-50-solution says 0.3367"),
        ("05_batched_attention", "nb05-24", "0.15", "0.51", "nb05-24 says 0.51"),
    ],
)
def test_wrong_number_is_noticed(name, place, old, new, named):
    assert_noticed(complaints_about_numbers(planted(name, place, old, new)), named)


def test_most_wrong_digits_are_noticed():
    """A last digit off by one must not find itself on the screen by chance, in four cases of five."""
    noticed = total = 0
    for name in SERIES:
        for section in sections(load(name)["cells"]):
            numbers = screen(section)
            for cell in section:
                for number in (
                    DECIMAL.findall(joined(cell["source"])) if cell["cell_type"] == "markdown" else ()
                ):
                    step = 10.0 ** -len(number.split(".")[1])
                    for wrong in (float(number) - step, float(number) + step):
                        said = f"{wrong:.{len(number.split('.')[1])}f}"
                        total += 1
                        noticed += any(complaints_about(cell["id"], said, numbers))
    assert total > 300 and noticed > 0.8 * total, (noticed, total)


@pytest.mark.parametrize(
    ("name", "place", "old", "new", "named"),
    [
        ("04_masking", "nb04-47", "Exercise 2", "Exercise 3", "exercises are numbered 1, 3, 3"),
        ("03_softmax", "nb03-32", "## 4. ", "## 5. ", "sections are numbered 1, 2, 3, 5, 5, 6"),
        ("03_softmax", "nb03-24", "Section 2", "Section 8", "nb03-24 speaks of section 8"),
        ("01_dot_product", "nb01-03", "Notebook 5", "Notebook 7", "nb01-03 speaks of notebook 7"),
    ],
)
def test_wrong_numbering_is_noticed(name, place, old, new, named):
    assert_noticed(complaints_about_numbering(planted(name, place, old, new)), named)


def test_solution_on_a_slide_is_noticed():
    cells = copy.deepcopy(load("03_softmax")["cells"])
    (cell,) = [cell for cell in cells if cell["id"] == "nb03-52-solution"]
    cell["metadata"]["slideshow"]["slide_type"] = "subslide"
    said = "nb03-52-solution holds a hint or a solution, and slide_type subslide"
    assert_noticed(complaints_about_numbering(cells), said)


def test_name_that_does_not_exist_is_noticed():
    (complaint,) = complaints_about_names("README.md", "Call `al.masked_softmax(s, m)` or `al.mask_softmax`.")
    assert complaint == "README.md speaks of al.mask_softmax, and there is no such name"
