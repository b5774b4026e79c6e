"""Reads pictures: their words, and the contrast of colours."""


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
