// Whether this phone shows the value of moves. Off until somebody asks; a cookie, so that the first view is the same.

const YEAR_S = 365 * 24 * 3600;

/** Whether hints are shown. */
export const areHintsShown = () => /(^|; )puluc_hints=yes(;|$)/.test(document.cookie);

/** Show hints, or hide them, and store it on this phone. */
export function toggleHints() {
  document.cookie = `puluc_hints=${areHintsShown() ? "no" : "yes"}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

/**
 * The table as this phone shows it: without what the moves are worth, unless hints are shown.
 * @param {Api.Snapshot} table
 * @returns {Api.Snapshot}
 */
export const withHints = (table) =>
  areHintsShown() ? table : { ...table, advice: { ...table.advice, moves: [], suggestion: null, sentence: "" } };
