// The buttons of the other screens: ask first where something would be lost, then tell the table.

import { ask } from "./ask.js";
import { part } from "./dom.js";

async function press(button) {
  const { post, body: given, then, ask: question, yes, named, sends } = button.dataset;
  const body = sends ? { [sends]: part(sends).value } : JSON.parse(given ?? "{}");
  if (question) {
    const answer = await asked(question, yes, named);
    if (answer === null) return;
    if (named !== undefined) body.name = answer;
  }
  button.disabled = true;
  const { status, body: told } = await ask(post, body).catch(() => ({ body: { problem: "The table does not answer." } }));
  button.disabled = false;
  if (status === 200) return then ? location.assign(then) : location.reload();
  part("problem").textContent = told.problem;
  part("problem").hidden = false;
  part("problem").scrollIntoView({ block: "center" });
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
part("file")?.addEventListener("change", async ({ target }) => {
  if (target.files[0]) part("text").value = await target.files[0].text();
});
for (const time of document.querySelectorAll("time")) {
  time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
