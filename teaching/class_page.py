"""The HTML page for the teacher: what the class did not understand, and who got how far."""

import html
from urllib.parse import quote

from lesson.check.verdict import marked

TITLE = "What the class did not understand"
NOTHING_RAN = "These are the verdicts stored in them: nothing was run."
UNCHECKED = ("stopped", "cleared", "not-started", "missing")
STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff }
main { margin: 1.5rem auto; max-width: 78rem; padding: 0 1rem }
h2 { margin-top: 2rem }
h3 { margin: 0; font-size: inherit }
p, ul { margin: .3rem 0 }
.wide { overflow-x: auto; margin: .5rem 0 }
table { border-collapse: collapse }
th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; vertical-align: top }
thead th { background: #eef1f4 }
tbody th { font-weight: 600; background: #f7f8f9; position: sticky; left: 0 }
.number { text-align: right; white-space: nowrap }
.right { background: #e3f3e6 }
.mistake { background: #fdeadb }
.open { color: #595959 }
.mistakes { columns: 2 24rem; column-gap: 2.5rem }
.mistakes section { break-inside: avoid; padding: .5rem 0 }
li { overflow-wrap: anywhere }
#hide:checked ~ .names, #hide:checked ~ * .names { display: none }
#hide:checked ~ * { zoom: 1.4 }
@media print {
  body { font-size: 11px }
  main { margin: 0; padding: 0 }
  .wide { overflow: visible }
  .students { page: landscape }
  .students table { font-size: 8px }
  .students th, .students td { padding: 1px 2px }
  thead { display: table-header-group }
  tr { break-inside: avoid }
  #hide, #hide + label { display: none }
}
@page landscape { size: landscape }
"""


def page(students, counts, mistakes, exercises, files, to_look_at, left_out):
    """The whole page.

    `counts` is {exercise: Counter of results}, `mistakes` a list of (id, {exercise: [name]}, cause,
    question), `files` {student: feedback file}, `to_look_at` {what about them: [student]} and `left_out`
    {reason: [file]}, each in the page's order.
    """
    notebooks = sum(student.notebooks for student in students.values())
    parts = [
        f"<h1>{TITLE}</h1>",
        f"<p>{len(students)} students, {notebooks} notebooks. {NOTHING_RAN}</p>",
        '<input type="checkbox" id="hide"> <label for="hide">Hide names, for a projector</label>',
        f'<div class="names">\n{reason_list(to_look_at)}\n</div>' if to_look_at else "",
        "<h2>Exercises, the worst first</h2>",
        exercise_table(counts),
        "<h2>Mistakes, the commonest first</h2>",
        mistake_list(mistakes) if mistakes else "<p>No mistake is among the verdicts.</p>",
        f'<div class="names students">\n<h2>Students</h2>\n{student_table(students, exercises, files)}\n</div>',
    ]
    if left_out:
        parts.append(f'<div class="names">\n<h2>Files to look at</h2>\n{reason_list(left_out)}\n</div>')
    body = "\n".join(parts)
    # The page may load nothing and run nothing, whatever a student's file holds.
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{TITLE}</title>
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


def spaced(result):
    return result.replace("-", " ")


def table(caption, heads, rows):
    """A caption and an HTML table. A row is a list of HTML: its header cell's content, then its other cells."""
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    body = [f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>' for first, *cells in rows]
    lines = [
        f"<p>{caption}</p>",
        f'<div class="wide" role="region" aria-label="{caption}" tabindex="0">\n<table>',
        f"<thead><tr>{head}</tr></thead>",
        *("<tbody>", *body, "</tbody>"),
        "</table>\n</div>",
    ]
    return "\n".join(lines)


def cell(text, kind):
    return f'<td class="{kind}">{text}</td>'


def exercise_table(counts):
    rows = []
    for exercise, results in counts.items():
        handed_in = results.total() - results["missing"]
        share = cell(f"{results['right']} of {handed_in} right", "number")
        others = [cell(results[kind], "number") for kind in ("mistake", *UNCHECKED)]
        rows.append((breakable(exercise), share, *others))
    caption = "Number of students. Stopped: by an error. Cleared: no output is stored. Missing: no file."
    return table(caption, ["exercise", "right", "mistake", *map(spaced, UNCHECKED)], rows)


def mistake_list(mistakes):
    sections = []
    for id, exercises, cause, question in mistakes:
        n = len({name for names in exercises.values() for name in names})
        places = [
            f'<li>{breakable(exercise)} {len(names)}<span class="names">: {escape(", ".join(names))}</span></li>'
            for exercise, names in exercises.items()
        ]
        sections += [
            f"<section>\n<h3>{escape(id)}: {n} student{'s' if n > 1 else ''}</h3>",
            f"<p>{marked(cause)} <em>Ask:</em> {marked(question)}</p>",
            f"<ul>{''.join(places)}</ul>\n</section>",
        ]
    return "\n".join(['<div class="mistakes">', *sections, "</div>"])


def student_table(students, exercises, files):
    rows = []
    for name, student in students.items():
        link = f'<a href="feedback/{quote(files[name])}">{escape(name)}</a>'
        cells = [result_cell(student.result(exercise), student.latest(exercise)) for exercise in exercises]
        rows.append((link, *cells))
    caption = "What the checker said, of several files the best and the latest; a name leads to what that student gets back."
    return table(caption, ["student", *map(breakable, exercises)], rows)


def result_cell(result, latest):
    """The best result, and the latest of several files below it if it is another."""
    kind, _ = result
    more = f"<br>latest: {result_text(latest)}" if latest not in (None, result) else ""
    style = "right" if kind == "right" else "open" if kind in UNCHECKED else "mistake"
    return cell(result_text(result) + more, style)


def result_text(result):
    kind, also = result
    more = f" ({escape(', '.join(also))})" if also else ""
    if kind == "right":
        return f"✓ right{more}"
    return (spaced(kind) if kind in UNCHECKED else escape(kind)) + more


def reason_list(reasons):
    items = "\n".join(
        f"<li><strong>{escape(why)}</strong>: {escape('; '.join(names))}</li>"
        for why, names in reasons.items()
    )
    return f"<ul>\n{items}\n</ul>"
