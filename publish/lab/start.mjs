// What the kernel's worker imports in place of pyodide.mjs. It starts Pyodide in the same way, tells the page how
// much has been loaded (lab.js shows it), and gives IPython startup.py to run.
import { loadPyodide as load } from "./pyodide.mjs";

const tell = (python) => self.postMessage({ python });

export async function loadPyodide(options) {
  let bytes = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) bytes += entry.encodedBodySize;
    tell({ state: "loading", bytes });
  });
  tell({ state: "loading", bytes });
  observer.observe({ type: "resource", buffered: true });
  const startup = fetch(new URL("startup.py", import.meta.url));
  const pyodide = await load(options);
  observer.disconnect();
  tell({ state: "starting" });
  pyodide.FS.mkdirTree("/etc/ipython/startup");
  pyodide.FS.writeFile("/etc/ipython/startup/startup.py", await (await startup).text());
  self.tell_page = (state) => tell({ state });
  return pyodide;
}
