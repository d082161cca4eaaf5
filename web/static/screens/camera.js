// The camera's screen: one picture after the other, as fast as they come, and what the camera is doing.

import { findPart, part, write } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";
import { loadPicture } from "./live_picture.js";

const PICTURE = 300; // ms between two pictures, counted from when the last one has come
const POLL = 1500; // ms between two requests for what the camera is doing
const RETRY = 2000; // ms after a picture that did not come

let timer = 0;

async function poll() {
  clearTimeout(timer);
  if (document.hidden) return;
  const { status, body } = await tryRequest("/api/camera", undefined);
  if (status === 200) {
    write("title", body.title);
    write("sentence", body.sentence);
    if (findPart("detail")) write("detail", body.detail);
    part("tray").hidden = !body.sees;
    if (body.sees && !findPart("live")) load();
  } else {
    write("sentence", t("The table is not answering. Trying again…"));
  }
  timer = setTimeout(poll, POLL);
}

function load() {
  const after = (/** @type {number} */ wait) => () => void setTimeout(loadNext, wait);
  loadPicture(t("The tray as the camera sees it now"), `/api/camera/picture?${Date.now()}`, after(PICTURE), after(RETRY));
}

function loadNext() {
  if (document.hidden || part("tray").hidden) findPart("live")?.remove();
  else load();
}

document.addEventListener("visibilitychange", poll);
if (findPart("live")) setTimeout(loadNext, PICTURE);
poll();
