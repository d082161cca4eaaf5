// Which side this phone has at the bottom of the board.

import { keep, read } from "./phone_cookies.js";

/** Whether Obsidian's base is at the bottom. */
export const isTurned = () => read("bottom") === "obsidian";

/** Turn the board round, and store it on this phone. */
export const turnBoard = () => keep("bottom", isTurned() ? "jade" : "obsidian");
