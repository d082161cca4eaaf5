// Previews the board after a move while a finger or the space bar holds it.

import { drawBoard } from "../board/board.js";
import { closest, el } from "../common/dom.js";
import { t } from "../common/i18n.js";

/** @typedef {import("../board/places.js").Move} Move */

const HOLD = 350; // ms: sooner, slow taps would open it; later, nobody would find it
const LATE = 300; // ms after the release within which the click that ends the hold may still arrive
const MOVES = "button[data-move], button[data-space]:enabled";

/**
 * Show a preview for each move that is held.
 * moveAt(button): the move that tapping it would choose, or null. tableNow(): the table. board: the board's element.
 * @param {{moveAt: (button: HTMLElement) => Move | null, tableNow: () => Api.Snapshot | null, board: HTMLElement}} page
 */
export function listenToHolding({ moveAt, tableNow, board }) {
  let timer = 0;
  /** @type {HTMLElement | null} */
  let shown = null;
  let held = false; // the click that ends a hold must not choose the move

  /** @param {HTMLElement | null} button */
  function begin(button) {
    end();
    held = false;
    const [move, table] = [button && moveAt(button), tableNow()];
    if (!move || !table) return;
    timer = setTimeout(() => {
      held = true;
      shown = el("div", { class: "preview", role: "status" });
      board.after(shown);
      drawPreview(shown, move, table);
    }, HOLD);
  }

  function end() {
    clearTimeout(timer);
    if (shown) setTimeout(() => (held = false), LATE);
    shown?.remove();
    shown = null;
  }

  document.addEventListener("pointerdown", (event) => event.isPrimary && event.button === 0 && begin(closest(event, MOVES)));
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);
  document.addEventListener("keydown", (event) => event.key === " " && !event.repeat && begin(closest(event, MOVES)));
  document.addEventListener("keyup", end);
  window.addEventListener("blur", end);
  document.addEventListener("contextmenu", (event) => closest(event, MOVES) && event.preventDefault());
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

/** @type {(place: HTMLElement, move: Move, table: Api.Snapshot) => void} */
function drawPreview(place, { after, result, words }, table) {
  const spaces = table.board.spaces.map((units, at) => after.spaces[at + 1] ?? units);
  const next = { ...table, board: { ...table.board, ...after, spaces }, position: result, turn: after.turn };
  const board = el("div", { class: "board" });
  place.append(el("p", {}, t("Preview: {move}", { move: words })), el("div", { class: "after" }, board));
  drawBoard(board, { ...next, moves: [], last: null }, null, false);
}
