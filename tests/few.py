"""Parameters of tests, of which `.ci/run` tries a few."""

import pytest


def few_of(values, few):
    """The parameters of a test: `.ci/run` tries the few, and leaves the others to the mark "release"."""
    assert set(few) <= set(values)
    return [value if value in few else pytest.param(value, marks=pytest.mark.release) for value in values]
