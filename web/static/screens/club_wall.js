// All tables of a club on a wall: asks every second for news, and draws each table that has changed.

import { drawBoard } from "../board/board.js";
import { child, el, part } from "../common/dom.js";
import { t } from "../common/i18n.js";

/**
 * A table as the club knows it. word: its identifier. here: whether it is connected.
 * @typedef {{word: string, name: string, here: boolean, table: Api.Snapshot}} ClubTable
 */
/** @typedef {{article: HTMLElement, shows: string}} Drawn */

const POLL = 1000; // ms between two requests

/** @type {Map<string, Drawn>} */
const drawn = new Map(); // by the table's word
let state = "";

async function poll() {
  try {
    const answer = await fetch(`/api/boards?since=${state}`, { cache: "no-store" });
    if (answer.status === 200) show(await answer.json());
    else if (answer.status !== 204) throw new Error(answer.statusText);
  } catch {
    state = "";
    say(t("Connection lost. This page reconnects automatically."));
  }
  setTimeout(poll, POLL);
}

/** @param {{state: string, linked: boolean, tables: ClubTable[]}} news */
function show({ state: now, linked, tables }) {
  state = now;
  if (!linked) say(t("The broker is not answering. This page reconnects automatically."));
  else say(tables.length ? "" : t("No table has connected yet."));
  const place = part("tables");
  const wide = columns(tables.length);
  place.style.setProperty("--columns", `${wide}`);
  place.style.setProperty("--rows", `${Math.max(1, Math.ceil(tables.length / wide))}`);
  const articles = tables.map((one) => drawnOf(one).article);
  if (place.children.length !== articles.length || articles.some((one, at) => place.children[at] !== one)) {
    place.replaceChildren(...articles);
  }
  // Arrows are drawn last: their size is known only once all boards have their places.
  for (const one of tables) draw(one);
}

/**
 * Columns that keep the boards tall: one row for a few tables, two for up to twelve, three for more.
 * @param {number} count
 */
const columns = (count) => Math.max(1, count <= 4 ? count : Math.ceil(count / (count <= 12 ? 2 : 3)));

/** @param {ClubTable} table */
function drawnOf({ word }) {
  const known = drawn.get(word);
  if (known) return known;
  const frame = el("div", { class: "ground" }, el("div", { class: "board" }));
  const article = el("article", { class: "one" }, el("h2"), el("p", { class: "prompt" }), frame, el("div"));
  const made = { article, shows: "" };
  drawn.set(word, made);
  return made;
}

/** @param {ClubTable} one */
function draw(one) {
  const { name, here, table } = one;
  const known = drawnOf(one);
  const shows = JSON.stringify([name, here, table]);
  if (known.shows === shows) return;
  known.shows = shows;
  const { article } = known;
  article.toggleAttribute("data-gone", !here);
  child(article, "h2", HTMLElement).replaceChildren(el("span", {}, name), el("small", {}, table.rules.name));
  child(article, ".prompt", HTMLElement).textContent = here ? table.prompt : t("Not connected: {prompt}", { prompt: table.prompt });
  article.lastElementChild?.replaceWith(chances(table));
  const board = child(article, ".board", HTMLElement);
  try {
    drawBoard(board, table, null, false);
  } catch {
    // A table of another version may send what cannot be drawn here. Its prompt is still shown.
    board.replaceChildren();
  }
}

/** @param {Api.Snapshot} table */
function chances({ advice }) {
  const jade = advice?.jade;
  if (typeof jade !== "number") return el("div");
  const percent = Math.round(100 * jade);
  const left = el("span", { class: "jade" }, t("{number}%", { number: percent }));
  left.style.width = `${percent}%`;
  return el("div", { class: "chances" }, left, el("span", { class: "obsidian" }, t("{number}%", { number: 100 - percent })));
}

/** @param {string} text */
function say(text) {
  if (part("news").textContent !== text) part("news").textContent = text;
}

poll();
