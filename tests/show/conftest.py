"""Fixtures that record what would be displayed."""

import pytest
from matplotlib.figure import Figure

from attention_lib.show import figures


@pytest.fixture
def shown(monkeypatch):
    """What was displayed: a list of MIME bundles."""
    bundles = []
    monkeypatch.setattr("IPython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: bundles.append(bundle))
    return bundles


@pytest.fixture
def drawn(monkeypatch, shown):
    """The figures of what would be displayed, for tests of what is in them: nothing is rendered."""
    kept = []

    def keep(draw, size):
        kept.append(Figure(figsize=size, layout="constrained"))
        draw(kept[-1])
        return "", 400

    monkeypatch.setattr(figures, "png_of", keep)
    return kept


@pytest.fixture
def undrawn(monkeypatch, shown):
    """What was displayed, for tests of the words alone: nothing is drawn."""
    monkeypatch.setattr(figures, "png_of", lambda draw, size: ("", 400))
    return shown
