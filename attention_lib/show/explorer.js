// Adds controls to a table of attention weights: they change how the weights are made from the raw
// scores, and a sentence says what that did to the row that is picked out. explorer_page.py writes
// the table and calls this function. It uses no library, no network and no global name.
function explorer(host, given) {
  const { names, d_k } = given;
  const n = names.length;
  const bytes = atob(given.scores.split(",")[1]); // little-endian float32, (layers, heads, n, n)
  const scores = new Float32Array(Uint8Array.from(bytes, (c) => c.charCodeAt(0)).buffer);
  const temperatures = "0.1 0.2 0.3 0.5 0.7 1 1.5 2 3 5 10 20".split(" ");

  // Every control is a list of choices; its state is the index of one of them.
  const choices = {
    layer: ["Layer", given.layers],
    head: ["Head", given.heads],
    query: ["Query row", names],
    scale: ["Scale", ["none", `1/√${d_k}`, `1/${d_k}`]],
    temperature: ["Temperature", temperatures, "range"],
    causal: ["Causal mask", ["off", "on"], "checkbox"],
    length: ["Real tokens", [...Array(n + 1).keys()], "range"],
    hide: ["Hide the key", ["none", ...names]],
    show: ["Show", ["weights", "scores"]],
  };
  const state = { scale: 1, temperature: 5, length: n, hide: 0, show: 0, ...given.start };

  // Scale, temperature, mask and softmax of one row, as the library does them.
  function attend(_, i) {
    const start = ((state.layer * given.heads.length + state.head) * n + i) * n;
    const scale = [1, 1 / Math.sqrt(d_k), 1 / d_k][state.scale];
    const scaled = Array.from(scores.subarray(start, start + n), (score) => score * scale);
    const row = scaled.map((score) => score / temperatures[state.temperature]);
    const end = state.causal ? Math.min(state.length, i + 1) : state.length;
    const allowed = row.map((_, j) => j < end && j !== state.hide - 1);
    const top = Math.max(...row.filter((_, j) => allowed[j])); // subtracted, or exp would overflow
    const powers = row.map((score, j) => (allowed[j] ? Math.exp(score - top) : 0));
    const total = powers.reduce((a, b) => a + b, 0) || 1; // a row without keys keeps its zeros
    return { scores: row, allowed, weights: powers.map((power) => power / total) };
  }

  // All rows, in numbers and as they are shown; a forbidden key has no number.
  function look() {
    const rows = names.map(attend);
    const shown = rows.map((row) => (state.show ? row.scores : row.weights));
    const limit = Math.max(...rows.map((row) => Math.max(...row.scores.map(Math.abs)))) || 1;
    const digits = state.show && limit >= 10 ? 1 : 2;
    const text = (x) => x.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
    const word = (x, allowed) => (allowed ? text(x) : "hidden");
    const words = shown.map((row, i) => row.map((x, j) => word(x, rows[i].allowed[j])));
    return { rows, shown, words, text, darkest: state.show ? limit : 1, state: { ...state } };
  }

  // White at 0, blue above, orange below; on it black or white, whichever has more contrast.
  const blues = "ffffff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b".split(" ");
  const oranges = "ffffff fee6ce fdd0a2 fdae6b fd8d3c f16913 d94801 a63603 7f2704".split(" ");
  function paint(cell, share) {
    const ramp = share < 0 ? oranges : blues;
    const place = Math.min(Math.abs(share), 1) * 8;
    const rgb = [0, 2, 4].map((at) => {
      const part = (step) => parseInt(ramp[step].slice(at, at + 2), 16);
      const low = part(Math.floor(place));
      return Math.round(low + (part(Math.ceil(place)) - low) * (place % 1));
    });
    const [r, g, b] = rgb.map((c) => ((c + 14) / 269) ** 2.4); // linear light
    cell.style.background = `rgb(${rgb})`;
    cell.style.color = 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "black" : "white";
  }

  // What a change did to the row: its largest weight, and the weight that moved most.
  function sentence(changed, before, now) {
    const i = state.query;
    const { weights, allowed } = now.rows[i];
    const [title, list] = choices[changed];
    const was = list[before.state[changed]];
    const said = changed === "query" ? "" : `${title}: ${list[state[changed]]} (was ${was}). `;
    if (!allowed.includes(true))
      return `${said}Row ${names[i]} has no key left: all weights are 0.`;
    const largest = (numbers) => numbers.indexOf(Math.max(...numbers));
    const top = largest(weights);
    const key = (j) => `${names[j]} ${now.words[i][j]}`;
    if (!said || changed === "show") return `${said}Row ${names[i]}: largest is ${key(top)}.`;
    const moves = weights.map((weight, j) => Math.abs(weight - before.rows[i].weights[j]));
    const parts = [...new Set([top, largest(moves)])].map((j) => {
      const old = before.words[i][j];
      return key(j) + (old === now.words[i][j] ? ", as before" : ` (was ${old})`);
    });
    return `${said}Row ${names[i]}: ${parts.join("; ")}.`;
  }

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }
  const table = host.querySelector("table");
  const tableRows = [...table.tBodies[0].rows];
  const bars = names.map(() => make("div", { className: "bar" }));
  const cells = bars.map((bar) => make("td", {}, bar));
  const whose = make("td");
  table.tHead.prepend(make("tr", { ariaHidden: "true" }, whose, ...cells));
  const status = make("p", { role: "status" });
  const legend = make("p");

  function draw(changed, before) {
    const now = look();
    tableRows.forEach((row, i) => {
      row.classList.toggle("picked", i === state.query);
      now.words[i].forEach((word, j) => {
        const cell = row.cells[j + 1];
        cell.className = word === "hidden" ? "hidden" : word === "0.00" ? "zero" : "";
        cell.replaceChildren(make("span", {}, word));
        paint(cell, now.shown[i][j] / now.darkest);
        if (cell.className) cell.removeAttribute("style"); // so that the style sheet applies
      });
    });
    bars.forEach((bar, j) => (bar.style.height = `${100 * now.rows[state.query].weights[j]}%`));
    whose.textContent = `weights of ${names[state.query]}`;
    for (const span of table.caption.querySelectorAll("[data-is]")) {
      span.textContent = choices[span.dataset.is][1][state[span.dataset.is]];
    }
    const hatched = now.words.flat().includes("hidden") ? " Hatched: may not attend." : "";
    const ends = `White is 0, darkest is ${now.text(now.darkest)}`;
    legend.textContent = `${ends}${state.show ? ", orange is below 0" : ""}.${hatched}`;
    status.textContent = sentence(changed, before || now, now);
    return now;
  }

  let before = draw("query"); // what the next sentence compares with
  function control(name) {
    const [title, list, type = "select"] = choices[name];
    const value = make("span", { ariaHidden: "true" });
    const input =
      type === "select"
        ? make("select", {}, ...list.map((text, value) => make("option", { value }, String(text))))
        : make("input", { type, max: list.length - 1, checked: state[name] === 1 });
    input.value = state[name];
    const tell = () => {
      if (type === "range") input.ariaValueText = value.textContent = list[state[name]];
    };
    let now;
    input.addEventListener("input", () => {
      state[name] = Number(type === "checkbox" ? input.checked : input.value);
      tell();
      now = draw(name, before);
    });
    // While a slider is dragged, every sentence compares with the state before the drag.
    input.addEventListener("change", () => (before = now));
    tell();
    return make("label", {}, title, input, value);
  }

  // In a shadow root no style of the page reaches the table.
  const group = { role: "group", className: "controls", ariaLabel: "Settings" };
  const settings = make("div", group, ...given.controls.map(control));
  const scroll = { ...group, className: "scroll", ariaLabel: "Table of attention", tabIndex: 0 };
  const parts = [settings, status, make("div", scroll, table), legend];
  host.attachShadow({ mode: "open" }).append(make("style", {}, given.style), ...parts);
  // Arrow keys move a control here, and must not reach the slides around it.
  host.addEventListener("keydown", (event) => event.stopPropagation());
}
