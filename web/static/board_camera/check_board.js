// "Check the board": compares the real board with the game and lists what differs.

import { el } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";

/** @typedef {{space: number, expected: string, found: string}} Difference */

/** @type {(top: string) => string} */
const inWords = (top) => ({ jade: t("a Jade piece"), obsidian: t("an Obsidian piece"), empty: t("nothing") })[top] ?? t("something unclear");

/**
 * Compare, and show the result in a dialog. accept: takes the board as it is, and answers why not, or null.
 * @param {() => Promise<string | null>} accept
 */
export async function checkBoard(accept) {
  const { status, body } = await tryRequest("/api/board/check", {}, t("The table is not answering."));
  if (status !== 200) return openDialog(t("The board"), body.problem, [], null);
  const title = { unchanged: t("The board is right"), illegal: t("The board differs from the game") }[/** @type {string} */ (body.status)] ?? t("I can't tell yet");
  openDialog(title, body.sentence, body.differences, body.status === "illegal" ? accept : null);
}

/** @type {(title: string, sentence: string, differences: Difference[], accept: (() => Promise<string | null>) | null) => void} */
function openDialog(title, sentence, differences, accept) {
  const rows = differences.map(({ space, expected, found }) =>
    el("li", {}, t("Space {space}: I see {found}; the game has {expected}.", { space, found: inWords(found), expected: inWords(expected) })),
  );
  const refusal = el("p", { class: "refusal", role: "alert", hidden: true });
  const close = el("button", { type: "button", value: "close", class: accept ? "cancel" : "main" }, t("Close"));
  const right = accept && el("button", { type: "button", value: "right", class: "main" }, t("The board is right"));
  const dialog = el(
    "dialog",
    { "aria-labelledby": "check-title", class: "check-board" },
    el("h2", { id: "check-title" }, title),
    // The list says the same, space by space.
    !rows.length && el("p", {}, sentence),
    rows.length > 0 && el("ul", {}, ...rows),
    accept && el("p", {}, t("Put the pieces back as the game has them. Or, if the board is right, tap “The board is right”.")),
    refusal,
    el("div", { class: "bar foot" }, right, close),
  );
  close.onclick = () => dialog.close();
  if (right && accept) {
    right.onclick = async () => {
      refusal.textContent = (await accept()) ?? "";
      refusal.hidden = !refusal.textContent;
      if (refusal.hidden) dialog.close();
    };
  }
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}
