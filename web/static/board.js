// The board: bases at the ends, numbered spaces between, every unit to be counted, and the chosen move as an arrow.

import { percent } from "./chances.js";
import { el, redraw, svg } from "./dom.js";

export const OTHER = { jade: "obsidian", obsidian: "jade" };
const STRAIGHT = 11; // spaces that fit one above the other; a longer road, or one for teams, winds
const HOUSE = "M1 7 L7 1 L13 7 V13 H1 Z";
const FLAME = "M7 0 C8 4 12 6 12 10 A5 5 0 0 1 2 10 C2 7 4 7 4 4 C6 5 6 6 6 7 C8 6 8 3 7 0 Z";

/** A move's one spelling: where from, where to, with which throw, and what moves. */
export const keyOf = (move) => [move.from, move.to, move.value, move.unit].join("-");

/** Where a move begins and ends, as the board's places are called. */
export function endsOf(move, table) {
  const { turn } = table;
  const start = move.from === "base" ? turn : move.from === "field" ? OTHER[turn] : `${move.from}`;
  if (move.to === "field") return [start, OTHER[turn]];
  return [start, move.to === "home" ? (comesHome(move, table) ? turn : OTHER[turn]) : `${move.to}`];
}

/** Whether a move that leaves the highway leaves it at the mover's own base. */
function comesHome({ from, unit }, { board, rules, turn }) {
  const captives = (unit.match(turn === "jade" ? /o/g : /j/g) ?? []).length;
  const there = from === "field" ? board.fields[turn] : (board.spaces[from - 1] ?? []);
  const homeward = unit.endsWith("'") || there.some((one) => one.captives && one.captives === captives && one.home);
  return homeward || (!captives && rules.fields.far_end === "bounce");
}

/** Spaces in a row of a winding road; 0 for a straight one. */
export function across({ rules: { spaces }, teams }) {
  if (spaces <= STRAIGHT && teams.jade.length === 1) return 0;
  return spaces <= 20 ? 5 : spaces <= 36 ? 6 : 7;
}

/** How players of a side are told apart in little room: by initials, or by their numbers in the team. */
export function labels(team) {
  const initials = team.map(({ name }) => [...name][0].toUpperCase());
  const clear = new Set(initials).size === team.length && initials.every((letter) => /\p{L}/u.test(letter));
  return clear ? initials : team.map((_, at) => `${at + 1}`);
}

/** The numbers in their teams of who throws, and of who of the other side throws next. */
export function throwers({ position, turn }) {
  const [, now = 1, next = 1] = position.split(" ").at(-1).split(":");
  return { [turn]: Number(now), [OTHER[turn]]: Number(next) };
}

