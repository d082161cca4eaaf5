// The current turn: the throw with its picture, the count, the moves to choose from, and the correction of a count.

import { drawChances } from "../board/win_chances.js";
import { child, el, part, redraw } from "../common/dom.js";
import { t, tn } from "../common/i18n.js";
import { hindrance } from "./live_tray.js";
import { capitalized, drawMoves } from "./move_list.js";
import { drawThrowPicture } from "./throw_picture.js";

/** @typedef {import("../board/places.js").Move} Move */

/**
 * Draw everything beside the board.
 * @param {Api.Snapshot} table
 * @param {Move | null} chosen
 * @param {boolean} play
 */
export function drawTurnPanel(table, chosen, play) {
  const { phase, unsure } = table;
  const looking = phase === "reading" || Boolean(unsure);
  drawChances(part("chances"), table);
  const last = [table.last?.sentence, table.advice.judged?.sentence].filter(Boolean).join(" ");
  part("last").textContent = looking ? "" : last || throwOff(table);
  drawEarlier(table.earlier);
  part("camera").textContent = hindrance(table) ? "" : table.camera.message;
  part("help").textContent = unsure ? doubt(unsure) : hindrance(table) || help(table, play);
  redraw(part("match"), [table.match, phase, table.teams, looking], () => (looking || phase === "move" ? [] : match(table)));
  drawThrow(table);
  drawThrowPicture(table, play);
  drawMoves(table, chosen, play);
  part("review-link").hidden = phase !== "over" || !table.last;
  child(part("review-link"), "a", HTMLAnchorElement).href = `/games/${table.game}/review`;
  drawCorrection(table, play);
}

/**
 * Tell turns, newest first.
 * @param {Api.EarlierTurnView[]} turns
 */
export function drawEarlier(turns) {
  redraw(part("earlier"), turns, () => turns.map(({ side, sentence }) => el("li", {}, el("i", { class: `piece ${side}` }), ` ${sentence}`)));
}

/**
 * Draw the count, or the throws of a two-throw turn.
 * @param {Api.Snapshot} table
 */
export function drawThrow(table) {
  const { phase, throw: thrown, throws, left, rules } = table;
  redraw(part("thrown"), [thrown, throws, left, phase], () =>
    rules.throws > 1 ? throwChips(table) : thrown ? count(thrown) : [],
  );
}

/** @param {Api.Snapshot} table */
function throwOff({ throw_off, players, phase, turn }) {
  const sides = /** @type {const} */ (["jade", "obsidian"]).filter((side) => throw_off[side] !== null);
  const threw = sides.map((side) => t("{name} threw {number}.", { name: players[side].name, number: `${throw_off[side]}` }));
  const begins = sides.length && phase !== "throw_off" ? [t("{name} begins.", { name: players[turn].name })] : [];
  return [...threw, ...begins].join(" ");
}

/** @param {Api.UnsureView} unsure */
const doubt = ({ sentence }) => (isSimulated() ? t("I can't tell all four apart. Throw again, or count them yourself.") : sentence);

/** @type {(table: Api.Snapshot, play: boolean) => string} */
function help({ phase, moves, players, turn, teams, match, confirm, countdown }, play) {
  const computer = players[turn].level !== null;
  if (phase === "throw_off") return t("Each side throws once. The higher throw begins.");
  if (phase === "throw" && (confirm || isSimulated())) return "";
  if (phase === "throw") return computer ? t("Throw all four for {name}.", { name: players[turn].name }) : t("Throw all four.");
  if (phase === "move" && computer && moves.length && !isSimulated()) return countdown ? t("Move its piece.") : t("Move its piece, then tap “Got it”.");
  if (phase === "move" && countdown?.what === "move" && !computer) return t("It is the only move, so it is made for you.");
  if (phase === "move" && moves.length > 1 && !computer && play) return t("Tap a move or a space. Hold to preview.");
  if (phase === "over" && !match && (players.jade.level || players.obsidian.level)) return t("Well played!");
  if (phase === "over" && !match) return teams.jade.length > 1 ? t("Well played, all of you!") : t("Well played, both of you!");
  return "";
}

/**
 * The name of a variant.
 * @param {string} id
 * @returns {string}
 */
const nameOf = (id) => JSON.parse(part("match").dataset.names ?? "{}")[id] ?? id;

/**
 * The name of the next game of a match; "" if the match is over or there is none.
 * @param {Api.Snapshot} table
 */
export function nextGame({ match }) {
  const next = match?.variants[match.round];
  return next ? nameOf(next) : "";
}

