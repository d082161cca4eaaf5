// How the players like it: what stands in the settings holds at once, what stands in the dialog with the new game.

import { part } from "./dom.js";

const fields = (place) => [...place.querySelectorAll("[data-option]")];

/** What a field says, as the table's options call it. The advice is two of them: whether it is shown, and when. */
function told({ dataset: { option }, type, checked, value }) {
  if (option === "advice") return { advice: value !== "never", advice_after: value === "after" };
  return { [option]: type === "checkbox" ? checked : value };
}

/** The options as a form has them. */
export const readOptions = (place) => Object.assign({}, ...fields(place).map(told));

/** Show the options in a form. */
export function fillOptions(place, options) {
  for (const field of fields(place)) {
    const value = options[field.dataset.option];
    if (field.dataset.option === "advice") field.value = value ? (options.advice_after ? "after" : "before") : "never";
    else if (field.type === "checkbox") field.checked = value;
    else field.value = value;
  }
}

/** Tell of each option of a form as soon as it is changed. */
export function listenToOptions(place, set) {
  place.addEventListener("change", ({ target }) => set(told(target)));
}
