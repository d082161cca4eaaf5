// Whether this phone shows the value of moves. Off until somebody asks.

import { keep, read } from "./phone_cookies.js";

/** Whether hints are shown. */
export const areHintsShown = () => read("hints") === "yes";

/** Show hints, or hide them, and store it on this phone. */
export const toggleHints = () => keep("hints", areHintsShown() ? "no" : "yes");

/**
 * The table as this phone shows it: without what the moves are worth, unless hints are shown.
 * @param {Api.Snapshot} table
 * @returns {Api.Snapshot}
 */
export const withHints = (table) =>
  areHintsShown() ? table : { ...table, advice: { ...table.advice, moves: [], suggestion: null, sentence: "" } };
