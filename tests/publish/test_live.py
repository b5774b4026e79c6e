"""What publish/live.py takes from Pyodide's files, and the notebooks of the site; tests/live runs it."""

import hashlib
import io
import json
import re
import urllib.request

import pytest

from publish import live, notebooks


def package(name, *depends):
    """A lock's package, a file with its name as content."""
    checksum = hashlib.sha256(name.encode()).hexdigest()
    return {"depends": depends, "file_name": f"{name}.whl", "sha256": checksum}


@pytest.fixture
def source(tmp_path):
    """A folder like Pyodide's release, with a package that nothing needs."""
    folder = tmp_path / "source"
    folder.mkdir()
    packages = {name: package(name) for name in ("other-one", "micropip", "unused")}
    packages["numpy"] = package("numpy", "Other_One")
    contents = dict.fromkeys(live.RUNTIME, f'version "{live.PYODIDE}"')
    contents |= {package["file_name"]: name for name, package in packages.items()}
    contents[live.LOCK] = json.dumps({"info": {}, "packages": packages})
    for name, content in contents.items():
        (folder / name).write_text(content)
    return folder


def copy(source, tmp_path):
    (out := tmp_path / "out").mkdir()
    return live.copy_pyodide(str(source), out, ["numpy", "Micropip"])


def test_what_is_needed_is_copied_and_named_by_the_lock(source, tmp_path):
    needed = {"micropip", "numpy", "other-one"}
    assert copy(source, tmp_path)["packages"].keys() == needed
    wheels = {f"{name}.whl" for name in needed}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*live.RUNTIME, *wheels}


def test_a_source_may_be_an_address(monkeypatch):
    monkeypatch.setattr(urllib.request, "urlopen", lambda url, timeout: io.BytesIO(url.encode()))
    assert live.read("https://her.cat/", "numpy.whl") == b"https://her.cat/numpy.whl"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("pyodide.asm.wasm", None, r"but pyodide.asm.wasm: .*python -m tests\.live\.source"),
        ("numpy.whl", "something else", r"numpy.whl .* checksum"),
        ("pyodide.mjs", 'version "0.1.0"', f"must hold Pyodide {live.PYODIDE}"),
    ],
)
def test_a_wrong_or_missing_file_is_named(source, tmp_path, name, content, message):
    (source / name).unlink()
    if content:
        (source / name).write_text(content)
    with pytest.raises(SystemExit, match=message):
        copy(source, tmp_path)


def test_solutions_are_left_out_for_a_class_and_versions_change_with_the_text_alone(tmp_path):
    versions = live.write_contents(tmp_path / "all")
    assert versions == live.write_contents(tmp_path / "again")
    without = live.write_contents(tmp_path / "class", with_solutions=False)
    too_large = {path.name for path in notebooks.TOO_LARGE}
    for name in versions:
        there, here = ((tmp_path / folder / name).read_text(encoding="utf-8") for folder in ("all", "class"))
        assert ("too large for a browser" in there) == (name in too_large)
        if name in too_large:
            continue
        assert not re.search(r'"(source|text|text/html)": \[', there)  # JupyterLite wants texts in one piece
        assert here.count(">Hint") == there.count(">Hint") and here.count(">Solution") == 0
        assert without[name] != versions[name] and "student = " in here


def test_texts_are_pages_whose_links_lead_to_the_notebooks_and_to_each_other(tmp_path):
    live.write_texts(tmp_path)
    known = {f"notebooks/index.html?path={path.name}" for path in notebooks.PATHS.values()}
    for page in (tmp_path / "questions.html", tmp_path / "glossary.html"):
        html = page.read_text(encoding="utf-8")
        targets = set(re.findall(r'href="([^"]+)"', html))
        sections = {f"#{id}" for id in re.findall(r'id="([^"]+)"', html)}
        assert known <= targets
        assert all(link.startswith("https://") for link in targets - known - sections - {"glossary.html"})
