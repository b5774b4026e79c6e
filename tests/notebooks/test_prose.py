"""Prose agrees with the screen: its decimals, its references, its numbering, the names it uses.

A decimal in the prose of a section must be on a screen of that section: in its code, its outputs, or in the
numbers of its pictures' descriptions. Decimals from elsewhere are computed here, invented ones are listed.
Whole numbers, numbers in words and two decimals exchanged are not checked: compare those yourself.
"""

import json
import re
import tomllib

import numpy as np

import attention_lib as al
from attention_lib import data, learning, model, plain_python, show, today
from lesson import check, drawings, language
from publish.notebooks import YOU_SAID
from tests.lesson.test_two_heads import weight_after_same_letter
from tests.notebooks.minutes import sections
from tests.notebooks.stored import (
    ROOT,
    SERIES,
    code_cells,
    forms,
    joined,
    markdown_cells,
    printed,
    report,
)

NOTES = tomllib.loads((ROOT / "teaching" / "notes.toml").read_text(encoding="utf-8"))
CAT = data.load("cat_sentence")
WORDS = data.load("word_vectors")
BEFORE = CAT["weights"][1, 3]  # a head whose *her* looks at *cat*
LAYER = data.load("layer_one")
SCORES, LINKS = CAT["q"][1, 3] @ CAT["k"][1, 3].T, CAT["weights"]
OTHERS = [1, 2, 3, 4, 5, 6, 9]
BACK_THROUGH_SOFTMAX = dict(
    zip(("0.07", "-0.18", "0.11"), learning.softmax_gradient([0.7, 0.2, 0.1], [1, 0, 2]))
)


def word(name):
    return WORDS["vectors"][list(WORDS["words"]).index(name)]


def move_by_key_bias(size, turn=lambda x: x):
    """How far a random key bias of this standard deviation moves a weight of layer 1, in float32."""
    noise = np.random.default_rng(0).normal(0, size, 384).astype(np.float32)
    biases = [("w_q", LAYER["b_q"]), ("w_k", LAYER["b_k"]), ("w_k", noise)]
    q, k, other = (turn(al.split_heads(LAYER["x"] @ LAYER[name] + bias, 12)) for name, bias in biases)
    return abs(al.softmax(al.scaled_scores(q, other)) - al.softmax(al.scaled_scores(q, k))).max()


def cosines_of_tokens():
    """Of each token's last vector in one sentence with its own in the other, before their mean is taken."""
    batch = [model.tokenize(text) for text in ("The dog bit the man.", "The man bit the dog.")]
    (dog, man), _ = model._run(batch, al.scaled_dot_product_attention)
    man = man[[0, 1, 5, 3, 4, 2, 6, 7]]  # dog and man change places
    return (dog * man).sum(axis=-1) / np.linalg.norm(dog, axis=-1) / np.linalg.norm(man, axis=-1)


def cosines_with_the_model(attention):
    """Of the ten sentences of notebook 6, read with this attention, with their right vectors."""
    pairs = data.load("test_sentences")
    sentences = [*pairs["first"], *pairs["second"]]
    return (model.embed(sentences, attention) * model.embed(sentences)).sum(axis=1)


def cosine_of_the_first_five(weights):
    def attention(q, k, v, mask):
        found = weights(al.scaled_scores(q, k), mask)
        return found @ v, found

    return cosines_with_the_model(attention)[:5].mean()


def millions_learned():
    return sum(x.size for x in data.load("model").values() if x.dtype.kind == "f") / 1e6


def weight_after_same_letter_by_chance():
    even = np.tril(np.ones((48, 48)))
    rows = language.make_rows(300, np.random.default_rng(99))[:, :-1]
    weights = np.broadcast_to(even / even.sum(axis=-1, keepdims=True), (300, 48, 48))
    return weight_after_same_letter(weights, rows)


