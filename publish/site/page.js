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

// Older browsers have no CSS that prints a closed fold.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details:not([open])")];
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
});
