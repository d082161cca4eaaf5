// The first minute: the first game of a new table asks how to play. A phone that has chosen is not asked again.

import { part } from "../common/dom.js";
import { isSimulated } from "./turn_panel.js";

const KEY = "puluc-welcomed";
const EARLY = 60; // events after which a newcomer finds a game in progress

let welcomed = false; // for browsers that store nothing

function isWelcomed() {
  try {
    return welcomed || sessionStorage.getItem(KEY) === "yes";
  } catch {
    return welcomed;
  }
}

function setWelcomed() {
  welcomed = true;
  try {
    sessionStorage.setItem(KEY, "yes");
  } catch {
    // Then the choice lasts until the page is closed.
  }
}

/**
 * Whether this is the initial game of a new table, which nobody has chosen.
 * @param {Api.Snapshot} table
 */
const isUnchosen = ({ game, number, phase, match, players: { jade, obsidian } }) =>
  game === 1 && number < EARLY && phase !== "over" && !match && jade.name === part("welcome").dataset.jade && obsidian.name === part("welcome").dataset.obsidian;

/**
 * Show the choice, if there is one. The guided game's last button has chosen.
 * @param {Api.Snapshot} table
 * @param {boolean} play
 * @param {() => void} playComputer
 */
export function drawWelcome(table, play, playComputer) {
  const open = play && !isWelcomed() && isUnchosen(table);
  const chosen = open && location.hash === "#play";
  part("welcome").hidden = !open || chosen;
  if (chosen) playComputer();
}

/**
 * Begin as chosen: against the computer, or together at this table. A simulated camera throws when it is told to.
 * @param {Api.Snapshot} table
 * @param {boolean} computer
 * @param {(path: string, body: object) => Promise<void>} submit
 */
export async function begin({ variant }, computer, submit) {
  setWelcomed();
  part("welcome").hidden = true;
  // A throw that a simulated camera makes meanwhile is nobody's, so it is no reason to refuse: the step does not matter.
  if (isSimulated()) await submit("/api/options", { auto_throw: false, draw: computer, step: null });
  if (computer || isSimulated()) await submit("/api/games", { variant, jade: "human", obsidian: computer ? "easy" : "human", step: null });
}
