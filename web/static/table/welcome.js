// The first minute: the first game of a new table asks how to play. A phone that has chosen is not asked again.

import { part } from "../common/dom.js";
import { tab } from "../common/memory.js";
import { isSimulated } from "./turn_panel.js";

const EARLY = 60; // events after which a newcomer finds a game in progress

/**
 * Whether this is the initial game of a new table, which nobody has chosen.
 * @param {Api.Snapshot} table
 */
const isUnchosen = ({ game, number, phase, match, players: { jade, obsidian } }) =>
  game === 1 && number < EARLY && phase !== "over" && !match && jade.name === part("welcome").dataset.jade && obsidian.name === part("welcome").dataset.obsidian;

/**
 * Show the choice, if there is one.
 * @param {Api.Snapshot} table
 * @param {boolean} play
 */
export function drawWelcome(table, play) {
  part("welcome").hidden = !play || tab.read("welcomed") === "yes" || !isUnchosen(table);
}

/**
 * Begin as chosen: against the computer, or together at this table. A simulated camera throws when it is told to.
 * @param {Api.Snapshot} table
 * @param {boolean} computer
 * @param {(path: string, body: object) => Promise<void>} submit
 */
export async function begin({ variant }, computer, submit) {
  tab.keep("welcomed", "yes");
  part("welcome").hidden = true;
  // A throw that a simulated camera makes meanwhile is nobody's, so it is no reason to refuse: the step does not matter.
  if (isSimulated()) await submit("/api/options", { auto_throw: false, draw: computer, step: null });
  if (computer || isSimulated()) await submit("/api/games", { variant, jade: "human", obsidian: computer ? "easy" : "human", step: null });
}
