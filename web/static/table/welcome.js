// The first minute: the first game of a new table asks how to play. A phone that has chosen is not asked again.

import { part } from "../common/dom.js";

const KEY = "puluc-welcomed";
const EARLY = 60; // events after which whoever comes finds people at play

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
    // It holds until the page is left.
  }
}

/** Whether the camera only draws its throws. */
const isSimulated = () => part("welcome").dataset.simulated === "yes";

/**
 * Whether nobody has chosen this game or its players: it is what a new table begins with.
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
  part("welcome").hidden = !play || isWelcomed() || !isUnchosen(table);
}

/**
 * Begin as chosen: against the computer, or together at this table. A simulated camera throws when it is told to.
 * @param {Api.Snapshot} table
 * @param {boolean} computer
 * @param {(path: string, body: object) => Promise<void>} submit
 */
export async function begin({ variant }, computer, submit) {
  setWelcomed();
  if (isSimulated()) await submit("/api/options", { auto_throw: false, draw: computer });
  // What a simulated camera threw before anybody looked is nobody's game.
  if (computer || isSimulated()) await submit("/api/games", { variant, jade: "human", obsidian: computer ? "easy" : "human" });
}
