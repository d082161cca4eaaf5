// What a table's JSON says about places on the board.

/** @typedef {"jade" | "obsidian"} Side */
/** @typedef {Api.MoveView} Move */
/**
 * As much of a table as a board shows.
 * @typedef {Pick<Api.Snapshot, "rules" | "teams" | "players" | "board" | "position" | "turn" | "winner"> &
 *   Partial<Pick<Api.Snapshot, "moves" | "advice" | "last" | "board_seen">>} BoardState
 */

/** @type {Record<Side, Side>} */
export const OTHER = { jade: "obsidian", obsidian: "jade" };

/**
 * A move's unique spelling: from, to, the throw it uses, and the unit that moves.
 * @param {Move} move
 */
export const keyOf = (move) => [move.from, move.to, move.value, move.unit].join("-");

/**
 * Short labels for the players of a team: initials, or their numbers where initials do not differ.
 * @param {Api.PlayerView[]} team
 */
export function labels(team) {
  const initials = team.map(({ name }) => ([...name][0] ?? "").toUpperCase());
  const clear = new Set(initials).size === team.length && initials.every((letter) => /\p{L}/u.test(letter));
  return clear ? initials : team.map((_, at) => `${at + 1}`);
}

/**
 * The move that is chosen before this phone chooses another: the one chosen elsewhere, or the only one.
 * @param {Api.Snapshot} table
 */
export const chosenMove = ({ moves, chosen }) => moves[chosen ?? (moves.length === 1 ? 0 : -1)] ?? null;
