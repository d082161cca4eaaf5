// The headline: what the table says, but for the moments in which the sticks are read and counted; and for screen readers
// the turn that was made.

import { isTaken } from "../board_camera/board_seen.js";
import { inSentences, part } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { isLanded } from "./live_tray.js";

/** @type {[number, string][]} */
const LONG_PROMPTS = [[30, "long"], [48, "longer"]]; // letters too many for larger type; as in templates/table/table.html

/**
 * Draw the headline, after the picture of the throw.
 * @param {Api.Snapshot} table
 */
export function drawPrompt(table) {
  const text = promptOf(table);
  if (part("prompt").textContent !== text) part("prompt").replaceChildren(...inSentences(text));
  part("prompt").className = LONG_PROMPTS.findLast(([letters]) => text.length > letters)?.[1] ?? "";
}

/** @param {Api.Snapshot} table */
function promptOf(table) {
  // The headline must not give away the count before the last stick is lit.
  if ("lighting" in part("throw-picture").dataset) return t("Counting…");
  return isLanded(table) ? t("They have landed. Reading…") : table.prompt;
}

/**
 * Let screen readers say a person's turn once it is made. The headline says what the computer does, and a line of its own
 * what was seen on the board; a turn that an undo brings back was said before.
 * @type {(before: Api.Snapshot | null, now: Api.Snapshot) => void}
 */
export function speakTurn(before, now) {
  const { last, players } = now;
  if (!before || !last || players[last.side].level || isTaken(now)) return;
  if (![before.last, before.earlier[0]].some((told) => told?.sentence === last.sentence)) part("spoken").textContent = last.sentence;
}
