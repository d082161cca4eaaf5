// What this phone plays aloud, stored on the phone alone. Both are off until switched on.

/** @typedef {"sound" | "calls"} Preference */

/** @type {Map<string, boolean>} */
const held = new Map(); // for browsers that store nothing

/**
 * Whether a preference is on.
 * @param {Preference} name
 */
export function isOn(name) {
  try {
    return localStorage.getItem(`puluc-${name}`) === "yes";
  } catch {
    return held.get(name) ?? false;
  }
}

/**
 * Switch a preference on or off.
 * @param {Preference} name
 * @param {boolean} on
 */
export function setPreference(name, on) {
  held.set(name, on);
  try {
    localStorage.setItem(`puluc-${name}`, on ? "yes" : "no");
  } catch {
    // It holds until the page is left.
  }
}

/**
 * Announce aloud that the table has gone on from `before` to `now`, as far as this phone is set to.
 * @param {Api.Snapshot | null} before
 * @param {Api.Snapshot} now
 */
export function announceChange(before, now) {
  if (!before || now.step <= before.step || !(isOn("sound") || isOn("calls"))) return;
  import("./sounds.js").then(({ announce }) => announce(before, now));
}
