"""The verdict, as a reader sees it (text, HTML) and as a program does."""

import html
import re
import sys
from dataclasses import dataclass

TYPE = "application/vnd.attention-lib.verdict+json"
# A mark and words say the verdict, and the colour of the bar repeats it. Each colour has a contrast of 3.9 or
# more on white and on #111. Text keeps the page's colour: JupyterLab drops `var(...)` colours from notebooks
# that are not trusted.
RIGHT, NOT_YET, NOT_STARTED = "✓ Right", "Not yet", "Not started"
BARS = {RIGHT: "#2f8f4e", NOT_YET: "#d9480f", NOT_STARTED: "#808080"}
MAX_PRINTED = 3  # lines that the learner's function printed itself


@dataclass(frozen=True)
class Reason:
    """Why an answer is refused: the id of a mistake, what was seen, the likely cause, a question, inputs that tell."""

    id: str
    seen: str
    cause: str
    question: str
    tried: str = ""


@dataclass(frozen=True, repr=False)
class Verdict:
    """What a check found: passed or not, the id of the first reason or None, other ids that fit, and the message."""

    exercise: str
    passed: bool
    mistake: str | None
    also: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]  # (label, sentence)
    printed: tuple[str, ...] = ()  # what the learner's function printed

    @property
    def headline(self):
        if self.passed:
            return RIGHT
        return NOT_STARTED if self.mistake == "not-started" else NOT_YET

    @property
    def message(self):
        """The verdict as plain text."""
        return "\n".join([self.headline, *(f"{label}: {text}" for label, text in self.lines)])

    @property
    def data(self):
        """The verdict as a program reads it."""
        return {
            "exercise": self.exercise,
            "passed": self.passed,
            "mistake": self.mistake,
            "also": list(self.also),
        }

    def __str__(self):
        return self.message

    def __repr__(self):
        return f"Verdict({self.exercise!r}, passed={self.passed}, mistake={self.mistake!r})"

    def _ipython_display_(self):
        """Shows nothing: the check has shown the verdict already, and a cell should show it once."""


def not_started(exercise, text):
    return Verdict(exercise.name, False, "not-started", (), (("Next", text),))


def refused(exercise, reasons):
    """The Verdict for these reasons; of those with one id the first is told."""
    first_of = {}
    for reason in reasons:
        first_of.setdefault(reason.id, reason)
    first, *more = first_of.values()
    lines = [("Seen", first.seen), ("Tried", first.tried), ("Perhaps", first.cause)]
    lines += [("Perhaps also", other.cause) for other in more]
    lines += [("Ask yourself", first.question)]
    also = tuple(other.id for other in more)
    return Verdict(exercise.name, False, first.id, also, tuple(line for line in lines if line[1]))


def one_line(text, most=160):
    """The text in one line, not too long, without memory addresses and backticks, which mark code."""
    line = " ".join(text.split())
    line = re.sub(r"0x[0-9a-fA-F]+", "0x...", line)
    line = line.replace("`", "'")
    line = "".join(c if c.isprintable() else "?" for c in line)
    return line if len(line) <= most else line[:most] + " ..."


def as_text(verdict):
    printed = ["", "Your function printed:", *verdict.printed] if verdict.printed else []
    return "\n".join([verdict.message, *printed])


def as_html(verdict):
    rows = [f"<strong>{html.escape(verdict.headline)}</strong>"]
    for label, text in verdict.lines:
        rows.append(f"<em>{html.escape(label)}:</em> {marked(text)}")
    if verdict.printed:
        printed = html.escape("\n".join(verdict.printed))
        rows.append(f"Your function printed:\n<pre>{printed}</pre>")
    body = "\n".join(f'<div style="padding: 2px 0">{row}</div>' for row in rows)
    bar = f"border-left: 5px solid {BARS[verdict.headline]}"
    return f'<div style="{bar}; padding: 2px 0 2px 14px; max-width: 46em">\n{body}\n</div>'


def marked(text):
    """HTML of a sentence: what stands in backticks is code, so that a `$` in it starts no formula."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def show(verdict):
    """Shows the verdict, and returns it."""
    ipython = sys.modules.get("IPython")  # whoever runs in it has imported it
    if ipython is None or ipython.get_ipython() is None:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"  # an old terminal may lack the mark
        print(as_text(verdict).encode(encoding, "replace").decode(encoding))
        return verdict
    bundle = {"text/html": as_html(verdict), "text/plain": as_text(verdict), TYPE: verdict.data}
    from IPython.display import display

    display(bundle, raw=True)
    return verdict
