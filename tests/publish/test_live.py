"""What publish/live.py takes from Pyodide's files; tests/live runs the site."""

import functools
import hashlib
import http.server
import json
import re
import threading

import pytest

from publish import live, notebooks


def packages(*names):
    """A lock's packages with these names, each a file with its name as content."""
    return {
        name: {
            "depends": ["Other_One"] if name == "numpy" else [],
            "file_name": f"{name}.whl",
            "sha256": hashlib.sha256(name.encode()).hexdigest(),
        }
        for name in names
    }


@pytest.fixture
def source(tmp_path):
    """A folder like Pyodide's release, with a package that nothing needs."""
    folder = tmp_path / "source"
    folder.mkdir()
    entries = packages("numpy", "other-one", "micropip", "unused")
    contents = dict.fromkeys(live.RUNTIME, f'version "{live.PYODIDE}"')
    contents |= {entry["file_name"]: name for name, entry in entries.items()}
    contents[live.LOCK] = json.dumps({"info": {}, "packages": entries})
    for name, content in contents.items():
        (folder / name).write_text(content)
    return folder


def copy(source, tmp_path):
    (out := tmp_path / "out").mkdir()
    return live.copy_pyodide(str(source), out, ["numpy", "Micropip"])


def test_what_is_needed_is_copied_and_named_by_the_lock(source, tmp_path):
    needed = packages("micropip", "numpy", "other-one")
    assert copy(source, tmp_path) == {"info": {}, "packages": needed}
    wheels = {f"{name}.whl" for name in needed}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*live.RUNTIME, *wheels}


def test_a_source_may_be_an_address(source):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=source)
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert live.read(address, "numpy.whl") == live.read(f"{address}/", "numpy.whl") == b"numpy"
        assert live.read(address, "none.whl") is None
        server.shutdown()
    with pytest.raises(SystemExit, match=r"cannot be reached.*python -m tests\.live\.source"):
        live.read(address, "numpy.whl")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        *(
            (name, None, rf"lacks {name}\. .*python -m tests\.live\.source")
            for name in ("pyodide.asm.wasm", "numpy.whl", live.LOCK)
        ),
        ("numpy.whl", "something else", r"numpy.whl .* checksum"),
        ("pyodide.mjs", 'version "0.1.0"', f"must hold Pyodide {live.PYODIDE}"),
        (live.LOCK, '{"packages": {}}', "names no package"),
    ],
)
def test_a_wrong_or_missing_file_is_named(source, tmp_path, name, content, message):
    (source / name).unlink()
    if content:
        (source / name).write_text(content)
    with pytest.raises(SystemExit, match=message):
        copy(source, tmp_path)


def test_what_the_kernel_needs_besides_is_pinned():
    assert set(live.EXTRA) <= live.pins().keys()


def test_texts_of_notebooks_are_written_in_one_piece(tmp_path):
    live.write_contents(tmp_path / "contents")
    for path in sorted((tmp_path / "contents").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        tables = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
        printed = [output["text"] for output in outputs if "text" in output]
        texts = [cell["source"] for cell in cells] + tables + printed
        assert all(isinstance(text, str) for text in texts), path.name


def test_solutions_are_left_out_for_a_class_and_hints_stay(tmp_path):
    with_solutions = live.write_contents(tmp_path / "all")
    without = live.write_contents(tmp_path / "class", with_solutions=False)
    for name in with_solutions:
        there, here = (notebooks.read(tmp_path / folder / name).cells for folder in ("all", "class"))
        assert count(here, ">Hint") == count(there, ">Hint")
        assert (count(here, ">Solution"), without[name] == with_solutions[name]) == (
            0,
            not count(there, ">Solution"),
        )


def count(cells, words):
    return sum(cell.source.count(words) for cell in cells)


def test_version_of_a_notebook_changes_with_its_text_alone(tmp_path, monkeypatch):
    versions = live.write_contents(tmp_path / "one")
    assert versions == live.write_contents(tmp_path / "two")
    path = notebooks.PATHS["01"]
    changed = notebooks.read(path)
    changed.cells[0].source += "."
    notebooks.write(changed, tmp_path / path.name)
    monkeypatch.setitem(notebooks.PATHS, "01", tmp_path / path.name)
    different = live.write_contents(tmp_path / "three").items() ^ versions.items()
    assert {name for name, _ in different} == {path.name}


def test_texts_are_pages_whose_links_lead_to_the_notebooks_and_to_each_other(tmp_path):
    live.write_texts(tmp_path)
    known = {f"notebooks/index.html?path={path.name}" for path in notebooks.PATHS.values()}
    for page in (tmp_path / "questions.html", tmp_path / "glossary.html"):
        html = page.read_text(encoding="utf-8")
        targets = set(re.findall(r'href="([^"]+)"', html))
        assert known <= targets
        sections = {f"#{id}" for id in re.findall(r'id="([^"]+)"', html)}
        lost = targets - known - sections - {"glossary.html"}
        assert not [target for target in lost if not target.startswith("https://")]
