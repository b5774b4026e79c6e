"""The HTML page for the teacher: what the class did not understand, and who got how far."""

import base64
import html
import io
from typing import NamedTuple
from urllib.parse import quote

import matplotlib
from matplotlib.figure import Figure

from attention_lib.check.grading.verdict import marked

MAX_MISTAKES = 16  # columns of the heatmap; the table above it has them all
NOTHING_RAN = "These are the verdicts stored in them: nothing was run."
STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff }
main { margin: 1.5rem auto; max-width: 78rem; padding: 0 1rem }
.wide { overflow-x: auto; margin: .5rem 0 }
table { border-collapse: collapse }
caption { text-align: left; padding: .3rem 0; color: #444 }
th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; vertical-align: top }
thead th { background: #eef1f4 }
tbody th { font-weight: 600; background: #f7f8f9; position: sticky; left: 0 }
.number { text-align: right }
.right { background: #e3f3e6 }
.mistake { background: #fdeadb }
.open { color: #595959 }
img { max-width: 100%; height: auto }
"""


class Mistake(NamedTuple):
    """A mistake of the ranking."""

    id: str
    students: int  # who made it
    by_exercise: dict[str, int]  # students, most first
    cause: str
    question: str


def page(students, exercises, ranking, left_out, files):
    """The whole page. `ranking` is a list of Mistake; `files` has each student's feedback file."""
    title = "What the class did not understand"
    notebooks = sum(student.notebooks for student in students.values())
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{len(students)} students, {notebooks} notebooks. {NOTHING_RAN}</p>",
        "<h2>Mistakes, the commonest first</h2>",
        mistake_table(ranking) if ranking else "<p>No mistake is among the verdicts.</p>",
        heatmap(exercises, ranking) if ranking else "",
        "<h2>How far the class got</h2>",
        exercise_table(students, exercises),
        "<h2>Students and exercises</h2>",
        student_table(students, exercises, files),
        "<h2>Files to look at</h2>" + file_list(left_out) if left_out else "",
    ]
    body = "\n".join(part for part in parts if part)
    # The page may load nothing and run nothing, whatever a student's file holds.
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def escape(text):
    return html.escape(str(text))


def breakable(exercise):
    """An exercise's name in HTML, with line breaks allowed after underscores."""
    return escape(exercise).replace("_", "_<wbr>")


def table(caption, heads, rows):
    """An HTML table. A row is a list of HTML: the content of its header cell, then its other cells."""
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    body = [f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>' for first, *cells in rows]
    lines = [
        f'<div class="wide" role="region" aria-label="{caption}" tabindex="0">',
        f"<table>\n<caption>{caption}</caption>",
        f"<thead><tr>{head}</tr></thead>",
        *("<tbody>", *body, "</tbody>"),
        "</table>\n</div>",
    ]
    return "\n".join(lines)


def cell(text, kind=""):
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def mistake_table(ranking):
    rows = [
        (
            escape(mistake.id),
            cell(mistake.students, "number"),
            cell(", ".join(f"{breakable(exercise)} {n}" for exercise, n in mistake.by_exercise.items())),
            cell(marked(mistake.cause)),
            cell(marked(mistake.question)),
        )
        for mistake in ranking
    ]
    heads = ["mistake", "students", "where, and how often", "what happened", "what to ask"]
    return table("What the checker named first in each exercise.", heads, rows)


def exercise_table(students, exercises):
    rows = []
    for exercise in exercises:
        results = [student.result(exercise)[0] for student in students.values()]
        right, not_started, missing = map(results.count, ("right", "not-started", "missing"))
        not_yet = len(results) - right - not_started - missing
        counts = right, not_yet, not_started, missing
        rows.append((breakable(exercise), *(cell(n, "number") for n in counts)))
    heads = ["exercise", "right", "not yet", "not started", "missing"]
    return table("Number of students.", heads, rows)


def student_table(students, exercises, files):
    rows = []
    for name, student in students.items():
        link = f'<a href="feedback/{quote(files[name])}">{escape(name)}</a>'
        rows.append((link, *(result_cell(student, exercise) for exercise in exercises)))
    caption = "What the checker said last; a name leads to what that student gets back."
    return table(caption, ["student", *map(breakable, exercises)], rows)


def result_cell(student, exercise):
    result, also = student.result(exercise)
    if result == "right":
        return cell("✓ right", "right")
    if result == "not-started":
        return cell("not started", "open")
    if result == "missing":
        error = student.errors.get(exercise)
        return cell(f"missing: {escape(error)}" if error else "missing", "open")
    more = f" (also {escape(', '.join(also))})" if also else ""
    return cell(f"{escape(result)}{more}", "mistake")


def file_list(left_out):
    items = "\n".join(f"<li>{escape(file)}: {escape(why)}</li>" for file, why in left_out)
    return f"\n<ul>\n{items}\n</ul>"


def heatmap(exercises, ranking):
    """The counts of exercises x mistakes as a picture with an alt text."""
    shown = ranking[:MAX_MISTAKES]
    rows = [exercise for exercise in exercises if any(exercise in m.by_exercise for m in shown)]
    counts = [[mistake.by_exercise.get(exercise, 0) for mistake in shown] for exercise in rows]
    png = draw_heatmap(counts, rows, [mistake.id for mistake in shown])
    commonest = ranking[0]
    (exercise, n), *_ = commonest.by_exercise.items()
    more = len(ranking) > len(shown)
    cut = f" The {len(shown)} commonest of {len(ranking)} are drawn." if more else ""
    alt = (
        f"Heatmap of {len(rows)} exercises by {len(shown)} mistakes, darker where more students "
        f"made the mistake. {commonest.id} in {exercise}: {n}. All its numbers are in the table above.{cut}"
    )
    return f'<p><img src="data:image/png;base64,{png}" alt="{escape(alt)}"></p>'


def draw_heatmap(counts, rows, columns):
    """A PNG in base64."""
    most = max(map(max, counts))
    figure = Figure(figsize=(3.2 + 0.6 * len(columns), 2.6 + 0.42 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    axes.imshow(counts, cmap=matplotlib.colormaps["Blues"], vmin=0, vmax=most, aspect="auto")
    for i, row in enumerate(counts):
        for j, n in enumerate(row):
            if n:
                color = "white" if n > 0.65 * most else "black"
                axes.text(j, i, str(n), ha="center", va="center", color=color)
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=110, metadata={"Software": None})
    return base64.b64encode(file.getvalue()).decode("ascii")
