// What the site adds to the pages of JupyterLite: a bar that says what Python does and how to work with a finger,
// links that open what they name, and menus that react to a finger. From a file, a sentence.
"use strict";

const { total, app } = document.currentScript.dataset; // the bytes of Python, and which page this is
const AS_FILE = `This page was opened as a file, and the notebooks need a web server. Open a terminal in the folder
  that holds this site, type <code>python -m http.server</code>, and open <code>http://localhost:8000</code>.`;
const BAR = `
  <p role="status"></p>
  <details><summary>How it works here</summary><ul>
    <li><b>▶</b> runs the cell that you tapped. <b>Run above</b> runs all cells above it, <b>Run all</b> the whole
      notebook.</li>
    <li>Each time the page is loaded, Python starts anew, and the outputs that you see are from before. Tap your
      exercise, then <b>Run above</b>, then <b>▶</b>.</li>
    <li>What you write is kept in this browser, five seconds after you wrote it. On a machine that is not yours,
      <b>Download</b> before you leave.</li>
    <li>To hand in: write your name into the first cell, <code>student = "Ada Lovelace"</code>, run your exercises,
      then <b>Download</b>. No such cell? Put your name in front: <code>Ada_Lovelace_03_softmax.ipynb</code>.</li>
    <li>A cell runs for ever? <b>Restart</b> ends it. There is no stop button: a browser cannot interrupt Python
      in between. Your lines stay; then <b>Run above</b>.</li>
    <li>A newer text, or the notebook as it was: <a href="../fresh.html" target="_blank">start fresh</a>.</li>
  </ul></details>
  <p class="old" hidden>Your copy of this notebook, which this browser keeps, is older than the one of the site. You
    can go on with it. To get the new one: <a href="../fresh.html" target="_blank">start fresh</a>.</p>`;

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
const SAYS = {
  loading: ({ bytes }) => `Python is loading: <progress value="${bytes}" max="${total}"></progress>
    ${megabytes(Math.min(bytes, total))} of ${megabytes(total)} MB. Some 20 seconds the first time, longer on a slow
    network. Read on; a cell that you run waits.`,
  starting: () => `Python is starting: <progress></progress> A cell that you run waits for it.`,
  busy: () => "Python is running.",
  idle: () => "",
  ready: () => "Python is ready, and no cell has run yet. <b>▶</b> runs one, <b>Run above</b> all above it.",
};

const LONG = 10_000; // milliseconds, after which a cell may be one that never ends
const ENDLESS = `A cell has been running for ten seconds. Some take a minute or two; one that never ends is ended with
  <b>Restart</b>. Then tap a cell and <b>Run above</b>.`;

let bar, timer;

function say(state) {
  const status = bar.querySelector("[role=status]");
  clearTimeout(timer);
  status.innerHTML = SAYS[state.state](state);
  if (state.state === "busy") timer = setTimeout(() => { status.innerHTML = ENDLESS; }, LONG);
}

function addBar() {
  bar = document.createElement("aside");
  bar.id = "lab-bar";
  bar.setAttribute("aria-label", "About this site");
  bar.innerHTML = BAR;
  document.body.append(bar);
  // JupyterLab takes the height that is left, and looks again when the window's size changes.
  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--lab-bar", `${bar.offsetHeight}px`);
    window.dispatchEvent(new Event("resize"));
  }).observe(bar);
  say({ state: "loading", bytes: 0 });
}

// The kernel's worker tells what it does (start.mjs).
function listenToPython() {
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => data?.python && say(data.python));
    }
  };
}

// A save that begins before another has ended finds a newer file than it knows of, and JupyterLab asks whether to
// overwrite it. So one waits for the other.
function saveInTurn(context) {
  if (Object.hasOwn(context, "save")) return;
  const save = context.save.bind(context);
  let last = Promise.resolve();
  context.save = (...given) => (last = last.catch(() => {}).then(() => save(...given)));
}

// Says that a notebook is an old copy: each has the version of its text in its metadata. And asks again whether
// there are cells above the chosen one, which JupyterLab does too seldom: the button would stay grey.
async function watchNotebook() {
  const versions = await (await fetch("../versions.json", { cache: "no-cache" })).json();
  setInterval(() => {
    const context = window.jupyterapp?.shell.currentWidget?.context;
    if (!context?.model) return;
    const { path, model } = context;
    saveInTurn(context);
    window.jupyterapp.commands.notifyCommandChanged("notebook:run-all-above");
    const version = model.getMetadata?.("published");
    bar.querySelector(".old").hidden = !version || !versions[path] || version === versions[path];
  }, 300);
}

// JupyterLab takes a cell's outputs away as soon as the cell waits for Python. They stay, pale, until new ones come.
function keepOutputs(changes) {
  const waits = (cell) => cell.querySelector(".jp-InputPrompt")?.textContent.includes("*");
  for (const { target, removedNodes } of changes) {
    const cell = target.closest?.(".jp-CodeCell");
    if (!removedNodes.length || !target.matches(".jp-OutputArea") || !cell || !waits(cell)) continue;
    const kept = cell.querySelector(".lab-kept") ?? document.createElement("div");
    kept.className = "lab-kept";
    kept.append(...removedNodes);
    target.after(kept);
  }
  for (const kept of document.querySelectorAll(".lab-kept")) {
    const shown = kept.parentElement.querySelector(".jp-OutputArea > .jp-OutputArea-child");
    if (shown || !waits(kept.closest(".jp-CodeCell"))) kept.remove();
  }
}

// JupyterLab would open the editor for a text, and a notebook later than a browser allows a new page to be opened.
function followLink(event) {
  const link = event.target.closest(".jp-RenderedMarkdown a[href]");
  const [, name, kind, section] = link?.href.match(/\/files\/([^/]+)\.(ipynb|md)(#.*)?$/) ?? [];
  if (!name || (kind === "ipynb" && app === "lab")) return;
  const page = kind === "md" ? `../${name}.html` : `index.html?path=${name}.ipynb`;
  link.href = new URL(page + (section ?? ""), location.href);
  link.target = "_blank";
  event.stopPropagation();
}

// A menu's item counts as chosen once a pointer has moved over it, which a finger does not
// (https://github.com/jupyterlab/jupyterlab/issues/19124).
function touchMenus(event) {
  const item = event.pointerType === "touch" && event.target.closest(".lm-Menu-item");
  if (!item) return;
  const { clientX, clientY } = event;
  item.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX, clientY }));
}

if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    document.body.innerHTML = `<p class="lab-file">${AS_FILE}</p>`;
  });
} else {
  document.addEventListener("click", followLink, true);
  document.addEventListener("pointerdown", touchMenus, true);
  if (app === "notebooks" || app === "lab") {
    listenToPython();
    document.addEventListener("DOMContentLoaded", () => {
      addBar();
      watchNotebook();
      new MutationObserver(keepOutputs).observe(document.body, { childList: true, subtree: true });
    });
  }
}
