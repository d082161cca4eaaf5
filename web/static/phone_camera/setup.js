// The host's screen of the phone cameras: shown anew once a phone was let in, has begun to send, or has stopped.

import { part } from "../common/dom.js";
import { tryRequest } from "../common/request.js";

const POLL = 1000; // ms

/** @typedef {{let_in: boolean, sends: boolean}} Phone */

const shown = part("phone-state").dataset.phoneState;

async function poll() {
  const { status, body } = await tryRequest("/api/camera/phone", undefined);
  const now = status === 200 ? body.phones.map((/** @type {Phone} */ { let_in, sends }) => `${let_in} ${sends} `).join("") : shown;
  if (now !== shown && !document.querySelector("dialog[open]")) location.reload();
  else setTimeout(poll, POLL);
}

setTimeout(poll, POLL);
