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
let isLoading = false;
let loadedAt = -Infinity; // ms, when the last picture came

/**
 * Whether a live picture is available now.
 * @param {Api.Snapshot} table
 */
export const isAwaited = ({ phase, unsure, camera }) =>
  (phase === "throw" || phase === "throw_off") && !unsure && (camera.state === "watching" || camera.state === "moving");

/**
 * Whether the sticks have landed and are being read.
 * @param {Api.Snapshot} table
 */
export const isLanded = (table) => isAwaited(table) && !table.confirm && table.camera.reading;

/**
 * What keeps the camera from reading a throw until somebody does something about it, or "".
 * @param {Api.Snapshot} table
 */
export const hindrance = (table) => (isAwaited(table) && table.camera.state === "watching" ? table.camera.message : "");

/** @param {Api.Snapshot} table */
function caption(table) {
  if (table.camera.state === "moving") return t("They are in the air…");
  return isLanded(table) ? t("They have landed.") : t("Live: the tray");
}

/**
 * The frame of the live picture; keepLive() fills it.
 * @param {Api.Snapshot} table
 */
export function liveTray(table) {
  pause = table.camera.state === "moving" ? MOVING : CALM;
  return el("div", { class: "frame live" }, shown, el("span", { class: "legend", role: "status" }, caption(table)));
}

/** Whether nobody sees the picture: in the background, or under the choice of the first minute, which is to open fast. */
const isUnseen = () => document.hidden || document.querySelector("[data-welcome]:not([hidden])") !== null;

/** Load the next picture once it is due, and repeat while the frame is on the page. Every redrawing of the frame calls it. */
export function keepLive() {
  if (isLoading) return;
  clearTimeout(timer);
  if (!shown.isConnected) return;
  const due = loadedAt + pause - performance.now();
  if (isUnseen() || due > 0) {
    timer = setTimeout(keepLive, due > 0 ? due : pause);
    return;
  }
  const next = new Image();
  isLoading = true;
  next.onload = () => {
    [isLoading, loadedAt] = [false, performance.now()];
    shown.src = next.src;
    document.documentElement.style.setProperty("--shape", `${next.naturalWidth / next.naturalHeight}`);
    shown.hidden = false;
    timer = setTimeout(keepLive, pause);
  };
  next.onerror = () => {
    [isLoading, loadedAt] = [false, performance.now() + RETRY - pause];
    timer = setTimeout(keepLive, RETRY);
  };
  next.src = `/api/camera/picture?${Date.now()}`;
}
