// The board: a base at each end, numbered spaces between, every unit with its count, and the chosen move as an arrow.

import { el, redraw, renew, svg } from "../common/dom.js";
import { t, tn } from "../common/i18n.js";
import { isTurned } from "../common/orientation.js";
import { mayMove } from "../common/motion.js";
import { drawArrow } from "./arrow.js";
import { holdBack, moveBetween, prepareMove } from "./move_animation.js";
import { OTHER, labels } from "./places.js";
import { percent } from "./win_chances.js";

/** @typedef {import("./places.js").BoardState} BoardState */
/** @typedef {import("./places.js").Move} Move */
/** @typedef {import("./places.js").Side} Side */
/** @typedef {{win: number, first: boolean}} Rating */

const CHEVRON = "M2 9.5 L7 4.5 L12 9.5";
const CHEVRONS = "M2 7 L7 2 L12 7 M2 12.5 L7 7.5 L12 12.5";
const FLAME = "M7 0 C8 4 12 6 12 10 A5 5 0 0 1 2 10 C2 7 4 7 4 4 C6 5 6 6 6 7 C8 6 8 3 7 0 Z";
const EYE = "M1 7 Q7 0 13 7 Q7 14 1 7 Z M7 5 a2 2 0 1 0 0.1 0 Z";
/** @type {WeakMap<HTMLElement, BoardState>} */
const shown = new WeakMap(); // what each board shows
const FINGER = 44; // pixels of a space, at least, in a road that need not be folded
const BASE_WIDTH = 190; // pixels of a base beside the road
const AROUND = 260; // pixels over and under the road: head, bases and foot
const LONG_NAME = 12; // letters of a name that fit beside the mark of the turn; as in templates/table/board.html
const MOST_PIECES = 14; // in a base; more are shown as a number only

/**
 * Draw a table's board, its legal moves and the chosen move, if any.
 * @param {HTMLElement} place
 * @param {BoardState} table
 * @param {Move | null} chosen
 * @param {boolean} play
 */
export function drawBoard(place, table, chosen, play) {
  const { board, moves = [], teams, turn, winner, position, rules } = table;
  const open = new Set(play ? moves.flatMap(({ ends }) => ends) : []);
  const ends = /** @type {string[]} */ (chosen?.ends ?? []);
  const takes = takenBy(chosen);
  const best = play && !table.players[turn].level ? bestEnds(table) : new Map();
  const last = table.last?.moves.flatMap(({ from, to }) => [`${from}`, `${to}`]) ?? [];
  const wrong = table.board_seen?.differences ?? [];
  const made = mayMove() && shown.get(place)?.position !== position ? moveBetween(shown.get(place), table) : null;
  const begin = made && prepareMove(place, made);
  shown.set(place, table);
  place.dataset.position = position;
  redraw(place, [board.columns, board.spaces.length], () => emptyRows(board));
  for (const row of place.querySelectorAll("[data-space]")) {
    if (!(row instanceof HTMLElement)) continue;
    const { space: name = "" } = row.dataset;
    const state = (ends.includes(name) ? " chosen" : open.has(name) ? " can" : "") + (last.includes(name) ? " trace" : "");
    const common = [name, teams, state, open.has(name), best.get(name)];
    if (name === "jade" || name === "obsidian") {
      const facts = [common, { ...board, spaces: null }, document.body.dataset.play, turn, winner, rules];
      renew(row, facts, () => withRating(baseRow(name, table, state, open.has(name)), best.get(name)));
    } else {
      const number = Number(name);
      const seen = wrong.find(({ space }) => space === number)?.found;
      const draw = () => withRating(spaceRow(number, table, state, open.has(name)), best.get(name));
      renew(row, [common, board.spaces[number - 1], rules.fire, seen], () => withDifference(draw(), seen));
    }
  }
  place.dataset.columns = `${board.columns}`;
  place.toggleAttribute("data-turned", isTurned());
  if (place.parentElement) place.parentElement.dataset.road = isStraight(board, place) ? "straight" : "winding";
  drawArrow(place, []);
  // What measures the board waits until the page around it is drawn too, so that the browser lays it out once.
  queueMicrotask(() => {
    if (ends.length) drawArrow(place, ends, { takes });
    begin?.();
    holdBack(place);
  });
}

/**
 * A place for each row, and over them one for what is on its way.
 * @param {Api.BoardView} board
 */
