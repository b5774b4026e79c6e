// All that a page does beside its explorers. Without this file it can be read and printed just the same
// in a browser of 2025 or later.

// What scrolls sideways takes the focus, so that arrow keys can scroll it; what fits is no stop on the way.
const boxes = document.querySelectorAll("pre, .scroll, figure");
function tellWhatScrolls() {
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", tellWhatScrolls);
addEventListener("resize", tellWhatScrolls);
document.addEventListener("toggle", tellWhatScrolls, true); // a fold: it had no width before

// Older browsers know no rule that prints a closed fold.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details:not([open])")];
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
});
