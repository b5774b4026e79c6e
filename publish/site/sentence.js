// A reader's own sentence on the front page: Read it sends it to Python, which runs in a worker.
{
  const form = document.querySelector("form.sentence");
  const { sentence, read } = form.elements;
  const [progress, said, output] = ["progress", ".note", ".output"].map((part) => form.querySelector(part));
  let worker = null; // Python, once it is needed
  let isBusy = false;

  function end() {
    progress.hidden = true;
    isBusy = false;
  }

  const on = {
    loaded(count) {
      progress.value = count;
      if (count >= progress.max) said.textContent = "Loaded. The model starts ...";
    },
    begun() {
      progress.hidden = true;
      said.textContent = "The model reads ...";
    },
    html(explorer) {
      output.replaceChildren(document.createRange().createContextualFragment(explorer)); // which runs its script
      output.scrollIntoView({ block: "nearest" });
    },
    text(words) {
      said.textContent = words;
    },
    ended: end,
    failed(message) {
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      worker = null;
      said.textContent = `Python could not run: ${message}. Read it tries again.`;
      end();
    },
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
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

  if (location.protocol === "file:") said.textContent = wordsOnFiles("Read it");
  else read.disabled = false;
}
