// Holding a move, with a finger or with the space bar, shows the board as it would be after it, until it is let go.

import { drawBoard } from "./board.js";
import { el } from "./dom.js";
import { boardOf } from "./position.js";
import { t } from "./words.js";

const HOLD = 350; // ms: sooner, a slow tap would be taken for it; later, nobody would find it
const LATE = 300; // ms after letting go in which the click may still come that belongs to the hold

/**
 * Watch for moves that are held.
 * moveAt(button): the move that tapping it would choose, or null; tableNow(): the table; board: the board's place.
 */
export function listenToHolding({ moveAt, tableNow, board }) {
  let timer = 0;
  let shown = null;
  let held = false; // the tap that a held one ends in chooses nothing

  function begin(button) {
    end();
    held = false;
    const move = button && moveAt(button);
    if (!move) return;
    timer = setTimeout(() => {
      held = true;
      shown = el("div", { class: "peek", role: "status" });
      board.after(shown);
      draw(shown, move, tableNow());
    }, HOLD);
  }

  function end() {
    clearTimeout(timer);
    if (shown) setTimeout(() => (held = false), LATE);
    shown?.remove();
    shown = null;
  }

  const target = (event) => event.target.closest?.("button[data-move], button[data-space]:enabled") ?? null;
  document.addEventListener("pointerdown", (event) => event.isPrimary && event.button === 0 && begin(target(event)));
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);
  document.addEventListener("keydown", (event) => event.key === " " && !event.repeat && begin(target(event)));
  document.addEventListener("keyup", end);
  window.addEventListener("blur", end);
  document.addEventListener("contextmenu", (event) => target(event) && event.preventDefault());
  document.addEventListener(
    "click",
    (event) => {
      if (!held) return;
      held = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

function draw(place, move, table) {
  const [, turn] = /([JO])[\d:]*$/.exec(move.result);
  const next = { ...table, board: boardOf(move.result, table), position: move.result, turn: turn === "J" ? "jade" : "obsidian" };
  const after = el("div", { class: "board" });
  place.append(el("p", {}, t("After it: {move}", { move: move.words })), el("div", { class: "after" }, after));
  drawBoard(after, { ...next, moves: [], last: null }, null, false);
}
