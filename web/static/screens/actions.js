// The buttons of the screens: ask first where something would be lost, then send the request.

import { child, closest, findPart, part, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { request, tryRequest } from "../common/request.js";

const SIGN_OF_LIFE = 20000; // ms; the host counts as here for a minute after each request

let asking = false; // one request at a time, and none after one that leaves the screen: a double tap is one tap

/** @param {HTMLElement} button */
async function press(button) {
  if (asking) return;
  asking = true;
  asking = await send(button);
}

/**
 * Ask where something would be lost, and send the request. Returns whether this screen is left.
 * @param {HTMLElement} button
 */
async function send({ dataset }) {
  const { post = "", body: given = "{}", then, ask: question, yes = "", named, sends, step } = dataset;
  /** @type {Record<string, unknown>} */
  const body = sends ? { [sends]: partOf(sends, HTMLTextAreaElement).value } : JSON.parse(given);
  if (step) body.step = Number(step);
  if (question) {
    const answer = await confirmed(question, yes, named);
    if (answer === null) return false;
    if (named !== undefined) body.name = answer;
  }
  const { status, body: answer } = await tryRequest(post, body, t("The table is not answering."));
  if (status === 200) {
    if (then) location.assign(then);
    else location.reload();
    return true;
  }
  // If the game has gone on meanwhile, the next tap is for the table as it is now.
  if (step) dataset.step = (await request("/api/table").catch(() => null))?.body.step ?? step;
  showProblem(answer.problem);
  return false;
}

/**
 * A time as people here write it, in the language of the page.
 * @param {string} at
 */
export const localTime = (at) => new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/**
 * Show why a request was refused, and bring it into view.
 * @param {string} problem
 */
export function showProblem(problem) {
  part("problem").textContent = problem;
  part("problem").hidden = !problem;
  if (problem) part("problem").scrollIntoView({ block: "center" });
}

/**
 * The answer to a question: the name that was entered, "" for a plain yes, or null for a no.
 * @param {string} question
 * @param {string} yes
 * @param {string} [name]
 * @returns {Promise<string | null>}
 */
export function confirmed(question, yes, name) {
  const dialog = partOf("question", HTMLDialogElement);
  const field = partOf("answer", HTMLInputElement);
  child(dialog, "h2", HTMLElement).textContent = question;
  child(dialog, ".main", HTMLElement).textContent = yes;
  field.hidden = name === undefined;
  field.value = name ?? "";
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes" ? field.value.trim() : null);
  });
}

document.addEventListener("click", (event) => {
  const button = closest(event, "[data-post]");
  if (button) press(button);
});
// Without this script a tap would be lost, so the buttons come disabled.
for (const button of document.querySelectorAll("[data-post]")) if (button instanceof HTMLButtonElement) button.disabled = false;
findPart("file")?.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.files?.[0];
  if (file) partOf("text", HTMLTextAreaElement).value = await file.text();
});
window.addEventListener("pageshow", () => (asking = false));
// A screen opens no stream, by which the table would notice that the host is here.
setInterval(() => document.hidden || tryRequest("/api/welcome", undefined), SIGN_OF_LIFE);
for (const time of document.querySelectorAll("time")) {
  time.textContent = localTime(time.dateTime);
}
