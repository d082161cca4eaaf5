// What this phone likes to hear, kept on it alone. Both are off until somebody wants them.

const held = new Map(); // for browsers that keep nothing

/** Whether this phone wants that: "sound" or "calls". */
export function liked(name) {
  try {
    return localStorage.getItem(`puluc-${name}`) === "yes";
  } catch {
    return held.get(name) ?? false;
  }
}

/** Keep whether this phone wants that. */
export function like(name, wanted) {
  held.set(name, wanted);
  try {
    localStorage.setItem(`puluc-${name}`, wanted ? "yes" : "no");
  } catch {
    // It holds until the page is left.
  }
}

/** Let the phone be heard, if it wants to be, when the table has gone on from `before` to `now`. */
export function hear(before, now) {
  if (!before || now.step <= before.step || !(liked("sound") || liked("calls"))) return;
  import("./calls.js").then(({ announce }) => announce(before, now));
}
