"""Runs what stands in an exercise's box, as the notebook would; python_worker.js loads this file and calls `run`."""

import ast
import builtins
import contextlib
import io
import linecache
import sys
import traceback
import types

from lesson import check  # noqa: F401  imported before the time of a run is counted
from lesson.check.verdict import TYPE

FILE = "your lines"  # as errors name it
ABSENT = "pandas matplotlib matplotlib.pyplot attention_lib.show lesson.drawings attention_lib.model"
ALWAYS = "import numpy as np\nimport attention_lib as al\nfrom attention_lib import data\nfrom lesson import check\n"
# How a line begins that is no Python, and was pasted.
PASTED = {
    ">>>": "the prompt of a Python session. Delete the prompts, and the results between them",
    "```": "the fence around code in a chat or a web page. Delete both fences",
    "%": "a command for notebooks. A box runs Python alone: delete the line",
    "!": "a command for notebooks. A box runs Python alone: delete the line",
}
MOST_PRINTED = 5_000  # characters: an endless loop may print


class Absent(types.ModuleType):
    """A module that is not here: importing it works, because a notebook's first cell does, and using it does not."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        name = self.__name__.removeprefix("attention_lib.").removeprefix("lesson.")
        raise NotImplementedError(f"{name} works in the notebook: a box has NumPy and no pictures or tables")


for name in ABSENT.split():
    sys.modules[name] = Absent(name)


def cannot_ask(prompt=""):
    raise NotImplementedError("a box cannot ask: write the value in place of input()")


builtins.input = cannot_ask


class Printed(io.TextIOBase):
    """Gives what is printed to `show`, the first characters of it."""

    def __init__(self, show):
        self.show, self.left = show, MOST_PRINTED

    def write(self, text):
        if self.left > 0:
            self.show("text", text[: self.left])
            self.left -= len(text)
            if self.left <= 0:
                self.show("text", "\n... (what was printed after this is not shown)\n")
        return len(text)


def run(first_cell, source, call, show):
    """Runs `source` with the names of the notebook's first cell.

    `show(kind, content)` gets the "text" that is printed, the "html" of verdicts, and "passed" once the exercise of
    `call` is, the line that checks it. If `source` shows no verdict, `call` is run too.
    """
    verdicts = []

    def display(bundle, raw):
        verdicts.append(bundle)
        show("html", bundle["text/html"])
        verdict = bundle.get(TYPE, {"passed": False})
        if verdict["passed"] and call.startswith(f"check.{verdict['exercise']}("):
            show("passed", verdict["exercise"])

    # The library shows a verdict as HTML where it finds IPython.
    ipython = types.SimpleNamespace(get_ipython=lambda: True)
    sys.modules |= {"IPython": ipython, "IPython.display": types.SimpleNamespace(display=display)}
    names = {"__name__": "__main__"}
    printed = Printed(show)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            setup = [line for line in ast.parse(ALWAYS + first_cell).body if not isinstance(line, ast.Expr)]
            exec(compile(ast.Module(setup, []), "the first cell", "exec"), names)
            if pasted := describe_pasted(source):
                print(pasted)
                return
            run_cell(source, names)
            if not verdicts:
                check_what_is_there(call, names)
        except BaseException as error:
            print(describe(error), end="")


def describe_pasted(source):
    """What a line is that is no Python, if it came with what was pasted; "" if there is none."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        lines = source.splitlines()
        line = lines[min(error.lineno or 1, len(lines)) - 1].strip()
        for sign, words in PASTED.items():
            if line.startswith(sign):
                return f"The line {line} begins with {sign}, {words}."
    return ""


def check_what_is_there(call, names):
    """Runs the line that checks the exercise, if the names in it were defined."""
    used = {node.id for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Name)}
    if missing := sorted(used - names.keys()):
        print(f"No verdict: nothing here is named {' or '.join(missing)}.")
    else:
        exec(compile(call, "the check", "exec"), names)  # the lines in the box stay those of FILE


def run_cell(source, names):
    """Runs a cell, and prints the value of its last line as a notebook does."""
    linecache.cache[FILE] = len(source), None, source.splitlines(keepends=True), FILE
    body = ast.parse(source, FILE).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), FILE, "exec"), names)
    if last:
        value = eval(compile(ast.Expression(last.value), FILE, "eval"), names)
        if value is not None and not hasattr(value, "_ipython_display_"):
            print(repr(value))


def describe(error):
    """An error with the way to it, from the first line that stands in the box, and without this file's lines."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != FILE:
        trace = trace.tb_next
    told = traceback.TracebackException(type(error), error, trace)
    told.stack[:] = [frame for frame in told.stack if frame.filename != describe.__code__.co_filename]
    return "".join(told.format())
