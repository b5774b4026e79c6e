"""What publish/live.py takes from Pyodide's files; tests/live runs the site."""

import functools
import hashlib
import http.server
import json
import threading

import pytest

from publish import live

RUNTIME = {name: f'version "{live.PYODIDE}"'.encode() for name in live.RUNTIME}


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
    for name, content in RUNTIME.items():
        (folder / name).write_bytes(content)
    for name, entry in entries.items():
        (folder / entry["file_name"]).write_text(name)
    (folder / live.LOCK).write_text(json.dumps({"info": {}, "packages": entries}))
    return folder


def copy(source, tmp_path):
    (out := tmp_path / "out").mkdir()
    return out, live.copy_pyodide(str(source), out, ["numpy", "Micropip"])


def test_what_is_needed_is_copied_and_named_by_the_lock(source, tmp_path):
    out, lock = copy(source, tmp_path)
    needed = packages("micropip", "numpy", "other-one")
    assert lock == {"info": {}, "packages": needed}
    assert {path.name for path in out.iterdir()} == {
        *live.RUNTIME,
        *(package["file_name"] for package in needed.values()),
    }


def test_a_source_may_be_an_address(source):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=source)
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert live.read(address, "numpy.whl") == live.read(f"{address}/", "numpy.whl") == b"numpy"
        assert live.read(address, "none.whl") is None
        server.shutdown()
    with pytest.raises(SystemExit, match="cannot be reached"):
        live.read(address, "numpy.whl")


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "numpy.whl", live.LOCK])
def test_a_missing_file_is_named(source, tmp_path, name):
    (source / name).unlink()
    with pytest.raises(SystemExit, match=f"lacks {name}"):
        copy(source, tmp_path)


def test_a_wheel_with_another_checksum_is_refused(source, tmp_path):
    (source / "numpy.whl").write_text("something else")
    with pytest.raises(SystemExit, match=r"numpy.whl .* checksum"):
        copy(source, tmp_path)


def test_another_version_is_refused(source, tmp_path):
    (source / "pyodide.mjs").write_text('version "0.1.0"')
    with pytest.raises(SystemExit, match=f"must hold Pyodide {live.PYODIDE}"):
        copy(source, tmp_path)


def test_a_package_that_the_lock_does_not_name_is_named():
    with pytest.raises(SystemExit, match="names no package numpy"):
        live.needed({}, ["numpy"])


def test_what_the_kernel_needs_besides_is_pinned():
    assert set(live.EXTRA) <= live.pins().keys()
