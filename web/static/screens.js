// The buttons of the other screens: ask first where something would be lost, then tell the table.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { t } from "./words.js";

let asking = false; // one wish at a time, and none after one that leads away: a double tap is one tap

async function press(button) {
  if (asking) return;
  asking = true;
  const gone = await tell(button);
  asking = gone;
}

/** Ask where something would be lost, and tell the table. Answers whether this screen is left by it. */
async function tell({ dataset }) {
  const { post, body: given, then, ask: question, yes, named, sends, step } = dataset;
  const body = sends ? { [sends]: part(sends).value } : JSON.parse(given ?? "{}");
  if (step) body.step = Number(step);
  if (question) {
    const answer = await asked(question, yes, named);
    if (answer === null) return false;
    if (named !== undefined) body.name = answer;
  }
  const { status, body: told } = await ask(post, body).catch(() => ({ body: { problem: t("The table does not answer.") } }));
  if (status === 200) {
    if (then) location.assign(then);
    else location.reload();
    return true;
  }
  // Where the game has gone on meanwhile, the next tap is for what is so now.
  if (step) dataset.step = (await ask("/api/table").catch(() => null))?.body.step ?? step;
  part("problem").textContent = told.problem;
  part("problem").hidden = false;
  part("problem").scrollIntoView({ block: "center" });
  return false;
}

/** What is answered to a question: the name given, or "" for a mere yes; null for a no. */
export function asked(question, yes, named) {
  const dialog = part("question");
  const field = part("answer");
  dialog.querySelector("h2").textContent = question;
  dialog.querySelector(".main").textContent = yes;
  field.hidden = named === undefined;
  field.value = named ?? "";
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes" ? field.value.trim() : null);
  });
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-post]");
  if (button) press(button);
});
// Until somebody listens a tap would be lost.
for (const button of document.querySelectorAll("[data-post]")) button.disabled = false;
part("file")?.addEventListener("change", async ({ target }) => {
  if (target.files[0]) part("text").value = await target.files[0].text();
});
window.addEventListener("pageshow", () => (asking = false));
for (const time of document.querySelectorAll("time")) {
  time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
