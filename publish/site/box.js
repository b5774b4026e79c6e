// The boxes of the exercises: Check sends what is written to Python, which runs in a worker.

const SECONDS = 20; // that a run may take
const { megabytes, bytes } = document.currentScript.dataset; // that load, and that the worker counts of them
const firstCell = document.getElementById("first-cell").textContent;
const boxes = [];
const queue = []; // of boxes that wait for the one that is checked
let checked = null; // that box
let worker = null; // Python, once it is needed

function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text });
}

function put(box, ...content) {
  box.output.replaceChildren(...content);
  box.shown = null; // not what is kept
}

// What a box holds: its lines, what was last said of which lines, and whether it was ever passed. A browser keeps
// it, unless it is what the page came with.

function kept(box) {
  return { ...box.fresh, ...keptState(box.lines.id) };
}

function keep(box, change) {
  box.state = { ...box.state, ...change };
  try {
    const name = keptName(box.lines.id);
    const value = JSON.stringify(box.state);
    if (value === JSON.stringify(box.fresh)) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    box.isKept = true;
    box.note.textContent = "";
  } catch {
    box.isKept = false;
    box.note.textContent = "This browser does not keep what you write: copy it before you leave.";
  }
  if ("passed" in change) showPassed();
  show(box);
}

function show(box) {
  const { lines, said, saidOf, passed } = box.state;
  if (box.lines.value !== lines) box.lines.value = lines;
  const isBusy = checked === box || queue.includes(box);
  if (!isBusy && box.shown !== said) {
    box.output.innerHTML = box.shown = said;
    updateFocusable();
  }
  const isStale = !isBusy && lines !== saidOf && said !== box.fresh.said;
  box.output.classList.toggle("stale", isStale);
  box.changed.hidden = !isStale;
  box.tick.hidden = !passed;
  box.stop.hidden = !isBusy;
}

// Another tab may have changed what is kept. What could not be kept stays.
function update(box) {
  if (!box.isKept) return;
  box.state = kept(box);
  if (box.lines.value !== box.state.lines) {
    box.note.textContent = "Changed in another tab, and so here: both show the same lines.";
  }
  show(box);
}

// One check after the other

function ask(box) {
  box.asked = box.lines.value;
  if (!queue.includes(box)) queue.push(box);
  if (checked === box) {
    box.note.textContent = "Still running. These lines are checked after that; Stop ends the run.";
  } else if (checked) {
    put(box, paragraph("Waits for a box that is still running. Its Stop ends the run."));
  }
  show(box);
  if (!checked) checkNext();
}

function checkNext() {
  checked = queue.shift() ?? null;
  if (checked) check(checked);
}

function check(box) {
  const { output, progress, asked } = box;
  let timer;
  let isEmpty = true; // nothing has come back
  let passed = box.state.passed;

  function append(part) {
    if (isEmpty) put(box);
    isEmpty = false;
    output.append(part);
  }
  function end() {
    clearTimeout(timer);
    progress.hidden = true;
    checked = null;
    keep(box, { said: output.innerHTML, saidOf: asked, passed });
    checkNext();
  }
  box.endRun = (text) => {
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    worker = null;
    append(paragraph(text));
    end();
  };

  const on = {
    loaded(count) {
      progress.value = count;
      if (count >= bytes) put(box, paragraph("Loaded. Python starts ..."));
    },
    begun() {
      progress.hidden = true;
      put(box, paragraph("Checking ..."));
      const text = `Ended: your lines had run for ${SECONDS} seconds. Does a loop of yours ever stop?`;
      timer = setTimeout(() => box.endRun(`${text} Python starts anew at the next Check.`), SECONDS * 1000);
    },
    text(printed) {
      if (isEmpty || output.lastChild.nodeName !== "PRE") append(document.createElement("pre"));
      output.lastChild.append(printed);
    },
    html(verdict) {
      append(document.createRange().createContextualFragment(verdict));
    },
    passed() {
      passed = true;
    },
    ended: end,
    failed(message) {
      box.endRun(`Python could not run: ${message}. Check tries again.`);
    },
  };

  if (!worker) {
    const text = `Python loads: ${megabytes} MB, at the first Check on each page. What your browser kept of it is not sent again.`;
    put(box, paragraph(text));
    progress.value = 0;
    progress.hidden = false;
    worker = new Worker("python_worker.js", { type: "module", name: "box.py" });
  } else {
    put(box, paragraph("Checking ..."));
  }
  worker.onmessage = ({ data: [kind, content] }) => on[kind](content);
  worker.onerror = () => on.failed("its files could not be loaded");
  worker.postMessage([firstCell, asked, box.form.dataset.call]);
  show(box);
}