# Decimals that any section may say: the series comes back to them.
ANYWHERE = {
    "0.46": BEFORE[8, 4],
    "0.32": BEFORE[8, 0],
    "21.4": SCORES[8, 4],
    "19.3": SCORES[8, 0],
    "0.82": LINKS[5, 11, 8, 4],
    "0.356": al.softmax([2.0, 1.0, 0.0, 3.0])[:3].sum(),
    "88.7": np.log(np.finfo("float32").max),
}
# Decimals that a cell says and no cell shows, by cell, computed: read off a picture, or left to the reader.
# What needs the model is a function: every run of pytest imports this file.
COMPUTED = {
    "nb01-30": {
        "0.05": word("cat") @ word("king"),
        "0.34": word("apple") @ word("banana"),
        "0.38": word("apple") @ word("cat"),
        "0.87": word("cat") @ word("kitten"),
        "1.11": np.linalg.norm(word("banana")),
        "1.37": np.linalg.norm(word("cat")),
    },
    "nb02-31": {"3.16": 10**0.5, "22.6": 512**0.5},
    "nb02-33": {"3.16": 10**0.5},
    "nb02-27": {
        "0.154": 384 * 0.02**2,
        "0.76": 32 * 0.154**2,
        "0.0001": 0.002 / 22.6,
        "22.6": 512**0.5,
    },
    "nb03-20": {
        "3.4": float(np.finfo("float32").max) / 1e38,
        "158.3": (CAT["q"][0, 2] @ CAT["k"][0, 2].T).max(),
    },
    "nb03-22": {"709.8": np.log(np.finfo("float64").max)},
    "nb03-73": {"0.09": 1 / 11},
    "nb03-rest": {"7.4": np.exp(2)},
    "nb03-76": {"11.1": np.log(float(np.finfo("float16").max))},
    "nb05-47": {
        "0.025": LINKS[1, 3, [1, 2, 3, 5, 6, 7, 9], 4].mean(),
        "0.440": LINKS[1, 3, 8, 4] - LINKS[1, 3, [1, 2, 3, 5, 6, 7, 9], 4].mean(),
        "0.465": LINKS[1, 3, 8, 4],
    },
    "nb05-50-solution": {
        "0.7632": LINKS[1, 8, 7, 8],
        "0.0008": LINKS[1, 8, OTHERS, 8].mean(),
        "0.7624": LINKS[1, 8, 7, 8] - LINKS[1, 8, OTHERS, 8].mean(),
        "0.7736": LINKS[2, 8, 7, 8],
        "0.0594": LINKS[2, 8, OTHERS, 8].mean(),
        "0.7143": LINKS[2, 8, 7, 8] - LINKS[2, 8, OTHERS, 8].mean(),
    },
    "nb05-62": {"0.33": data.load("pronoun_sentences")["weights"][1, 10, 0]},
    "nb06-try": {
        "0.55": lambda: model.read("The cat that chased the mice was tired.")["weights"][5, 9, 2, 8]
    },
    "nb06-bias-said": {
        "0.005": np.ceil(1000 * abs(LAYER["b_k"]).max()) / 1000,
        "0.0001": move_by_key_bias(1000),
        "0.96": move_by_key_bias(3, turn=today.rotate),
    },
    "nb06-bars-said": {
        "0.93": lambda: cosine_of_the_first_five(lambda scores, mask: al.softmax(scores)),
        "0.96": lambda: cosine_of_the_first_five(lambda scores, mask: al.softmax(np.where(mask, scores, 0))),
    },
    "nb07-dog-said": {
        "0.94": lambda: cosines_of_tokens().min(),
        "0.99": lambda: cosines_of_tokens().max(),
    },
    "nb01-03": {"22.6": millions_learned},
    "nb08-chain": {"36.012": 6.001**2},
    "nb08-rows-said": BACK_THROUGH_SOFTMAX,
    "nb08-ex": BACK_THROUGH_SOFTMAX,
    "nb08-real": {"22.6": millions_learned},
    "nb09-recall": {"3.30": np.log(27)},
    "nb09-moments": {"0.12": weight_after_same_letter_by_chance},
}
# Decimals that are on no screen, by cell, with the reason.
INVENTED = {
    "nb02-15": ("0.1", "one of ten equal shares"),
    "nb02-27": ("0.0004 0.002", "shown by section 3"),
    "nb02-31": ("8.04", "shown by section 2"),
    "nb02-33": ("8.04", "shown by section 2"),
    "nb02-36-solution": ("0.5", "the exponent of a root"),
    "nb03-74": ("0.4 1.7 0.9 1.3", "tables that the questions imagine"),
    "nb04-rest": ("0.3", "a table that the question imagines"),
    "nb04-elsewhere": ("2.5 2.8 2.14 0.11 3.15 1.23", "versions"),
    "nb04-69": ("2.1", "a version"),
    "nb05-59": ("0.95", "a head that the question imagines"),
    "nb05-40-solution": ("0.5", "the exponent of a root"),
    "nb06-bias": ("0.1", "an answer on offer"),
    "nb06-3": ("0.002", "tests/model/test_model.py tests it"),
    "nb07-share": ("0.95", "an answer on offer"),
    "nb08-chain": ("6.001", "6, moved by 0.001"),
    "nb08-rows-said": ("0.3 -0.7", "factors of two numbers on the screen"),
    "nb08-loop-said": ("0.95", "95 %"),
    "nb09-hands": ("0.91", "shown by section 3"),
    "nb09-one-layer": ("1.25 1.97", "shown by sections 3 and 1"),
    "nb09-one-layer-said": ("1.25", "shown by section 3"),
    "nb09-moments": (
        "0.07 0.24 0.31 0.50 0.76 0.77 1.33 1.58 1.85",
        "tests/lesson/test_two_heads.py trains again",
    ),
    "nb09-seeds": (
        "0.80 0.81 0.82 0.84 0.90 0.91 1.24 1.27 1.29 1.30 1.84 1.85 1.86 1.89 2.03 2.04 2.05 2.06 2.08 2.10",
        "tests/lesson/test_two_heads.py trains again",
    ),
}
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?!\d|\.\d)")


