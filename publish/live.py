"""Makes the series into a website on which the notebooks run, in the reader's browser, without an installation.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.live OUT                      Pyodide from its official address
    .venv/bin/python -m publish.live OUT --pyodide SOURCE     from a folder, or from another address
    .venv/bin/python -m http.server --directory OUT           then open http://localhost:8000

The site is JupyterLite: JupyterLab and Notebook 7 as static files, and Pyodide, which is Python with NumPy,
pandas and matplotlib for the browser. It makes no request to another machine. SOURCE holds the files of
Pyodide's release: the runtime, pyodide-lock.json and the wheels. Each wheel must have the checksum of that
lock. The site's own lock names the wheels that are needed alone, and the library's as one more, so
`import attention_lib` loads it. The library travels without its model, which attention_lib.data fetches
from the site when a sentence first needs it.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import nbformat

from publish import handouts, notebooks, wheel
from publish.notebooks import ROOT

PYODIDE = "314.0.3"  # the version that is published and tested
OFFICIAL = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = ["micropip", "ipython", "jedi"]  # what the kernel needs of Pyodide's packages
EXTRA = ["comm", "ipython-pygments-lexers"]  # what it needs besides, pinned in publish/requirements.txt
KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"
SETTINGS = {
    "litePluginSettings": {
        f"{KERNEL_EXTENSION}:kernel": {
            "pyodideUrl": "./pyodide/pyodide.mjs",
            "disablePyPIFallback": True,
            # Loaded while Python starts, side by side.
            "loadPyodideOptions": {"packages": [*KERNEL, *EXTRA, "attention-lib"]},
        },
    },
}
# What that kernel writes into a notebook. Without it a notebook would count as changed as soon as it is opened,
# and the browser would keep it, and show it in place of a newer one.
METADATA = {
    "kernelspec": {"display_name": "Python (Pyodide)", "language": "python", "name": "python"},
    "language_info": {
        "codemirror_mode": {"name": "python", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.8",
    },
}


# Pyodide and the wheels


def read(source, name):
    """The bytes of the file `name` in a folder or at an address; None if it is not there."""
    if not re.match(r"https?://", source):
        path = Path(source) / name
        return path.read_bytes() if path.is_file() else None
    address = f"{source.rstrip('/')}/{name}"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise SystemExit(f"{address} answers {error.code} {error.reason}") from error
    except OSError as error:
        raise SystemExit(f"{address} cannot be reached: {error}") from error


def key(name):
    """A package's name as locks are searched for it: they write some with "_" and others with "-"."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(packages, names):
    """Of a lock's `packages`, those that `names` need, by name, themselves among them."""
    by_key = {key(name): package for name, package in packages.items()}
    found, left = {}, [*names]
    while left:
        name = key(left.pop())
        if name not in by_key:
            raise SystemExit(f"{LOCK} names no package {name}")
        if name not in found:
            found[name] = by_key[name]
            left += by_key[name]["depends"]
    return dict(sorted(found.items()))


def dependencies():
    """The names of the packages that the library needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.match(r"[\w.-]+", needed)[0] for needed in project["dependencies"]]


def copy_pyodide(source, folder, names):
    """Copies the runtime and the wheels that `names` need into `folder`, and returns the lock, reduced to them."""
    files = {name: read(source, name) for name in (LOCK, *RUNTIME)}
    stop_if_missing(source, files)
    if f'"{PYODIDE}"' not in files["pyodide.mjs"].decode():
        raise SystemExit(f"{source} must hold Pyodide {PYODIDE}, and pyodide.mjs is of another version")
    lock = json.loads(files.pop(LOCK))
    lock["packages"] = needed(lock["packages"], names)
    wheels = {package["file_name"]: package["sha256"] for package in lock["packages"].values()}
    files |= {name: read(source, name) for name in wheels}
    stop_if_missing(source, files)
    for name, content in files.items():
        if name in wheels and hashlib.sha256(content).hexdigest() != wheels[name]:
            raise SystemExit(f"{name} in {source} is not the file that {LOCK} names: its checksum is another")
        (folder / name).write_bytes(content)
    return lock


def stop_if_missing(source, files):
    if missing := [name for name, content in files.items() if content is None]:
        raise SystemExit(f"{source} must hold Pyodide {PYODIDE}, and lacks {', '.join(missing)}")


def pins():
    """{name: version} of publish/requirements.txt."""
    text = (ROOT / "publish" / "requirements.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^([\w.-]+)==(\S+)$", text))


def download_extra(folder):
    """Downloads the wheels into `folder` that the kernel needs and Pyodide does not have."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    wanted = [f"{name}=={pins()[name]}" for name in EXTRA]
    subprocess.run([*pip, "--dest", folder, *wanted], check=True)


