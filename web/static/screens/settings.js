// The settings: the phone's own take effect at once and stay on it; the table's are sent to the table.

import { part, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { fillOptions, listenToOptions, readOptions } from "../common/option_fields.js";
import { keep } from "../common/phone_cookies.js";
import { isOn, setPreference } from "../common/preferences.js";
import { tryRequest } from "../common/request.js";
import { showProblem } from "./actions.js";

/** @typedef {import("../common/preferences.js").Preference} Preference */

/**
 * By theme, for which media the dark colours hold, and in what colours the browser draws its own parts.
 * @type {Record<string, [string, string]>}
 */
const COLOURS = JSON.parse(part("phone").dataset.colours ?? "{}");

/** @type {Record<string, (value: string) => void>} */
const SHOWN = {
  theme(value) {
    const [dark = "", scheme = ""] = COLOURS[value] ?? [];
    partOf("dark", HTMLStyleElement).media = dark;
    document.querySelector("meta[name=color-scheme]")?.setAttribute("content", scheme);
  },
  motion(value) {
    document.documentElement.dataset.motion = value;
  },
  lang: () => location.reload(),
};

part("phone").addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.like) return setSound(preferenceOf(target), target.checked);
  if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return;
  const { name, value } = target;
  keep(name, value);
  SHOWN[name]?.(value);
});

/** @param {HTMLElement} box */
const preferenceOf = (box) => /** @type {Preference} */ (box.dataset.like);

/**
 * Store whether this phone makes sounds or announcements; what is switched on is played at once.
 * @type {(name: Preference, on: boolean) => void}
 */
function setSound(name, on) {
  setPreference(name, on);
  if (on) listen({ sound: name === "sound", calls: name === "calls" });
}

/** @param {{sound: boolean, calls: boolean}} what */
async function listen({ sound, calls }) {
  const { play, say, voiceFor } = await import("../common/sounds.js");
  if (sound) play("thrown");
  if (calls) say(t("{count}. {name} to move.", { count: 3, name: "Jade" }));
  part("voiceless").hidden = !calls || Boolean(voiceFor(document.documentElement.lang));
}

for (const box of document.querySelectorAll("[data-like]")) {
  if (box instanceof HTMLInputElement) box.checked = isOn(preferenceOf(box));
}
part("sounds").hidden = false;
part("try").addEventListener("click", () => listen({ sound: true, calls: true }));
// Some browsers list their voices only when asked a second time.
window.speechSynthesis?.getVoices();

let liked = readOptions(part("liked")); // as the table has them
listenToOptions(part("liked"), async (options) => {
  const { status, body } = await tryRequest("/api/options", options, t("The table is not answering."));
  if (status === 200) liked = body.options;
  else fillOptions(part("liked"), liked);
  showProblem(status === 200 ? "" : body.problem);
});
partOf("liked", HTMLFieldSetElement).disabled = part("liked").dataset.liked !== "yes";
