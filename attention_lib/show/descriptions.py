"""Alt texts: what a picture shows, in words made from the numbers that it draws."""

from collections import Counter

import numpy as np

from attention_lib.show.number_formats import significant, typeset

MAX_ROWS = 16  # beyond which the largest number of each row is not named
# Tokens that screen readers would skip.
SPOKEN = {".": "full stop", ",": "comma", "?": "question mark", "!": "exclamation mark"}


# Heatmaps


def heatmap(picture):
    """The alt text of a Heatmap; numbers as they are printed in its cells."""
    rows, columns = told_apart(picture.queries), told_apart(picture.keys)
    values, allowed, decimals = picture.values, picture.allowed, picture.decimals
    printed = np.where(allowed, np.round(values, decimals), np.nan)

    def cell(row, column):
        number = f" {typeset(values[row, column], decimals)}" if allowed[row, column] else ", hidden"
        return f"{rows[row]} to {columns[column]}{number}"

    outside, missing = picture.above | picture.below, allowed & np.isnan(printed)
    limits = f"{significant(picture.vmin)} to {significant(picture.vmax)}"
    sizes = map(counted, values.shape, picture.axes)
    sentences = [
        f"Heatmap, {' by '.join(sizes)}.",
        f"Outlined: {', '.join(cell(*pair) for pair in picture.outlined)}." if picture.outlined else "",
        _range_of_numbers(printed, cell, decimals),
        f"Outside the colours, {limits}: {counted(outside.sum(), 'cell')}." if outside.any() else "",
        "" if allowed.all() else f"Hidden: {hidden_cells(allowed, picture.keys)}.",
        f"Not a number: {counted(missing.sum(), 'cell')}." if missing.any() else "",
        _largest_in_rows(printed, rows, columns, decimals, picture.axes[1]),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _range_of_numbers(printed, cell, decimals):
    """The smallest and the largest number; where there are negative ones, with their cells."""
    numbers = printed[~np.isnan(printed)]
    if not len(numbers):
        return ""
    low, high = numbers.min(), numbers.max()
    if low >= 0:
        return f"Numbers from {typeset(low, decimals)} to {typeset(high, decimals)}."

    def where(number):
        places = np.argwhere(printed == number)
        return cell(*places[0]) if len(places) == 1 else f"{typeset(number, decimals)} in {len(places)} cells"

    return f"Largest: {where(high)}. Smallest: {where(low)}."


def _largest_in_rows(printed, rows, columns, decimals, axis):
    """The column with the largest number of each row; of many rows, those that have it most often."""
    largest = [np.flatnonzero(row == row[~np.isnan(row)].max(initial=-np.inf)) for row in printed]
    if len(rows) > MAX_ROWS:
        frequent = Counter(columns[i] for found in largest for i in found).most_common(3)
        if not frequent:
            return ""
        often = [f"{column} in {counted(times, 'row')}" for column, times in frequent]
        return f"Where rows have their largest, most often: {', '.join(often)}."
    parts = []
    for row, found in enumerate(largest):
        few = 0 < len(found) <= 3
        where = joined([columns[i] for i in found]) if few else counted(len(found), axis)
        number = f" {typeset(printed[row, found[0]], decimals)}" if len(found) else ""
        parts.append(f"{rows[row]} to {where}{number}")
    return f"Each row's largest: {', '.join(parts)}."


def hidden_cells(allowed, keys):
    """The cells that are not allowed: as a triangle, as columns, or as a count."""
    causal = np.tri(*allowed.shape, dtype=bool)
    hidden_columns = ~allowed.any(axis=0)
    if np.array_equal(allowed, np.broadcast_to(~hidden_columns, allowed.shape)):
        return _columns(hidden_columns, keys)
    if not np.array_equal(allowed, causal & ~hidden_columns):
        return f"{counted(int((~allowed).sum()), 'cell')} of {allowed.size}"
    hidden_columns &= causal.any(axis=0)  # others lie above the diagonal as a whole
    triangle = "all above the diagonal"
    return f"{triangle} and {_columns(hidden_columns, keys)}" if hidden_columns.any() else triangle


def _columns(hidden, keys):
    """The names of hidden columns; a name that all of them have, and no other column, is said once."""
    names = spoken(keys)
    unique = [name for name, is_hidden in zip(told_apart(keys), hidden, strict=True) if is_hidden]
    same = {name for name, is_hidden in zip(names, hidden, strict=True) if is_hidden}
    if len(same) == 1 and names.count(*same) == len(unique):
        unique = list(same)
    return f"the {'column' if hidden.sum() == 1 else f'{hidden.sum()} columns'} of {joined(unique)}"


# Line charts


def lines(table, numbers):
    """The alt text of a line chart: both ends of each line, its largest and its smallest number."""
    labels = [str(label) for label in table.index]
    what = f" of {table.columns.name}" if table.columns.name else ""
    against = f" against {table.index.name}" if table.index.name else ""
    sentences = [f"Line chart{what}{against}, {labels[0]} to {labels[-1]}."]
    for column, line in zip(table.columns, numbers.T):
        sentences.append(f"{column}: {_line(line, labels)}.")
    return " ".join(sentences)


def _line(numbers, labels):
    """Both ends of one line, its largest and its smallest number."""
    if np.isnan(numbers).all():
        return "no numbers"
    low, high = np.nanargmin(numbers), np.nanargmax(numbers)
    return (
        f"first {significant(numbers[0])}, last {significant(numbers[-1])}, "
        f"largest {significant(numbers[high])} at {labels[high]}, "
        f"smallest {significant(numbers[low])} at {labels[low]}"
    )


# Bar charts


def bars(panels, labels, texts, marked):
    """The alt text of a bar chart: every number as it is printed at the end of its bar."""
    parts = [
        f"{panel}: {', '.join(f'{label} {text}' for label, text in zip(labels, column))}"
        for panel, column in zip(panels, texts)
    ]
    hatched = "" if marked is None else f" Hatched: {marked}."
    return f"Bars, {counted(len(parts), 'panel')}. {'. '.join(parts)}.{hatched}"


# Maps of all heads


def heads(weights):
    """The alt text of the maps of all heads: the heads with half of their weight, on average, on one place."""
    n_layers, n_heads, n_queries, n_keys = weights.shape
    model = f"{counted(n_layers, 'layer')} by {counted(n_heads, 'head')}"
    each = f"{counted(n_queries, 'query')} by {counted(n_keys, 'key')}"
    text = f"{counted(n_layers * n_heads, 'map')} of weights, {model}, each {each}. "
    if n_missing := np.isnan(weights).any(axis=(-2, -1)).sum():
        text += f"With what is not a number: {counted(n_missing, 'head')}. "
    places = {"the first key": weights[..., 0]}
    for offset, place in ((-1, "before"), (0, "itself"), (1, "after")):
        places[f"the token {place}"] = np.diagonal(weights, offset, axis1=-2, axis2=-1)
    parts = [f"on {place}, {_heads_with_half(part)}" for place, part in places.items() if part.shape[-1]]
    return f"{text}A mean weight of one half or more: {'; '.join(parts)}."


def _heads_with_half(part):
    """The heads whose mean of `part` (layers, heads, n) is 0.5 or more, by name; many, by their layers."""
    means = part.mean(axis=-1)
    found = np.argwhere(means >= 0.5)
    if not len(found):
        return "no head"
    if len(found) <= 6:
        return joined([f"layer {layer} head {head} ({means[layer, head]:.2f})" for layer, head in found])
    layers = Counter(int(layer) for layer, _ in found)
    return f"{len(found)} heads ({', '.join(f'{n} in layer {layer}' for layer, n in layers.items())})"


# Words


def joined(words):
    """The words as a list of a sentence: `a, b and c`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def counted(count, word):
    """The count and the word, in the plural unless it is one."""
    plural = "queries" if word == "query" else f"{word}s"
    return f"{count} {word if count == 1 else plural}"


def spoken(names):
    """The names as a screen reader should say them."""
    return [SPOKEN.get(name, str(name)) for name in names]


def told_apart(names):
    """The names, with their position where a name occurs twice."""
    names = spoken(names)
    return [f"{name} ({i})" if names.count(name) > 1 else name for i, name in enumerate(names)]
