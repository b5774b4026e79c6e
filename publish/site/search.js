// Search over all pages. `/` or the button opens it; the index, a script so that it loads from a file too, is fetched
// at the first time. All words must occur; sections that have them in their title come first.
(() => {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.ariaLabel = "Search";
  dialog.innerHTML = '<label>Search <input type="search" autocomplete="off"></label><p role="status"></p><ol></ol>';
  document.body.append(dialog);
  const [input, status, list] = ["input", "p", "ol"].map((tag) => dialog.querySelector(tag));
  const button = document.querySelector("button.search");
  let loading;

  function load() {
    return new Promise((resolve) => {
      if (window.searchIndex) return resolve();
      const script = Object.assign(document.createElement("script"), { src: "search_index.js", onload: resolve });
      document.head.append(script);
    });
  }

  function found(words) {
    const scored = window.searchIndex.map((entry) => {
      const [title, text] = [entry.title, `${entry.title} ${entry.text}`].map((part) => part.toLowerCase());
      if (!words.every((word) => text.includes(word))) return [0, entry];
      const together = text.split(words.join(" ")).length - 1;
      return [1 + 100 * words.filter((word) => title.includes(word)).length + Math.min(together, 9), entry];
    });
    const best = scored.filter(([score]) => score).sort(([a], [b]) => b - a);
    return best.map(([, entry]) => entry);
  }

  function item({ href, page, title, text }, word) {
    const link = Object.assign(document.createElement("a"), { href, textContent: title });
    const at = text.lastIndexOf(" ", Math.max(0, text.toLowerCase().indexOf(word) - 40)) + 1;
    const place = Object.assign(document.createElement("small"), { textContent: page });
    const near = Object.assign(document.createElement("span"), { textContent: text.slice(at, at + 120) });
    const row = document.createElement("li");
    row.append(link, " ", place, near);
    return row;
  }

  async function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    await (loading ??= load());
    const entries = words.length ? found(words) : [];
    list.replaceChildren(...entries.slice(0, 12).map((entry) => item(entry, words[0])));
    status.textContent = words.length ? `${entries.length} sections` : "";
  }

  function open() {
    loading ??= load();
    dialog.showModal();
    input.select();
  }
  button.hidden = false;
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.composedPath()[0].matches?.("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click();
  });
  list.addEventListener("click", (event) => event.target.closest("a") && dialog.close());
})();
