// The question before a game is given up: which side does, and that the other has won then.

import { part } from "./dom.js";
import { t } from "./words.js";

/** Whether there is a game to give up. */
export const canGiveUp = ({ phase }) => phase !== "over" && phase !== "throw_off";

/** Ask who gives up, and tell the table; `wish(body)` does. */
export function askWhoGivesUp({ players, teams }, wish) {
  const dialog = part("giving");
  for (const side of ["jade", "obsidian"]) {
    const colour = side === "jade" ? t("Jade") : t("Obsidian");
    const name = teams[side].length > 1 || players[side].name === colour ? colour : t("{name} ({side})", { name: players[side].name, side: colour });
    dialog.querySelector(`[value=${side}]`).textContent = t("{name} gives up", { name });
  }
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue && wish({ side: dialog.returnValue });
  dialog.showModal();
}
