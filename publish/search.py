"""The index in which site/search.js searches: the sections of all pages, and the terms of the glossary."""

import json

HEADINGS = ("h1", "h2", "h3")
UNREAD = ("script", "style", "textarea", *HEADINGS)


def entries(soup, page, title):
    """The sections of a page: what leads there, its page, its title, and its text."""
    for heading in soup.main.select("h1, h2[id], h3[id]"):
        address = page + (f"#{heading['id']}" if heading.name != "h1" else "")
        yield entry(address, title, heading, " ".join(_texts_below(heading)))
    for row in soup.main.select("tr[id]"):
        yield entry(f"{page}#{row['id']}", title, row.th or row.td, row.get_text(" "))


def entry(address, page, heading, text):
    named = " ".join(heading.get_text().split())
    return {"href": address, "page": page, "title": named, "text": " ".join(text.split())}


def _texts_below(heading):
    """The texts between a heading and the next, without scripts, terms (entries of their own) and the page's notice."""
    for part in heading.next_elements:
        if part is not heading and part.name in (*HEADINGS, "footer"):
            return
        is_elsewhere = part.find_parent("tr", id=True) or part.find_parent(class_="run")
        if isinstance(part, str) and part.parent.name not in UNREAD and not is_elsewhere:
            yield part


def write(found, path):
    """Writes the entries as a script, which a page may load from a file too."""
    path.write_text(
        f"window.searchIndex = {json.dumps(found, ensure_ascii=False)};\n", encoding="utf-8", newline="\n"
    )
