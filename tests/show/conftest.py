"""A fixture that records what would be displayed."""

import pytest


@pytest.fixture
def shown(monkeypatch):
    """What was displayed: a list of MIME bundles."""
    bundles = []
    monkeypatch.setattr("IPython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: bundles.append(bundle))
    return bundles
