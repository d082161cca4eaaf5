// The panel on the page: fingers on its buttons, and its lamp in its rhythm.

import { findPart, part, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { mayMove } from "../common/motion.js";
import { request } from "../common/request.js";

/** @typedef {{on: Element, timer: number}} Finger */
/** @typedef {Pick<Api.PanelView, "light" | "prompt" | "keys">} Shown */

const POLL = 400; // ms between two requests for the lamp
const STILL_THERE = 500; // ms between two reports that a finger is still down; the table lifts one that is silent for 1.5 s
const still = !mayMove();

const panel = findPart("panel");
/** @type {Map<string, Finger>} */
const fingers = new Map(); // by button: the element the finger is on, and the timer of its reports
/** @type {Api.LampSignal | null} */
let light = null;
let since = 0;
/** @type {Promise<void>} */
let sent = Promise.resolve(); // one request after the other, or a release might arrive before its press

/** @param {Shown} now */
function show(now) {
  if (!now.light) return;
  part("prompt").textContent = now.prompt;
  if (light?.mood !== now.light.mood) {
    [light, since] = [now.light, performance.now()];
    part("says").textContent = light.says;
    part("rhythm").textContent = light.rhythm;
    glowing().setAttribute("fill", light.colour);
    if (still) glowing().setAttribute("fill-opacity", "1");
    for (const one of document.querySelectorAll("[data-mood]")) one.classList.toggle("now", one.getAttribute("data-mood") === light.mood);
  }
  for (const { button, down } of now.keys) mark(button, down || fingers.has(button));
}

const glowing = () => partOf("glow", SVGElement);

/** @type {(button: string, down: boolean) => void} */
const mark = (button, down) => partOf(`key="${button}"`, Element).setAttribute("aria-pressed", `${down}`);

/**
 * The brightness of the lamp, 0 to 1, as in hardware/panel/lamp.py.
 * @type {(light: Api.LampSignal, seconds: number) => number}
 */
function brightness({ beats, fade }, seconds) {
  let left = seconds % beats.reduce((sum, [lit = 0, dark = 0]) => sum + lit + dark, 0);
  for (const [lit = 0, dark = 0] of beats) {
    if (left < lit) return fade ? Math.sin((Math.PI * left) / lit) ** 2 : 1;
    left -= lit + dark;
    if (left < 0) return 0;
  }
  return 0;
}

/** @param {number} time */
function animate(time) {
  glowing().setAttribute("fill-opacity", light ? brightness(light, (time - since) / 1000).toFixed(3) : "0");
  requestAnimationFrame(animate);
}

/** @param {{status: number, body: any}} answer */
function receive({ status, body }) {
  part("problem").hidden = status === 200;
  if (status === 200) show(body);
  else part("problem").textContent = body.problem;
}

/** The table is off, or out of reach, so the state of its lamp is unknown. */
function lost() {
  light = null;
  glowing().setAttribute("fill-opacity", "0");
  for (const name of ["says", "rhythm"]) part(name).textContent = "";
  part("problem").hidden = false;
  part("problem").textContent = t("The table is not answering.");
}

/** @type {(button: string, down: boolean) => void} */
const report = (button, down) => {
  sent = sent.then(() => request("/api/panel", { button, down }).then(receive, lost));
};

/** @type {(buttons: string[], on: Element) => void} */
function press(buttons, on) {
  for (const button of buttons) {
    if (fingers.has(button)) continue;
    fingers.set(button, { on, timer: setInterval(report, STILL_THERE, button, true) });
    mark(button, true);
    report(button, true);
  }
}

/**
 * Lift the fingers that are on this element, or all.
 * @param {Element} [on]
 */
function release(on) {
  for (const [button, finger] of [...fingers]) {
    if (on && finger.on !== on) continue;
    clearInterval(finger.timer);
    fingers.delete(button);
    mark(button, false);
    report(button, false);
  }
}

/**
 * A finger, a mouse or a key on this element holds these buttons down for as long as it stays.
 * @type {(element: HTMLElement | SVGElement, buttons: string[]) => void}
 */
function holds(element, buttons) {
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(/** @type {PointerEvent} */ (event).pointerId);
    press(buttons, element);
  });
  element.addEventListener("keydown", (event) => {
    const { key, repeat } = /** @type {KeyboardEvent} */ (event);
    if ([" ", "Enter"].includes(key) && !repeat) press(buttons, element);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "keyup", "blur"]) {
    element.addEventListener(end, () => release(element));
  }
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}

async function poll() {
  if (!document.hidden && !fingers.size) await request("/api/panel").then(receive, lost);
  setTimeout(poll, POLL);
}

if (panel) {
  show({ light: JSON.parse(panel.dataset.light ?? "null"), prompt: part("prompt").textContent ?? "", keys: [] });
  if (panel.dataset.play === "yes") {
    for (const key of document.querySelectorAll("[data-key]")) {
      if (key instanceof HTMLElement || key instanceof SVGElement) holds(key, [key.dataset.key ?? ""]);
    }
    const both = findPart("both");
    if (both) {
      both.hidden = false;
      holds(both, (both.dataset.both ?? "").split(" "));
    }
  }
  window.addEventListener("pagehide", () => release());
  document.addEventListener("visibilitychange", () => document.hidden && release());
  if (!still) requestAnimationFrame(animate);
  poll();
}
