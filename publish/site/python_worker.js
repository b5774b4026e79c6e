// Python in a worker. Its name says what it loads, once: a program with a function `run`, and data files of the library.
// It then calls `run` with what the page sends.
import { loadPyodide } from "./python/pyodide.mjs";

const [program, ...dataFiles] = self.name.split(" ");
const fetchFile = self.fetch;
let bytes = 0; // that have come
const counted = () =>
  new TransformStream({
    transform(chunk, to) {
      bytes += chunk.length;
      postMessage(["loaded", bytes]);
      to.enqueue(chunk);
    },
  });

// Pyodide waits without end for some files that do not come: tell it here.
async function fetchCounted(file, options) {
  const failed = () => postMessage(["failed", `${file.url ?? file} could not be loaded`]);
  const answer = await fetchFile(file, options).catch(() => null);
  if (answer?.ok) {
    const { readable, writable } = counted();
    answer.body.pipeTo(writable).catch(failed); // the connection was lost
    return new Response(readable, answer);
  }
  failed();
  throw new Error(`no ${file.url ?? file}`);
}

async function load() {
  self.fetch = fetchCounted;
  const lines = fetchCounted(program).then((answer) => answer.text());
  const contents = dataFiles.map((name) => fetchCounted(`python/${name}`).then((answer) => answer.arrayBuffer()));
  const python = await loadPyodide({ packages: ["numpy", "attention-lib"] });
  const folder = python.runPython("from attention_lib import data; data.__path__[0]");
  for (const [i, name] of dataFiles.entries()) {
    python.FS.writeFile(`${folder}/${name}`, new Uint8Array(await contents[i]));
  }
  python.runPython(await lines, { filename: program });
  self.fetch = fetchFile;
  return python.globals.get("run");
}
const loading = load();

onmessage = async ({ data }) => {
  try {
    const run = await loading;
    postMessage(["begun"]);
    run(...data, (kind, content) => postMessage([kind, content]));
    postMessage(["ended"]);
  } catch (error) {
    postMessage(["failed", error.message.trim().split("\n").at(-1)]); // of an error in Python the last line
  }
};
