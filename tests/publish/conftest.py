"""What the tests of this folder share."""

import pytest

from tests.chromium import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running