def entry(path, depends):
    """The lock's entry of the wheel at `path`."""
    name, version, *_ = path.name.split("-")
    with zipfile.ZipFile(path) as file:
        tops = {inside.partition("/")[0] for inside in file.namelist()}
    return {
        "name": key(name),
        "version": version,
        "file_name": path.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if not top.endswith((".dist-info", ".data"))),
        "depends": depends,
        "unvendored_tests": False,
    }


def add_library(folder, lock, depends):
    """Builds the library's wheel, without the model, into `folder`, and writes the lock there, with it."""
    library = entry(folder / wheel.build(folder, with_model=False), depends)
    lock["packages"][library["name"]] = library
    (folder / LOCK).write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8", newline="\n")


def write_pyodide(source, folder):
    """Writes Pyodide, the wheels, their lock and the model into `folder`."""
    folder.mkdir()
    lock = copy_pyodide(source, folder, [*dependencies(), *KERNEL])
    with tempfile.TemporaryDirectory() as temporary:
        download_extra(temporary)
        for path in sorted(Path(temporary).glob("*.whl")):
            shutil.copy(path, folder)
            added = entry(path, [])
            lock["packages"][added["name"]] = added
    add_library(folder, lock, dependencies())
    shutil.copy(ROOT / "attention_lib" / "data" / "model.npz", folder)


# JupyterLite


def write_contents(folder):
    """Writes notebooks with their outputs into `folder`, questions, glossary, and the pictures that they show."""
    folder.mkdir()
    texts = (notebooks.QUESTIONS, notebooks.GLOSSARY)
    names = {path.name: path.name for path in (*notebooks.PATHS.values(), *texts)}
    pictures = set()
    for path in notebooks.PATHS.values():
        notebook = notebooks.read(path)
        notebook.metadata = nbformat.from_dict(METADATA)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source, linked = handouts.rewrite_links(cell.source, names, path.name)
                pictures |= linked
        # Each text in one piece: JupyterLite shows one that is a list of lines with a comma before each line.
        text = nbformat.writes(notebook, split_lines=False)
        (folder / path.name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    for path in texts:
        text, linked = handouts.rewrite_links(path.read_text(encoding="utf-8"), names, path.name)
        (folder / path.name).write_text(text, encoding="utf-8", newline="\n")
        pictures |= linked
    for picture in pictures:
        (folder / "figures").mkdir(exist_ok=True)
        shutil.copy(picture, folder / "figures")


def write_site(out):
    """Builds JupyterLite into `out`: JupyterLab, Notebook 7, and the kernel alone of what extensions are installed."""
    extension = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL_EXTENSION
    if not extension.is_dir():
        raise SystemExit("the kernel is not installed: pip install -r publish/requirements.txt")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_contents(folder / "contents")
        build = {
            "contents": ["contents"],
            "output_dir": str(out.resolve()),
            "apps": ["lab", "notebooks"],
            "ignore_sys_prefix": ["federated_extensions"],
            "federated_extensions": [str(extension)],
            "no_sourcemaps": True,
        }
        site = {"jupyter-lite-schema-version": 0, "jupyter-config-data": {"appName": "Attention", **SETTINGS}}
        (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": build}))
        (folder / "jupyter-lite.json").write_text(json.dumps(site))
        command = [sys.executable, "-m", "jupyterlite_core", "build"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"JupyterLite could not be built:\n{done.stdout}{done.stderr}")


def build(out, source):
    """Writes the website to the folder `out`, with Pyodide from `source`, a folder or an address."""
    if out.exists() and any(out.iterdir()):
        raise SystemExit(f"{out} holds files: choose another folder, or delete them")
    with tempfile.TemporaryDirectory() as temporary:  # nothing is left in `out` if a file is missing
        write_pyodide(source, Path(temporary) / "pyodide")
        write_site(out)
        shutil.copytree(Path(temporary) / "pyodide", out / "pyodide")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--pyodide", default=OFFICIAL, metavar="SOURCE", help=f"by default {OFFICIAL}")
    options = parser.parse_args()
    build(options.out, options.pyodide)
    print(f"{options.out}: serve this folder, then open notebooks/index.html?path=01_dot_product.ipynb")


if __name__ == "__main__":
    main()
