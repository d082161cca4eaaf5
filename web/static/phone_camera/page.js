// The page on a phone that is a camera: it sends each picture that the table asks for, one at a time.

import { el, findPart, part, partOf, redraw, write } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { request } from "../common/request.js";
import { canCapture, holdSettings, openCamera, scaledPhoto, takePicture } from "./capture.js";
import { showLevel } from "./spirit_level.js";

const PERIOD = 100; // ms between two small pictures
const RETRY = 1000; // ms until a table that has not answered is asked again
const SETTLE = 2000; // ms in which the camera adjusts itself before its settings are held
const REST = 20000; // ms without a touch after which the screen goes dark
const TIMEOUT = 5000; // ms

const API = "/api/camera/phone";
const video = partOf("video", HTMLVideoElement);
let page = 0; // as the table has numbered it; 0 before it was opened
let running = false;
let runs = 0;
let leaving = false;
let resting = 0;
/** @type {MediaStreamTrack | null} */
let track = null;

/** @param {{title: string, sentence: string, table: string, hints: string[]}} now */
function show(now) {
  write("title", now.title);
  write("sentence", now.sentence);
  write("table", now.table);
  redraw(part("hints"), now.hints, () => now.hints.map((hint) => el("li", {}, hint)));
}

/** @type {(name: string, why: string) => void} */
const beacon = (name, why) => void navigator.sendBeacon(`${API}/${name}?page=${page}&why=${why}`);
const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

/** Open this page at the table. Returns whether it may send. */
async function openPage() {
  const { status, body } = await request(`${API}/page`, { live: Boolean(track) });
  if (status === 200) page = body.page;
  else stop(body.problem);
  return status === 200;
}

/** @param {string} why */
function stop(why) {
  running = false;
  write("title", t("The camera has stopped"));
  write("sentence", why);
  part("start").hidden = !canCapture();
  part("adjust").hidden = true;
}

/** @type {(path: string, jpeg: Blob | null) => Promise<{status: number, body: any}>} */
async function send(path, jpeg) {
  const headers = { "Content-Type": "image/jpeg" };
  const answer = await fetch(path, { method: "POST", cache: "no-store", headers, body: jpeg, signal: AbortSignal.timeout(TIMEOUT) });
  return { status: answer.status, body: await answer.json() };
}

/** Send what is wanted until the page has to stop. */
async function run() {
  const turn = ++runs;
  const goesOn = () => running && turn === runs;
  let wanted = "nothing";
  let number = 0;
  while (goesOn()) {
    const began = performance.now();
    try {
      if (document.hidden || track?.muted) {
        await pause(PERIOD);
        continue;
      }
      const jpeg = wanted === "small" || wanted === "large" ? await takePicture(video, wanted) : null;
      const { status, body } = await send(`${API}/picture?page=${page}&number=${number}`, jpeg);
      if (!goesOn()) return;
      if (status !== 200) return stop(body.problem);
      if (body.wanted === "open") {
        if (!(await openPage())) return;
        continue;
      }
      ({ wanted, number } = body);
      show(body);
      if (wanted === "small") await pause(PERIOD - (performance.now() - began));
    } catch {
      if (!goesOn()) return;
      wanted = "nothing";
      await retry();
    }
  }
}

async function start() {
  part("start").hidden = true;
  running = false;
  // Some browsers play no video that is hidden.
  video.hidden = false;
  try {
    await showLevel();
    track = await openCamera(video);
  } catch (error) {
    track = null;
    video.hidden = true;
    const name = error instanceof DOMException ? error.name : "";
    stop(
      name === "NotAllowedError"
        ? t("The browser didn't let this page use the camera. Allow it in the browser's settings, or take single photos.")
        : t("I can't use the camera. If another app is using it, close that app and start again.")
    );
    part("photos").hidden = false;
    return begin();
  }
  part("photos").hidden = true;
  part("adjust").hidden = false;
  track.addEventListener("mute", () => beacon("absence", "camera"));
  track.addEventListener("ended", () => {
    beacon("absence", "camera");
    stop(t("A call or another app took over the camera. Start it again."));
  });
  stayAwake();
  rest();
  setTimeout(hold, SETTLE);
  return begin();
}

/** Begin to send, and try again while the table does not answer. */
async function begin() {
  running = true;
  while (running) {
    try {
      if (await openPage()) await run();
      return;
    } catch {
      await retry();
    }
  }
}

function retry() {
  write("title", t("No contact with the table"));
  write("sentence", t("The table is not answering. Trying again…"));
  return pause(RETRY);
}

const hold = () => track && holdSettings(track, "manual");

async function adjust() {
  if (!track) return;
  await holdSettings(track, "continuous");
  setTimeout(hold, SETTLE);
}

async function stayAwake() {
  await navigator.wakeLock?.request("screen").catch(() => undefined);
}

/** Darken the screen a while after the last touch. */
function rest() {
  clearTimeout(resting);
  part("lens").classList.remove("resting");
  if (track) resting = setTimeout(() => part("lens").classList.add("resting"), REST);
}

document.addEventListener("visibilitychange", () => {
  if (!running || leaving) return;
  // A phone that takes single photographs shows its camera app meanwhile.
  if (document.hidden && track) beacon("absence", "hidden");
  else if (track) stayAwake();
});
addEventListener("pagehide", () => {
  leaving = true; // a page that is closed becomes hidden too
  if (running) beacon("absence", "closed");
});
addEventListener("pageshow", () => (leaving = false));
addEventListener("pointerdown", rest);
part("start").addEventListener("click", start);
part("adjust").addEventListener("click", adjust);
findPart("photo")?.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.files?.[0];
  if (!file) return;
  try {
    const { status, body } = await send(`${API}/photo?page=${page}`, await scaledPhoto(file));
    write("sentence", status === 200 ? t("The table got the photo.") : body.problem);
  } catch {
    write("sentence", t("The photo didn't reach the table. Take it again."));
  }
  target.value = "";
});

if (!canCapture()) {
  part("photos").hidden = false;
  begin();
} else {
  // Where the camera was allowed before, a page that was reloaded goes on by itself.
  const allowed = await navigator.permissions?.query({ name: /** @type {any} */ ("camera") }).catch(() => null);
  if (allowed?.state === "granted") start();
  else part("start").hidden = false;
}
