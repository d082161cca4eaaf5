// The dialog that starts a new game.

import { part } from "./dom.js";

/** Open the dialog for the table as it is; `start(body)` is called with the game that is wanted. */
export function openNewGame(table, start) {
  const dialog = part("dialog");
  const form = dialog.querySelector("form");
  const fields = form.elements;
  const kinds = ["jade", "obsidian"];
  const named = (side) => (fields[`${side}-name`].hidden = fields[side].value !== "human");
  fields.variant.value = table.variant;
  for (const side of kinds) {
    const { name, level } = table.players[side];
    fields[side].value = level ?? "human";
    fields[`${side}-name`].value = level || name.toLowerCase() === side ? "" : name;
    fields[side].onchange = () => named(side);
    named(side);
  }
  part("ends").hidden = table.phase === "over" || (table.phase === "throw_off" && !table.undo);
  const player = (side) => {
    const name = fields[side].value === "human" && fields[`${side}-name`].value.trim();
    return name || fields[side].value;
  };
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue === "start") {
      start({ variant: fields.variant.value, jade: player("jade"), obsidian: player("obsidian") });
    }
  };
  dialog.showModal();
}