function emptyRows({ columns, spaces }) {
  const row = (/** @type {string | number} */ name) => el("div", { "data-space": name });
  const numbers = spaces.map((_, at) => at + 1);
  const wide = columns || numbers.length;
  const lanes = numbers.filter((_, at) => at % wide === 0).map((first) => numbers.slice(first - 1, first - 1 + wide));
  const road = el("div", { class: "road" }, ...lanes.map((lane) => el("div", { class: "lane" }, ...lane.map(row))));
  return [row("jade"), road, row("obsidian"), el("div", { class: "flights", "data-flights": true, "aria-hidden": "true" })];
}

/**
 * Whether the road is one straight line: a short one always, a longer one where the whole screen has room for it.
 * @type {(board: Api.BoardView, place: HTMLElement) => boolean}
 */
function isStraight({ columns, spaces }, place) {
  if (!columns) return true;
  if (!place.parentElement?.matches("main")) return false;
  const across = matchMedia("(orientation: landscape)").matches;
  const roomy = innerHeight > 480 && (across ? innerWidth - 2 * BASE_WIDTH : innerHeight - AROUND);
  return roomy !== false && roomy / spaces.length >= FINGER;
}

/**
 * How many enemy pieces a move captures or slays.
 * @param {Move | null} move
 */
export const takenBy = (move) => (move ? Math.max(0, move.captures - move.frees) + move.slays : 0);

/**
 * The ends of moves, each with the best chance to win there, and whether it is the best of all.
 * @param {BoardState} table
 * @returns {Map<string, Rating>}
 */
function bestEnds({ advice, moves = [] }) {
  const ends = new Map();
  advice?.moves.forEach(({ move, win }, rank, { length }) => {
    const end = moves[move]?.ends[1];
    if (end !== undefined && !ends.has(end)) ends.set(end, { win, first: rank === 0 && length > 1 });
  });
  return ends;
}

/**
 * @param {HTMLElement} row
 * @param {Rating | undefined} rating
 */
function withRating(row, rating) {
  if (!rating) return row;
  const text = percent(rating.win, 0);
  row.append(el("span", { class: `chance${rating.first ? " first" : ""}` }, rating.first ? `★ ${text}` : text));
  const label = row.getAttribute("aria-label");
  if (!label) return row;
  const more = rating.first ? t("a move here wins {chance}, the best move", { chance: text }) : t("a move here wins {chance}", { chance: text });
  row.setAttribute("aria-label", `${label}; ${more}`);
  return row;
}

/**
 * Mark a space on which the camera sees something else on the real board.
 * @param {HTMLElement} row
 * @param {string | undefined} found
 */
function withDifference(row, found) {
  if (!found) return row;
  const words = { jade: t("a Jade piece"), obsidian: t("an Obsidian piece"), empty: t("nothing") }[found] ?? t("something unclear");
  const isPiece = found === "jade" || found === "obsidian";
  row.classList.add("wrong");
  row.append(el("span", { class: "seen-wrong", "aria-hidden": "true" }, icon("eye", EYE), isPiece ? el("i", { class: `piece ${found}` }) : "–"));
  const seen = t("the camera sees {what}", { what: words });
  row.setAttribute("aria-label", `${row.getAttribute("aria-label")}; ${seen}`);
  return row;
}

/** @type {(side: Side, table: BoardState, state: string, open: boolean) => HTMLElement} */
function baseRow(side, table, state, open) {
  const { board, rules } = table;
  const there = board.base[side];
  const [slain, out] = [board.slain[side], board.spent[side]];
  const guests = board.fields[OTHER[side]];
  // Where each player's pieces are counted, their sum is not.
  const summed = rules.teams !== "owned" || table.teams[side].length === 1;
  const gone = [slain > 0 && tn("{number} slain", "{number} slain", slain), out > 0 && tn("{number} out", "{number} out", out)].filter(Boolean).join(", ");
  const inside = gone ? t("{number} in", { number: there }) : t("{number} in base", { number: there });
  const turn = table.turn === side && !table.winner ? " turn" : "";
  return el(
    "button",
    { type: "button", class: `row base ${side}${turn}${state}`, "data-space": side, disabled: !open },
    table.teams[side].length > 1 ? team(side, table) : playerName(side, table),
    there <= MOST_PIECES && rules.pieces <= MOST_PIECES && pieces(side, there, 0),
    el("span", { class: "tally" }, summed && (gone ? el("span", { class: "inside" }, `${inside}, `) : inside), gone),
    guests.length > 0 &&
      el("span", { class: "guests" }, t("resting here:"), " ", ...guests.map((unit) => stack(unit, table))),
  );
}

