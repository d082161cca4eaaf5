// How the players like it: what stands in the menu holds at once, what stands in the dialog with the new game.

import { part } from "./dom.js";

const fields = (place) => [...place.querySelectorAll("[data-option]")];
const valueOf = (field) => (field.type === "checkbox" ? field.checked : field.value);

/** The options as a form has them. */
export const readOptions = (place) => Object.fromEntries(fields(place).map((one) => [one.dataset.option, valueOf(one)]));

/** Show the options in a form. */
export function fillOptions(place, options) {
  for (const field of fields(place)) {
    const value = options[field.dataset.option];
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
  }
}

/** Show the table's options in the menu. */
export function showOptions(table, play) {
  fillOptions(part("menu"), table.options);
  part("liked").disabled = !play;
}

/** Tell of each option that is changed in the menu, and close the menu at a tap elsewhere. */
export function listenToOptions(set) {
  const menu = part("menu");
  menu.addEventListener("change", ({ target }) => set({ [target.dataset.option]: valueOf(target) }));
  document.addEventListener("click", ({ target }) => menu.contains(target) || (menu.open = false));
}
