// The settings: what this phone likes holds at once and stays on it; what the table likes is told to the table.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { like, liked } from "./likes.js";
import { listenToOptions } from "./options.js";
import { t } from "./words.js";

const YEAR_S = 365 * 24 * 3600;
const DARK_FOR = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }; // as in settings.py
const SCHEMES = { auto: "light dark", light: "light", dark: "dark" };

const SHOWN = {
  theme(value) {
    part("dark").media = DARK_FOR[value];
    document.querySelector("meta[name=color-scheme]").content = SCHEMES[value];
  },
  bottom() {},
  motion(value) {
    document.documentElement.dataset.motion = value;
  },
};

const kept = (name) => (name === "lang" ? name : `puluc_${name}`);

part("phone").addEventListener("change", ({ target: { name, value, checked, dataset } }) => {
  if (dataset.like) return heard(dataset.like, checked);
  document.cookie = `${kept(name)}=${value}; path=/; max-age=${value ? YEAR_S : 0}; samesite=lax`;
  if (name === "lang") location.reload();
  else SHOWN[name](value);
});

/** Whether this phone wants that by ear; what is switched on is heard at once. */
async function heard(name, wanted) {
  like(name, wanted);
  if (wanted) listen({ sound: name === "sound", calls: name === "calls" });
}

async function listen({ sound, calls }) {
  const { play, say, voiceFor } = await import("./calls.js");
  if (sound) play("thrown");
  if (calls) say(t("{count}. {name} to move.", { count: 3, name: "Jade" }));
  part("voiceless").hidden = !calls || Boolean(voiceFor(document.documentElement.lang));
}

for (const box of document.querySelectorAll("[data-like]")) box.checked = liked(box.dataset.like);
part("heard").hidden = false;
part("try").addEventListener("click", () => listen({ sound: true, calls: true }));
// Some browsers tell of their voices only when asked a second time.
window.speechSynthesis?.getVoices();

listenToOptions(part("liked"), async (options) => {
  const { status, body } = await ask("/api/options", options).catch(() => ({ body: { problem: t("The table does not answer.") } }));
  if (status === 200) return;
  part("problem").textContent = body.problem;
  part("problem").hidden = false;
  part("problem").scrollIntoView({ block: "center" });
});
part("liked").disabled = part("liked").dataset.liked !== "yes";