/**
 * A player's name, and what it is: a computer, or the only person in the game, who may be told so on a phone that plays.
 * @type {(side: Side, table: BoardState) => HTMLElement}
 */
function playerName(side, { players }) {
  const { name, level } = players[side];
  const alone = document.body.dataset.play === "yes" && players[OTHER[side]].level;
  const label = level ? t("{name} (computer)", { name }) : alone ? t("{name} (you)", { name }) : name;
  return el("span", { class: label.length > LONG_NAME ? "who long" : "who" }, label);
}

/**
 * The players of a team in the order they throw, with a mark on the one who throws now or next.
 * @type {(side: Side, table: BoardState) => HTMLElement}
 */
function team(side, table) {
  const owned = table.rules.teams === "owned";
  const marks = labels(table.teams[side]);
  const players = table.teams[side].map(({ name }, at) => {
    const next = at + 1 === table.board.throwers[side];
    const state = next ? (table.turn === side && !table.winner ? " due" : " next") : "";
    return el(
      "span",
      { class: `player${state}` },
      owned && el("b", {}, marks[at]),
      el("span", { class: "name" }, name),
      owned && el("span", { class: "count" }, `${table.board.bases[side][at]}`),
    );
  });
  return el("span", { class: "who team" }, ...players);
}

/** @type {(number: number, table: BoardState, state: string, open: boolean) => HTMLElement} */
function spaceRow(number, table, state, open) {
  const units = table.board.spaces[number - 1] ?? [];
  const fire = table.rules.fire === number;
  const what = units.map(inWords).join("; ") || t("empty");
  return el(
    "button",
    {
      type: "button",
      class: `row space${fire ? " fire" : ""}${units.length > 1 ? " shared" : ""}${state}`,
      "data-space": number,
      "aria-label": fire ? t("Space {number}, the fire: {what}", { number, what }) : t("Space {number}: {what}", { number, what }),
      disabled: !open,
    },
    el("span", { class: "number" }, `${number}`),
    fire && icon("flame", FLAME),
    ...units.map((unit) => stack(unit, table)),
  );
}

/** @param {Api.UnitView} unit */
function inWords({ owner, own, captives, player, home }) {
  const colour = owner === "jade" ? t("jade") : t("obsidian");
  const side = player ? t("{side} of {player}", { side: colour, player }) : colour;
  return [
    tn("{side}, {number} own", "{side}, {number} own", own, { side }),
    captives > 0 && tn("{number} captive", "{number} captives", captives),
    home && t("heading home"),
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * A unit: its pieces standing on one another, their numbers, and the direction in which it travels.
 * @type {(unit: Api.UnitView, table: BoardState) => HTMLElement}
 */
function stack({ owner, own, captives, player, home }, table) {
  const at = player === null ? -1 : table.teams[owner].findIndex(({ name }) => name === player);
  const mark = labels(table.teams[owner])[at] ?? "";
  const way = (owner === "jade") !== home ? "to-obsidian" : "to-jade";
  return el(
    "span",
    { class: `unit${captives ? " laden" : ""}` },
    pieces(owner, own, captives, mark),
    own + captives > 1 && tally(owner, own, captives),
    icon(home ? `way home ${way}` : `way ${way}`, home ? CHEVRONS : CHEVRON),
  );
}

/** @type {(owner: Side, own: number, captives: number) => HTMLElement} */
const tally = (owner, own, captives) =>
  el(
    "span",
    { class: "tally" },
    el("b", { class: owner }, `${own}`),
    captives > 0 && el("span", {}, "+"),
    captives > 0 && el("b", { class: OTHER[owner] }, `${captives}`),
  );

/** @type {(name: string, path: string) => SVGElement} */
const icon = (name, path) =>
  svg("svg", { class: `icon ${name}`, viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path }));

/**
 * Pieces from the lowest to the top one, which bears the mark.
 * @type {(side: Side, own: number, captives: number, mark?: string) => HTMLElement}
 */
function pieces(side, own, captives, mark = "") {
  const theirs = Array.from({ length: captives }, () => el("i", { class: `piece captive ${OTHER[side]}` }));
  const mine = Array.from({ length: own }, (_, at) => el("i", { class: `piece ${side}` }, mark && at === own - 1 && el("b", {}, mark)));
  return el("span", { class: "pieces" }, ...theirs, ...mine);
}
