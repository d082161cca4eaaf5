// The win chances: the bar, the value of each move, and how certain they are.

import { el, redraw, svg } from "../common/dom.js";
import { t } from "../common/i18n.js";

/**
 * A chance in percent. Rounding never makes it certain or hopeless.
 * @param {number} chance
 * @param {number} digits
 */
export function percent(chance, digits = 1) {
  const least = 10 ** -digits;
  const value = chance * 100;
  const tiny = chance > 0 && value < least / 2;
  const huge = chance < 1 && value > 100 - least / 2;
  const number = tiny ? `<${least}` : huge ? `>${(100 - least).toFixed(digits)}` : value.toFixed(digits);
  return t("{number}%", { number });
}

/**
 * Decimals worth showing: an estimate is not accurate to a tenth of a point.
 * @param {Api.AdviceView} advice
 */
const digitsOf = ({ source }) => (source === "exact" ? 1 : 0);

/**
 * How certain a chance is.
 * @param {Api.AdviceView} advice
 */
const certainty = ({ source, error_bound: bound }) =>
  source === "exact"
    ? t("Worked out to the end of the game: off by at most {bound} points.", { bound: Math.max((bound ?? 0) * 100, 0.001).toFixed(3) })
    : t("Found by looking some turns ahead. It is not proven.");

/**
 * The worth of the move with that index: its chance, and how much worse than the best it is. Null where unknown.
 * @param {Api.AdviceView} advice
 * @param {number} index
 */
export function moveWorth(advice, index) {
  const { moves } = advice;
  const [best] = moves;
  const rated = moves.find(({ move }) => move === index);
  if (!best || !rated) return null;
  const digits = digitsOf(advice);
  const chance = percent(rated.win, digits);
  if (moves.length === 1) return chance;
  // From the rounded figures, so that subtracting what is shown gives the same.
  const scale = 10 ** (digits + 2);
  const less = Math.round(best.win * scale) - Math.round(rated.win * scale);
  if (rated === best) return t("{chance}, best", { chance });
  if (!less) return t("{chance}, as good", { chance });
  return t("{chance}, {less} less", { chance, less: ((less / scale) * 100).toFixed(digits) });
}

/**
 * The indices of the table's moves, best first; in their own order where nothing is known.
 * @param {Api.Snapshot} table
 */
export const ranked = ({ moves, advice }) =>
  advice.moves.length === moves.length ? advice.moves.map(({ move }) => move) : moves.map((_, at) => at);

/**
 * Draw the bar and, behind it, how certain it is and how far the exact chances are.
 * @param {HTMLElement} place
 * @param {Api.Snapshot} table
 */
export function drawChances(place, { advice, options }) {
  const { jade, source, pending, solving, error_bound: bound } = advice;
  const shown = pending || advice.win !== null;
  place.hidden = !options.advice || (!shown && !solving);
  const [lines, why] = [place.querySelector("[data-lines]"), place.querySelector("[data-why]")];
  if (!(lines instanceof HTMLElement) || !(why instanceof HTMLElement)) return;
  redraw(lines, [jade, source, pending, shown, solving?.done], () => [
    ...(shown ? bar(advice) : []),
    el("span", { class: "sure" }, heading(advice, shown)),
    ...(solving && solving.done !== null ? [share("done", solving.done)] : []),
  ]);
  redraw(why, [source, bound, pending, shown, solving], () =>
    [[shown && !pending && certainty(advice), solving?.sentence].filter(Boolean).join(" ")],
  );
}

/** @type {(advice: Api.AdviceView, shown: boolean) => string} */
function heading({ pending, source }, shown) {
  if (!shown) return t("Working out the chances");
  if (pending) return t("Chance to win: thinking…");
  return source === "exact" ? t("Chance to win: exact") : t("Chance to win: estimate");
}

/** @param {Api.AdviceView} advice */
function bar(advice) {
  const jade = advice.pending ? null : advice.jade;
  const side = (/** @type {string} */ colour, /** @type {string} */ name, /** @type {number | null} */ chance) =>
    el(
      "span",
      {},
      el("i", { class: `piece ${colour}` }),
      el("span", { class: "name" }, name),
      " ",
      el("b", {}, chance === null ? "…" : percent(chance, digitsOf(advice))),
    );
  return [
    el("span", { class: "split" }, side("jade", t("Jade"), jade), side("obsidian", t("Obsidian"), jade === null ? null : 1 - jade)),
    share("share", jade),
  ];
}

/**
 * A bar filled from the left; empty for null.
 * @type {(name: string, filled: number | null) => SVGElement}
 */
function share(name, filled) {
  const width = (filled ?? 0) * 100;
  const parts = filled === null ? [] : [
    svg("rect", { class: "ours", width, height: 10 }),
    svg("rect", { class: "theirs", x: width, width: 100 - width, height: 10 }),
  ];
  return svg("svg", { class: name, viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
}
