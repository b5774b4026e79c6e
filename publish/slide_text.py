"""Chooses which sentences of a Markdown cell go on its slide. The speaker's notes have the rest.

Headings, lists, formulas, code, predictions and exercises go on the slide, and so does a text of up
to SHORT letters. Of a longer text, each paragraph gives its bold sentences; without any, the first
paragraph gives its first sentence. Where that chooses badly, "slide" in the cell's metadata lists the
first words of what goes on the slide.
"""

import itertools
import re

SHORT = 150
SHORT_SENTENCE = 30  # letters; after a shorter first sentence the second goes with it

LABEL = re.compile(r"\*\*[^*]+\*\*(\s*\([^()]*\))?[.:]?|[*(][^*()]+[*)]")  # **Bold** (easy, 3 minutes).


def blocks(markdown):
    """Paragraphs, lists, headings and so on, in order; fenced code is one block."""
    pieces = re.split(r"(^```.*?^```$)", markdown, flags=re.DOTALL | re.MULTILINE)
    for i, text in enumerate(pieces):
        yield from [text] if i % 2 else filter(None, map(str.strip, text.split("\n\n")))


def is_prose(block):
    return not re.match(r"[#>|$]|```|[-*] |\d+\. ", block)


def sentences(paragraph):
    """The sentences of a paragraph; a bold label is joined to the sentence after it."""
    unambiguous = re.sub(r"`[^`]*`|\$[^$]*\$|\([^()]*\)", _without_full_stops, paragraph)
    ends = [match.end() for match in re.finditer(r"[.?!]['\"*_)]*(?=\s)", unambiguous)]
    ends.append(len(paragraph))
    ends = [end for end in ends if re.match(r"\s+[^a-z]|$", paragraph[end:])]
    found = [paragraph[start:end].strip() for start, end in itertools.pairwise([0, *ends])]
    for i in range(len(found) - 1, 0, -1):
        if LABEL.fullmatch(found[i - 1]) and (i == 1 or LABEL.fullmatch(found[i - 2])):
            found[i - 1 : i + 1] = [f"{found[i - 1]} {found[i]}"]
    return list(filter(None, found))


def _without_full_stops(match):
    """As many letters as code, a formula or parentheses have; a sentence in parentheses keeps its end."""
    text = match[0]
    is_sentence = text[-1] == ")" and text[-2] in ".?!"
    return "x" * (len(text) - 2) + (".)" if is_sentence else "xx")


def slide_text(markdown, beginnings=None, is_answer=False):
    """What of a text goes on the slide, in Markdown.

    `beginnings` are the first words of the sentences and blocks to take, if the cell lists them. An
    answer always gives its first sentence.

    Raises
    ------
    ValueError
        If nothing begins as `beginnings` says.
    """
    parts = [sentences(block) if is_prose(block) else [block] for block in blocks(markdown)]
    if beginnings is not None:
        kept = _that_begin(parts, beginnings)
    elif "### Exercise" in markdown or sum(len(b) for b in blocks(markdown) if is_prose(b)) <= SHORT:
        kept = parts
    else:
        kept = _bold_or_first(parts, is_answer)
    return "\n\n".join(" ".join(part) for part in kept if part)


def _that_begin(parts, beginnings):
    """What begins with one of these words, and every heading and quote."""
    everything = [text for part in parts for text in part]
    unused = [words for words in beginnings if not any(text.startswith(words) for text in everything)]
    if unused:
        raise ValueError(f"nothing begins with {', '.join(map(repr, unused))}")
    return [[text for text in part if text.startswith(("#", ">", *beginnings))] for part in parts]


def _bold_or_first(parts, is_answer):
    """Of prose, the bold sentences; the first sentence too, in an answer or if none is bold."""
    kept = [[s for s in part if "**" in s] if is_prose(part[0]) else part for part in parts]
    prose = [i for i, part in enumerate(parts) if is_prose(part[0])]
    if prose and (is_answer or not any(kept[i] for i in prose)):
        paragraph = parts[prose[0]]
        first = paragraph[: 2 if len(paragraph[0]) < SHORT_SENTENCE else 1]
        kept[prose[0]] = [*first, *(s for s in kept[prose[0]] if s not in first)]
    return kept
