"""Prints an exam in two forms, with other numbers, and their key.

    .venv/bin/python -m teaching.exam OUT --seed WORD

writes OUT/form-a.html, form-b.html and key.html, to be printed from a browser. The numbers are drawn by the seed, any
word or number: the same seed makes the same exam. The texts are in exam.toml, with what computes the options. Here is
what draws the numbers of each question.
"""

import tomllib
from pathlib import Path
from random import Random

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

import attention_lib as al
from publish import formulas, teaching_data
from publish.execute import command_line

TEXTS = tomllib.loads((teaching_data.FOLDER / "exam.toml").read_text(encoding="utf-8"))


def as_printed(value):
    """A value of exam.toml as a form shows it; the top of that file says how."""
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, np.ndarray):
        return f"({', '.join(f'{x:g}' for x in value)})"
    if isinstance(value, list):
        *first, last = map(str, map(as_printed, value))
        return f"{', '.join(first)} and {last}"
    return value


TEMPLATES = Environment(
    loader=FileSystemLoader(teaching_data.FOLDER / "templates"),
    undefined=StrictUndefined,
    finalize=as_printed,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["render"] = formulas.render
TEMPLATES.globals |= {"np": np, "al": al}


# The numbers of each question, by its name in exam.toml


def scores(random):
    pairs = [(x, y) for x in range(4) for y in range(4) if x or y]
    return {"query": np.array(random.sample([1, 2, 3], 2)), "keys": np.array(random.sample(pairs, 3))}


def shapes(random):
    queries, keys, d_k, d_v = random.sample(range(2, 9), 4)
    return {"q": np.ones((queries, d_k)), "k": np.ones((keys, d_k)), "v": np.ones((keys, d_v))}


def spread(random):
    return {"root": random.randint(2, 12)}


def largest(random):
    highest = random.choice([2, 3])
    return {"row": np.array(random.sample([highest, *random.choices(range(highest), k=2), 0], 4))}


def ratio(random):
    difference = random.choice([2, 3])
    return {"difference": difference, "weight": random.randint(2, {2: 10, 3: 4}[difference]) / 100}


def mask(random):
    first = random.randint(1, 3)
    return {"row": np.array([first, random.randrange(min(first, 2)), random.randint(1, 3)])}


def axis(random):
    # Two columns are higher in one row, and one in the other: so no row of weights adds up to 1.
    differences = [random.randint(1, 2), random.randint(1, 2), -random.randint(2, 3)]
    table = [random.sample(differences, 3), [0, 0, 0]]
    return {"weights": al.softmax(random.sample(table, 2), axis=0).round(2)}


def output(random):
    components = [random.sample([2, 4, 6, 8], 3) for _ in range(2)]
    return {"values": np.array(components).T, "weights": np.array(random.sample([0.5, 0.25, 0.25], 3))}


def rows(random):
    sizes = {"sentences": [2, 3, 4], "heads": [6, 8, 12], "tokens": [5, 7, 9, 10, 11], "d_k": [16, 32, 64]}
    return {name: random.choice(several) for name, several in sizes.items()}


def stable(random):
    return {"shape": tuple(random.sample(range(3, 9), 2)), "large": random.choice([1000, 2000, 5000])}


def head(random):
    pronoun, noun = random.choice([("it", "dog"), ("she", "doctor"), ("him", "boy"), ("they", "birds")])
    return {"pronoun": pronoun, "noun": noun, "weight": random.randint(14, 19) / 20}


NUMBERS = {
    draw.__name__: draw
    for draw in (scores, shapes, spread, largest, ratio, mask, axis, output, rows, stable, head)
}


# From questions to forms


def plans_of(cells):
    """The plans in routes.toml whose class has seen one of these cells."""
    routes = teaching_data.read("routes.toml")
    plans = []
    for name, route in routes.items():
        parts = route["parts"] + (routes[route["after"]]["parts"] if "after" in route else [])
        if set(cells) & {id for part in parts for id in part.get("cells", [])}:
            plans.append(name)
    return plans


def filled(entry, numbers):
    """An entry of exam.toml with its numbers."""
    if isinstance(entry, str):
        return TEMPLATES.from_string(entry).render(numbers)
    if isinstance(entry, list):
        return [filled(part, numbers) for part in entry]
    return {name: filled(part, numbers) for name, part in entry.items()}


def draw_two(name, seed):
    """A question of exam.toml twice, with other numbers and another answer. Its options all differ."""
    random, questions = Random(f"{seed} {name}"), {}
    while len(questions) < 2:
        question = {"wrong": []} | filled(TEXTS[name], NUMBERS[name](random))
        options = [[question["right"], ""], *question["wrong"]]
        if len(dict(options)) == len(options):
            random.shuffle(options)
            is_always_right = question["right"] == TEXTS[name]["right"]
            key = question["text" if is_always_right else "right"]
            questions[key] = question | {"options": dict(zip("abcd", options))}
    return list(questions.values())


def make_exam(seed, plan=None):
    """{form: questions}: those of exam.toml, or those of them that a plan has taught."""
    names = [name for name, entry in TEXTS.items() if plan in (None, *plans_of(entry["taught_by"]))]
    return dict(zip("AB", zip(*(draw_two(name, seed) for name in names))))


def main():
    routes = teaching_data.read("routes.toml")
    parser = command_line(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--seed", default="1", metavar="WORD", help="a word or number that nobody else knows")
    parser.add_argument("--plan", choices=routes, help="only what this plan of routes.toml has taught")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    forms = make_exam(options.seed, options.plan)
    shared = {"forms": forms, "routes": routes, "plans_of": plans_of, **vars(options)}
    for name, form in {"form-a": "A", "form-b": "B", "key": None}.items():
        template = TEMPLATES.get_template("exam-form.html" if form else "exam-key.html")
        page = template.render(shared, form=form)
        (options.out / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
    print(f"open {options.out / 'key.html'}")


if __name__ == "__main__":
    main()
