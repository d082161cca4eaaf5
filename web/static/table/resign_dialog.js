// The dialog that asks which side resigns. A side that only the computer plays is not asked, unless both are such.

import { child, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";

/**
 * Whether there is a game to resign.
 * @param {Api.Snapshot} table
 */
export const canResign = ({ begun, phase }) => begun && phase !== "over";

/**
 * Ask which side resigns, and call `resign(side)` with the answer.
 * @param {Api.Snapshot} table
 * @param {(side: string) => void} resign
 */
export function openResignDialog({ players, teams }, resign) {
  const dialog = partOf("resign-dialog", HTMLDialogElement);
  const sides = /** @type {const} */ (["jade", "obsidian"]);
  const people = sides.filter((side) => teams[side].some(({ level }) => level === null));
  for (const side of sides) {
    const colour = side === "jade" ? t("Jade") : t("Obsidian");
    const alone = teams[side].length > 1 || players[side].name === colour;
    const name = alone ? colour : t("{name} ({side})", { name: players[side].name, side: colour });
    const button = child(dialog, `[value=${side}]`, HTMLElement);
    button.textContent = t("{name} gives up", { name });
    button.hidden = people.length > 0 && !people.includes(side);
  }
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue && resign(dialog.returnValue);
  dialog.showModal();
}
