"""The explorer's other view: the words, and curves from the picked one to those it looks at, as thick as the weights.

It is drawn here, so that it stands without a script; explorer.js moves the curves. Words stand in a row, and in a
column on a phone, or where they are many.
"""

import html
import re

WIDEST_ROW = 62  # letters, beyond which there is a column alone
LEAST = 0.005  # a weight below is shown as 0.00, and has no curve
THICKEST = 24  # of a weight of 1
# Where curves begin, and which way they go: (to words, to marks), in a row up and down, in a column right and left.
SIDES = {"row": ((150, -1), (206, 1)), "column": ((184, 1), (50, -1))}


def of_row(weights, allowed, tokens, query):
    """The view of one row of weights, (L,), as SVG: a row and a column, of which a style sheet shows one."""
    numbers = [f"{weight:.2f}" if may else "–" for weight, may in zip(weights, allowed, strict=True)]
    widths = [28 + 10 * len(token) for token in tokens]
    in_row = [sum(widths[:i]) + width / 2 for i, width in enumerate(widths)]
    in_column = [18 + 34 * i for i in range(len(tokens))]
    column = _svg("column", in_column, 340, in_column[-1] + 18, weights, numbers, tokens, query)
    if sum(map(len, tokens)) > WIDEST_ROW:
        return column
    return _svg("row", in_row, sum(widths), 244, weights, numbers, tokens, query) + column


def is_mark(token):
    """Whether a token is one that a model puts around a text, such as [CLS]: its curve is on the other side."""
    return bool(re.fullmatch(r"\[[A-Z]+\]|<.+>", token))


def curve(form, start, end, to_mark):
    """A path from the word at `start` to the one at `end`, which may be the same."""
    base, side = SIDES[form][to_mark]
    height = 36 if to_mark else min(30 + 0.4 * abs(start - end), 180)
    spread = 16 if start == end else 0
    far = base + side * height
    ends = (start - spread / 4, base), (start - spread, far), (end + spread, far), (end + spread / 4, base)
    begin, *others = [f"{x:.1f} {y:.1f}" if form == "row" else f"{y:.1f} {x:.1f}" for x, y in ends]
    return f"M{begin}C{' '.join(others)}"


def _svg(form, places, width, height, weights, numbers, tokens, query):
    """The colours and sizes are those of a page without explorer.css."""
    widths = [THICKEST * weight if weight >= LEAST else 0 for weight in weights]
    paths = "".join(
        f'<path d="{curve(form, places[query], place, is_mark(token))}" stroke-width="{thick:.1f}"'
        f"{MARK if is_mark(token) else WORD}/>"
        for token, place, thick in zip(tokens, places, widths, strict=True)
    )
    words = "".join(
        f'<g role="button" tabindex="0" aria-pressed="{str(i == query).lower()}" data-at="{places[i]:g}">'
        f"{_texts(form, places[i], token, numbers[i])}</g>"
        for i, token in enumerate(tokens)
    )
    return (
        f'<svg class="curves {form}" viewBox="0 0 {width:g} {height:g}" width="{1.3 * width:.0f}" role="group" '
        f'aria-label="Words, and curves to those that the picked one looks at" fill="currentColor">{paths}{words}</svg>'
    )


def _texts(form, place, token, number):
    """What a finger meets, the word, and its number; a long word in a column is smaller, or it would meet its number."""
    size = round(160 / max(len(token), 10))
    return TEXTS[form].format(place=place, top=place - 16, token=html.escape(token), number=number, size=size)


WORD, MARK = ' fill="none" stroke="#2171b5"', ' fill="none" stroke="#8a8f98" class="mark"'
TEXTS = {
    "row": """<rect x="{top:g}" y="152" width="32" height="52" fill="none"/>
<text x="{place:g}" y="177" font-size="20" text-anchor="middle">{token}</text>
<text x="{place:g}" y="198" font-size="14" text-anchor="middle" class="number">{number}</text>""",
    "column": """<rect x="54" y="{top:g}" width="128" height="32" fill="none"/>
<text x="178" y="{place:g}" dy="6" font-size="{size}" text-anchor="end">{token}</text>
<text x="58" y="{place:g}" dy="5" font-size="14" class="number">{number}</text>""",
}
