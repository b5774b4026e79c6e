"""The sizes that README and the guide for teachers state, within a twentieth; those of the site are in tests/live."""

import functools
import re
import zlib
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from publish.wheel import PACKAGES
from tests.project.test_readme import FOLDERS, ROOT, text_of


@functools.cache
def compressed(folder):
    """The bytes of the files in a folder as git and a wheel keep them, or a few more."""
    files = [
        path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    return sum(len(zlib.compress(file.read_bytes(), level=1)) for file in files)


def add(requirement, found):
    """Adds to `found` the package that meets a requirement, and those that it needs."""
    key = (requirement.name, *sorted(requirement.extras))
    if key not in found:
        found[key] = metadata.distribution(requirement.name)
        for needed in map(Requirement, found[key].requires or ()):
            extras = ("", *requirement.extras)
            if not needed.marker or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                add(needed, found)


@functools.cache
def installed():
    """The bytes of the packages of requirements.txt, and of those that they need."""
    found = {}
    for line in re.findall(r"(?m)^\w[^\s#]*", text_of("requirements.txt")):
        add(Requirement(line), found)
    files = {file.locate() for package in found.values() for file in package.files}
    return sum(file.stat().st_size for file in files if file.exists())


SIZES = [
    ("README.md", r"(\d+) MB to fetch", sum(map(compressed, FOLDERS))),
    ("README.md", r"packages of the next line take (\d+) MB", installed()),
    ("teaching/README.md", r"That is (\d+) MB", sum(map(compressed, PACKAGES))),
    ("teaching/README.md", r"installs (\d+) MB of packages", installed()),
]


@pytest.mark.parametrize("guide, pattern, size", SIZES, ids=[pattern for _, pattern, _ in SIZES])
def test_guide_states_the_size(guide, pattern, size):
    (stated,) = re.findall(pattern, text_of(guide))
    assert size / 1e6 == pytest.approx(int(stated), rel=0.05)
