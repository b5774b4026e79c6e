"""The links to a published copy: written from one setting, and taken out again without a trace."""

import ast
import shutil

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from publish import notebooks, pages, published_copy
from tests.publish.conftest import run

FILES = ["pyproject.toml", "README.md", "notebooks/01_dot_product.ipynb", "notebooks/02_scaling.ipynb"]


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder where no copy is named."""
    (tmp_path / "notebooks").mkdir()
    for name in FILES:
        shutil.copy(published_copy.ROOT / name, tmp_path / name)
    monkeypatch.setattr(published_copy, "ROOT", tmp_path)
    run(published_copy, "--remove")
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
    assert "tried" not in readme


def test_first_line_of_a_notebook_installs_the_library_on_colab_and_goes_to_downloads_alone(root):
    before = [notebooks.read(root / name) for name in FILES[2:]]
    run(published_copy, "her/cat")
    for stored, name in zip(before, FILES[2:], strict=True):
        first = next(c for c in nbformat.read(root / name, as_version=4).cells if c.cell_type == "code")
        code = TransformerManager().transform_cell(first.source.removeprefix("#"))
        assert ast.parse(code) and "git+https://github.com/her/cat " in code.splitlines()[0]
        assert notebooks.read(root / name) == stored
        pages.write_download(root / name, root / "pages", True, "her/cat")
        downloaded = (root / "pages" / name.partition("/")[2]).read_text(encoding="utf-8")
        assert downloaded.count("#%pip install git+https://github.com/her/cat ") == 1


def test_front_page_that_a_workflow_publishes_has_the_address_of_its_repository(monkeypatch):
    monkeypatch.setattr(published_copy, "repository", lambda: "")
    monkeypatch.setenv("GITHUB_REPOSITORY", "her/cat")
    assert "git clone --depth 1 https://github.com/her/cat attention" in pages.parts_of_readme()["run_it"]


def test_writing_twice_changes_nothing_and_removing_restores_every_byte(root):
    before = contents(root)
    assert b"mybinder.org/v2" not in before["README.md"]
    named = []
    for copy in ("her/cat", "https://github.com/her/cat.git"):  # a name, and its address
        run(published_copy, copy)
        named.append(contents(root))
    run(published_copy, "--remove")
    assert named[0] == named[1] != contents(root) == before


@pytest.mark.parametrize("names", [[], ["her"], ["her/cat/s"], ['her/"cat"'], ["https://gitlab.com/her/cat"]])
def test_name_that_is_no_repository_is_refused(root, names):
    before = contents(root)
    with pytest.raises(SystemExit):
        run(published_copy, *names)
    assert contents(root) == before


def test_readme_without_its_two_comments_is_an_error(root):
    (root / "README.md").write_text("# No comments\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"README\.md must hold"):
        run(published_copy, "her/cat")
