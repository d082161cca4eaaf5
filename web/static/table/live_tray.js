// The live picture of the tray while a throw is awaited.

import { el } from "../common/dom.js";
import { t } from "../common/i18n.js";

const CALM = 2500; // ms between two pictures while nothing moves, from the arrival of the last one
const MOVING = 350; // ms, while the sticks fly
const RETRY = 6000; // ms to wait after a picture failed to load

// One image for all frames, so that a new frame is never empty.
const shown = el("img", { alt: t("The tray as the camera sees it now"), "data-live-tray": true, hidden: true });
let timer = 0;
let pause = CALM;
let flying = false;

/**
 * Whether a live picture is available now.
 * @param {Api.Snapshot} table
 */
export const isAwaited = ({ phase, unsure, camera }) =>
  (phase === "throw" || phase === "throw_off") && !unsure && (camera.state === "watching" || camera.state === "moving");

/**
 * What the camera has noticed, from its present and previous states. Reset when the game goes on.
 * @param {Api.Snapshot} table
 */
function caption({ camera, confirm }) {
  if (confirm) return t("Live: the tray"); // only a tap brings the next throw
  if (camera.state === "moving") flying = true;
  if (camera.state === "moving") return t("They are in the air …");
  return flying ? t("I saw them land.") : t("Live: the tray");
}

/** Forget the last throw. */
export function forgetThrow() {
  flying = false;
}

/**
 * The frame of the live picture; keepLive() fills it.
 * @param {Api.Snapshot} table
 */
export function liveTray(table) {
  pause = table.camera.state === "moving" ? MOVING : CALM;
  return el("div", { class: "frame live" }, shown, el("span", { class: "legend", role: "status" }, caption(table)));
}

/** Load the next picture, and repeat while the frame is on the page. */
export function keepLive() {
  clearTimeout(timer);
  if (!shown.isConnected) return;
  if (document.hidden) {
    timer = setTimeout(keepLive, pause);
    return;
  }
  const next = new Image();
  next.onload = () => {
    shown.src = next.src;
    document.documentElement.style.setProperty("--shape", `${next.naturalWidth / next.naturalHeight}`);
    shown.hidden = false;
    timer = setTimeout(keepLive, pause);
  };
  next.onerror = () => (timer = setTimeout(keepLive, RETRY));
  next.src = `/api/camera/picture?${Date.now()}`;
}
