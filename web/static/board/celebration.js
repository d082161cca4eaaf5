// A win: maize and the winner's pieces rain over the page for a few seconds.

import { el } from "../common/dom.js";
import { mayMove } from "../common/motion.js";

const PIECES = 28;
const FALL = 2600; // ms, at least, from the top of the page to its bottom
const SPREAD = 1600; // ms in which they set out

/**
 * Celebrate if a person won a game between two tables.
 * @param {Api.Snapshot | null} before
 * @param {Api.Snapshot} now
 */
export function celebrate(before, now) {
  const winner = before && !before.winner && before.game === now.game && now.winner;
  if (!winner || winner === "draw" || now.players[winner].level || !mayMove() || !document.body.animate) return;
  const rain = el("div", { class: "rain", "aria-hidden": "true" });
  document.body.append(rain);
  const falls = Array.from({ length: PIECES }, (_, at) => {
    const one = el("i", { class: at % 4 ? "kernel" : `piece ${winner}` });
    one.style.left = `${Math.random() * 100}%`;
    rain.append(one);
    const turn = (Math.random() - 0.5) * 900;
    const sway = (Math.random() - 0.5) * 160;
    return one.animate(
      [{ transform: "translateY(-12vh)" }, { transform: `translate(${sway}px, 112vh) rotate(${turn}deg)` }],
      { duration: FALL + Math.random() * 1400, delay: Math.random() * SPREAD, easing: "cubic-bezier(0.3, 0.1, 0.7, 1)", fill: "both" },
    ).finished;
  });
  Promise.allSettled(falls).then(() => rain.remove());
}
