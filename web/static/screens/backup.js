// Saves a backup, and restores one: uploads it in parts, says what is in it, asks once more, and waits for the table.

import { el, findPart, part } from "../common/dom.js";
import { t, tn } from "../common/i18n.js";
import { request } from "../common/request.js";
import { confirmed, localTime, showProblem } from "./actions.js";

const PART = 1024 * 1024; // bytes; the table takes at most twice that
const POLL = 1000; // ms between two checks whether the table is back
const TIMEOUT = 60000; // ms until somebody should look after the table

let saving = false; // a double tap saves one file

findPart("save")?.addEventListener("click", async (event) => {
  event.preventDefault();
  if (saving) return;
  saving = true;
  showProblem("");
  await save("/api/backup").catch(({ message }) => showProblem(message));
  saving = false;
});

/**
 * Save the backup, if the table has one to give: the browser would save a refusal as if it were the backup.
 * @param {string} address
 */
async function save(address) {
  const asked = await send(address, { method: "HEAD" }).catch(() => null);
  // Only an answer with a body says why not.
  if (asked?.status !== 200) await accepted(send(address));
  el("a", { href: address, download: true }).click();
}

findPart("backup")?.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.files?.[0];
  if (!file) return;
  target.disabled = true;
  showProblem("");
  try {
    await restore(file);
  } catch (error) {
    showProblem(error instanceof Error ? error.message : `${error}`);
    showProgress("");
  }
  target.disabled = false;
  target.value = "";
});

/** @param {File} file */
async function restore(file) {
  for (let at = 0; at < file.size || at === 0; at += PART) {
    showProgress(t("{percent}% uploaded…", { percent: Math.floor((100 * at) / file.size) }));
    await upload(file.slice(at, at + PART), at);
  }
  showProgress(t("Checking the backup…"));
  const found = await accepted(send("/api/backup/check", { method: "POST" }));
  const made = localTime(found.made);
  const games = tn("a backup with one game", "a backup with {number} games", found.games);
  const question = t("Replace everything here with {games}, made {made}?", { games, made });
  if ((await confirmed(question, t("Restore"))) === null) return showProgress("");
  await accepted(request("/api/backup/restore", { word: found.word }));
  showProgress(t("The table is restarting with the backup…"));
  await tableIsBack();
  location.assign("/");
}

/** @type {(bytes: Blob, at: number) => Promise<any>} */
const upload = (bytes, at) =>
  accepted(send(`/api/backup/part?at=${at}`, { method: "POST", body: bytes, headers: { "Content-Type": "application/octet-stream" } }));

/** @type {(path: string, options?: RequestInit) => Promise<{status: number, body: any}>} */
async function send(path, options) {
  const answer = await fetch(path, { cache: "no-store", ...options });
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

/**
 * The answer's body. Throws its problem as an error.
 * @param {Promise<{status: number, body: any}>} answering
 */
async function accepted(answering) {
  const answer = await answering.catch(() => null);
  if (answer?.status !== 200) throw new Error(answer?.body?.problem ?? t("The table is not answering."));
  return answer.body;
}

/** Wait until the table has gone and come back. */
async function tableIsBack() {
  const until = Date.now() + TIMEOUT;
  await pause();
  while (Date.now() < until) {
    const answer = await request("/healthz").catch(() => null);
    if (answer?.status === 200) return;
    await pause();
  }
  throw new Error(t("The table has not come back. Switch it off and on again."));
}

const pause = () => new Promise((done) => setTimeout(done, POLL));

/** @param {string} text */
function showProgress(text) {
  part("progress").textContent = text;
}
