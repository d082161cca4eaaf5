// The dialog that asks which side resigns.

import { child, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";

/**
 * Whether there is a game to resign.
 * @param {Api.Snapshot} table
 */
export const canResign = ({ phase }) => phase !== "over" && phase !== "throw_off";

/**
 * Ask which side resigns, and call `resign(side)` with the answer.
 * @param {Api.Snapshot} table
 * @param {(side: string) => void} resign
 */
export function openResignDialog({ players, teams }, resign) {
  const dialog = partOf("resign-dialog", HTMLDialogElement);
  for (const side of /** @type {const} */ (["jade", "obsidian"])) {
    const colour = side === "jade" ? t("Jade") : t("Obsidian");
    const alone = teams[side].length > 1 || players[side].name === colour;
    const name = alone ? colour : t("{name} ({side})", { name: players[side].name, side: colour });
    child(dialog, `[value=${side}]`, HTMLElement).textContent = t("{name} gives up", { name });
  }
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue && resign(dialog.returnValue);
  dialog.showModal();
}
