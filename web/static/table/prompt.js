// The headline: what the table says, but for the moments in which the sticks are read and counted.

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
  if ("lighting" in part("throw-picture").dataset) return t("Counting …");
  return isLanded(table) ? t("They have landed. Reading …") : table.prompt;
}
