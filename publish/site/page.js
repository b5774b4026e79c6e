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
