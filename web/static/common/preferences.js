// What this phone plays aloud, stored on the phone alone. Sounds are on until they are switched off, announcements the reverse.

/** @typedef {"sound" | "calls"} Preference */

const GESTURES = ["pointerdown", "keydown"]; // browsers make no sound and do not vibrate before the first of them
let touched = false;
for (const gesture of GESTURES) document.addEventListener(gesture, () => (touched = true), { once: true, capture: true });

/** @type {Map<string, boolean>} */
const held = new Map(); // for browsers that store nothing

/**
 * Whether a preference is on.
 * @param {Preference} name
 */
export function isOn(name) {
  try {
    const kept = localStorage.getItem(`puluc-${name}`);
    return kept === null ? name === "sound" : kept === "yes";
  } catch {
    return held.get(name) ?? name === "sound";
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
