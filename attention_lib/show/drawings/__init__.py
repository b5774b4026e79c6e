"""The pictures that one notebook needs once, each drawn from the numbers it is given.

Every function shows its picture with a description computed from the numbers, and returns None. `name`
is the picture's name in the page. A shape that does not fit raises ValueError. Numbers of
both signs have the blue and the orange of heatmaps, other hues are those of Okabe and Ito; a sign, a hatch
or a number says the same without colour.

A file holds the drawings of one topic, parts.py what they share. matplotlib's constrained layout places
everything: a drawing is a grid of axes, and an arrow fills an axes or joins two. Where a projector or a
phone needs another size or another grid, `figures.choose` picks it; the words of the alt text stay.
"""
