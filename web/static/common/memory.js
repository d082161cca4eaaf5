// What this browser remembers. One that stores nothing remembers it until the page is left.

/** @param {"sessionStorage" | "localStorage"} kind */
function memoryIn(kind) {
  /** @type {Map<string, string>} */
  const held = new Map();
  return {
    /** @type {(name: string, value: string) => void} */
    keep(name, value) {
      held.set(name, value);
      try {
        window[kind].setItem(`puluc-${name}`, value);
      } catch {
        // Then it is only held.
      }
    },

    /** @param {string} name */
    read(name) {
      try {
        return window[kind].getItem(`puluc-${name}`) ?? held.get(name);
      } catch {
        return held.get(name);
      }
    },
  };
}

/** Of this tab until it is closed, also from page to page. */
export const tab = memoryIn("sessionStorage");
/** Of this phone. */
export const phone = memoryIn("localStorage");
