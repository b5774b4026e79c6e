"""No test of the checker depends on how busy the machine is."""

from functools import partial

import pytest

from lesson.check.grading.surroundings import notice_when_slow


@pytest.fixture(autouse=True)
def no_notice(monkeypatch):
    """The notice of a slow call comes after weeks."""
    monkeypatch.setattr("lesson.check.grading.call.notice_when_slow", partial(notice_when_slow, 1e6))
