// The camera's screen: one picture after the other, as fast as they come, and in words what the camera does.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { t } from "./words.js";

const PICTURE = 300; // ms between two pictures, counted from when the last one has come
const LOOK = 1500; // ms between two looks at what the camera does
const AGAIN = 2000; // ms after a picture that did not come

let timer = 0;

/** Words that have not changed are not said again by a screen reader. */
function write(name, words) {
  const place = part(name);
  if (!place) return;
  if (place.textContent !== words) place.textContent = words;
  place.hidden = !words;
}

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const { status, body } = await ask("/api/camera").catch(() => ({}));
  if (status === 200) {
    write("title", body.title);
    write("sentence", body.sentence);
    write("detail", body.detail);
    part("tray").hidden = !body.sees;
    if (body.sees && !part("live")) show();
  } else {
    write("sentence", t("The table does not answer. Trying again …"));
  }
  timer = setTimeout(look, LOOK);
}

/** Load the next picture beside the present one, and swap them when it is there: nothing flickers. */
function show() {
  const next = new Image();
  next.alt = t("The tray as the camera sees it now");
  next.dataset.live = "";
  next.onload = () => {
    part("tray").replaceChildren(next);
    setTimeout(go, PICTURE);
  };
  next.onerror = () => setTimeout(go, AGAIN);
  next.src = `/api/camera/picture?${Date.now()}`;
}

function go() {
  if (document.hidden || part("tray").hidden) return part("live")?.remove();
  show();
}

document.addEventListener("visibilitychange", look);
if (part("live")) setTimeout(go, PICTURE);
look();
