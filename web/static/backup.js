// Brings a backup back: hands it in piece by piece, says what is in it, asks once more, and waits for the table.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { asked } from "./screens.js";
import { t, tn } from "./words.js";

const PART = 1024 * 1024; // bytes at once; the table takes no more than twice that
const LOOK = 1000; // ms between two looks whether the table is back
const GONE = 60000; // ms until somebody should look after it

part("backup")?.addEventListener("change", async ({ target }) => {
  const file = target.files[0];
  if (!file) return;
  target.disabled = true;
  part("problem").hidden = true;
  try {
    await bring(file);
  } catch (error) {
    part("problem").textContent = error.message;
    part("problem").hidden = false;
    part("problem").scrollIntoView({ block: "center" });
    say("");
  }
  target.disabled = false;
  target.value = "";
});

async function bring(file) {
  for (let at = 0; at < file.size || at === 0; at += PART) {
    say(t("{percent} % handed over …", { percent: Math.floor((100 * at) / file.size) }));
    await handIn(file.slice(at, at + PART), at);
  }
  say(t("Looking at it …"));
  const found = await granted(fetch("/api/backup/check", { method: "POST", cache: "no-store" }));
  const made = new Date(found.made).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const games = tn("a backup with one game", "a backup with {number} games", found.games);
  const question = t("Put {games}, made {made}, in the place of all that is here?", { games, made });
  if ((await asked(question, t("Restore"))) === null) return say("");
  await granted(ask("/api/backup/restore", { word: found.word }), true);
  say(t("The table starts again with it …"));
  await back();
  location.assign("/");
}

function handIn(bytes, at) {
  const headers = { "Content-Type": "application/octet-stream" };
  return granted(fetch(`/api/backup/part?at=${at}`, { method: "POST", body: bytes, headers, cache: "no-store" }));
}

/** The answer's body; throws its problem as an error. `read`: it is one of ask's, whose body was read. */
async function granted(answering, read = false) {
  const lost = t("The table does not answer.");
  const answer = await answering.catch(() => null);
  const body = answer && (read ? answer.body : await answer.json().catch(() => null));
  if (answer?.status !== 200) throw new Error(body?.problem ?? lost);
  return body;
}

/** Resolves once the table has gone and come back. */
async function back() {
  const until = Date.now() + GONE;
  await pause();
  while (Date.now() < until) {
    const answer = await ask("/healthz").catch(() => null);
    if (answer?.status === 200) return;
    await pause();
  }
  throw new Error(t("The table has not come back. Switch it off and on again."));
}

const pause = () => new Promise((done) => setTimeout(done, LOOK));

function say(text) {
  part("progress").textContent = text;
}
