// Shows a deck: as wide as the screen, one step a key, and room for the newest step.
"use strict";

const root = document.documentElement;
const HEIGHT = 720;
const printed = /print-pdf|view=print/.test(location.search);

// As high as every other screen, and as wide as this one.
function width() {
  const { offsetWidth, offsetHeight } = document.querySelector(".reveal");
  return printed ? 1280 : Math.min(Math.max((HEIGHT * offsetWidth) / offsetHeight, 960), 1280);
}

// Where the steps of a slide are higher than the screen, what is oldest makes room for the newest step.
function fit(slide) {
  const steps = [...slide.querySelectorAll(".step")];
  const seen = steps.filter((step) => getComputedStyle(step).display !== "none");
  const parts = seen.flatMap((step) => [...step.children]).filter((part) => part.matches(":not(aside)"));
  parts.forEach((part) => part.classList.remove("away"));
  const old = parts.filter((part) => part.parentNode !== seen.at(-1));
  while (old.length && slide.scrollHeight > slide.clientHeight) old.shift().classList.add("away");
}

// The explorers' words in the size of the slide, their numbers in that of a figure.
function enlargeExplorers() {
  for (const host of document.querySelectorAll("figure > div")) {
    const style = document.createElement("style");
    style.textContent = `
      p, .controls, .scroll { padding: 2px 0; } select, input { min-height: 34px; } caption { display: none; }
      table { width: 100%; font-size: 19px; line-height: 1.15; } th, td { min-width: 0; padding: 2px 4px; }
      p[role="status"] { min-height: 2.8em; }`;
    host.shadowRoot?.append(style);
  }
  // An explorer keeps its keys to itself: Esc gives them back.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !document.activeElement.shadowRoot) return;
      document.activeElement.blur();
      event.stopImmediatePropagation();
    },
    true,
  );
}

// The notes on the same screen, for where no second window opens.
const below = document.body.appendChild(Object.assign(document.createElement("div"), { id: "notes-below" }));
function tellNotes() {
  const slide = Reveal.getCurrentSlide();
  const step = slide.querySelector(".current-fragment") ?? slide.querySelector(".step");
  below.innerHTML = step?.querySelector("aside.notes")?.innerHTML || "No notes.";
}
function resize() {
  Reveal.configure({ width: width() });
  fit(Reveal.getCurrentSlide());
}
function toggleNotes() {
  root.classList.toggle("notes-below");
  resize();
}

enlargeExplorers();
Reveal.initialize({
  height: HEIGHT,
  margin: 0,
  minScale: 0.1,
  maxScale: 5,
  center: false,
  display: "flex",
  controls: false,
  hash: true,
  transition: "none",
  backgroundTransition: "none",
  pdfMaxPagesPerSlide: 1,
  plugins: [RevealNotes],
}).then(() => {
  for (const change of ["slidechanged", "fragmentshown", "fragmenthidden"]) {
    Reveal.on(change, () => {
      fit(Reveal.getCurrentSlide());
      tellNotes();
    });
  }
  Reveal.on("pdf-ready", () => document.querySelectorAll(".slides section").forEach(fit));
  Reveal.addKeyBinding({ keyCode: 84, key: "T", description: "Notes under the slide" }, toggleNotes);
  addEventListener("resize", resize);
  resize();
  tellNotes();
});
