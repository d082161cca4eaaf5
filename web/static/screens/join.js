// Keeps the invitation true while it is shown: who is here, and who is host.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { t } from "./words.js";

const AGAIN = 3000; // ms between two looks; a projector shows this for hours

let shown = null;

async function look() {
  if (document.hidden) return;
  const { status, body } = await ask("/api/welcome").catch(() => ({}));
  if (status !== 200) return;
  const host = `${body.play} ${body.host} ${body.host_here}`;
  if (shown !== null && host !== shown && !document.querySelector("dialog[open]")) location.reload();
  shown = host;
  const { players, watching } = body;
  part("here").textContent = t("Playing: {players}. Watching: {watching}.", { players, watching });
}

setInterval(look, AGAIN);
document.addEventListener("visibilitychange", look);
look();
