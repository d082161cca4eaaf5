// Keeps the invitation up to date while it is shown: who is here, and who is host.

import { part } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";

const POLL = 3000; // ms between two requests; a projector shows this for hours

/** @type {string | null} */
let shown = null;

async function poll() {
  if (document.hidden) return;
  const { status, body } = await tryRequest("/api/welcome", undefined);
  if (status !== 200) return;
  const host = `${body.play} ${body.host} ${body.host_here}`;
  if (shown !== null && host !== shown && !document.querySelector("dialog[open]")) location.reload();
  shown = host;
  const { players, watching } = body;
  part("here").textContent = t("Playing: {players}. Watching: {watching}.", { players, watching });
}

setInterval(poll, POLL);
document.addEventListener("visibilitychange", poll);
poll();
