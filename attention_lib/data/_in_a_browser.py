"""What `load` needs in a browser, where Python is Pyodide and the large data file is fetched when it is used."""

from js import XMLHttpRequest  # type: ignore[import-not-found]
from pyodide.ffi import JsException  # type: ignore[import-not-found]
from pyodide_js import lockfileBaseUrl  # type: ignore[import-not-found]


def fetch(path):
    """Fetches a data file that the package was installed without, and keeps it for the next load.

    publish/live.py puts it beside the packages. A kernel runs in a worker, which may wait for an answer.
    """
    print(f"Loading {path.name}, 47 MB, from this site ...", flush=True)
    request = XMLHttpRequest.new()
    request.open("GET", f"{lockfileBaseUrl.rstrip('/')}/{path.name}", False)
    request.responseType = "arraybuffer"
    try:
        request.send()
    except JsException as error:  # no server answers
        raise OSError(f"{path.name} could not be loaded: is the site still being served?") from error
    if request.status != 200:
        raise OSError(f"{path.name} could not be loaded: the site answers {request.status}")
    path.write_bytes(request.response.to_bytes())
