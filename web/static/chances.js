// The chances to win: the bar, what stands beside each move, and how sure all of it is.

import { el, redraw, svg } from "./dom.js";

const MINUS = "−";

/** A chance in percent. Rounding never makes it certain, and never hopeless. */
export function percent(chance, digits = 1) {
  const least = 10 ** -digits;
  const value = chance * 100;
  if (chance > 0 && value < least / 2) return `<${least} %`;
  if (chance < 1 && value > 100 - least / 2) return `>${(100 - least).toFixed(digits)} %`;
  return `${value.toFixed(digits)} %`;
}

/** How sure a chance is: proven but for so many percentage points, or not at all. */
const sure = ({ source, error_bound: bound }) =>
  source === "exact" ? `exact ±${Math.max(bound * 100, 0.001).toFixed(3)} points` : "estimate";

/** The move of that index in words: its chance, and how much worse than the best it is. Null where that is not known. */
export function told({ moves }, index) {
  const rated = moves.find(({ move }) => move === index);
  if (!rated) return null;
  if (moves.length === 1) return percent(rated.win);
  // Of the figures as shown, so that whoever takes one from the other finds the same.
  const less = Math.round(moves[0].win * 1000) - Math.round(rated.win * 1000);
  const behind = less ? `${MINUS}${(less / 10).toFixed(1)} points` : "as good";
  return `${percent(rated.win)}, ${rated === moves[0] ? "best" : behind}`;
}

/** The indices of the table's moves, best first; as they are where nothing is known. */
export const ranked = ({ moves, advice }) =>
  advice.moves.length === moves.length ? advice.moves.map(({ move }) => move) : moves.map((_, at) => at);

/** Draw the bar, and the sentence about the exact chances while they are being worked out. */
export function drawChances(place, { advice, options }) {
  const shown = options.advice && (advice.pending || advice.win !== null);
  place.hidden = !options.advice || (!shown && !advice.solving);
  redraw(place, [advice.jade, advice.source, advice.error_bound, advice.pending, shown, advice.solving], () => [
    ...(shown ? bar(advice) : []),
    advice.solving && el("p", { class: "solving" }, advice.solving.sentence),
  ].filter(Boolean));
}

function bar(advice) {
  const { jade, pending, source } = advice;
  const digits = source === "exact" ? 1 : 0;
  const side = (name, chance) =>
    el(
      "span",
      {},
      el("i", { class: `piece ${name.toLowerCase()}` }),
      el("span", { class: "name" }, name),
      " ",
      el("b", {}, pending ? "…" : percent(chance, digits)),
    );
  const share = pending ? 0 : jade * 100;
  const parts = pending
    ? []
    : [
        svg("rect", { class: "ours", width: share, height: 10 }),
        svg("rect", { class: "theirs", x: share, width: 100 - share, height: 10 }),
      ];
  return [
    el("p", { class: "split" }, side("Jade", jade), side("Obsidian", 1 - jade)),
    svg("svg", { class: "share", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts),
    el("p", { class: "sure" }, pending ? "Chance to win: thinking …" : `Chance to win: ${sure(advice)}`),
  ];
}
