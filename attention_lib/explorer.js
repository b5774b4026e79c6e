// Brings a table of attention weights to life: controls above it change how the weights are made
// from the raw scores, and a sentence says what that did to the row that is picked out.
// explorer.py writes the table and calls this function. No library, no network, no global name.
function explorer(host, given) {
  const { tokens, names, d_k } = given;
  const n = tokens.length;
  const bytes = atob(given.scores.split(",")[1]); // little-endian float32, (layers, heads, n, n)
  const scores = new Float32Array(Uint8Array.from(bytes, (c) => c.charCodeAt(0)).buffer);
  const temperatures = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20];

  // Every control is a list of choices, and its state the place of one of them.
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

  // Scale, temperature, mask and softmax, as the library does them.
  function compute() {
    const first = (state.layer * given.heads.length + state.head) * n * n;
    const scale = [1, 1 / Math.sqrt(d_k), 1 / d_k][state.scale];
    return tokens.map((_, i) => {
      const raw = Array.from(scores.subarray(first + i * n, first + (i + 1) * n));
      const row = raw.map((score) => (score * scale) / temperatures[state.temperature]);
      const may = (j) => j < state.length && j !== state.hide - 1 && !(state.causal && j > i);
      const top = Math.max(...row.filter((_, j) => may(j))); // subtracted, or exp would overflow
      const powers = row.map((score, j) => (may(j) ? Math.exp(score - top) : 0));
      const total = powers.reduce((a, b) => a + b, 0) || 1; // a row without keys keeps its zeros
      return {
        scores: row,
        allowed: row.map((_, j) => may(j)),
        weights: powers.map((p) => p / total),
      };
    });
  }

  // The same in words: a number as it is shown, and none where a key is forbidden.
  function inWords(rows) {
    const limit = Math.max(...rows.map((row) => Math.max(...row.scores.map(Math.abs))));
    const digits = state.show && limit >= 10 ? 1 : 2;
    const text = (x) => x.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
    const shown = rows.map((row) => (state.show ? row.scores : row.weights));
    const texts = shown.map((row, i) =>
      row.map((x, j) => (rows[i].allowed[j] ? text(x) : "hidden")),
    );
    return { rows, shown, texts, limit, darkest: text(limit), state: { ...state } };
  }

  // White at 0, blue above, orange below; on it black or white, whichever has more contrast.
  const ramps = [
    "ffffff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b",
    "ffffff fee6ce fdd0a2 fdae6b fd8d3c f16913 d94801 a63603 7f2704",
  ].map((ramp) =>
    ramp.split(" ").map((hex) => [0, 2, 4].map((c) => parseInt(hex.substr(c, 2), 16))),
  );
  function paint(cell, share) {
    const place = Math.min(Math.abs(share), 1) * 8;
    const [low, high] = [Math.floor, Math.ceil].map(
      (round) => ramps[share < 0 ? 1 : 0][round(place)],
    );
    const rgb = low.map((start, c) => Math.round(start + (high[c] - start) * (place % 1)));
    const linear = rgb.map((c) => (c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    cell.style.background = `rgb(${rgb})`;
    cell.style.color = luminance > 0.179 ? "black" : "white";
  }

  // What a change did to the row: its largest weight, and the weight that moved most.
  function sentence(changed, before, now) {
    const i = state.query;
    const { weights, allowed } = now.rows[i];
    const [title, list] = choices[changed || "query"];
    const was = list[before.state[changed]];
    const said =
      changed && changed !== "query" ? `${title}: ${list[state[changed]]} (was ${was}). ` : "";
    if (!allowed.includes(true)) {
      return `${said}Row ${names[i]} may attend to no key: its weights are all 0.`;
    }
    const largest = (list) => list.indexOf(Math.max(...list));
    const key = (j) => `${names[j]} ${now.texts[i][j]}`;
    const top = largest(weights);
    if (!said || changed === "show") return `${said}Row ${names[i]}: most to ${key(top)}.`;
    const changes = weights.map((weight, j) => Math.abs(weight - before.rows[i].weights[j]));
    const parts = [...new Set([top, largest(changes)])].map((j) => {
      const old = before.texts[i][j];
      return key(j) + (old === now.texts[i][j] ? ", as before" : ` (was ${old})`);
    });
    return `${said}Row ${names[i]}: ${parts.join("; ")}.`;
  }

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const table = host.querySelector("table");
  const rows = [...table.tBodies[0].rows];
  const bars = tokens.map(() => make("div", { className: "bar" }));
  const barsOf = make("td");
  const barCells = bars.map((bar) => make("td", {}, bar));
  table.tHead.prepend(make("tr", { ariaHidden: "true" }, barsOf, ...barCells));
  const status = make("p", { role: "status" });
  const legend = make("p");

  let before; // what the sentence compares with
  function draw(changed) {
    const now = inWords(compute());
    now.texts.forEach((row, i) => {
      rows[i].classList.toggle("picked", i === state.query);
      row.forEach((text, j) => {
        const cell = rows[i].cells[j + 1];
        paint(cell, now.shown[i][j] / (state.show ? now.limit || 1 : 1));
        cell.className =
          text === "hidden" ? "hidden" : !state.show && text === "0.00" ? "zero" : "";
        if (cell.className) cell.removeAttribute("style"); // the style sheet's turn
        cell.replaceChildren(make("span", {}, text));
      });
    });
    now.rows[state.query].weights.forEach((w, j) => (bars[j].style.height = `${100 * w}%`));
    barsOf.textContent = `weights of ${names[state.query]}`;
    for (const span of table.caption.querySelectorAll("[data-is]")) {
      span.textContent = choices[span.dataset.is][1][state[span.dataset.is]];
    }
    const weights = "White is 0, the darkest blue is 1.";
    const signed = `White is 0, blue above it, orange below, darkest at ${now.darkest}.`;
    legend.textContent = `${state.show ? signed : weights} Hatched: the query may not attend to this key.`;
    before ||= now;
    status.textContent = sentence(changed, before, now);
    return now;
  }

  function control(name) {
    const [title, list, type] = choices[name];
    const value = make("span", { ariaHidden: "true", className: "value" });
    const options = list.map((text, place) => make("option", { value: place }, String(text)));
    const input = type
      ? make("input", { type, max: list.length - 1, checked: state[name] > 0, value: state[name] })
      : make("select", {}, ...options);
    input.value = state[name];
    const tell = () => (input.ariaValueText = value.textContent = list[state[name]]);
    if (type === "range") tell();
    let now;
    input.addEventListener("input", () => {
      state[name] = Number(type === "checkbox" ? input.checked : input.value);
      if (type === "range") tell();
      now = draw(name);
    });
    // A slider still held is compared with where it was taken up.
    input.addEventListener("change", () => (before = now));
    return make("label", {}, title, input, value);
  }

  // In a shadow root no style of the page reaches the table.
  const settings = { className: "controls", role: "group", ariaLabel: "Settings" };
  const region = {
    className: "scroll",
    tabIndex: 0,
    role: "group",
    ariaLabel: "Table of attention",
  };
  host
    .attachShadow({ mode: "open" })
    .append(
      make("style", {}, given.style),
      make("div", settings, ...given.controls.map(control)),
      status,
      make("div", region, table),
      legend,
    );
  // An arrow key moves a control here, and not the slides around it.
  host.addEventListener("keydown", (event) => event.stopPropagation());
  draw();
}