/** @param {Api.Snapshot} table */
function match(table) {
  const { match, phase } = table;
  if (!match) return [];
  /** @type {Map<string, number>} */
  const totals = new Map();
  for (const { one, other, one_wins: ones, other_wins: others } of match.scores) {
    totals.set(one, (totals.get(one) ?? 0) + ones);
    totals.set(other, (totals.get(other) ?? 0) + others);
  }
  const score = [...totals].map(([name, wins]) => `${capitalized(name)} ${wins}`).join(" – ");
  const where = t("Match, game {round} of {all}.", { round: match.round, all: match.variants.length });
  const next = nextGame(table);
  const coming = next ? t("Next: {game}", { game: next }) : t("The match is over.");
  return [el("p", {}, score ? `${where} ${score}.` : where), ...(phase === "over" ? [el("p", { class: "strong" }, coming)] : [])];
}

/**
 * The throws of a two-throw turn: those thrown, and those still to be used.
 * @param {Api.Snapshot} table
 */
function throwChips({ throws, throw: reading, left, phase }) {
  if (phase === "over" || (!throws.length && !reading)) return [];
  const unused = [...left];
  const chips = throws.map(({ value }) => {
    const at = unused.indexOf(value);
    const used = phase === "move" && at < 0;
    if (at >= 0) unused.splice(at, 1);
    const state = phase !== "move" ? t("thrown") : used ? t("used") : t("to use");
    return el("span", { class: `chip${used ? " used" : ""}` }, el("b", {}, `${value}`), el("small", {}, state));
  });
  if (phase !== "reading" || !reading) return chips;
  const [figure, words] = count(reading);
  words.append(...chips);
  return [figure, words];
}

/** @type {(thrown: Api.ThrowView) => [HTMLElement, HTMLElement]} */
function count({ marked, value }) {
  const worth = marked === value ? "" : t("worth {number}", { number: value });
  return [el("b", { class: "figure" }, `${marked}`), el("span", {}, " ", tn("marked", "marked", marked), worth && el("small", {}, worth))];
}

/**
 * Whether the camera is ready to read the next throw.
 * @param {Api.Snapshot} table
 */
export const isWatched = ({ camera }) => camera.state === "watching" || camera.state === "moving";

/** Whether the camera only draws its throws. */
export const isSimulated = () => document.body.dataset.simulated === "yes";

/** @param {Api.Snapshot} table */
function question(table) {
  if (table.phase === "reading") return t("Not right? Tap the right count:");
  if (table.phase === "move") return t("Was the count wrong?");
  if (isSimulated() && !table.unsure) return t("I threw my own sticks");
  if (table.unsure && !isSimulated()) return t("Tap how many marked sides are up, or throw again:");
  return isWatched(table) ? t("Or tap how many marked sides are up:") : t("How many marked sides are up?");
}

/** @type {(table: Api.Snapshot, play: boolean) => void} */
function drawCorrection(table, play) {
  const { phase, throw: thrown, rules } = table;
  const place = part("correct");
  place.hidden = !play || phase === "over" || table.countdown?.what === "throw";
  // A count is rarely entered then, so it is behind a button.
  const done = phase === "move" || (isSimulated() && phase !== "reading" && !table.unsure);
  const about = `${phase} ${thrown?.marked}`;
  if (place.dataset.about !== about) place.classList.remove("open");
  place.dataset.about = about;
  part("question").textContent = done ? t("How many marked sides are up?") : question(table);
  part("recount").hidden = !done;
  part("recount").dataset.closed = question(table);
  openCorrection(place.classList.contains("open"));
  // A simulated camera would throw again, whatever it has thrown. Where something hinders it, the main button looks again.
  const looksAgain = !isSimulated() && !hindrance(table) && (phase === "reading" || (phase !== "move" && isWatched(table)));
  redraw(part("digits"), [rules.values, thrown?.marked ?? null, looksAgain], () => {
    const counts = rules.values.map((value, marked) =>
      el(
        "button",
        { type: "button", "data-count": marked, "aria-pressed": `${thrown?.marked === marked}` },
        el("b", {}, `${marked}`),
        value !== marked && el("small", {}, t("worth {number}", { number: value })),
      ),
    );
    return looksAgain ? [...counts, el("button", { type: "button", "data-action": "rethrow" }, t("Look again"))] : counts;
  });
}

/** Show the counts over the moves, or hide them again. */
export function openCorrection(open = !part("correct").classList.contains("open")) {
  part("correct").classList.toggle("open", open);
  part("recount").setAttribute("aria-expanded", `${open}`);
  part("recount").textContent = open ? t("Cancel") : (part("recount").dataset.closed ?? "");
  part("question").hidden = part("digits").hidden = !open && !part("recount").hidden;
}

/** Hide the counts, and give the focus that one of them had to the button that shows them. */
export function closeCorrection() {
  if (part("digits").contains(document.activeElement)) part("recount").focus();
  openCorrection(false);
}
