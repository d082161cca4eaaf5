// The host's screen of the camera phone: shown anew once a phone was let in, has begun to send, or has stopped.

import { part } from "../common/dom.js";
import { tryRequest } from "../common/request.js";

const POLL = 1000; // ms

const shown = part("phone-state").dataset.phoneState;

async function poll() {
  const { status, body } = await tryRequest("/api/camera/phone", undefined);
  if (status === 200 && `${body.let_in} ${body.sends}` !== shown && !document.querySelector("dialog[open]")) location.reload();
  else setTimeout(poll, POLL);
}

setTimeout(poll, POLL);
