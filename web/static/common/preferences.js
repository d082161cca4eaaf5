// What this phone plays aloud, stored on the phone alone. Sounds are on until they are switched off, announcements the reverse.

import { phone } from "./memory.js";

/** @typedef {"sound" | "calls"} Preference */

const GESTURES = ["pointerdown", "keydown"]; // browsers make no sound and do not vibrate before the first of them
let touched = false;
for (const gesture of GESTURES) document.addEventListener(gesture, () => (touched = true), { once: true, capture: true });

/**
 * Whether a preference is on.
 * @param {Preference} name
 */
export const isOn = (name) => (phone.read(name) ?? (name === "sound" ? "yes" : "no")) === "yes";

/**
 * Switch a preference on or off.
 * @type {(name: Preference, on: boolean) => void}
 */
export const setPreference = (name, on) => phone.keep(name, on ? "yes" : "no");

/**
 * Announce aloud that the table has gone on from `before` to `now`, as far as this phone is set to.
 * @param {Api.Snapshot | null} before
 * @param {Api.Snapshot} now
 */
export function announceChange(before, now) {
  const differs = now.board_seen?.status === "illegal" && before?.board_seen?.status !== "illegal";
  if (!touched || !before || !(now.step > before.step || (differs && now.step === before.step)) || !(isOn("sound") || isOn("calls"))) return;
  import("./sounds.js").then(({ announce }) => announce(before, now));
}

/**
 * Let one more marked lot be heard and felt. number: how many that makes.
 * @param {number} number
 */
export function tick(number) {
  if (touched && number && isOn("sound")) import("./sounds.js").then(({ knockAt }) => knockAt(number));
}
