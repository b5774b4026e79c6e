"""How long a notebook takes, and each section of it, as it is felt.

By somebody who reads English as a second language: 140 words a minute, where the folded words of
hints, solutions and questions count half and those of explanations in full; 20 seconds a code cell
and 3 seconds a line of code; 45 seconds a prediction or question; and what the exercises state.
"""

import json
import re

SUMMARY = "What was to be seen, and why"  # what folds each explanation
EXPLAINED = f"<summary>{SUMMARY}</summary>"
FURTHER = "Going further"
STATED = re.compile(r"\b(?:[Ee]asy|[Mm]edium|[Hh]ard), (\d+) minutes?\b")
HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)


def cells_of(path):
    """The cells of a stored notebook as (id, kind, source)."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in cells]


def sections(cells):
    """{title: its cells}, in order; "" holds what stands before the first heading."""
    found, title = {"": []}, ""
    for cell in cells:
        _, kind, source = cell
        heading = HEADING.search(re.sub(r"(?ms)^```.*?^```", "", source))
        if kind == "markdown" and heading:
            title = heading[1]
        found.setdefault(title, []).append(cell)
    return found


def core(cells):
    """The cells that stand before what may be left out."""
    titles = sections(cells)
    return [cell for title, inside in titles.items() if title != FURTHER for cell in inside]


def asked(cells):
    """How often these cells ask for a prediction or an answer."""
    text = "\n".join(source for _, kind, source in cells if kind == "markdown")
    return text.count("### ✎ Predict") + len(re.findall(r"<summary>\d\.", text))


def felt(cells):
    """The minutes that these cells take."""
    text = "\n".join(source for _, kind, source in cells if kind == "markdown")
    code = [source for _, kind, source in cells if kind == "code"]
    lines = [line for source in code for line in source.splitlines() if line.strip()]
    folds = re.findall(r"<details>.*?</details>", text, flags=re.DOTALL)
    folded = " ".join(fold for fold in folds if EXPLAINED not in fold)
    reading = (len(text.split()) - len(folded.split()) / 2) / 140
    stated = sum(map(int, STATED.findall(text)))
    return reading + len(code) / 3 + len(lines) / 20 + asked(cells) * 3 / 4 + stated


def whole(parts, total):
    """Fractions rounded to whole numbers that add up to `total`: the largest remainders go up."""
    rounded = [int(part * total / sum(parts)) for part in parts]
    remainders = [part * total / sum(parts) - n for part, n in zip(parts, rounded, strict=True)]
    up = sorted(range(len(parts)), key=lambda i: -remainders[i])[: total - sum(rounded)]
    return [n + (i in up) for i, n in enumerate(rounded)]
