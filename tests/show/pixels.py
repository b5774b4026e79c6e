"""Reads pictures: what is drawn, its words, and the contrast of colours."""

from matplotlib.figure import Figure

from attention_lib.show import figures


def picture_of(function, *arguments, screen="page", **options):
    """What a function of show would display."""
    with figures.collecting(screen) as pictures:
        function(*arguments, **options)
    return pictures[0]


def figure_of(function, *arguments, **options):
    """Its figure, for tests of what is in it: nothing is rendered."""
    picture = picture_of(function, *arguments, **options)
    figure = Figure(figsize=picture.size, layout="constrained")
    picture.draw(figure)
    return figure


def words(artists):
    return [artist.get_text() for artist in artists]


def luminance(colour):
    """WCAG 2.2, "relative luminance", of three numbers from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    """WCAG 2.2, "contrast ratio"."""
    darker, lighter = sorted([luminance(a), luminance(b)])
    return (lighter + 0.05) / (darker + 0.05)
