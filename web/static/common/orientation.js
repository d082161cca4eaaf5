// Which side this phone has at the bottom of the board. A cookie, so that the server draws the first view the same way.

const YEAR_S = 365 * 24 * 3600;

/** Whether Obsidian's base is at the bottom. */
export const isTurned = () => /(^|; )puluc_bottom=obsidian(;|$)/.test(document.cookie);

/** Turn the board round, and store it on this phone. */
export function turnBoard() {
  const bottom = isTurned() ? "jade" : "obsidian";
  document.cookie = `puluc_bottom=${bottom}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
