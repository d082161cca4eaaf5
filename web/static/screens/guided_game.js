// The guided game: an arrow shows the move that is due, and a tap on either of its ends makes it.

import { drawArrow } from "../board/arrow.js";
import { findPart, part } from "../common/dom.js";

const board = part("board");
const ends = (board.dataset.ends ?? "").split(" ");
new ResizeObserver(() => drawArrow(board, ends)).observe(board);
for (const place of board.querySelectorAll(".chosen")) {
  if (!(place instanceof HTMLButtonElement)) continue;
  place.disabled = false;
  place.addEventListener("click", () => findPart("main")?.click());
}
