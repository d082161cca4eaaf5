// Keeps the page to one screen: what can be told elsewhere too gives way, the long list of moves last.

import { el, part } from "./dom.js";
import { t } from "./words.js";

const LEAST = 2; // moves that are listed however little room there is

/** By how much the page is too long or too wide, or what goes on now reaches into the foot or beyond the edge. */
function over() {
  const { scrollHeight, scrollWidth } = document.documentElement;
  return Math.max(scrollHeight - window.innerHeight, scrollWidth - window.innerWidth);
}

function overNow() {
  const last = [...part("now").children].filter((one) => one.offsetHeight).at(-1);
  if (!last) return 0;
  const { bottom, right } = last.getBoundingClientRect();
  return Math.max(bottom + window.scrollY - (window.innerHeight - part("foot").offsetHeight), right - window.innerWidth);
}

/** Leave out of the view what does not fit: first what was last, then the hint, then moves, which a button leads to. */
export function fit() {
  const [list, board] = [part("moves"), part("board")];
  const moves = [...list.querySelectorAll(".move")];
  const winding = board.dataset.across !== "0";
  const full = () => over() > 0 && (winding || overNow() > 0);
  for (const one of [part("last"), part("help"), ...moves]) one.classList.remove("spared");
  board.classList.remove("tight");
  list.querySelector(".more")?.remove();
  if (full()) part("last").classList.add("spared");
  // Among moves the hint is spared; a question is not.
  if (full() && moves.length) part("help").classList.add("spared");
  if (full() && moves.length > LEAST && list.querySelector("button.move")) {
    list.append(more(moves.length));
    for (const one of moves.slice(LEAST).reverse()) if (full()) one.classList.add("spared");
  }
  if (over() > 0) board.classList.add("tight");
}

const more = (number) => el("button", { type: "button", class: "more", "data-action": "all" }, t("All {number} moves", { number }));
