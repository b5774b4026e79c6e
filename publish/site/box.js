// The boxes of the exercises: Check sends what is written to Python, which runs in a worker.

const SECONDS = 20; // that a run may take
const { megabytes } = document.currentScript.dataset; // that are loaded at the first press
const firstCell = document.getElementById("first-cell").textContent;
const folder = new URL(".", location.href).pathname; // another site of this host keeps other texts
let worker = null;
let turn = Promise.resolve(); // one run after the other

function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text });
}

function check(form, lines, output, progress) {
  return new Promise((resolve) => {
    let timer;
    let waiting = true; // nothing has come back

    function say(text) {
      output.replaceChildren(paragraph(text));
    }
    function append(...parts) {
      if (waiting) output.replaceChildren();
      waiting = false;
      output.append(...parts);
    }
    function end() {
      clearTimeout(timer);
      progress.hidden = true;
      for (const box of output.querySelectorAll("pre")) {
        // What scrolls can be focused, so that arrow keys scroll it.
        if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
      }
      resolve();
    }
    function stop(text) {
      worker.onmessage = null;
      worker.terminate();
      worker = null;
      append(paragraph(text));
      end();
    }
    function tooLong() {
      stop(
        `Ended: your lines had run for ${SECONDS} seconds. Does a loop of yours ever stop? ` +
          "Python starts anew at your next Check.",
      );
    }

    const on = {
      loaded(bytes) {
        progress.value = bytes / 1e6;
      },
      begun() {
        progress.hidden = true;
        say("Checking ...");
        timer = setTimeout(tooLong, SECONDS * 1000);
      },
      text(printed) {
        if (waiting || output.lastChild.nodeName !== "PRE") append(document.createElement("pre"));
        output.lastChild.append(printed);
      },
      html(verdict) {
        append(document.createRange().createContextualFragment(verdict));
      },
      ended: end,
      failed(message) {
        stop(`Python could not run: ${message}. Check tries again.`);
      },
    };

    if (!worker) {
      say(`Loading Python, once: ${megabytes} MB ...`);
      progress.value = 0;
      progress.hidden = false;
      worker = new Worker("box_worker.js", { type: "module" });
    }
    worker.onmessage = ({ data: [kind, content] }) => on[kind](content);
    worker.onerror = () => on.failed("its files could not be loaded");
    worker.postMessage([firstCell, lines.value, form.dataset.call]);
  });
}

// What is written is kept in the browser, unless it is the stub.
function keep(key, lines, say) {
  try {
    if (lines.value === lines.defaultValue) localStorage.removeItem(key);
    else localStorage.setItem(key, lines.value);
    say("");
  } catch {
    say("This browser does not keep what you write: copy it before you leave.");
  }
}

function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

// Enter keeps the indentation, and indents after a colon; Shift or Ctrl with it checks. Tab leaves the box.
function onEnter(event, form, lines) {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  if (event.shiftKey || event.ctrlKey || event.metaKey) {
    form.requestSubmit();
    return;
  }
  const line = lines.value.slice(0, lines.selectionStart).split("\n").at(-1);
  const indentation = line.match(/^ */)[0] + (/:\s*(#.*)?$/.test(line) ? "    " : "");
  document.execCommand("insertText", false, `\n${indentation}`); // unlike setRangeText, it can be undone
}

for (const form of document.querySelectorAll("form.box")) {
  const { lines, copy, stub } = form.elements;
  const [output, progress, note] = ["output", "progress", ".note"].map((part) => form.querySelector(part));
  const key = `${folder} ${lines.id}`;
  const say = (text) => { note.textContent = text; };
  let waits = false;

  lines.value = kept(key) ?? lines.defaultValue;
  lines.addEventListener("input", () => keep(key, lines, say));
  lines.addEventListener("keydown", (event) => onEnter(event, form, lines));
  copy.addEventListener("click", () => {
    lines.focus();
    lines.select();
    // navigator.clipboard is not there over plain http.
    const done = document.execCommand("copy");
    say(done ? "Copied: paste it over the cell of the notebook." : "Select the lines, and copy them by hand.");
  });
  stub.addEventListener("click", () => {
    if (!confirm("Replace what you wrote by the stub?")) return;
    lines.value = lines.defaultValue;
    keep(key, lines, say);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (waits) return;
    waits = true;
    turn = turn.then(() => check(form, lines, output, progress)).then(() => { waits = false; });
  });
  if (location.protocol === "file:") {
    output.replaceChildren(
      paragraph(
        "Check is off, because this page was opened as a file, and a browser runs Python only on pages that come " +
          "from a web server. In the folder of this page, python -m http.server makes one: http://localhost:8000.",
      ),
    );
  } else {
    for (const button of form.querySelectorAll("button")) button.disabled = false;
  }
}
