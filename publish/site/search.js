// Search over all pages. `/` or the button opens it; the index, a script so that it loads from a file too, is fetched
// at the first time. All words must occur; sections that have them in their title come first.
(() => {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.ariaLabel = "Search";
  dialog.innerHTML =
    '<form method="dialog"><button aria-label="Close">×</button></form>' +
    '<label>Search <input autocomplete="off" enterkeyhint="search"></label><p role="status"></p><ol></ol>';
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

  // The term itself comes first, exercises below other sections. "scale" finds scaling, too.
  function found(words) {
    const all = words.join(" ");
    const stems = words.map((word) => (word.length > 4 ? word.replace(/e?s?$/, "") : word));
    const scored = window.searchIndex.map((entry) => {
      const [title, text] = [entry.title, `${entry.title} ${entry.text}`].map((part) => part.toLowerCase());
      if (!stems.every((stem) => text.includes(stem))) return [0, entry];
      const inTitle = stems.filter((stem) => title.includes(stem)).length;
      const place = 1000 * (title === all) + 60 * title.startsWith(stems[0]) - 80 * title.startsWith("exercise");
      return [100 + place + 100 * inTitle + Math.min(text.split(all).length - 1, 9), entry];
    });
    const best = scored.filter(([score]) => score).sort(([a], [b]) => b - a);
    return best.map(([, entry]) => entry);
  }

  function item({ href, page, title, text }, word) {
    const link = Object.assign(document.createElement("a"), { href, textContent: title });
    const at = text.lastIndexOf(" ", Math.max(0, text.toLowerCase().indexOf(word) - 40)) + 1;
    const place = Object.assign(document.createElement("small"), { textContent: page });
    const near = Object.assign(document.createElement("span"), { textContent: text.slice(at, at + 120).replace(/\S*$/, "...") });
    const row = document.createElement("li");
    row.append(link, " ", place, near);
    return row;
  }

  async function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    await (loading ??= load());
    const entries = words.length ? found(words) : [];
    list.replaceChildren(...entries.slice(0, 12).map((entry) => item(entry, words[0])));
    status.textContent = words.length ? `${entries.length} sections${entries.length > 12 ? ", the first 12" : ""}` : "";
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
    if (event.key === "ArrowDown") list.querySelector("a")?.focus();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
  list.addEventListener("click", (event) => event.target.closest("a") && dialog.close());
})();