function stop(box) {
  if (checked === box) {
    box.endRun("Stopped. Python starts anew at the next Check.");
  } else {
    queue.splice(queue.indexOf(box), 1);
    show(box);
  }
}

// Enter keeps the indentation, and indents after a colon; Shift or Ctrl with it checks. Brackets close themselves, and
// Backspace takes away an empty pair, or a step of indentation. Tab leaves the box.
const PAIRS = { "(": ")", "[": "]", "{": "}" };
const insert = (text) => document.execCommand("insertText", false, text); // unlike setRangeText, it can be undone

function onEnter(event, { form, lines }) {
  event.preventDefault();
  if (event.shiftKey || event.ctrlKey || event.metaKey) {
    form.requestSubmit();
    return;
  }
  const line = lines.value.slice(0, lines.selectionStart).split("\n").at(-1);
  insert(`\n${line.match(/^ */)[0]}${/:\s*(#.*)?$/.test(line) ? "    " : ""}`);
}

function onBracket(event, lines) {
  const { value, selectionStart: start, selectionEnd: end } = lines;
  if (event.key in PAIRS && !/[\w([{]/.test(value[end] ?? "")) {
    event.preventDefault();
    insert(event.key + value.slice(start, end) + PAIRS[event.key]);
    lines.setSelectionRange(start + 1, end + 1);
  } else if (Object.values(PAIRS).includes(event.key) && start === end && value[end] === event.key) {
    event.preventDefault(); // it is there already
    lines.setSelectionRange(end + 1, end + 1);
  }
}

function onBackspace(event, lines) {
  const { value, selectionStart: start, selectionEnd: end } = lines;
  const isPair = value[start - 1] in PAIRS && PAIRS[value[start - 1]] === value[start];
  const isStep = /^( {4})+$/.test(value.slice(0, start).split("\n").at(-1));
  if (start !== end || !(isPair || isStep)) return;
  event.preventDefault();
  lines.setSelectionRange(start - (isStep ? 4 : 1), end + (isStep ? 0 : 1));
  document.execCommand("delete");
}

function onKey(event, box) {
  if (event.isComposing) return;
  if (event.key === "Enter") onEnter(event, box);
  else if (event.key === "Backspace") onBackspace(event, box.lines);
  else onBracket(event, box.lines);
}

function copyLines({ lines, note }) {
  lines.focus();
  lines.select();
  // navigator.clipboard is not there over plain http.
  const done = document.execCommand("copy");
  note.textContent = done
    ? "Copied: paste it over the cell of the notebook."
    : "Select the lines, and copy them by hand.";
}

for (const form of document.querySelectorAll("form.box")) {
  const { lines, copy, stub, stop: stopButton } = form.elements;
  const [output, progress, note, changed, tick] =
    ["output", "progress", ".note", ".changed", ".passed"].map((part) => form.querySelector(part));
  const fresh = { lines: lines.defaultValue, said: output.innerHTML, saidOf: lines.defaultValue, passed: false };
  const box = { form, lines, output, progress, note, changed, tick, fresh, stop: stopButton, isKept: true };

  lines.addEventListener("input", () => keep(box, { lines: lines.value }));
  lines.addEventListener("keydown", (event) => onKey(event, box));
  lines.addEventListener("blur", () => { lines.scrollLeft = 0; }); // where a long word scrolled it
  copy.addEventListener("click", () => copyLines(box));
  stub.addEventListener("click", () => {
    if (confirm("Replace what you wrote by the stub? What was said of it goes too.")) keep(box, fresh);
  });
  stopButton.addEventListener("click", () => stop(box));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(box);
  });

  boxes.push(box);
  box.state = kept(box);
  show(box);
  if (location.protocol === "file:") {
    output.before(paragraph(wordsOnFiles("Check")));
  } else {
    for (const button of form.querySelectorAll("button")) button.disabled = false;
  }
}

addEventListener("storage", () => boxes.forEach(update));
addEventListener("pageshow", () => boxes.forEach(update)); // it may have been put away, and heard of no change
