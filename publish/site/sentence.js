// A reader's own sentence on the front page: Read it sends it to Python, which runs in a worker.
{
  const { bytes } = document.currentScript.dataset; // that load
  const form = document.querySelector("form.sentence");
  const { sentence, read } = form.elements;
  const [progress, said, shown] = ["progress", ".note", ".shown"].map((part) => form.querySelector(part));
  let worker = null; // Python, once it is needed

  function end(text) {
    said.textContent = text;
    progress.hidden = true;
    read.disabled = false;
  }

  const on = {
    loaded(count) {
      progress.value = count;
      if (count >= bytes) said.textContent = "Loaded. The model starts ...";
    },
    begun() {
      progress.hidden = true;
      said.textContent = "The model reads ...";
    },
    html(explorer) {
      shown.replaceChildren(document.createRange().createContextualFragment(explorer)); // which runs its script
    },
    ended: () => end("Read. Tap another row, or choose another of the 72 heads."),
    failed(message) {
      worker.onmessage = null;
      worker.terminate();
      worker = null;
      end(`Python could not run: ${message}. Read it tries again.`);
    },
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    read.disabled = true;
    if (!worker) {
      said.textContent = "The model and Python load ...";
      progress.value = 0;
      progress.hidden = false;
      worker = new Worker("python_worker.js", { type: "module", name: "sentence.py model.npz" });
      worker.onmessage = ({ data: [kind, content] }) => on[kind](content);
      worker.onerror = () => on.failed("its files could not be loaded");
    }
    worker.postMessage([sentence.value]);
  });

  if (location.protocol === "file:") {
    said.textContent =
      "This is off, because the page was opened as a file, and a browser runs Python only on pages from a web server.";
  } else {
    read.disabled = false;
  }
}
