// The chances to win: the bar, what stands beside each move, and how sure all of it is.

import { el, redraw, svg } from "./dom.js";
import { t } from "./words.js";

const MINUS = "−";

/** A chance in percent. Rounding never makes it certain, and never hopeless. */
export function percent(chance, digits = 1) {
  const least = 10 ** -digits;
  const value = chance * 100;
  if (chance > 0 && value < least / 2) return `<${least} %`;
  if (chance < 1 && value > 100 - least / 2) return `>${(100 - least).toFixed(digits)} %`;
  return `${value.toFixed(digits)} %`;
}

/** Digits after the point that are worth showing: an estimate is not good to a tenth of a point. */
const digitsOf = ({ source }) => (source === "exact" ? 1 : 0);

/** How sure a chance is: proven but for so many percentage points, or not at all. */
const why = ({ source, error_bound: bound }) =>
  source === "exact"
    ? t("Worked out to the end of the game: off by at most {bound} points.", { bound: Math.max(bound * 100, 0.001).toFixed(3) })
    : t("Found by looking some turns ahead. Nobody has proven it.");

/** The move of that index in words: its chance, and how much worse than the best it is. Null where that is not known. */
export function told(advice, index) {
  const { moves } = advice;
  const rated = moves.find(({ move }) => move === index);
  if (!rated) return null;
  const digits = digitsOf(advice);
  const chance = percent(rated.win, digits);
  if (moves.length === 1) return chance;
  // Of the figures as shown, so that whoever takes one from the other finds the same.
  const scale = 10 ** (digits + 2);
  const less = Math.round(moves[0].win * scale) - Math.round(rated.win * scale);
  if (rated === moves[0]) return t("{chance}, best", { chance });
  if (!less) return t("{chance}, as good", { chance });
  return t("{chance}, {less} points", { chance, less: `${MINUS}${((less / scale) * 100).toFixed(digits)}` });
}

/** The indices of the table's moves, best first; as they are where nothing is known. */
export const ranked = ({ moves, advice }) =>
  advice.moves.length === moves.length ? advice.moves.map(({ move }) => move) : moves.map((_, at) => at);

/** Draw the bar, and behind it how sure that is and how far the exact chances are. */
export function drawChances(place, { advice, options }) {
  const { jade, source, pending, solving, error_bound: bound } = advice;
  const shown = pending || advice.win !== null;
  place.hidden = !options.advice || (!shown && !solving);
  redraw(place.querySelector("[data-lines]"), [jade, source, pending, shown, solving?.done], () => [
    ...(shown ? bar(advice) : []),
    el("span", { class: "sure" }, sure(advice, shown)),
    solving && solving.done !== null && share("done", solving.done),
  ].filter(Boolean));
  redraw(place.querySelector("[data-why]"), [source, bound, pending, shown, solving], () =>
    [[shown && !pending && why(advice), solving?.sentence].filter(Boolean).join(" ")],
  );
}

function sure({ pending, source }, shown) {
  if (!shown) return t("Working out the chances");
  if (pending) return t("Chance to win: thinking …");
  return source === "exact" ? t("Chance to win: exact") : t("Chance to win: estimate");
}

function bar(advice) {
  const { jade, pending } = advice;
  const side = (kind, name, chance) =>
    el(
      "span",
      {},
      el("i", { class: `piece ${kind}` }),
      el("span", { class: "name" }, name),
      " ",
      el("b", {}, pending ? "…" : percent(chance, digitsOf(advice))),
    );
  return [
    el("span", { class: "split" }, side("jade", t("Jade"), jade), side("obsidian", t("Obsidian"), 1 - jade)),
    share("share", pending ? null : jade),
  ];
}

/** A bar filled from the left; with null it is empty. */
function share(name, part) {
  const width = part * 100;
  const parts = part === null ? [] : [
    svg("rect", { class: "ours", width, height: 10 }),
    svg("rect", { class: "theirs", x: width, width: 100 - width, height: 10 }),
  ];
  return svg("svg", { class: name, viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
}
