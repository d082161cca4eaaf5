// What this phone is set to for a year. Cookies, so that the server draws the first view the same way.

const YEAR_S = 365 * 24 * 3600;

/** @param {string} name */
const cookieOf = (name) => (name === "lang" ? name : `puluc_${name}`);

/**
 * A setting of this phone, or "".
 * @param {string} name
 */
export const read = (name) => document.cookie.match(`(?:^|; )${cookieOf(name)}=([^;]*)`)?.[1] ?? "";

/**
 * Store a setting on this phone. An empty value removes it.
 * @type {(name: string, value: string) => void}
 */
export function keep(name, value) {
  document.cookie = `${cookieOf(name)}=${value}; path=/; max-age=${value ? YEAR_S : 0}; samesite=lax`;
}
