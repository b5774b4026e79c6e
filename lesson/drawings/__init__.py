"""The pictures that one notebook needs once, each drawn from the numbers it is given.

Every function shows its picture with a description computed from the numbers, and returns None. `name`
is the picture's name in the page. A shape that does not fit raises ValueError. Numbers of
both signs have the blue and the orange of heatmaps, other hues are those of Okabe and Ito; a sign, a hatch
or a number says the same without colour.

A file holds the drawings of one topic, parts.py what they share. matplotlib's constrained layout places
everything: a drawing is a grid of axes, and an arrow fills an axes or joins two. What differs on a projector
or a phone is what `for_screen` returns; the words of the alt text are the same.
"""

# ruff: noqa: F401 (what is imported is what this package offers)
from lesson.drawings.dot_products import arrows, spreads, transpose_and_reshape
from lesson.drawings.heads import cut_and_swap, way_back, word_to_qkv
from lesson.drawings.mask_shapes import line_up
from lesson.drawings.overview import attention_map
from lesson.drawings.rotary import turning_pair
from lesson.drawings.sampling import probability_lines
from lesson.drawings.weighted_average import mixture
from lesson.drawings.worked_examples import five_steps, row_through_steps, row_times_column
