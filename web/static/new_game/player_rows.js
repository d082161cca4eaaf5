// The players in the dialog for a new game: one row each, with who plays and under what name.

import { child } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { capitalized } from "../table/move_list.js";

/** @typedef {"jade" | "obsidian"} Side */

/** @param {Side} side */
export const colourOf = (side) => (side === "jade" ? t("Jade") : t("Obsidian"));

/** @param {Side} side */
export const teamOf = (side) => child(document, `[data-team="${side}"]`, HTMLElement);

/** @param {Side} side */
export const rowsOf = (side) => [...teamOf(side).children].filter((row) => row instanceof HTMLElement);

/** @param {HTMLElement} row */
export const fieldsOf = (row) => ({ kind: child(row, "select", HTMLSelectElement), name: child(row, "input", HTMLInputElement) });

/**
 * The name of a row's player: as typed, by level, or by side and number.
 * @param {HTMLElement} row
 */
export function nameIn(row) {
  const { kind, name } = fieldsOf(row);
  return kind.value === "human" ? typedIn(row) || name.placeholder : kind.selectedOptions[0]?.textContent ?? "";
}

/**
 * A row's player as the table is told: a name, a level, or "human" for a person without a name.
 * @param {HTMLElement} row
 */
export function playerIn(row) {
  const { value } = fieldsOf(row).kind;
  return (value === "human" && typedIn(row)) || value;
}

/**
 * The name that was typed, with a capital if the table would take it for a level or for no name.
 * @param {HTMLElement} row
 */
function typedIn(row) {
  const { kind, name } = fieldsOf(row);
  const typed = name.value.trim();
  return [...kind.options].some(({ value }) => value === typed) ? capitalized(typed) : typed;
}
