// Python for the boxes of a page: loaded once, then it runs what box.js sends.
import { loadPyodide } from "./python/pyodide.mjs";

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
  const answer = await fetchFile(file, options).catch(() => null);
  if (answer?.ok) return new Response(answer.body.pipeThrough(counted()), answer);
  postMessage(["failed", `${file.url ?? file} could not be loaded`]);
  throw new Error(`no ${file.url ?? file}`);
}

async function load() {
  self.fetch = fetchCounted;
  const program = fetchCounted("box.py").then((answer) => answer.text());
  const python = await loadPyodide({ packages: ["numpy", "attention-lib"] });
  python.runPython(await program, { filename: "box.py" });
  self.fetch = fetchFile;
  return python.globals.get("run");
}
const loading = load();

onmessage = async ({ data: [firstCell, source, call] }) => {
  try {
    const run = await loading;
    postMessage(["begun"]);
    run(firstCell, source, call, (kind, content) => postMessage([kind, content]));
    postMessage(["ended"]);
  } catch (error) {
    postMessage(["failed", error.message.trim().split("\n").at(-1)]); // of an error in Python the last line
  }
};