def screen(cells):
    """All numbers that the code cells among these show, in code, text and descriptions."""
    shown = [text for cell in code_cells(cells) for text in (joined(cell["source"]), printed(cell))]
    pages = " ".join(form.get("text/html", "") for form in forms(cells))
    shown.append(re.sub(r"<script>.*?</script>|<[^>]*>", " ", pages, flags=re.DOTALL))
    return set(map(float, re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", " ".join(shown).replace("−", "-"))))


def is_shown(number, numbers):
    """Whether one of `numbers` is `number`, rounded to its decimals. A number without sign may lose one."""
    decimals = len(number.split(".")[1])
    rounded = [round(abs(n) if float(number) >= 0 else n, decimals) for n in numbers]
    return any(abs(n - float(number)) < 1e-9 for n in rounded)


def problems_with_text(place, text, numbers):
    """Decimals of `text` that are neither on the screen nor in one of the three lists."""
    listed = {*ANYWHERE, *COMPUTED.get(place, ()), *INVENTED.get(place, ("", ""))[0].split()}
    text = re.sub(r"\]\([^)]*\)|Apache-2\.0", "]", text).replace("−", "-")  # without addresses
    for number in dict.fromkeys(DECIMAL.findall(text)):
        if number not in listed and not is_shown(number, numbers):
            yield (
                f"{place} says {number}, and no cell of its section shows it. Correct the number, or let a cell "
                "show it, or compute it in COMPUTED of tests/notebooks/test_prose.py."
            )


def problems_with_decimals(cells):
    """Of the cells of a notebook, and of the teacher's notes on their questions."""
    for title, section in sections(cells).items():
        if title == "Sources":
            continue  # numbers of sections and of versions
        numbers = screen(section)
        for cell in markdown_cells(section):
            source = YOU_SAID.sub(r"\2", joined(cell["source"]))  # a wrong answer may have any number
            yield from problems_with_text(cell["id"], source, numbers)
            note = json.dumps(NOTES.get(cell["id"]), ensure_ascii=False)
            yield from problems_with_text(
                cell["id"], note, numbers.union(map(float, DECIMAL.findall(source)))
            )


def test_computed_decimals_are_what_the_prose_says():
    for place, numbers in [("ANYWHERE", ANYWHERE), *COMPUTED.items()]:
        for said, number in numbers.items():
            number = number() if callable(number) else number
            assert is_shown(said, [float(number)]), f"{place}: {said} is computed as {number}"


# "section 3.2.1" is a section of a paper.
REFERENCE = re.compile(r"\b(section|notebook)s? (\d+(?:(?:, | and | to )\d+)*)(?!\.?\d)", re.IGNORECASE)


def problems_with_numbering(cells):
    """Sections and exercises count from 1, and what is referred to exists."""
    text = "\n".join(joined(cell["source"]) for cell in markdown_cells(cells))
    numbered = re.findall(r"^## (\d+)\. ", text, re.MULTILINE)
    exercises = re.findall(r"^### Exercise (\d+) · ", text, re.MULTILINE)
    for what, found in [("sections", numbered), ("exercises", exercises)]:
        if found != [str(i + 1) for i in range(len(found))]:
            yield f"{what} are numbered {', '.join(found)}: count from 1"
    existing = {"section": numbered, "notebook": [str(i + 1) for i in range(len(SERIES))]}
    for cell in markdown_cells(cells):
        for what, numbers in REFERENCE.findall(joined(cell["source"])):
            for number in set(re.findall(r"\d+", numbers)) - set(existing[what.lower()]):
                yield f"{cell['id']} refers to {what.lower()} {number}, which does not exist"


def problems_with_slides(cells):
    """Hints and solutions are not on a slide."""
    for cell in markdown_cells(cells):
        source, slide = joined(cell["source"]), cell["metadata"].get("slideshow", {}).get("slide_type")
        solves = ">Hint</summary>" in source or (">Solution</summary>" in source and "```python" in source)
        if solves and slide != "skip":
            yield f"{cell['id']} is a hint or a solution: its slide_type must be skip, and is {slide}"


LIBRARY = (check, data, drawings, learning, model, plain_python, show, today)
NAMES = {module.__name__.rpartition(".")[2]: module for module in LIBRARY} | {"al": al, "np": np}


def names_that_do_not_exist(text):
    """Names in code type that the library or NumPy does not have."""
    for quoted in re.findall(r"`([^`\n]+)`", text):
        for owner, attribute in re.findall(r"(?<![\w.])(\w+)\.(\w+)", quoted):
            if owner in NAMES and attribute != "py" and not hasattr(NAMES[owner], attribute):
                yield f"{owner}.{attribute}"


def problems_with_names(cells):
    for cell in markdown_cells(cells):
        for name in names_that_do_not_exist(joined(cell["source"])):
            yield f"{cell['id']} names {name}, which does not exist"


def test_decimals_and_names_of_the_readme_are_those_of_the_series():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    report(problems_with_text("README.md", re.sub(r"\b3\.1\d\b", "", text), set()))
    assert [*names_that_do_not_exist(text)] == []
