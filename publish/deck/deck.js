// Configures reveal.js: slides as wide as the screen, one step a key press, room for the newest step.
"use strict";

const root = document.documentElement;
const HEIGHT = 720;
const printed = /print-pdf|view=print/.test(location.search);

// The width of a slide 720 high with the screen's proportions, from 4:3 to 16:9.
function slideWidth() {
  const { offsetWidth, offsetHeight } = document.querySelector(".reveal");
  return printed ? 1280 : Math.min(Math.max((HEIGHT * offsetWidth) / offsetHeight, 960), 1280);
}

// What text speaks of: it stays on the slide while there is any way to find room for it.
const SPOKEN_OF = "figure, table, .result, :has(> table)";
// Ways to find room, tried in this order: deck.css has what they do.
const ROOMS = ["", "small", "smallest", "smallest beside", "smallest columns"];

// Makes a slide as high as the screen: its newest step always shows, and older text leaves before older pictures.
function fit(slide) {
  const shown = [...slide.querySelectorAll(".step")].filter((step) => getComputedStyle(step).display !== "none");
  const parts = shown.flatMap((step) => [...step.children]).filter((part) => part.matches(":not(aside)"));
  const header = slide.querySelector("header");
  const old = parts.filter((part) => part.parentNode !== shown.at(-1));
  const texts = old.filter((part) => !part.matches(SPOKEN_OF));
  texts.splice(-1, 0, header);
  const isPrinted = (part) => part.matches(".result");
  const spokenOf = old.filter((part) => part.matches(SPOKEN_OF));
  spokenOf.sort((a, b) => (a.parentNode === b.parentNode ? isPrinted(b) - isPrinted(a) : 0));
  const stay = [...parts.filter((part) => part.matches(".options-line")), ...spokenOf];
  const hide = (part) => part.classList.add("no-room");
  const show = (part) => part.classList.remove("no-room");
  const isFull = () => slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth;
  for (let leaving = 0; leaving <= stay.length; leaving++) {
    for (slide.dataset.room of ROOMS) {
      [header, ...parts].forEach(show);
      stay.slice(0, leaving).forEach(hide);
      for (const text of texts) if (isFull()) hide(text);
      show(header);
      if (isFull()) hide(header);
      if (!isFull()) return;
    }
  }
}

// Explorers get larger type: their text as large as a slide's, their numbers as large as a picture's.
function enlargeExplorers() {
  for (const host of document.querySelectorAll("figure > div")) {
    const style = document.createElement("style");
    style.textContent = `
      :host { width: auto; } p, .controls, .scroll { padding: 2px 0; } select, input { min-height: 34px; }
      caption { display: none; } table { width: 100%; font-size: 22px; line-height: 1.15; }
      th, td { min-width: 0; padding: 2px 4px; }
      p[role="status"] { min-height: 2.8em; }`;
    host.shadowRoot?.append(style);
  }
  // While an explorer has the focus, keys reach only it. Esc takes the focus away.
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

// The notes under the slide, for browsers that open no second window.
const below = Object.assign(document.createElement("div"), { id: "notes-below" });
document.querySelector("main").append(below);
function updateNotes() {
  const slide = Reveal.getCurrentSlide();
  const step = slide.querySelector(".current-fragment") ?? slide.querySelector(".step");
  below.innerHTML = step?.querySelector("aside.notes")?.innerHTML || "No notes.";
}
// A clock shows its minutes; it starts to count down when its slide is first shown.
const clocks = [...document.querySelectorAll(".clock")].map((clock) => ({ clock, left: 60 * clock.textContent }));
function showTime({ clock, left }) {
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
function startClock() {
  const shown = clocks.find(({ clock }) => Reveal.getCurrentSlide().contains(clock));
  if (!shown || shown.runs) return;
  shown.runs = setInterval(() => {
    shown.left = Math.max(shown.left - 1, 0);
    showTime(shown);
  }, 1000);
}
function resize() {
  Reveal.configure({ width: slideWidth() });
  fit(Reveal.getCurrentSlide());
}
function toggleNotes() {
  root.classList.toggle("notes-below");
  resize();
}

enlargeExplorers();
clocks.forEach(showTime);
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
      updateNotes();
      startClock();
    });
  }
  Reveal.on("pdf-ready", () => document.querySelectorAll(".slides section").forEach(fit));
  Reveal.addKeyBinding({ keyCode: 84, key: "T", description: "Notes under the slide" }, toggleNotes);
  const toggleDark = () => root.classList.toggle("dark");
  Reveal.addKeyBinding({ keyCode: 68, key: "D", description: "Dark slides" }, toggleDark);
  addEventListener("resize", resize);
  resize();
  updateNotes();
});
