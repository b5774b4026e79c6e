"""What changes from screen to screen: pages, projectors and phones.

A picture has its measures for a page, and those of a projector or a phone where they differ; a picture
that is not named here looks the same everywhere. On a projector no type is smaller than PROJECTOR_POINTS.
Lengths are in hundreds of pixels, extents are width and height.
"""

from types import SimpleNamespace

PROJECTOR_POINTS = 16  # 22 pixels, if a slide of 960 x 720 need not shrink the picture

FORMS = {
    # 16 x 16 numbers fit a page of 900 pixels, and fill the widest slide, 1280 x 720.
    "heatmap": {
        "page": {
            "margins": (1.6, 1.2),
            "cell": (0.52, 0.38),  # at most: all columns together take no more than columns_width
            "columns_width": 7.0,
            "name_points": 10,
        },
        "projector": {
            "margins": (2.7, 1.6),
            "cell": (0.63, 0.35),
            "columns_width": 10.1,
            "name_points": 16,
        },
    },
    "lines": {"page": {"extent": (6.4, 3.6)}, "projector": {"extent": (9.1, 5.1)}},
    "bars": {
        "page": {"n_columns": 5, "widest": 9.1, "row_height": 0.24},
        "projector": {"n_columns": 3, "row_height": 0.34},
        "phone": {"n_columns": 1, "widest": 3.4},
    },
    # Drawings
    "attention_map": {
        "page": {"extent": (9.1, 3.4), "in_bands": False},
        "projector": {"extent": (9.35, 4.9)},
        "phone": {"extent": (3.4, 8.2), "in_bands": True},
    },
    "five_steps": {
        "page": {"extent": (9.1, 3.8), "n_columns": 6},
        "projector": {"extent": (9.1, 6.8), "n_columns": 3},
        "phone": {"extent": (3.4, 8.4), "n_columns": 2},
    },
    "row_times_column": {
        "page": {"extent": (6.4, 4.6), "number_points": 11, "name_rotation": 0},
        "projector": {"extent": (8, 5.4)},
        "phone": {"extent": (3.4, 4.2), "number_points": 9, "name_rotation": 90},
    },
    "arrows": {
        "page": {"n_columns": 4, "panel_width": 2.4, "words_height": 0.8},
        "projector": {"n_columns": 3, "panel_width": 3.1, "words_height": 1.3},
    },
    "transpose_and_reshape": {
        "page": {"narrowest": 7, "stretch": 1, "cell_aspect": 0.83, "number_place": (0.64, 0.5)},
        "projector": {"narrowest": 9.3, "stretch": 1.35, "cell_aspect": 1.15, "number_place": (0.62, 0.75)},
    },
    "score_exp_share": {"page": {"extent": (9, 2.9)}, "projector": {"extent": (9.3, 3.6)}},
    "mixture": {"page": {"extent": (7, 4.4)}, "projector": {"extent": (9, 5.4)}},
    "block_of_rows": {
        "page": {"height": 3.65, "arrows_width": 5.6},
        "projector": {"height": 4.4, "arrows_width": 7},
    },
    "word_to_qkv": {
        "page": {"extent": (9, 3.3), "upright": False, "strip": 0.3 / 2.7, "dash": 5, "title_space": "  "},
        "projector": {"extent": (9, 4.6), "title_space": "\n"},
        "phone": {"extent": (3.4, 5), "upright": True, "strip": 0.5 / 3, "dash": 3, "title_space": "\n"},
    },
    "cut_and_swap": {
        "page": {"in_two_rows": False, "cell": (0.34, 0.31), "margins": (4.4, 0.85), "cell_aspect": 0.91},
        "projector": {"in_two_rows": True, "cell": (0.2, 0.5), "margins": (4, 1.7), "cell_aspect": 0.6},
    },
    "way_back": {
        "page": {
            "extent": (9, 4.5),
            "heads_width": 210,
            "heads_title": "outputs of {} heads for {}",
            "added_title": "what attention adds  ({},)",
        },
        "projector": {
            "extent": (9.3, 5.8),
            "heads_width": 300,
            "heads_title": "{} outputs for {}",
            "added_title": "what attention adds",
        },
    },
    "turning_pair": {
        "page": {"clock_width": 1.2, "words_width": 0.95},
        "projector": {"clock_width": 2.5, "words_width": 1.6},
    },
}


def form(picture, screen):
    """The measures of a picture on a screen: those of a page where the screen has none of its own."""
    screens = FORMS[picture]
    return SimpleNamespace(**screens["page"] | screens.get(screen, {}))
