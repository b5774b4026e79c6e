// What pages do besides the explorers. In browsers of 2025 or later, reading and printing work without it.

// Boxes that scroll can be focused, so that arrow keys scroll them; boxes that fit cannot.
function updateFocusable() {
  for (const box of document.querySelectorAll(".output pre, .scroll")) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", updateFocusable);
addEventListener("resize", updateFocusable);
document.addEventListener("toggle", updateFocusable, true); // what a closed fold holds has no width

// The button that changes between light and dark; the choice is kept, if the browser keeps anything.
const theme = document.querySelector("button.theme");
const themeName = keptName("theme");
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  for (const form of document.querySelectorAll("source[media*=screen]")) {
    form.dataset.media ??= form.media;
    form.media = form.dataset.media.replace(/\(prefers.*/, name === "dark" ? "(min-width: 0)" : "(max-width: 0)");
  }
}
try {
  if (localStorage.getItem(themeName)) setTheme(localStorage.getItem(themeName));
} catch {}
theme.hidden = false;
theme.addEventListener("click", () => {
  const chosen = document.documentElement.dataset.theme;
  const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(isDark ? "light" : "dark");
  try {
    localStorage.setItem(themeName, isDark ? "light" : "dark");
  } catch {}
});

// The list of sections marks the one that is being read: the last whose heading is in the upper third or above.
const headings = [...document.querySelectorAll("main h2[id]")];
const links = document.querySelectorAll(".sections a"); // one for each of them, if there are any
const reached = new Set();
function markSection(changes) {
  for (const { target, isIntersecting } of changes) {
    if (isIntersecting) reached.add(target);
    else reached.delete(target);
  }
  links.forEach((link) => link.removeAttribute("aria-current"));
  const last = headings.findLastIndex((heading) => reached.has(heading));
  links[last]?.setAttribute("aria-current", "location");
}
const observer = new IntersectionObserver(markSection, { rootMargin: "999999px 0px -66% 0px" });
for (const heading of headings) observer.observe(heading);

// A phrase with a title such as "row her, column cat" lights that cell, while it is pointed at or has the focus: of the
// nearest table above it that has such a cell, or else below it. Of curves it lights the one that goes there.
function partsOf(phrase) {
  const [, row, column] = phrase.title.match(/^row (.*), column (.*)$/);
  const place = (elements, text) => [...elements].findIndex((element) => element.textContent.trim() === text);
  const hosts = [...document.querySelectorAll("main figure > div, main .dataframe")];
  const isBelow = (host) => phrase.compareDocumentPosition(host) & Node.DOCUMENT_POSITION_FOLLOWING;
  for (const host of [...hosts.filter((host) => !isBelow(host)).reverse(), ...hosts.filter(isBelow)]) {
    const root = host.shadowRoot ?? host;
    const rows = [...root.querySelectorAll("tbody tr")];
    const j = place(root.querySelector("thead tr:last-child")?.cells ?? [], column);
    const i = place(rows.map((row) => row.cells[0]), row);
    if (i < 0 || j < 0) continue;
    const curves = root.querySelectorAll(`.curves:has(g:nth-of-type(${i + 1})[aria-pressed="true"]) path:nth-of-type(${j})`);
    return [rows[i].cells[j], ...curves];
  }
  return [];
}
for (const phrase of document.querySelectorAll("main span[title^='row ']")) {
  let lit = [];
  const light = (colour) => {
    if (colour) lit = partsOf(phrase);
    const frame = { outline: colour && `3px solid ${colour}`, outlineOffset: "-3px" };
    for (const part of lit) Object.assign(part.style, part.localName === "td" ? frame : { stroke: colour });
  };
  phrase.tabIndex = 0;
  for (const event of ["pointerenter", "focus"]) phrase.addEventListener(event, () => light("var(--stop-edge)"));
  phrase.addEventListener("click", () => lit[0]?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  for (const event of ["pointerleave", "blur"]) phrase.addEventListener(event, () => light(""));
}

// What the box of an exercise holds is kept under a name that has the site's folder, because another site of this
// host keeps other texts. Where nothing is kept, or can be read, it is null.
function keptName(exercise) {
  return `${new URL(".", location.href).pathname} ${exercise}`;
}
function keptState(exercise) {
  try {
    return JSON.parse(localStorage.getItem(keptName(exercise)));
  } catch {
    return null;
  }
}

// How many exercises of a notebook were passed in this browser.
function showPassed() {
  for (const place of document.querySelectorAll("[data-exercises]")) {
    const exercises = place.dataset.exercises.split(" ");
    const passed = exercises.filter((exercise) => keptState(exercise)?.passed).length;
    place.textContent = passed ? `✓ ${passed} of ${exercises.length} passed` : "";
  }
}
addEventListener("storage", showPassed);
addEventListener("pageshow", showPassed); // also where the browser had put the page away

function wordsOnFiles(button) {
  return (
    `${button} is off, because this page was opened as a file, and a browser runs Python only on pages that come ` +
    "from a web server. In the folder of this page, python -m http.server makes one: http://localhost:8000."
  );
}
