// What the camera sees on the real board, in one line, and the move that was taken from it with "Undo" beside it.

import { findPart, part } from "../common/dom.js";
import { t } from "../common/i18n.js";

/** @typedef {import("../board/places.js").Move} Move */

let takenAt = -1; // step of the game at which a move was taken from the board

/**
 * Notice that the move that was counting down on the board has been taken.
 * @type {(before: Api.Snapshot | null, now: Api.Snapshot) => void}
 */
export function noticeTaken(before, now) {
  if (before?.countdown?.what === "board" && now.step > before.step && now.last) takenAt = now.step;
}

/**
 * Whether the latest step was taken from the board.
 * @param {Api.Snapshot} table
 */
export const isTaken = ({ step }) => step === takenAt;

/**
 * The legal move that is seen on the board, or null.
 * @param {Api.Snapshot} table
 * @returns {Move | null}
 */
export function seenMove({ board_seen: seen, moves }) {
  const made = seen?.status === "played" && seen.moves[0];
  if (!made) return null;
  return moves.find(({ from, to, value }) => from === made.from && to === made.to && value === made.value) ?? null;
}

/**
 * Draw the line, beside what else happens now.
 * @type {(table: Api.Snapshot, play: boolean) => void}
 */
export function drawBoardSeen(table, play) {
  const { board_seen: seen, last, undo, phase } = table;
  const taken = isTaken(table);
  const line = taken ? t("Seen on the board: {move}", { move: last?.sentence ?? "" }) : (seen?.sentence ?? "");
  const place = part("board-seen");
  place.hidden = !line;
  place.dataset.status = taken ? "taken" : (seen?.status ?? "off");
  if (part("board-line").textContent !== line) part("board-line").textContent = line;
  part("board-undo").hidden = !taken || !undo || !play;
  if (taken) part("last").textContent = "";
  const check = findPart("check-board");
  if (check) check.hidden = !play || !seen || phase === "over";
}
