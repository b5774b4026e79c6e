"""What the tests of this folder share."""

import pytest

from publish import pages


def run(module, *arguments):
    """Runs a module as a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", [module.__name__, *map(str, arguments)])
        module.main()


@pytest.fixture(scope="session")
def without_phones():
    """Leaves out the forms of pictures for phones, for which the notebooks would run again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "phone_pictures", lambda path: {})
        yield


@pytest.fixture(scope="session")
def site(without_phones, tmp_path_factory):
    """The folder of the website where no copy is published."""
    out = tmp_path_factory.mktemp("site")
    pages.build(out, "")
    return out
