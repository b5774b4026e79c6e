// Adds controls to a table of attention weights: they change how the weights are made from the raw
// scores, and a sentence says what that did to the picked row. A tap on a row picks it.
// explorer_page.py writes the table and calls this function. It uses no library, no network and no
// global name.
function explorer(host, given) {
  const { names, d_k } = given;
  const n = names.length;
  const bytes = atob(given.scores.split(",")[1]); // little-endian float32, (layers, heads, n, n)
  const scores = new Float32Array(Uint8Array.from(bytes, (c) => c.charCodeAt(0)).buffer);
  const temperatures = "0.1 0.2 0.3 0.5 0.7 1 1.5 2 3 5 10 20".split(" ");

  // Every control is a list of choices; its state is the index of one of them.
  const choices = {
    view: ["View", ["table", "curves"]],
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
  function attend(i, layer = state.layer, head = state.head) {
    const start = ((layer * given.heads.length + head) * n + i) * n;
    const scale = [1, 1 / Math.sqrt(d_k), 1 / d_k][state.scale];
    const scaled = Array.from(scores.subarray(start, start + n), (score) => score * scale);
    const row = scaled.map((score) => score / temperatures[state.temperature]);
    const end = state.causal ? Math.min(state.length, i + 1) : state.length;
    const allowed = row.map((_, j) => j < end && j !== state.hide - 1);
    const top = Math.max(...row.filter((_, j) => allowed[j])); // subtracted, or exp would overflow
    const exponentials = row.map((score, j) => (allowed[j] ? Math.exp(score - top) : 0));
    const total = exponentials.reduce((a, b) => a + b, 0) || 1; // a row without keys keeps its zeros
    return { scores: row, allowed, weights: exponentials.map((exponential) => exponential / total) };
  }

  // All rows, in numbers and as they are shown; a forbidden key has no number.
  function look() {
    const rows = names.map((_, i) => attend(i));
    const shown = rows.map((row) => (state.show ? row.scores : row.weights));
    const limit = Math.max(...rows.map((row) => Math.max(...row.scores.map(Math.abs)))) || 1;
    const digits = state.show && limit >= 10 ? 1 : 2;
    const text = (x) => x.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
    const word = (x, allowed) => (allowed ? text(x) : "hidden");
    const words = shown.map((row, i) => row.map((x, j) => word(x, rows[i].allowed[j])));
    return { rows, shown, words, text, darkest: state.show ? limit : 1, state: { ...state } };
  }

  // The colour of the paper at 0, blue above, orange below; on it black or white, whichever has more
  // contrast. Each for light pages and for dark ones.
  const ramps = {
    light: {
      above: "ffffff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b",
      below: "ffffff fee6ce fdd0a2 fdae6b fd8d3c f16913 d94801 a63603 7f2704",
    },
    dark: {
      above: "181b20 10294a 0b3a70 124f94 1f66b0 3580c4 559cd5 7fb8e4 aed6f5",
      below: "181b20 3d1c08 652a06 8c3a05 b44d0a d9661d f08438 fba566 fec89a",
    },
  };
  function fill(ramp, level) {
    const steps = (level < 0 ? ramp.below : ramp.above).split(" ");
    const place = Math.min(Math.abs(level), 1) * 8;
    const rgb = [0, 2, 4].map((at) => {
      const part = (step) => parseInt(steps[step].slice(at, at + 2), 16);
      const low = part(Math.floor(place));
      return Math.round(low + (part(Math.ceil(place)) - low) * (place % 1));
    });
    const [r, g, b] = rgb.map((c) => ((c + 14) / 269) ** 2.4); // linear light
    const ink = 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "black" : "white";
    return { paper: `rgb(${rgb})`, ink };
  }
  function paint(cell, level) {
    const [light, dark] = [fill(ramps.light, level), fill(ramps.dark, level)];
    cell.style.background = `light-dark(${light.paper}, ${dark.paper})`;
    cell.style.color = `light-dark(${light.ink}, ${dark.ink})`;
  }

  // What a change did to the picked row: its largest weight, and the weight that moved most.
  function sentence(changed, before, now) {
    const i = state.query;
    const { weights, allowed } = now.rows[i];
    const both = (each) => `${given.layers[each.layer]}, ${given.heads[each.head]}`;
    const [title, list] = choices[changed] ?? ["Layer and head"]; // a tap on a map changes both
    const [value, old] = [state, before.state].map((each) => (list ? list[each[changed]] : both(each)));
    const said = changed === "query" || changed === "view" ? "" : `${title}: ${value} (was ${old}). `;
    const name = (j) => make("b", {}, names[j]);
    if (!allowed.includes(true)) return [said, name(i), " has no key left: all its weights are 0."];
    const largest = (numbers) => numbers.indexOf(Math.max(...numbers));
    const top = largest(weights);
    const does = state.show ? " has its highest score with " : " looks most at ";
    const most = [said, name(i), does, name(top), `, ${now.words[i][top]}`];
    if (!said || changed === "show") return [...most, "."];
    const same = (j) => now.words[i][j] === before.words[i][j];
    const was = (j) => (same(j) ? ", as before" : ` (was ${before.words[i][j]})`);
    const moves = weights.map((weight, j) => Math.abs(weight - before.rows[i].weights[j]));
    const moved = largest(moves);
    if (moved === top || same(moved)) return [...most, was(top), "."];
    const number = now.words[i][moved] + was(moved);
    return [...most, was(top), "; ", name(moved), ` moved most, ${number}.`];
  }

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }
  const table = host.querySelector("table");
  table.style.setProperty("--columns", n + 2);
  const tableRows = [...table.tBodies[0].rows];
  const bars = names.map(() => make("div", { className: "bar" }));
  const cells = bars.map((bar) => make("td", {}, bar));
  const whose = make("td");
  table.tHead.prepend(make("tr", { ariaHidden: "true" }, whose, ...cells));
  const status = make("p", { role: "status" });
  const legend = make("p");

  // The other view, which curves.py has drawn; its constants stand there.
  host.insertAdjacentHTML("afterbegin", given.curves ?? "");
  const views = [...host.querySelectorAll("svg.curves")];
  const sides = { row: [[150, -1], [206, 1]], column: [[184, 1], [50, -1]] };
  function curve(form, start, end, toMark) {
    const [base, side] = sides[form][toMark];
    const height = toMark ? 36 : Math.min(30 + 0.4 * Math.abs(start - end), 180);
    const spread = start === end ? 16 : 0;
    const far = base + side * height;
    const ends = [[start - spread / 4, base], [start - spread, far], [end + spread, far], [end + spread / 4, base]];
    const points = ends.map((point) => (form === "row" ? point : point.reverse()).map((x) => x.toFixed(1)).join(" "));
    return `M${points[0]}C${points.slice(1).join(" ")}`;
  }
  function bend(view, now) {
    const words = [...view.querySelectorAll("g")];
    const place = words.map((word) => Number(word.dataset.at));
    const { weights, allowed } = now.rows[state.query];
    view.querySelectorAll("path").forEach((path, j) => {
      const toMark = Number(path.classList.contains("mark"));
      path.setAttribute("d", curve(view.classList[1], place[state.query], place[j], toMark));
      path.setAttribute("stroke-width", weights[j] < 0.005 ? 0 : 24 * weights[j]);
      words[j].ariaPressed = String(j === state.query);
      words[j].lastChild.textContent = allowed[j] ? weights[j].toFixed(2) : "–";
      words[j].lastChild.classList.toggle("zero", weights[j] < 0.005);
    });
  }

  // All heads, small: a row of maps is a layer. The darker, the larger the weight.
  const maps = make("canvas", { width: given.heads.length * (n + 1), height: given.layers.length * (n + 1) });
  const chosen = make("i");
  function drawMaps() {
    const brush = maps.getContext("2d");
    brush.clearRect(0, 0, maps.width, maps.height);
    brush.fillStyle = getComputedStyle(maps).color;
    for (const layer of given.layers.keys()) {
      for (const head of given.heads.keys()) {
        names.forEach((_, i) => {
          attend(i, layer, head).weights.forEach((weight, j) => {
            brush.globalAlpha = weight;
            brush.fillRect(head * (n + 1) + j, layer * (n + 1) + i, 1, 1);
          });
        });
      }
    }
    const [width, height] = [100 / given.heads.length, 100 / given.layers.length];
    const [left, top] = [state.head * width, state.layer * height];
    chosen.style.cssText = `left: ${left}%; top: ${top}%; width: ${width}%; height: ${height}%`;
  }

  function draw(changed, before) {
    const now = look();
    for (const view of views) bend(view, now);
    if (given.maps) drawMaps();
    tableRows.forEach((row, i) => {
      row.classList.toggle("picked", i === state.query);
      now.words[i].forEach((word, j) => {
        const cell = row.cells[j + 1];
        cell.className = word === "hidden" ? "hidden" : word === "0.00" ? "zero" : "";
        cell.replaceChildren(make("span", {}, word));
        if (cell.className) cell.removeAttribute("style"); // so that the style sheet applies
        else paint(cell, now.shown[i][j] / now.darkest);
      });
    });
    bars.forEach((bar, j) => (bar.style.height = `${100 * now.rows[state.query].weights[j]}%`));
    whose.textContent = `weights of\n${names[state.query]}`;
    for (const span of table.caption.querySelectorAll("[data-is]")) {
      span.textContent = choices[span.dataset.is][1][state[span.dataset.is]];
    }
    const hatched = now.words.flat().includes("hidden") ? " Hatched: may not attend." : "";
    const ends = `No colour is 0, the strongest is ${now.text(now.darkest)}`;
    legend.textContent = `${ends}${state.show ? ", orange is below 0" : ""}.${hatched}`;
    status.replaceChildren(...sentence(changed, before || now, now));
    for (const view of views) view.toggleAttribute("hidden", !state.view);
    for (const part of [scroll, legend]) part.hidden = Boolean(state.view);
    return now;
  }

  function control(name) {
    const [title, list, type = "select"] = choices[name];
    const value = make("span", { ariaHidden: "true" });
    const input =
      type === "select"
        ? make("select", { name }, ...list.map((text, value) => make("option", { value }, String(text))))
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

  let before; // what the next sentence compares with
  const group = { role: "group", className: "controls", ariaLabel: "Settings" };
  const settings = make("div", group, ...given.controls.map(control));
  // Arrow keys move a control here, and must not reach the slides around it.
  settings.addEventListener("keydown", (event) => event.stopPropagation());

  // A tap does what a menu does, so that nothing needs a pointer.
  function choose(name, value) {
    const menu = settings.querySelector(`[name=${name}]`);
    menu.value = value;
    for (const type of ["input", "change"]) menu.dispatchEvent(new Event(type));
  }
  if (given.controls.includes("query")) {
    table.className = "pickable";
    table.tBodies[0].addEventListener("click", (event) => {
      choose("query", tableRows.indexOf(event.target.closest("tr")));
    });
    for (const view of views) {
      view.querySelectorAll("g").forEach((word, i) => {
        word.addEventListener("click", () => choose("query", i));
        word.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose("query", i);
        });
      });
    }
  }
  maps.addEventListener("click", (event) => {
    state.layer = Math.floor((event.offsetY / maps.clientHeight) * given.layers.length);
    state.head = Math.floor((event.offsetX / maps.clientWidth) * given.heads.length);
    for (const menu of settings.querySelectorAll("[name=layer], [name=head]")) menu.value = state[menu.name];
    before = draw("maps", before);
  });

  // Where the table is cut, it fades.
  const region = { role: "group", className: "scroll", ariaLabel: "Table of attention", tabIndex: 0 };
  const scroll = make("div", region, table);
  function fade() {
    const right = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft > 1;
    const below = scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop > 1;
    scroll.style.setProperty("--right", right ? "2.5em" : "0px");
    scroll.style.setProperty("--below", below ? "2.5em" : "0px");
  }
  scroll.addEventListener("scroll", fade);
  const observer = new ResizeObserver(fade);
  for (const box of [scroll, table]) observer.observe(box);

  // The column under the pointer. (Its row is in explorer.css.)
  const columns = names.map((_, j) => `tr > :nth-child(${j + 2})`);
  const lit = columns.map((column) => `table:has(${column}:hover) ${column}`);
  const style = make("style", {}, given.style, `${lit} { --column: var(--light); }`);
  // In a shadow root no style of the page reaches the table.
  const all = make("div", { className: "maps", ariaHidden: "true" }, maps, chosen);
  host.attachShadow({ mode: "open" }).append(style, ...views, settings, status, scroll, legend);
  if (given.maps) host.shadowRoot.append(make("p", {}, "All heads: a row is a layer, a column a head, both from 0. Tap one."), all);
  before = draw("query");
  if (given.controls.includes("query")) {
    const what = state.view ? "a word" : "a row";
    status.append(make("span", { className: "cue" }, `Tap or click ${what} to see where it looks.`));
  }
}
