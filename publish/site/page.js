// What pages do besides the explorers. In browsers of 2025 or later, reading and printing work without it.

// Boxes that scroll sideways can be focused, so that arrow keys scroll them; boxes that fit cannot.
const boxes = document.querySelectorAll(".output pre, .scroll");
function updateFocusable() {
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", updateFocusable);
addEventListener("resize", updateFocusable);
document.addEventListener("toggle", updateFocusable, true); // what a closed fold holds has no width

// Older browsers have no CSS that prints a closed fold.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details:not([open])")];
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
});
