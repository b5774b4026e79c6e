"""The colours of cells, and of the numbers on them."""

import functools

import numpy as np

HIDDEN, HATCH = "#cccccc", "#4d4d4d"  # a cell that may not be attended to
NOT_A_NUMBER = "#d9d9d9"
FILL, INK = "#6aaed6", "#1a1a1a"  # of bars; of lines and words
FAINT = "#666666"  # numbers that round to 0


def colour_map(vmin, vmax):
    """A colour map for numbers from vmin to vmax, and the numbers at its two ends."""
    import matplotlib

    if vmin >= 0:
        return matplotlib.colormaps["Blues"].with_extremes(bad="white"), (vmin, vmax)
    end = max(-vmin, vmax)
    return _orange_and_blue(), (-end, end)


@functools.cache
def _orange_and_blue():
    """Orange, white in the middle, blue; equally dark at equal distances from the middle."""
    import matplotlib
    from matplotlib.colors import ListedColormap

    lightness = np.linspace(100, 32, 128)  # CIE L*; 32 is the darkest that Oranges has
    wanted = ((lightness + 16) / 116) ** 3
    sides = []
    for name in ("Oranges", "Blues"):
        shades = np.vstack([[1, 1, 1], matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3]])
        darker = luminance(shades)
        sides.append([np.interp(wanted, darker[::-1], channel[::-1]) for channel in shades.T])
    orange, blue = np.transpose(sides, (0, 2, 1))
    return ListedColormap(np.vstack([orange[:0:-1], blue]), "two_sided").with_extremes(bad="white")


def luminance(colours):
    """The relative luminance of WCAG 2.2, from 0, black, to 1, white."""
    colours = np.asarray(colours)[..., :3]
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def number_colours(cells, faint):
    """The colour of the number on each cell: black or white, or grey if `faint` and still legible."""
    from matplotlib.colors import to_rgb

    background = luminance(cells) + 0.05
    strong = np.where(background / 0.05 >= 1.05 / background, "black", "white")
    legible = background >= 4.5 * (luminance(to_rgb(FAINT)) + 0.05)
    return np.where(faint & legible, FAINT, strong)
