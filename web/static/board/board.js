// The board: bases at the ends, numbered spaces between, every unit to be counted, and the chosen move as an arrow.

import { drawArrow } from "./arrow.js";
import { percent } from "./chances.js";
import { el, redraw, svg } from "./dom.js";
import { OTHER, across, endsOf, homeward, labels, throwers } from "./places.js";
import { turned } from "./turned.js";
import { t, tn } from "./words.js";

const CHEVRONS = "M2 7 L7 2 L12 7 M2 12.5 L7 7.5 L12 12.5";
const FLAME = "M7 0 C8 4 12 6 12 10 A5 5 0 0 1 2 10 C2 7 4 7 4 4 C6 5 6 6 6 7 C8 6 8 3 7 0 Z";
const MOST_SHOWN = 14; // pieces in a base before they are only a number

/** Draw the table's board, its legal moves and the one that is chosen, if any. */
export function drawBoard(place, table, chosen, play) {
  const { board, moves, teams, turn, winner, position, rules } = table;
  const open = new Set(play ? moves.flatMap((move) => endsOf(move, table)) : []);
  const ends = chosen ? endsOf(chosen, table) : [];
  const takes = chosen ? chosen.captures + chosen.slays : 0;
  const best = play && !table.players[turn].level ? bestEnds(table) : new Map();
  const last = table.last?.moves.flatMap(({ from, to }) => [`${from}`, `${to}`]) ?? [];
  // Only what has just moved settles into its place, not whatever is drawn anew.
  const fresh = place.dataset.position !== undefined && place.dataset.position !== position;
  place.dataset.position = position;
  const facts = [board, teams, turn, winner, position, rules.fire, [...open], ends, takes, [...best], last, turned()];
  redraw(place, facts, () => {
    const state = (name) =>
      (ends.includes(name) ? " chosen" : open.has(name) ? " can" : "") + (last.includes(name) ? (fresh ? " last fresh" : " last") : "");
    const base = (side) => baseRow(side, table, state(side), open.has(side));
    const spaces = board.spaces.map((units, at) =>
      spaceRow(at + 1, units, table, state(`${at + 1}`), open.has(`${at + 1}`)),
    );
    const bases = [base("obsidian"), base("jade")];
    for (const row of [...bases, ...spaces]) addChance(row, best.get(row.dataset.space));
    const [top, bottom] = turned() ? bases.reverse() : bases;
    const laid = road(spaces, across(table));
    return [top, el("div", { class: "road" }, ...(turned() ? laid.reverse() : laid)), bottom];
  });
  place.dataset.across = across(table);
  place.dataset.turned = turned() ? "yes" : "no";
  place.parentElement.dataset.road = across(table) ? "winding" : "straight";
  drawArrow(place, ends, { takes });
}

/** Where moves end, each with the best chance there, and whether it is the best of all. */
function bestEnds(table) {
  const ends = new Map();
  table.advice.moves.forEach(({ move, win }, rank, { length }) => {
    const [, end] = endsOf(table.moves[move], table);
    if (!ends.has(end)) ends.set(end, { win, first: rank === 0 && length > 1 });
  });
  return ends;
}

function addChance(row, best) {
  if (!best) return;
  const text = percent(best.win, 0);
  row.append(el("span", { class: `chance${best.first ? " first" : ""}` }, best.first ? `★ ${text}` : text));
  const said = row.getAttribute("aria-label");
  if (!said) return;
  const more = best.first ? t("a move here wins {chance}, the best move", { chance: text }) : t("a move here wins {chance}", { chance: text });
  row.setAttribute("aria-label", `${said}; ${more}`);
}

/** The spaces from the top left on: one above the other, or in rows that run to and fro from Jade's base up. */
function road(spaces, wide) {
  if (!wide) return spaces.reverse();
  const rows = [];
  for (let at = 0; at < spaces.length; at += wide) {
    const row = spaces.slice(at, at + wide);
    if (at + wide < spaces.length) row.at(-1).classList.add("bend");
    while (row.length < wide) row.push(el("span", { class: "gap" }));
    rows.unshift(rows.length % 2 ? row.reverse() : row);
  }
  return rows.flat();
}