/** Draw the table's board, its legal moves and the one that is chosen, if any. */
export function drawBoard(place, table, chosen, play) {
  const { board, moves, teams, turn, winner, position, rules } = table;
  const open = new Set(play ? moves.flatMap((move) => endsOf(move, table)) : []);
  const ends = chosen ? endsOf(chosen, table) : [];
  const best = play && !table.players[turn].level ? bestEnds(table) : new Map();
  redraw(place, [board, teams, turn, winner, position, rules.fire, [...open], ends, [...best]], () => {
    const state = (name) => (ends.includes(name) ? " chosen" : open.has(name) ? " can" : "");
    const base = (side) => baseRow(side, table, state(side), open.has(side));
    const spaces = board.spaces.map((units, at) =>
      spaceRow(at + 1, units, table, state(`${at + 1}`), open.has(`${at + 1}`)),
    );
    const rows = [base("obsidian"), ...road(spaces, across(table)), base("jade")];
    for (const row of rows) addChance(row, best.get(row.dataset.space));
    return rows;
  });
  place.dataset.across = across(table);
  place.parentElement.dataset.road = across(table) ? "winding" : "straight";
  drawArrow(place, ends);
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
  if (said) row.setAttribute("aria-label", `${said}; a move here wins ${text}${best.first ? ", the best move" : ""}`);
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

/** Put the arrow where its places now are; one more with `more`, else instead of those there were. */
export function drawArrow(place, ends, more = false) {
  if (!more) for (const arrow of place.querySelectorAll("svg.arrow")) arrow.remove();
  const [from, to] = ends.map((name) => place.querySelector(`[data-space="${name}"]`));
  if (!from || !to) return;
  const winding = place.dataset.across !== "0";
  const middle = (row) => ({
    x: winding ? row.offsetLeft + row.offsetWidth / 2 : place.clientWidth * 0.5,
    y: row.offsetTop + row.offsetHeight / 2,
  });
  const [start, end] = [middle(from), middle(to)];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const far = Math.hypot(dx, dy);
  const bow = Math.min(34, far * 0.3);
  // A bounce may end where it began: then the arrow is a loop.
  const bend = far
    ? { x: (start.x + end.x) / 2 - (dy / far) * bow, y: (start.y + end.y) / 2 + (dx / far) * bow }
    : { x: start.x + 60, y: start.y - 30 };
  const before = far ? start : { x: start.x + 30, y: start.y + 14 };
  const angle = Math.atan2(end.y - bend.y, end.x - bend.x);
  const at = (along, aside) =>
    `${end.x + along * Math.cos(angle) - aside * Math.sin(angle)} ${end.y + along * Math.sin(angle) + aside * Math.cos(angle)}`;
  const curve = `M${before.x} ${before.y} Q${bend.x} ${bend.y} ${at(-10, 0)}`;
  const head = `M${at(-13, -12)} L${at(5, 0)} L${at(-13, 12)} Z`;
  const strokes = ["casing", "line"].map((name) => svg("path", { class: name, d: curve }));
  const view = `0 0 ${place.clientWidth} ${place.clientHeight}`;
  const arrow = { class: "arrow", viewBox: view, "aria-hidden": "true" };
  place.append(svg("svg", arrow, ...strokes, svg("path", { d: head })));
}

function baseRow(side, table, state, open) {
  const { board, rules } = table;
  const there = board.base[side];
  const out = [board.slain[side] && `${board.slain[side]} slain`, board.spent[side] && `${board.spent[side]} out`];
  const tally = out.some(Boolean) ? [`${there} in`, ...out.filter(Boolean)].join(", ") : `${there} in base`;
  const guests = board.fields[OTHER[side]];
  const turn = table.turn === side && !table.winner ? " turn" : "";
  return el(
    "button",
    { type: "button", class: `row base ${side}${turn}${state}`, "data-space": side, disabled: !open },
    table.teams[side].length > 1 ? team(side, table) : who(table.players[side]),
    there <= 14 && rules.pieces <= 14 && pieces(side, there, 0),
    el("span", { class: "tally" }, tally),
    guests.length > 0 && el("span", { class: "guests" }, "resting here: ", ...guests.map((unit) => stack(unit, table))),
  );
}

const who = ({ name, level }) => el("span", { class: "who" }, level ? `${name} (computer)` : name);

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
  const told = units.map(inWords).join("; ") || "empty";
  return el(
    "button",
    {
      type: "button",
      class: `row space${fire ? " fire" : ""}${units.length > 1 ? " shared" : ""}${state}`,
      "data-space": number,
      "aria-label": `Space ${number}${fire ? ", the fire" : ""}: ${told}`,
      disabled: !open,
    },
    el("span", { class: "number" }, `${number}`),
    fire && icon("flame", FLAME),
    ...units.map((unit) => stack(unit, table)),
  );
}

function inWords({ owner, own, captives, player, home }) {
  const whose = player ? `${owner} of ${player}` : owner;
  return `${whose}, ${own} own${captives ? ` and ${captives} captive` : ""}${home ? ", heading home" : ""}`;
}

/** A unit: all its pieces where there is room, else the top one and one captive, and always how many there are. */
function stack({ owner, own, captives, player, home }, table) {
  const few = across(table) > 0;
  const at = player === null ? -1 : table.teams[owner].findIndex(({ name }) => name === player);
  const mark = at < 0 ? "" : labels(table.teams[owner])[at];
  return el(
    "span",
    { class: `unit${captives ? " laden" : ""}` },
    few ? pieces(owner, 1, Math.min(captives, 1), mark) : pieces(owner, own, captives, mark),
    own + captives > 1 && el("span", { class: "tally" }, captives ? `${own}+${captives}` : `${own}`),
    home && icon("home", HOUSE),
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
