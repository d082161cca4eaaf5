// The camera's screen: one picture after the other, as fast as they come, and what the camera is doing.

import { findPart, part } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";

const PICTURE = 300; // ms between two pictures, counted from when the last one has come
const POLL = 1500; // ms between two requests for what the camera is doing
const RETRY = 2000; // ms after a picture that did not come

let timer = 0;

/**
 * Text that has not changed is not announced again by a screen reader.
 * @type {(name: string, text: string) => void}
 */
function write(name, text) {
  const place = findPart(name);
  if (!place) return;
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}

async function poll() {
  clearTimeout(timer);
  if (document.hidden) return;
  const { status, body } = await tryRequest("/api/camera", undefined);
  if (status === 200) {
    write("title", body.title);
    write("sentence", body.sentence);
    write("detail", body.detail);
    part("tray").hidden = !body.sees;
    if (body.sees && !findPart("live")) load();
  } else {
    write("sentence", t("The table is not answering. Trying again…"));
  }
  timer = setTimeout(poll, POLL);
}

/** Load the next picture, and swap it in once it is complete, so that nothing flickers. */
function load() {
  const picture = new Image();
  picture.alt = t("The tray as the camera sees it now");
  picture.dataset.live = "";
  picture.onload = () => {
    part("tray").replaceChildren(picture);
    setTimeout(loadNext, PICTURE);
  };
  picture.onerror = () => setTimeout(loadNext, RETRY);
  picture.src = `/api/camera/picture?${Date.now()}`;
}

function loadNext() {
  if (document.hidden || part("tray").hidden) findPart("live")?.remove();
  else load();
}

document.addEventListener("visibilitychange", poll);
if (findPart("live")) setTimeout(loadNext, PICTURE);
poll();
