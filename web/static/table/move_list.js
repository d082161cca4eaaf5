// The legal moves as buttons, best first: from and to, what they capture, and what they are worth.

import { OTHER, keyOf } from "../board/places.js";
import { moveWorth, ranked } from "../board/win_chances.js";
import { el, part, redraw, svg } from "../common/dom.js";
import { t } from "../common/i18n.js";

/** @typedef {import("../board/places.js").Move} Move */

const HOUSE = "M1 7 L7 1 L13 7 V13 H1 Z";

/**
 * The text with a capital first letter.
 * @param {string} text
 */
export const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * Draw the list of moves; a phone that only watches shows them in words.
 * @param {Api.Snapshot} table
 * @param {Move | null} chosen
 * @param {boolean} play
 */
export function drawMoves(table, chosen, play) {
  const { moves, advice, turn, players } = table;
  const computer = players[turn].level !== null;
  const facts = [moves, chosen && keyOf(chosen), advice.moves, advice.suggestion, advice.source, play, computer];
  redraw(part("moves"), facts, () => {
    if (computer) return play ? [] : moves.map(({ words }) => el("p", { class: "move" }, capitalized(words)));
    const ordered = ranked(table).flatMap((at) => moves[at] ?? []);
    return ordered.map((move) => (play ? button(move, table, chosen) : line(move, table)));
  });
}

/** @type {(move: Move, table: Api.Snapshot) => HTMLElement} */
function line(move, table) {
  const worth = worthOf(move, table);
  return el(
    "p",
    { class: "move" },
    capitalized(move.words),
    move.which && el("small", {}, move.which),
    worth && el("small", { class: "tip" }, worth),
  );
}

/** @type {(move: Move, table: Api.Snapshot, chosen: Move | null) => HTMLElement} */
function button(move, table, chosen) {
  const { which, words, captures: taken, frees: freed, burns: burnt, slays: slain, loses: lost } = move;
  const worth = worthOf(move, table);
  const signs = [
    taken > freed ? t("captures {number}", { number: taken - freed }) : "",
    freed ? takenBack(freed, table) : "",
    burnt ? t("burns {number}", { number: burnt }) : "",
    slain ? t("slays {number}", { number: slain }) : "",
    lost ? t("loses {number}", { number: lost }) : "",
  ];
  return el(
    "button",
    { type: "button", class: "move", "data-move": keyOf(move), "aria-pressed": `${chosen !== null && keyOf(move) === keyOf(chosen)}` },
    el("span", { class: "visually-hidden" }, [capitalized(words), which, worth].filter(Boolean).join(". ")),
    el("span", { class: "words", "aria-hidden": "true" }, capitalized(words)),
    el(
      "span",
      { class: "way", "aria-hidden": "true" },
      ...placeIcons(move.from, table),
      " → ",
      ...placeIcons(move.to, table),
      table.rules.throws > 1 && el("small", {}, ` (${move.value})`),
      ...signs.map((sign) => sign && el("span", { class: "takes" }, sign)),
    ),
    (which || worth) && el("small", { class: "tip", "aria-hidden": "true" }, which && `${which} `, worth),
  );
}

/** @type {(number: number, table: Api.Snapshot) => string} */
function takenBack(number, { rules }) {
  return rules.fields.rescued === "slain" ? t("takes back {number}", { number }) : t("frees {number}", { number });
}

/** @type {(move: Move, table: Api.Snapshot) => string | null} */
function worthOf(move, { advice, moves }) {
  const at = moves.indexOf(move);
  return moveWorth(advice, at) ?? (at === advice.suggestion ? t("hint: the best capture") : null);
}

/**
 * A place in a move: a piece for the base, a space's number, a house for home, both for the enemy's field.
 * @type {(place: Move["from"] | Move["to"], table: Api.Snapshot) => (Node | string)[]}
 */
function placeIcons(place, { turn }) {
  if (place === "base") return [el("i", { class: `piece ${turn}` })];
  if (place === "home") return [house()];
  if (place === "field") return [el("i", { class: `piece ${OTHER[turn]}` }), house()];
  return [`${place}`];
}

const house = () => svg("svg", { class: "icon house", viewBox: "0 0 14 14" }, svg("path", { d: HOUSE }));
