"""Prints an exam in two forms, with other numbers, and their key.

    .venv/bin/python -m teaching.exam OUT --seed WORD

writes OUT/form-a.html, form-b.html and key.html, to be printed from a browser. The numbers are drawn by the seed, any
word or number: the same seed makes the same exam. The questions are in exam.toml.
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


def plans_of(cells):
    """The plans in routes.toml whose class has seen one of these cells."""
    routes = teaching_data.read("routes.toml")
    plans = []
    for name, route in routes.items():
        parts = route["parts"] + (routes[route["after"]]["parts"] if "after" in route else [])
        if set(cells) & {id for part in parts for id in part.get("cells", [])}:
            plans.append(name)
    return plans


def draw_numbers(expressions, random):
    """{name: value} of {name: expression}, in which the names above it and `random` can be used."""
    numbers = {"random": random}
    for name, expression in expressions.items():
        numbers[name] = TEMPLATES.compile_expression(expression)(numbers)
    return numbers


def filled(entry, numbers):
    """An entry of exam.toml with its numbers."""
    if isinstance(entry, str):
        return TEMPLATES.from_string(entry).render(numbers)
    if isinstance(entry, list):
        return [filled(part, numbers) for part in entry]
    return {name: filled(part, numbers) for name, part in entry.items()}


def draw_two(name, seed):
    """A question of exam.toml twice, with other numbers and another answer. Its options all differ."""
    entry, random, questions = TEXTS[name], Random(f"{seed} {name}"), {}
    while len(questions) < 2:
        question = {"wrong": []} | filled(entry, draw_numbers(entry["numbers"], random))
        options = [[question["right"], ""], *question["wrong"]]
        if len(dict(options)) == len(options):
            random.shuffle(options)
            is_always_right = question["right"] == entry["right"]
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
