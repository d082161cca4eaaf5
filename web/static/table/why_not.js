// Explains in one line why a tap on the board plays nothing.

import { t } from "../common/i18n.js";

/**
 * Why nothing can be played at a place of the board, or null if something can.
 * @param {string} place a space's number, or a side for its base
 * @param {Api.Snapshot} table
 */
export function whyNot(place, { phase, turn, moves, together, players, left, board, rules, countdown }) {
  if (phase === "over") return t("The game is over.");
  if (phase === "throw" || phase === "throw_off") return t("Throw first.");
  if (phase === "reading") return countdown ? t("One moment: the throw is being counted.") : t("First say if the count is right.");
  if (moves.some(({ ends }) => ends.includes(place))) return null;
  if (players[turn].level) return t("It's {name}'s turn to move.", { name: players[turn].name });
  const values = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format([...new Set(left)].map(String));
  // Moves are those of one throw: what takes both is no single move, though it can be done.
  const hint = together.includes(place) ? t("Use one throw at a time.") : "";
  const { advancing, sharing } = rules.fields;
  const { name } = players[turn];
  /** @type {(unit: Api.UnitView) => boolean} */
  const mine = ({ owner, player }) => owner === turn && (player === null || player === name);
  const out = [...board.spaces.flat(), ...board.fields[turn]].filter(mine).length;
  if (place === turn) {
    if (!board.base[turn]) return t("There are no pieces left in this base.");
    if (advancing !== "all" && out >= advancing) return t("You can't have any more units on the highway.");
    return t("No piece can enter with {values}.", { values });
  }
  const units = board.spaces[Number(place) - 1] ?? [];
  const own = units.find(mine) ?? units.find(({ owner }) => owner === turn);
  if (!own) {
    const why = units.length
      ? t("You can't capture this piece with {values}.", { values })
      : t("You can't get there with {values}.", { values });
    return `${why} ${hint}`.trim();
  }
  const plays = out > 0 || board.bases[turn][board.throwers[turn] - 1];
  if (!mine(own) && plays) return t("This is {name}'s piece.", { name: own.player });
  const outward = turn === "jade" ? 1 : -1;
  const to = Number(place) + (left[0] ?? 0) * (own.home ? -outward : outward);
  const there = board.spaces[to - 1] ?? [];
  if (left.length === 1 && !sharing && there.some(({ owner }) => owner === turn)) {
    return t("Your own piece is on {space}.", { space: to });
  }
  return t("This piece cannot move {values}.", { values });
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
