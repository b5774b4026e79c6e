"""The page for the teacher: who got how far, what the class did not understand, and what to say."""

import base64
import html
import io
from urllib.parse import quote

import matplotlib
from matplotlib.figure import Figure

from attention_lib.check.grading.verdict import marked

MOST_MISTAKES = 16  # columns of the picture; the table above it has them all
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


def page(students, exercises, ranking, left_out, files):
    """The whole page. `ranking` holds (id, students, {exercise: students}, cause, question)."""
    title = "What the class did not understand"
    notebooks = sum(student.notebooks for student in students.values())
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{len(students)} students, {notebooks} notebooks. {NOTHING_RAN}</p>",
        "<h2>Mistakes, the commonest first</h2>",
        ranked(ranking) if ranking else "<p>No mistake is among the verdicts.</p>",
        picture(exercises, ranking) if ranking else "",
        "<h2>How far the class got</h2>",
        by_exercise(students, exercises),
        "<h2>Students and exercises</h2>",
        by_student(students, exercises, files),
        "<h2>Files to look at</h2>" + skipped(left_out) if left_out else "",
    ]
    body = "\n".join(part for part in parts if part)
    # The policy forbids the page to ask anybody for anything, and to run anything.
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


def safe(text):
    return html.escape(str(text))


def name(exercise):
    """An exercise's name, which may be broken at its underscores."""
    return safe(exercise).replace("_", "_<wbr>")


def table(caption, heads, rows):
    """An HTML table. A row is HTML of its cells, the first of which names it."""
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


def ranked(ranking):
    rows = [
        (
            safe(id),
            cell(n, "number"),
            cell(", ".join(f"{name(exercise)} {count}" for exercise, count in where.items())),
            cell(marked(cause)),
            cell(marked(ask)),
        )
        for id, n, where, cause, ask in ranking
    ]
    heads = ["mistake", "students", "where, and how often", "what happened", "what to ask"]
    return table("What the checker named first in each exercise.", heads, rows)


def by_exercise(students, exercises):
    rows = []
    for exercise in exercises:
        results = [student.result(exercise)[0] for student in students.values()]
        counts = [results.count(kind) for kind in ("right", "not-started", "missing")]
        counts.insert(1, len(results) - sum(counts))
        rows.append((name(exercise), *(cell(n, "number") for n in counts)))
    heads = ["exercise", "right", "not yet", "not started", "missing"]
    return table("Number of students.", heads, rows)


def by_student(students, exercises, files):
    rows = []
    for who, student in students.items():
        cells = []
        for exercise in exercises:
            result, also = student.result(exercise)
            if result == "right":
                cells.append(cell("✓ right", "right"))
            elif result == "not-started":
                cells.append(cell("not started", "open"))
            elif result == "missing":
                error = student.stopped.get(exercise)
                cells.append(cell(f"missing: {safe(error)}" if error else "missing", "open"))
            else:
                more = f" (also {safe(', '.join(also))})" if also else ""
                cells.append(cell(f"{safe(result)}{more}", "mistake"))
        link = f'<a href="feedback/{quote(files[who])}">{safe(who)}</a>'
        rows.append((link, *cells))
    caption = "What the checker said last; a name leads to what that student gets back."
    return table(caption, ["student", *map(name, exercises)], rows)


def skipped(left_out):
    items = "\n".join(f"<li>{safe(file)}: {safe(why)}</li>" for file, why in left_out)
    return f"\n<ul>\n{items}\n</ul>"


def picture(exercises, ranking):
    """The counts of exercises x mistakes as a heatmap, with what it shows in words."""
    shown = ranking[:MOST_MISTAKES]
    rows = [e for e in exercises if any(e in where for _, _, where, _, _ in shown)]
    counts = [[where.get(e, 0) for _, _, where, _, _ in shown] for e in rows]
    most = max(map(max, counts))
    figure = Figure(figsize=(3.2 + 0.6 * len(shown), 2.6 + 0.42 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    axes.imshow(counts, cmap=matplotlib.colormaps["Blues"], vmin=0, vmax=most, aspect="auto")
    for i, row in enumerate(counts):
        for j, n in enumerate(row):
            if n:
                ink = "white" if n > 0.65 * most else "black"
                axes.text(j, i, str(n), ha="center", va="center", color=ink)
    ids = [id for id, *_ in shown]
    axes.set_xticks(range(len(ids)), ids, rotation=45, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=110, metadata={"Software": None})
    drawn = base64.b64encode(file.getvalue()).decode("ascii")
    id, _, where, _, _ = ranking[0]
    (exercise, n), *_ = where.items()
    more = len(ranking) > len(shown)
    cut = f" The {len(shown)} commonest of {len(ranking)} are drawn." if more else ""
    alt = (
        f"Heatmap of {len(rows)} exercises by {len(shown)} mistakes, darker where more students "
        f"made the mistake. {id} in {exercise}: {n}. All its numbers are in the table above.{cut}"
    )
    return f'<p><img src="data:image/png;base64,{drawn}" alt="{safe(alt)}"></p>'
