"""The links to a published copy: written from one setting."""

import ast
import shutil

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from publish import notebooks, pages, published_copy
from tests.publish.conftest import run

FILES = ["pyproject.toml", "README.md", "notebooks/01_dot_product.ipynb"]


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder with files of the repository."""
    (tmp_path / "notebooks").mkdir()
    for name in FILES:
        shutil.copy(published_copy.ROOT / name, tmp_path / name)
    monkeypatch.setattr(published_copy, "ROOT", tmp_path)
    return tmp_path


def contents(root):
    return {name: (root / name).read_bytes() for name in FILES}


def test_copy_is_named_in_setting_readme_and_notebooks(root):
    run(published_copy, "her/cat")
    assert published_copy.repository() == "her/cat"
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert "mybinder.org/v2/gh/her/cat/HEAD" in readme and "(https://her.github.io/cat/)" in readme
    assert "\ngit clone --depth 1 https://github.com/her/cat attention\n" in readme
    assert f"[in your browser]({published_copy.in_browser('her/cat')})" in readme.partition("![")[0]


def test_first_line_of_a_notebook_installs_the_library_on_colab_and_goes_to_downloads_alone(root):
    path = root / "notebooks" / "01_dot_product.ipynb"
    before = notebooks.read(path)
    run(published_copy, "her/cat")
    first = next(cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    code = TransformerManager().transform_cell(first.source.removeprefix("#"))
    assert ast.parse(code) and "git+https://github.com/her/cat " in code.splitlines()[0]
    assert notebooks.read(path) == before
    pages.write_download(path, root / "pages", True, "her/cat")
    downloaded = (root / "pages" / path.name).read_text(encoding="utf-8")
    assert downloaded.count("#%pip install git+https://github.com/her/cat ") == 1


def test_address_is_that_of_the_repository_whose_workflow_publishes(root, monkeypatch):
    monkeypatch.setenv("GITHUB_REPOSITORY", "her/cat")
    assert published_copy.address() == "https://github.com/her/cat"


def test_address_does_in_place_of_the_name_and_writing_twice_changes_nothing(root):
    named = []
    for copy in ("her/cat", "https://github.com/her/cat.git"):
        run(published_copy, copy)
        named.append(contents(root))
    assert named[0] == named[1]


@pytest.mark.parametrize("names", [[], ["her/cat/s"], ['her/"cat"'], ["https://gitlab.com/her/cat"]])
def test_name_that_is_no_repository_is_refused(root, names):
    before = contents(root)
    with pytest.raises(SystemExit):
        run(published_copy, *names)
    assert contents(root) == before
