// What this tab remembers until it is closed, also from page to page.

/** @type {Map<string, string>} */
const held = new Map(); // for browsers that store nothing

/** @type {(name: string, value: string) => void} */
export function remember(name, value) {
  held.set(name, value);
  try {
    sessionStorage.setItem(`puluc-${name}`, value);
  } catch {
    // Then it is remembered until the page is left.
  }
}

/** @param {string} name */
export function remembered(name) {
  try {
    return sessionStorage.getItem(`puluc-${name}`) ?? held.get(name);
  } catch {
    return held.get(name);
  }
}
