// The legal moves as buttons, best first: where from and where to, what is taken, and what it is worth.

import { ranked, told } from "./chances.js";
import { el, part, redraw, svg } from "./dom.js";
import { OTHER, keyOf } from "./places.js";
import { t } from "./words.js";

const HOUSE = "M1 7 L7 1 L13 7 V13 H1 Z";

/** A sentence's beginning. */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Draw the list of moves; who only watches reads them in words. */
export function drawMoves(table, chosen, play) {
  const { moves, advice, turn, players } = table;
  const computer = players[turn].level !== null;
  const facts = [moves, chosen && keyOf(chosen), advice.moves, advice.suggestion, advice.source, play, computer];
  redraw(part("moves"), facts, () => {
    if (computer) return play ? [] : moves.map((move) => el("p", { class: "move" }, capital(move.words)));
    return ranked(table).map((at) => (play ? button : line)(table, at, chosen));
  });
}

function line(table, at) {
  const { which, worth } = factsOf(table, at);
  return el(
    "p",
    { class: "move" },
    capital(table.moves[at].words),
    which && el("small", {}, which),
    worth && el("small", { class: "tip" }, worth),
  );
}

function button(table, at, chosen) {
  const move = table.moves[at];
  const { which, worth } = factsOf(table, at);
  const said = [capital(move.words), which, worth].filter(Boolean).join(". ");
  const takes = move.captures ? t("takes {number}", { number: move.captures }) : "";
  const slays = move.slays ? t("slays {number}", { number: move.slays }) : "";
  return el(
    "button",
    { type: "button", class: "move", "data-move": keyOf(move), "aria-pressed": `${chosen !== null && keyOf(move) === keyOf(chosen)}` },
    el("span", { class: "said" }, said),
    el(
      "span",
      { class: "way", "aria-hidden": "true" },
      ...placed(move.from, table),
      " → ",
      ...placed(move.to, table),
      table.rules.throws > 1 && el("small", {}, ` (${move.value})`),
      takes && el("span", { class: "takes" }, takes),
      slays && el("span", { class: "takes" }, slays),
    ),
    (which || worth) && el("small", { class: "tip", "aria-hidden": "true" }, which && `${which} `, worth),
  );
}

/** What else there is to know of a move: which unit it moves, where that is not clear, and what it is worth. */
function factsOf(table, at) {
  const { moves, advice } = table;
  const which = moves.filter(({ words }) => words === moves[at].words).length > 1 ? whichUnit(moves[at], table) : null;
  return { which, worth: told(advice, at) ?? (at === advice.suggestion ? t("tip: the best catch") : null) };
}

/** A place in a move: a piece that comes from the base, a space's number, the house that is home, or the enemy's field. */
function placed(place, { turn }) {
  if (place === "base") return [el("i", { class: `piece ${turn}` })];
  if (place === "home") return [svg("svg", { class: "icon house", viewBox: "0 0 14 14" }, svg("path", { d: HOUSE }))];
  if (place === "field") return [el("i", { class: `piece ${OTHER[turn]}` }), svg("svg", { class: "icon house", viewBox: "0 0 14 14" }, svg("path", { d: HOUSE }))];
  return [`${place}`];
}

/** What tells a unit from another that could go the same way: whose it is, and what it carries. */
function whichUnit({ unit }, { rules, teams, turn }) {
  const [, player = 1] = unit.match(/^[JO]:(\d)/) ?? [];
  const captives = (unit.match(turn === "jade" ? /o/g : /j/g) ?? []).length;
  const friends = (unit.match(turn === "jade" ? /j/g : /o/g) ?? []).length;
  const name = rules.teams === "owned" && teams[turn].length > 1 ? teams[turn][player - 1].name : "";
  const size = `${1 + friends}+${captives}`;
  const stack = friends + captives > 0;
  const whose = name
    ? stack ? t("{name}'s stack {size}", { name, size }) : t("{name}'s single piece", { name })
    : stack ? t("the stack {size}", { size }) : t("the single piece");
  return unit.endsWith("'") ? t("{unit}, heading home", { unit: whose }) : whose;
}
