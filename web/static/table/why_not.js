// Explains in one line why a tap on the board plays nothing.

import { t, tn } from "../common/i18n.js";

/**
 * Why nothing can be played at a place of the board, or null if something can.
 * @param {string} place a space's number, or a side for its base
 * @param {Api.Snapshot} table
 */
export function whyNot(place, { phase, turn, moves, players, left, board, rules, countdown }) {
  if (phase === "over") return t("The game is over.");
  if (phase === "throw" || phase === "throw_off") return t("Throw first.");
  if (phase === "reading") return countdown ? t("One moment: the throw is being counted.") : t("First say if the count is right.");
  if (moves.some(({ ends }) => ends.includes(place))) return null;
  if (players[turn].level) return t("It's {name}'s turn to move.", { name: players[turn].name });
  const values = left.join(" + ");
  if (place === "jade" || place === "obsidian") {
    if (place !== turn) return t("You can't get there with {values}.", { values });
    return board.base[turn] ? t("No piece can enter with {values}.", { values }) : t("There are no pieces left in this base.");
  }
  const units = board.spaces[Number(place) - 1] ?? [];
  const own = units.find(({ owner }) => owner === turn);
  if (!own) return units.length ? t("You can't capture this piece with {values}.", { values }) : t("You can't get there with {values}.", { values });
  const outward = turn === "jade" ? 1 : -1;
  const to = Number(place) + (left[0] ?? 0) * (own.home ? -outward : outward);
  const there = board.spaces[to - 1] ?? [];
  if (left.length === 1 && !rules.fields.sharing && there.some(({ owner }) => owner === turn)) {
    return t("Your own piece is on {space}.", { space: to });
  }
  return tn("This piece cannot move {number}.", "This piece cannot move {number}.", left[0] ?? 0);
}

/**
 * Tell `say` why, when a place of the board is tapped where nothing can be played.
 * @param {() => Api.Snapshot | null} tableNow
 * @param {(why: string) => void} say
 */
export function listenToIdleTaps(tableNow, say) {
  // A disabled button gets no clicks, but the pointer's position tells where it was tapped.
  document.addEventListener("pointerup", ({ clientX, clientY, button }) => {
    const table = tableNow();
    const at = document.elementFromPoint(clientX, clientY)?.closest("[data-board] [data-space]");
    if (!table || button !== 0 || !(at instanceof HTMLButtonElement) || !at.disabled) return;
    const why = whyNot(at.dataset.space ?? "", table);
    if (why) say(why);
  });
}
