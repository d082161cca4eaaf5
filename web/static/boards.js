// All the tables on a wall: asks every second what is new, and draws each table that has changed.

import { drawBoard } from "./board.js";
import { el, part } from "./dom.js";
import { t } from "./words.js";

const LOOK = 1000; // ms between two looks

const drawn = new Map(); // by the table's word: what its article shows
let state = "";

async function look() {
  try {
    const answer = await fetch(`/api/boards?since=${state}`, { cache: "no-store" });
    if (answer.status === 200) show(await answer.json());
    else if (answer.status !== 204) throw new Error(answer.statusText);
  } catch {
    state = "";
    say(t("This page has lost its computer. It goes on by itself."));
  }
  setTimeout(look, LOOK);
}

function show({ state: now, linked, tables }) {
  state = now;
  if (!linked) say(t("The broker is not there. This goes on by itself."));
  else say(tables.length ? "" : t("No table has said anything yet."));
  const place = part("tables");
  const wide = columns(tables.length);
  place.style.setProperty("--columns", wide);
  place.style.setProperty("--rows", Math.max(1, Math.ceil(tables.length / wide)));
  const articles = tables.map(article);
  if (place.children.length !== articles.length || articles.some((one, at) => place.children[at] !== one)) {
    place.replaceChildren(...articles);
  }
  // Only now that all have their places is it known how large the arrows are.
  for (const one of tables) draw(one);
}

/** As many beside each other as keeps boards tall: one row for a few tables, two for up to twelve, else three. */
function columns(count) {
  return Math.max(1, count <= 4 ? count : Math.ceil(count / (count <= 12 ? 2 : 3)));
}

function article({ word }) {
  if (!drawn.has(word)) {
    const frame = el("div", { class: "ground" }, el("div", { class: "board" }));
    const one = el("article", { class: "one" }, el("h2", {}), el("p", { class: "prompt" }), frame, el("div"));
    drawn.set(word, { one, shows: "" });
  }
  return drawn.get(word).one;
}

function draw({ word, name, here, table }) {
  const known = drawn.get(word);
  const shows = JSON.stringify([name, here, table]);
  if (known.shows === shows) return;
  known.shows = shows;
  const { one } = known;
  one.toggleAttribute("data-gone", !here);
  one.querySelector("h2").replaceChildren(name, el("small", {}, table.rules.name));
  one.querySelector(".prompt").textContent = here ? table.prompt : t("Not there now: {prompt}", { prompt: table.prompt });
  one.lastElementChild.replaceWith(chances(table));
  try {
    drawBoard(one.querySelector(".board"), table, null, false);
  } catch {
    // A table of another version may tell what cannot be drawn here; its words still say how it stands.
    one.querySelector(".board").replaceChildren();
  }
}

function chances({ advice }) {
  const jade = advice?.jade;
  if (typeof jade !== "number") return el("div");
  const percent = Math.round(100 * jade);
  const bar = el("div", { class: "chances" }, el("span", { class: "jade" }, `${percent} %`));
  bar.append(el("span", { class: "obsidian" }, `${100 - percent} %`));
  bar.firstChild.style.width = `${percent}%`;
  return bar;
}

function say(text) {
  if (part("news").textContent !== text) part("news").textContent = text;
}

look();
