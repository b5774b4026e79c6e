"""What is said of a picture to those who cannot see it, made from the numbers that it draws."""

from collections import Counter

import numpy as np

MOST_ROWS = 16  # beyond which a row's largest number is not named
SPOKEN = {
    ".": "full stop",
    ",": "comma",
    "?": "question mark",
    "!": "exclamation mark",
}  # else not read aloud


def number(value, decimals):
    return f"{np.round(value, decimals) + 0.0:.{decimals}f}"  # the sum turns -0.0 into 0.0


def short(value):
    """Three digits or more, whatever the size of the number."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value + 0.0:.3g}"


def joined(words):
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def many(count, word, words=None):
    return f"{count} {word if count == 1 else words or word + 's'}"


def spoken(names):
    return [SPOKEN.get(name, str(name)) for name in names]


def told_apart(names):
    """The names, with their position where a name occurs twice."""
    names = spoken(names)
    return [f"{name} ({i})" if names.count(name) > 1 else name for i, name in enumerate(names)]


def heatmap(values, queries, keys, allowed, outlined, decimals):
    """What `heatmap` draws, in words: every number as it is printed in its cell."""
    rows, columns = told_apart(queries), told_apart(keys)
    said = [f"Heatmap, {many(len(rows), 'query', 'queries')} by {many(len(columns), 'key')}."]

    def cell(row, column):
        if not allowed[row, column]:
            return f"{rows[row]} to {columns[column]}, hidden"
        return f"{rows[row]} to {columns[column]} {number(values[row, column], decimals)}"

    if outlined:
        said.append(f"Outlined: {', '.join(cell(*pair) for pair in outlined)}.")
    seen = np.where(allowed, np.round(values, decimals), np.nan)
    numbers = seen[~np.isnan(seen)]
    if len(numbers) and numbers.min() >= 0:
        said.append(f"Numbers from {number(numbers.min(), decimals)} to {number(numbers.max(), decimals)}.")
    elif len(numbers):
        for word, end in (("Largest", numbers.max()), ("Smallest", numbers.min())):
            places = np.argwhere(seen == end)
            where = (
                cell(*places[0]) if len(places) == 1 else f"{number(end, decimals)} in {len(places)} cells"
            )
            said.append(f"{word}: {where}.")
    if not allowed.all():
        said.append(f"Hidden: {hidden_cells(allowed, keys)}.")
    if len(numbers) < allowed.sum():
        said.append(f"Not a number: {many(int(allowed.sum()) - len(numbers), 'cell')}.")
    tops = [np.flatnonzero(row == row[~np.isnan(row)].max(initial=-np.inf)) for row in seen]
    if len(rows) <= MOST_ROWS:
        ends = []
        for row, top in enumerate(tops):
            to = joined([columns[i] for i in top]) if 0 < len(top) <= 3 else many(len(top), "key")
            ends.append(
                f"{rows[row]} to {to}" + (f" {number(seen[row, top[0]], decimals)}" if len(top) else "")
            )
        said.append(f"Each row's largest: {', '.join(ends)}.")
    else:
        found = Counter(columns[i] for top in tops for i in top).most_common(3)
        often = [f"{column} in {many(times, 'row')}" for column, times in found]
        said.append(f"Where rows have their largest, most often: {', '.join(often)}.")
    return " ".join(said)


def hidden_cells(allowed, keys):
    """The cells that are not allowed, in the fewest words that are true."""
    causal = np.tri(*allowed.shape, dtype=bool)
    empty = ~allowed.any(axis=0)
    whole = np.array_equal(allowed, np.broadcast_to(~empty, allowed.shape))
    if not whole and not np.array_equal(allowed, causal & ~empty):
        return f"{many(int((~allowed).sum()), 'cell')} of {allowed.size}"
    parts = [] if whole else ["all above the diagonal"]
    if not whole:
        empty = empty & causal.any(axis=0)
    if empty.any():
        names = spoken(keys)
        gone = [name for name, hidden in zip(told_apart(keys), empty, strict=True) if hidden]
        same = {names[i] for i in np.flatnonzero(empty)}
        if len(same) == 1 and sum(name in same for name in names) == len(gone):
            gone = sorted(same)
        parts.append(f"the {'column' if empty.sum() == 1 else f'{empty.sum()} columns'} of {joined(gone)}")
    return joined(parts)


def lines(table):
    """What `lines` draws, in words: both ends of each line, and how far up and down it goes."""
    labels = [str(label) for label in table.index]
    what = f" of {table.columns.name}" if table.columns.name else ""
    against = f" against {table.index.name}" if table.index.name else ""
    span = f", {labels[0]} to {labels[-1]}" if labels else ""
    said = [f"Line chart{what}{against}{span}."]
    for i, column in enumerate(table.columns):
        line = table.iloc[:, i].to_numpy(dtype=float)
        if np.isnan(line).all():
            said.append(f"{column}: no numbers.")
            continue
        low, high = np.nanargmin(line), np.nanargmax(line)
        said.append(
            f"{column}: first {short(line[0])}, last {short(line[-1])}, "
            f"largest {short(line[high])} at {labels[high]}, smallest {short(line[low])} at {labels[low]}."
        )
    return " ".join(said)


def heads(weights, marked):
    """What `heads` draws, in words: on which token a head has half of its weight, on average."""
    n_layers, n_heads, n_queries, n_keys = weights.shape
    model = f"{many(n_layers, 'layer')} by {many(n_heads, 'head')}"
    map_ = f"{many(n_queries, 'query', 'queries')} by {many(n_keys, 'key')}"
    said = [f"{many(n_layers * n_heads, 'map')} of weights, {model}, each {map_}."]
    if marked:
        said.append(f"Outlined: {', '.join(f'layer {layer} head {head}' for layer, head in marked)}.")
    places = {"the first key": weights[..., 0]}
    for word, offset in (("the token before", -1), ("the token itself", 0), ("the token after", 1)):
        places[word] = np.diagonal(weights, offset, axis1=-2, axis2=-1)
    said.append("A mean weight of one half or more:")
    parts = []
    for word, part in places.items():
        if part.shape[-1] == 0:
            continue
        means = part.mean(axis=-1)
        found = np.argwhere(means >= 0.5)
        parts.append(f"on {word}, " + (some_heads(means, found) if len(found) else "no head"))
    return " ".join(said) + " " + "; ".join(parts) + "."


def some_heads(means, found):
    """The heads named while they are few, else counted layer by layer."""
    if len(found) <= 6:
        return joined([f"layer {layer} head {head} ({means[layer, head]:.2f})" for layer, head in found])
    layers = Counter(int(layer) for layer, _ in found)
    return f"{len(found)} heads ({', '.join(f'{n} in layer {layer}' for layer, n in layers.items())})"