function baseRow(side, table, state, open) {
  const { board, rules } = table;
  const there = board.base[side];
  const [slain, out] = [board.slain[side], board.spent[side]];
  const guests = board.fields[OTHER[side]];
  // Where each player's pieces are told, their sum is not.
  const summed = rules.teams !== "owned" || table.teams[side].length === 1;
  const inside = slain || out ? t("{number} in", { number: there }) : t("{number} in base", { number: there });
  const tally = [summed && inside, slain > 0 && tn("{number} slain", "{number} slain", slain), out > 0 && tn("{number} out", "{number} out", out)];
  const turn = table.turn === side && !table.winner ? " turn" : "";
  return el(
    "button",
    { type: "button", class: `row base ${side}${turn}${state}`, "data-space": side, disabled: !open },
    table.teams[side].length > 1 ? team(side, table) : who(table.players[side]),
    there <= MOST_SHOWN && rules.pieces <= MOST_SHOWN && pieces(side, there, 0),
    el("span", { class: "tally" }, tally.filter(Boolean).join(", ")),
    guests.length > 0 &&
      el("span", { class: "guests" }, t("resting here:"), " ", ...guests.map((unit) => stack(unit, table, null))),
  );
}

const who = ({ name, level }) => el("span", { class: "who" }, level ? t("{name} (computer)", { name }) : name);

/** The players of a team in the order they throw, the one whose turn it is or comes next marked. */
function team(side, table) {
  const owned = table.rules.teams === "owned";
  const marks = labels(table.teams[side]);
  const next = throwers(table)[side];
  const players = table.teams[side].map(({ name }, at) => {
    const now = at + 1 === next ? (table.turn === side && !table.winner ? " due" : " next") : "";
    return el(
      "span",
      { class: `player${now}` },
      owned && el("b", {}, marks[at]),
      el("span", { class: "name" }, name),
      owned && el("span", { class: "count" }, `${table.board.bases[side][at]}`),
    );
  });
  return el("span", { class: "who team" }, ...players);
}

function spaceRow(number, units, table, state, open) {
  const fire = table.rules.fire === number;
  const told = units.map(inWords).join("; ") || t("empty");
  return el(
    "button",
    {
      type: "button",
      class: `row space${fire ? " fire" : ""}${units.length > 1 ? " shared" : ""}${state}`,
      "data-space": number,
      "aria-label": fire ? t("Space {number}, the fire: {what}", { number, what: told }) : t("Space {number}: {what}", { number, what: told }),
      disabled: !open,
    },
    el("span", { class: "number" }, `${number}`),
    fire && icon("flame", FLAME),
    ...units.map((unit) => stack(unit, table, number)),
  );
}

function inWords({ owner, own, captives, player, home }) {
  const side = owner === "jade" ? t("jade") : t("obsidian");
  const whose = player ? t("{side} of {player}", { side, player }) : side;
  return [
    tn("{side}, {number} own", "{side}, {number} own", own, { side: whose }),
    captives && tn("{number} captive", "{number} captives", captives),
    home && t("heading home"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** A unit: all its pieces where there is room, else the top one and one captive, and always how many there are. */
function stack({ owner, own, captives, player, home }, table, space) {
  const wide = across(table);
  const at = player === null ? -1 : table.teams[owner].findIndex(({ name }) => name === player);
  const mark = at < 0 ? "" : labels(table.teams[owner])[at];
  const from = space ?? (owner === "jade" ? table.rules.spaces : 1);
  const way = home && homeward(from, owner, table.rules.spaces, space === null ? 0 : wide, turned());
  return el(
    "span",
    { class: `unit${captives ? " laden" : ""}` },
    wide ? pieces(owner, 1, Math.min(captives, 1), mark) : pieces(owner, own, captives, mark),
    own + captives > 1 && el("span", { class: "tally" }, captives ? `${own}+${captives}` : `${own}`),
    home && icon(`home ${way}`, CHEVRONS),
  );
}

const icon = (name, path) =>
  svg("svg", { class: `icon ${name}`, viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path }));

function pieces(side, own, captives, mark = "") {
  const letter = (at) => mark && !at && el("b", {}, mark);
  const mine = Array.from({ length: own }, (_, at) => el("i", { class: `piece ${side}` }, letter(at) || ""));
  const theirs = Array.from({ length: captives }, () => el("i", { class: `piece captive ${OTHER[side]}` }));
  return el("span", { class: "pieces" }, ...mine, ...theirs);
}
