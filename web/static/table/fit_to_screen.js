// Fits the page on one screen: hides first whatever is also shown elsewhere, and the long list of moves last.

import { el, part } from "../common/dom.js";
import { t } from "../common/i18n.js";

const EDGE = 2; // pixels that stay free below the panel
const LEAST = 2; // moves that always stay listed
const PICTURE = 90; // pixels: in a lower picture the badges would cover the sticks

/** The page's overflow beyond the window, in pixels. */
function overflow() {
  const { scrollHeight, scrollWidth } = document.documentElement;
  return Math.max(scrollHeight - window.innerHeight, scrollWidth - window.innerWidth);
}

/** The turn panel's overflow into the foot, in pixels. Counts that lie over the moves need no room. */
function panelOverflow() {
  const over = getComputedStyle(part("correct")).position === "absolute" ? part("correct") : null;
  const shown = [...part("turn-panel").querySelectorAll(":scope > * > *")].filter((one) => one !== over);
  const lowest = Math.max(...shown.map((one) => one.getBoundingClientRect().bottom));
  return lowest + EDGE + window.scrollY - (window.innerHeight - part("foot").offsetHeight);
}

/** Under a winding road: the panel's growth beyond the height kept for it, which would shrink the spaces, in pixels. */
function panelGrowth() {
  const kept = parseFloat(getComputedStyle(part("turn-panel")).minHeight) || Infinity;
  return part("turn-panel").offsetHeight - EDGE - kept;
}

/** Whether the picture of the throw has too little room to be seen. */
const isPictureSqueezed = () => part("throw-picture").childElementCount > 0 && part("throw-picture").clientHeight <= PICTURE;

/** Hide elements that do not fit: first the last turn, then the hint, then moves, which a button shows again. */
export function fit() {
  const [list, board] = [part("moves"), part("board")];
  /** @type {HTMLElement[]} */
  const moves = [...list.querySelectorAll(".move")].filter((one) => one instanceof HTMLElement);
  const winding = board.parentElement?.dataset.road === "winding";
  const full = () => (winding ? Math.max(overflow(), panelGrowth()) : panelOverflow()) > 0;
  for (const one of [part("last"), part("help"), ...moves]) one.classList.remove("spared");
  list.querySelector(".more")?.remove();
  const crowded = () => full() || isPictureSqueezed();
  if (crowded()) part("last").classList.add("spared");
  // The hint is hidden beside moves; a question is not.
  if (crowded() && moves.length) part("help").classList.add("spared");
  if (full() && moves.length > LEAST && list.querySelector("button.move")) {
    list.append(more(moves.length));
    for (const one of moves.slice(LEAST).reverse()) if (full()) one.classList.add("spared");
  }
}

/** @param {number} number */
const more = (number) => el("button", { type: "button", class: "more", "data-action": "all" }, t("All {number} moves", { number }));
