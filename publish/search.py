"""The index in which site/search.js searches: the sections of all pages, and the terms of the glossary."""

import json

# What is no text of a section: terms of the glossary have entries of their own, and .run is the page's notice.
UNREAD = "script, style, textarea, h1, h2, h3, tr[id], .run"


def entries(soup, page, title):
    """The sections of a page: what leads there, its page, its title, and its text."""
    unread = {id(text) for part in soup.main.select(UNREAD) for text in part.find_all(string=True)}
    for heading in soup.main.select("h1, h2[id], h3[id]"):
        address = page + (f"#{heading['id']}" if heading.name != "h1" else "")
        yield entry(address, title, heading, " ".join(_texts_below(heading, unread)))
    for row in soup.main.select("tr[id]"):
        yield entry(f"{page}#{row['id']}", title, row.th or row.td, row.get_text(" "))


def entry(address, page, heading, text):
    named = " ".join(heading.get_text().split())
    return {"href": address, "page": page, "title": named, "text": " ".join(text.split())}


def _texts_below(heading, unread):
    """The texts between a heading and the next."""
    for part in heading.next_elements:
        if part is not heading and part.name in ("h1", "h2", "h3", "footer"):
            return
        if isinstance(part, str) and id(part) not in unread:
            yield part


def write(found, path):
    """Writes the entries as a script, which a page may load from a file too."""
    script = f"window.searchIndex = {json.dumps(found, ensure_ascii=False)};\n"
    path.write_text(script, encoding="utf-8", newline="\n")
