// The settings: what this phone likes holds at once and stays on it; what the table likes is told to the table.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { listenToOptions } from "./options.js";

const YEAR_S = 365 * 24 * 3600;
const DARK_FOR = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }; // as in settings.py
const SCHEMES = { auto: "light dark", light: "light", dark: "dark" };

const SHOWN = {
  theme(value) {
    part("dark").media = DARK_FOR[value];
    document.querySelector("meta[name=color-scheme]").content = SCHEMES[value];
  },
  motion(value) {
    document.documentElement.dataset.motion = value;
  },
};

part("phone").addEventListener("change", ({ target: { name, value } }) => {
  if (!(name in SHOWN)) return;
  document.cookie = `puluc_${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
  SHOWN[name](value);
});

listenToOptions(part("liked"), async (options) => {
  const { status, body } = await ask("/api/options", options).catch(() => ({ body: { problem: "The table does not answer." } }));
  if (status === 200) return;
  part("problem").textContent = body.problem;
  part("problem").hidden = false;
  part("problem").scrollIntoView({ block: "center" });
});
