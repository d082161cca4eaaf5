// The table's options as form fields, in the settings and in the dialog for a new game.

/** @typedef {Api.Snapshot["options"]} Options */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @type {(form: HTMLElement) => NodeListOf<Field>} */
const fieldsOf = (form) => form.querySelectorAll("[data-option]");

/**
 * A field's value, by the names of the API. Advice is two options: whether it is shown, and when.
 * @param {Field} field
 * @returns {Record<string, string | boolean>}
 */
function valueOf(field) {
  const { value, dataset: { option = "" } } = field;
  if (option === "advice") return { advice: value !== "never", advice_after: value === "after" };
  return { [option]: field.type === "checkbox" ? isChecked(field) : value };
}

/** @param {Field} field */
const isChecked = (field) => field instanceof HTMLInputElement && field.checked;

/**
 * The options of a form.
 * @param {HTMLElement} form
 * @returns {Partial<Options>}
 */
export const readOptions = (form) => Object.assign({}, ...[...fieldsOf(form)].map(valueOf));

/**
 * Show the table's options in a form.
 * @param {HTMLElement} form
 * @param {Partial<Options>} options
 */
export function fillOptions(form, options) {
  for (const field of fieldsOf(form)) {
    const name = /** @type {keyof Options} */ (field.dataset.option);
    const value = options[name];
    if (name === "advice") field.value = value ? (options.advice_after ? "after" : "before") : "never";
    else if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = Boolean(value);
    else field.value = `${value}`;
  }
}

/**
 * Report each option of a form as soon as it is changed.
 * @param {HTMLElement} form
 * @param {(options: Partial<Options>) => void} onChange
 */
export function listenToOptions(form, onChange) {
  form.addEventListener("change", ({ target }) => onChange(valueOf(/** @type {Field} */ (target))));
}
