// How the players like it: what stands in the settings holds at once, what stands in the dialog with the new game.

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

/** Tell of each option of a form as soon as it is changed. */
export function listenToOptions(place, set) {
  place.addEventListener("change", ({ target }) => set({ [target.dataset.option]: valueOf(target) }));
}
