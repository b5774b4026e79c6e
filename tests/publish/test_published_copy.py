"""The links to a published copy: written from one setting, and taken out again without a trace."""

import ast
import shutil

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from publish import notebooks, pages, published_copy

FILES = ["pyproject.toml", "README.md", "notebooks/01_dot_product.ipynb", "notebooks/02_scaling.ipynb"]


@pytest.fixture
def root(tmp_path):
    (tmp_path / "notebooks").mkdir()
    for name in FILES:
        shutil.copy(published_copy.ROOT / name, tmp_path / name)
    published_copy.write("", tmp_path)
    return tmp_path


def contents(root):
    return {name: (root / name).read_bytes() for name in FILES}


def test_copy_is_named_in_setting_readme_and_notebooks(root):
    published_copy.write("her/cat", root)
    assert published_copy.repository(root) == "her/cat"
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert "mybinder.org/v2/gh/her/cat/HEAD" in readme and "(https://her.github.io/cat/)" in readme
    assert "\ngit clone --depth 1 https://github.com/her/cat attention\n" in readme
    assert f"[in your browser]({published_copy.in_browser('her/cat')})" in readme.partition("![")[0]
    assert "tried" not in readme


def test_first_line_of_a_notebook_installs_the_library_without_its_hash(root):
    published_copy.write("her/cat", root)
    for name in FILES[2:]:
        first = next(c for c in nbformat.read(root / name, as_version=4).cells if c.cell_type == "code")
        code = TransformerManager().transform_cell(first.source.removeprefix("#"))
        assert ast.parse(code) and "git+https://github.com/her/cat " in code.splitlines()[0]


def test_line_for_colab_is_in_downloads_and_in_nothing_else_that_is_made(root):
    before = [notebooks.read(root / name) for name in FILES[2:]]
    published_copy.write("her/cat", root)
    for stored, name in zip(before, FILES[2:], strict=True):
        assert notebooks.read(root / name) == stored
        pages.write_download(root / name, root / "pages", True, "her/cat")
        downloaded = (root / "pages" / name.partition("/")[2]).read_text(encoding="utf-8")
        assert downloaded.count("#%pip install git+https://github.com/her/cat ") == 1


def test_front_page_that_a_workflow_publishes_has_the_address_of_its_repository(monkeypatch):
    monkeypatch.setattr(published_copy, "repository", lambda: "")
    monkeypatch.setenv("GITHUB_REPOSITORY", "her/cat")
    *_, below = pages.front_cells()
    assert "git clone --depth 1 https://github.com/her/cat attention" in below.source
    assert "address of this" not in below.source


def test_writing_twice_changes_nothing_and_removing_restores_every_byte(root):
    before = contents(root)
    assert b"mybinder.org/v2" not in before["README.md"]
    named = []
    for _ in range(2):
        published_copy.write("her/cat", root)
        named.append(contents(root))
    published_copy.write("", root)
    assert named[0] == named[1] != contents(root) == before


def test_name_that_is_no_repository_is_refused(root):
    before = contents(root)
    for copy in ("her", "her/cat/s", 'her/"cat"', "https://gitlab.com/her/cat"):
        with pytest.raises(ValueError, match="NAME/COPY"):
            published_copy.write(copy, root)
    assert contents(root) == before


def test_address_is_taken_for_the_name(root):
    published_copy.write("her/cat", root)
    named = contents(root)
    published_copy.write("https://github.com/her/cat.git", root)
    assert contents(root) == named


def test_readme_without_its_two_comments_is_an_error(root):
    (root / "README.md").write_text("# No comments\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md must hold"):
        published_copy.write("her/cat", root)
