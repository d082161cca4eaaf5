// Keeps the page to one screen: what is shown elsewhere too is hidden first, the long list of moves last.

import { el, part } from "../common/dom.js";
import { t } from "../common/i18n.js";

const LEAST = 2; // moves that are listed however little room there is

/** By how many pixels the page is too long or too wide. */
function overflow() {
  const { scrollHeight, scrollWidth } = document.documentElement;
  return Math.max(scrollHeight - window.innerHeight, scrollWidth - window.innerWidth);
}

/** By how many pixels the turn panel reaches into the foot or beyond the edge. */
function panelOverflow() {
  const last = [...part("turn-panel").querySelectorAll(":scope > *")].filter((one) => one instanceof HTMLElement && one.offsetHeight).at(-1);
  if (!last) return 0;
  const { bottom, right } = last.getBoundingClientRect();
  return Math.max(bottom + window.scrollY - (window.innerHeight - part("foot").offsetHeight), right - window.innerWidth);
}

/** Hide what does not fit: first the last turn, then the hint, then moves, which a button opens. */
export function fit() {
  const [list, board] = [part("moves"), part("board")];
  /** @type {HTMLElement[]} */
  const moves = [...list.querySelectorAll(".move")].filter((one) => one instanceof HTMLElement);
  const winding = board.parentElement?.dataset.road === "winding";
  const full = () => overflow() > 0 && (winding || panelOverflow() > 0);
  for (const one of [part("last"), part("help"), ...moves]) one.classList.remove("spared");
  list.querySelector(".more")?.remove();
  if (full()) part("last").classList.add("spared");
  // Among moves the hint is hidden; a question is not.
  if (full() && moves.length) part("help").classList.add("spared");
  if (full() && moves.length > LEAST && list.querySelector("button.move")) {
    list.append(more(moves.length));
    for (const one of moves.slice(LEAST).reverse()) if (full()) one.classList.add("spared");
  }
}

/** @param {number} number */
const more = (number) => el("button", { type: "button", class: "more", "data-action": "all" }, t("All {number} moves", { number }));
